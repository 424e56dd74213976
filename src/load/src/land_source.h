// Delivered files as tables inside the engine: their rows, and their malformed records.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>
#include <engine/engine.h>
#include <load/records.h>

namespace load {

// What is landed of one file.
struct SourceFile {
  std::shared_ptr<const RecordFile> file;
  std::string path;                  // as in _source_file
  std::vector<std::string> columns;  // the bronze name of each header column
  std::string absolute = {};         // where it lies
  std::int64_t modified_us = 0;      // when it was found
};

// Counts of one file, filled while its rows are read.
struct SourceCounts {
  std::atomic<std::int64_t> rows{0};
  std::atomic<std::int64_t> malformed{0};
};

// Blocks of all files, each given out once.
class SourceBlocks {
 public:
  struct Block {
    std::size_t file = 0;
    std::size_t block = 0;
  };
  explicit SourceBlocks(const std::vector<SourceFile>& files);
  bool next(Block& block);
  std::size_t size() const { return blocks_.size(); }

 private:
  std::vector<Block> blocks_;
  std::atomic<std::size_t> next_{0};
};

// The rows: `columns` (bronze names; null where a file does not have one), then _source_file,
// _source_line and _file_index, the file's place in `files`. For one query. `counts` has one entry for each
// file and is filled by it.
std::shared_ptr<engine::RowSource> row_source(std::vector<SourceFile> files, std::vector<std::string> columns,
                                              std::shared_ptr<std::vector<SourceCounts>> counts,
                                              int scans_max);

// The same for any number of queries, uncounted.
std::shared_ptr<engine::RowSource> repeated_rows(std::vector<SourceFile> files,
                                                 std::vector<std::string> columns, int scans_max);

// The malformed records: _reject_id, _source_file, _source_line, _raw, _reject_codes, _reject_reason.
std::shared_ptr<engine::RowSource> malformed_source(std::vector<SourceFile> files, int scans_max);

// Registers a source while it lives; sql() stands where a table would.
class RegisteredSource {
 public:
  RegisteredSource(engine::Engine& engine, std::shared_ptr<engine::RowSource> source)
      : engine_(engine), id_(engine.add(std::move(source))) {}
  ~RegisteredSource() { engine_.forget(id_); }
  RegisteredSource(const RegisteredSource&) = delete;
  RegisteredSource& operator=(const RegisteredSource&) = delete;
  std::string sql() const { return "tenter_source(" + std::to_string(id_) + ")"; }

 private:
  engine::Engine& engine_;
  std::uint64_t id_;
};

// Columns of the table that at least one file has, in the table's order.
std::vector<std::string> sent_columns(const delta::Schema& schema, const std::vector<SourceFile>& files);

// What landing adds to each row.
struct LandedAs {
  std::string batch;
  std::int64_t loaded_at_us = 0;
};
// SQL: every column of the table as `source` (rows with the columns `sent`) gives it, and _file_index.
std::string landed_select(const delta::Schema& schema, const std::vector<std::string>& sent,
                          const LandedAs& as, const std::string& source);

// A timestamp with time zone as an SQL literal.
std::string instant_sql(std::int64_t us);

// The id that a malformed record keeps however often its file is landed: from the file's content and
// the line (and the offset, where it has one), by the payload rule of hashes.
std::string malformed_id(const std::string& content_sha256, const MalformedRecord& record);

}  // namespace load
