// Landing: delivered files become one batch of rows of a bronze table, exactly as sent, in one
// commit with a ledger of the files; records that cannot be split are kept in the table
// quarantine.<object>_malformed, which is committed first. `docs/storage.md` of the product says what
// is stored.
//
// For one thread; two processes may land at once (commits decide, the loser lands anew).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <load/load.h>
#include <load/records.h>

namespace load {

struct LandOptions {
  std::string project_root;          // globs are relative to it
  std::string home_root;             // never entered by globs
  std::optional<std::string> batch;  // the batch's id; else it is made from the time and the ledger
  // Contract tables that load from this one: a batch that one of them has decided is not extended.
  std::vector<contract::TableName> readers;
  // What those tables declare: a file that sends raw_<one of them> is refused.
  std::vector<std::string> declared_columns;
  // Files that are not landed this time, as in _source_file.
  std::vector<std::string> except;
  // The contract table that the same run loads next: the rows are judged for it as they are written.
  std::optional<contract::TableName> loaded_next;
  // Only says which files are new and whether they may land; nothing is written.
  bool only_look = false;
  CsvLimits limits;
  // One file of corrected rows instead of what the globs name.
  struct Correction {
    std::string path;                  // as in _source_file
    std::string absolute;              // where it can be opened
    std::vector<std::string> columns;  // for each of its columns the bronze name; empty: it is left out
    std::string because;
  };
  std::optional<Correction> correction;
};

struct LandedFile {
  enum class Outcome {
    landed,
    not_read,       // size and time as in the ledger
    already_there,  // read; the same bytes were landed from this path
    excepted        // left out by LandOptions::except
  };
  std::string path;  // as in _source_file
  Outcome outcome = Outcome::landed;
  std::uint64_t size = 0;  // bytes
  std::string sha256;      // empty when not read
  std::int64_t rows = 0;
  std::int64_t malformed = 0;
};

struct LandReport {
  // Files in the order of their paths.
  std::vector<LandedFile> files;
  // Set when a version of the landing table was committed.
  std::optional<std::string> batch;
  bool extended = false;      // the batch existed before
  std::int64_t version = -1;  // of the landing table, committed or found; -1: there is none
  std::int64_t rows = 0;
  std::int64_t malformed = 0;
  std::vector<std::string> new_columns;
  std::vector<std::string> warnings;
  std::shared_ptr<EarlyJudgement> early;  // for the table that is loaded next, where it could be made
  // Why files were refused, one error or more for each file; then nothing was written.
  std::vector<base::Error> refused;
};

// Lands the files that are new. An Error is the machine's fault, or about the whole landing:
// codes "land.bad_glob", "land.foreign_table", "land.bad_batch_id", "land.batch_decided", "land.race",
// "land.column_names". Files are refused with "land.new_column", "land.malformed_record",
// "land.header_malformed", "land.empty_header", "land.duplicate_header", "land.reserved_header",
// "land.changed", "land.line_too_long", "land.bad_json", "land.bad_parquet", "land.bad_delta",
// "land.column_type", "land.type_changed", "land.too_many_columns", "land.bad_gzip", "land.bad_encoding",
// "land.bad_path".
base::Result<LandReport> land(const Place& place, const contract::Landing& landing,
                              const LandOptions& options);

// The files that the landing table's globs name now, as in _source_file; `root`s as in LandOptions.
base::Result<std::vector<std::string>> delivered_files(const Place& place, const contract::Landing& landing,
                                                       const LandOptions& options);

}  // namespace load
