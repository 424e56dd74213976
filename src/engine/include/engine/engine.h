// The analytical engine (DuckDB behind its C API), opened in memory: SQL over Parquet files,
// our own row sources and row functions inside its pipelines, and Parquet files written by it.
//
// An Engine owns the database; Connections come from it and must not outlive it. Use one
// connection per thread; everything else is safe to share. Errors: code "engine.query" with the
// engine's own words; kind io when a file or the memory failed, invalid when the query or a value
// in it is wrong, internal otherwise. An error of a RowFunction or RowSource comes back as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <base/result.h>
#include <base/zone.h>

namespace engine {

struct Settings {
  int threads = 0;             // 0: all processors
  std::string memory_limit;    // "400MB"; empty: the engine's own default
  std::string temp_directory;  // where it may spill; empty: nowhere
  bool keep_order = false;     // rows of a query without ORDER BY in the order of its source
  // The rules of a time zone that an expression or a value names, asked for once each, by any thread;
  // empty: only UTC and offsets are known.
  std::function<std::optional<base::Zone>(const std::string& name)> zone_named;
};

// ---- results -------------------------------------------------------------------------------

// Dates are days, timestamps microseconds (both int64); decimals, 128-bit integers, lists,
// structs and maps are text as the engine prints them; blobs are bytes in a string.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

class Rows {
 public:
  std::size_t size() const { return rows_.size(); }
  std::size_t columns() const { return names_.size(); }
  const std::string& name(std::size_t column) const { return names_[column]; }
  const std::string& type(std::size_t column) const { return types_[column]; }  // "DECIMAL(18,2)"
  const Value& at(std::size_t row, std::size_t column) const { return rows_[row][column]; }
  bool is_null(std::size_t row, std::size_t column) const {
    return std::holds_alternative<std::monostate>(at(row, column));
  }
  // The value when it has that shape, else 0 / "".
  std::int64_t int64(std::size_t row, std::size_t column) const;
  const std::string& text(std::size_t row, std::size_t column) const;

  std::vector<std::string> names_;
  std::vector<std::string> types_;
  std::vector<std::vector<Value>> rows_;
};

// ---- our code inside its pipelines -----------------------------------------------------------

// One chunk of argument columns (at most a few thousand rows). Borrowed for one call.
class Input {
 public:
  virtual ~Input() = default;
  virtual std::size_t rows() const = 0;
  virtual std::size_t columns() const = 0;
  virtual bool is_null(std::size_t column, std::size_t row) const = 0;
  // Of BIGINT, UBIGINT, TIMESTAMP, TIMESTAMPTZ columns; rows() values, undefined where null.
  virtual const std::int64_t* int64s(std::size_t column) const = 0;
  // Of VARCHAR and BLOB columns.
  virtual std::string_view text(std::size_t column, std::size_t row) const = 0;
  // The payload (docs/signature.md) of the columns from first_payload() of the function on; good until
  // the next call.
  virtual std::string_view payload(std::size_t row) const = 0;
};

// Called as tenter_call(id, arguments…) -> BIGINT, never folded or left out, from several
// threads at once. Arguments are BIGINT, UBIGINT, TIMESTAMP, TIMESTAMPTZ, VARCHAR or BLOB, those of a
// payload of any type of a table's column: others are refused, "engine.argument_type". It sees every row
// that reaches it and can keep what it saw ("tap").
class RowFunction {
 public:
  virtual ~RowFunction() = default;
  virtual base::Status call(const Input& input, std::span<std::int64_t> out) = 0;
  // The first argument that is only for the payload; the default: none is.
  virtual std::size_t first_payload() const { return static_cast<std::size_t>(-1); }
};

enum class SourceType { text, blob, int64, timestamp };  // timestamp: TIMESTAMPTZ microseconds

struct SourceColumn {
  std::string name;
  SourceType type = SourceType::text;
};

// A chunk being filled by a scan. set_text copies; what set_borrowed_text points to must stay
// where it is until the query ends or until two further chunks of the scan were filled.
class Output {
 public:
  virtual ~Output() = default;
  virtual std::size_t capacity() const = 0;
  virtual void set_null(std::size_t column, std::size_t row) = 0;
  virtual void set_int64(std::size_t column, std::size_t row, std::int64_t value) = 0;
  virtual void set_text(std::size_t column, std::size_t row, std::string_view value) = 0;
  virtual void set_borrowed_text(std::size_t column, std::size_t row, std::string_view value) = 0;
  // The first `count` rows of a column, from every `step`th of `values`; null where data() is null.
  virtual void set_borrowed_texts(std::size_t column, const std::string_view* values, std::size_t step,
                                  std::size_t count) = 0;
  virtual void set_rows(std::size_t count) = 0;  // 0 ends this scan
};

class SourceScan {
 public:
  virtual ~SourceScan() = default;
  // Columns of the output are those asked for in begin(), in that order.
  virtual base::Status next(Output& output) = 0;
};

// Called as tenter_source(id): a table of our making. Several scans run at once, one a thread. It serves
// one query, or any number when it gives itself anew.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual std::vector<SourceColumn> columns() const = 0;
  virtual int scans_max() const = 0;
  // Once a thread; a query that only counts rows may ask for any one column.
  virtual base::Result<std::unique_ptr<SourceScan>> begin(const std::vector<std::size_t>& wanted) = 0;
  // The same rows from the beginning, asked for at each use in a query; null: this object is the one use.
  virtual std::shared_ptr<RowSource> anew() const { return nullptr; }
};

// ---- Parquet -----------------------------------------------------------------------------------

struct ParquetOptions {
  std::string compression = "zstd";
  int compression_level = 1;
  std::int64_t row_group_rows = 122'880;
  std::int64_t dictionary_size_limit = 2'000;  // larger dictionaries cost more than they save
  // Numbers of columns in the file, by name; empty: none are written.
  std::vector<std::pair<std::string, std::int64_t>> field_ids = {};
};

struct ColumnStatistics {
  std::string column;
  std::optional<std::string> minimum;  // as the engine prints them; strings may be cut at 256 bytes
  std::optional<std::string> maximum;
  std::int64_t null_count = 0;
  bool has_nan = false;
};

struct ParquetFile {
  std::int64_t rows = 0;
  std::int64_t bytes = 0;
  std::vector<ColumnStatistics> statistics;  // in no fixed order
};

// ---- engine and connection ----------------------------------------------------------------------

class Connection {
 public:
  virtual ~Connection() = default;

  virtual base::Status execute(const std::string& sql) = 0;
  virtual base::Result<Rows> query(const std::string& sql) = 0;
  // In pieces, for results that should not be held whole; stops at the first error. One statement;
  // `on_chunk` must not use this connection.
  virtual base::Status query_each(const std::string& sql,
                                  const std::function<base::Status(const Rows& chunk)>& on_chunk) = 0;
  // Writes the rows of `select` to one new Parquet file (TIMESTAMPTZ as UTC microseconds).
  // The file is not synced. No rows: a file with zero rows.
  virtual base::Result<ParquetFile> write_parquet(const std::string& select, const std::string& path,
                                                  const ParquetOptions& options) = 0;
};

class Engine {
 public:
  static base::Result<std::unique_ptr<Engine>> open(const Settings& settings);
  virtual ~Engine() = default;

  virtual base::Result<std::unique_ptr<Connection>> connect() = 0;
  // The id for tenter_call / tenter_source; kept until forget() or the engine ends.
  virtual std::uint64_t add(std::shared_ptr<RowFunction> function) = 0;
  virtual std::uint64_t add(std::shared_ptr<RowSource> source) = 0;
  virtual void forget(std::uint64_t id) = 0;
  // From now on only these folders can be read, nothing can be written or configured, and every
  // connection runs queries only: code "engine.read_only" for other statements.
  virtual base::Status lock_down(const std::vector<std::string>& directories) = 0;
};

std::string library_version();  // the engine library's own, "v1.5.6"

// Opens an engine when it is first needed, so that work without rows costs no start-up.
// Not thread-safe; one per command.
class LazyEngine {
 public:
  explicit LazyEngine(Settings settings) : settings_(std::move(settings)) {}
  base::Result<Engine*> engine();
  base::Result<Connection*> connection();  // one shared connection of the calling thread
  bool is_open() const { return engine_ != nullptr; }

 private:
  Settings settings_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace engine
