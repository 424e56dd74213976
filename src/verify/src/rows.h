// Rows of data files: as a relation for the engine, and their hash by the rule of docs/signature.md,
// computed here with our own payload and SHA-256. A file that cannot be read gives the error
// "verify.file_unreadable", then and ever after. Not thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <engine/engine.h>
#include <world/world.h>

#include "log.h"

namespace verify {

// A sum modulo 2^128 over rows, and their number; subtracting takes rows out again.
struct RowsHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  std::int64_t rows = 0;

  void add(const RowsHash& other);
  std::string text() const;  // 32 hex digits
};

class Scanner {
 public:
  Scanner(const world::Files& files, engine::LazyEngine& engine) : files_(files), engine_(engine) {}

  base::Result<engine::Rows> query(const std::string& sql);
  base::Status execute(const std::string& sql);
  base::Result<engine::Engine*> engine() { return engine_.engine(); }
  const world::Files& files() const { return files_; }
  bool exists(const LiveFile& file) const { return files_.exists(file.absolute); }
  // The first of them that is not there, else empty.
  std::string missing(const std::vector<LiveFile>& files) const;

  // SELECT over the rows of the files: the fields by name with their declared types, null where a
  // file has no such column. Works without files.
  base::Result<std::string> relation(const std::vector<LiveFile>& files, const std::vector<Field>& fields);
  // Kept per file and list of fields.
  base::Result<RowsHash> hash(const LiveFile& file, const std::vector<Field>& fields);
  base::Result<RowsHash> hash(const std::vector<LiveFile>& files, const std::vector<Field>& fields);
  // A query over one file alone: its failing means that the file cannot be read.
  base::Result<engine::Rows> query_file(const LiveFile& file, const std::string& sql);

 private:
  base::Result<std::vector<std::string>> columns_of(const LiveFile& file);

  const world::Files& files_;
  engine::LazyEngine& engine_;
  std::map<std::string, std::vector<std::string>> columns_;  // by absolute path
  std::map<std::string, RowsHash> hashes_;                   // by absolute path and fields
  std::map<std::string, base::Error> unreadable_;            // by absolute path
};

std::vector<LiveFile> live_files(const State& state);
std::string describe(const std::vector<Field>& fields);  // "id bigint, name string"

}  // namespace verify
