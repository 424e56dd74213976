#include "connection.h"

#include <base/text.h>

#include "parquet_statistics.h"
#include "values.h"

namespace engine {

namespace {

using base::Kind;

Kind kind_of(duckdb_error_type type) {
  switch (type) {
    case DUCKDB_ERROR_IO:
    case DUCKDB_ERROR_HTTP:
    case DUCKDB_ERROR_OUT_OF_MEMORY:
      return Kind::io;
    case DUCKDB_ERROR_PERMISSION:
      return Kind::denied;
    case DUCKDB_ERROR_NOT_IMPLEMENTED:
      return Kind::unsupported;
    case DUCKDB_ERROR_PARSER:
    case DUCKDB_ERROR_SYNTAX:
    case DUCKDB_ERROR_BINDER:
    case DUCKDB_ERROR_CATALOG:
    case DUCKDB_ERROR_CONVERSION:
    case DUCKDB_ERROR_OUT_OF_RANGE:
    case DUCKDB_ERROR_DIVIDE_BY_ZERO:
    case DUCKDB_ERROR_MISMATCH_TYPE:
    case DUCKDB_ERROR_CONSTRAINT:
    case DUCKDB_ERROR_PARAMETER_NOT_RESOLVED:
    case DUCKDB_ERROR_INVALID_INPUT:
      return Kind::invalid;
    default:
      return Kind::internal;
  }
}

// Spark refuses dates before 1582 and instants before 1900 in a file that does not say which calendar
// it was written in. This is how a file says: the Gregorian one throughout.
constexpr const char* kCalendarMark = ", KV_METADATA {'org.apache.spark.version': '3.5.0'}";

// A statement that cannot be prepared has no error type, only its name at the start of the message.
duckdb_error_type type_by_name(std::string_view message) {
  static constexpr std::pair<std::string_view, duckdb_error_type> kNames[] = {
      {"IO Error: ", DUCKDB_ERROR_IO},
      {"Permission Error: ", DUCKDB_ERROR_PERMISSION},
      {"Out of Memory Error: ", DUCKDB_ERROR_OUT_OF_MEMORY},
      {"Not implemented Error: ", DUCKDB_ERROR_NOT_IMPLEMENTED},
      {"INTERNAL Error: ", DUCKDB_ERROR_INTERNAL},
  };
  for (const auto& [name, type] : kNames)
    if (message.starts_with(name)) return type;
  return DUCKDB_ERROR_BINDER;
}

// The engine's words without the picture of the query under them.
std::string first_words(std::string_view message) {
  const std::size_t picture = message.find("\n\nLINE ");
  std::string text(message.substr(0, picture));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class Result {
 public:
  Result() = default;
  ~Result() { duckdb_destroy_result(&result_); }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  duckdb_result& get() { return result_; }

 private:
  duckdb_result result_{};
};

class Prepared {
 public:
  Prepared() = default;
  ~Prepared() { duckdb_destroy_prepare(&statement_); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  duckdb_prepared_statement& get() { return statement_; }

 private:
  duckdb_prepared_statement statement_ = nullptr;
};

class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk chunk) : chunk_(chunk) {}
  ~Chunk() { duckdb_destroy_data_chunk(&chunk_); }
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;
  duckdb_data_chunk get() const { return chunk_; }

 private:
  duckdb_data_chunk chunk_;
};

}  // namespace

base::Error DatabaseConnection::prepare_error(const char* message) const {
  return error_of(type_by_name(message ? message : ""), message);
}

base::Error DatabaseConnection::error_of(duckdb_error_type type, const char* message) const {
  const std::string text = message ? message : "the engine gave no reason";
  if (auto ours = shared_->registry->take(text)) return *std::move(ours);
  return base::Error{kind_of(type), "engine.query", first_words(text), {}, {}};
}

// After lock_down only queries may run: the engine itself would still let COPY write into the
// folders that it may read.
base::Status DatabaseConnection::check_allowed(const std::string& sql) const {
  if (!shared_->locked_down) return {};
  duckdb_extracted_statements statements = nullptr;
  const idx_t count = duckdb_extract_statements(connection_, sql.c_str(), &statements);
  base::Status status;
  if (count == 0) {
    const char* message = duckdb_extract_statements_error(statements);
    status = base::fail(error_of(DUCKDB_ERROR_PARSER, message ? message : "the query is empty"));
  }
  for (idx_t i = 0; i < count && status; ++i) {
    Prepared prepared;
    if (duckdb_prepare_extracted_statement(connection_, statements, i, &prepared.get()) != DuckDBSuccess)
      status = base::fail(prepare_error(duckdb_prepare_error(prepared.get())));
    else if (duckdb_prepared_statement_type(prepared.get()) != DUCKDB_STATEMENT_TYPE_SELECT)
      status = base::fail(Kind::denied, "engine.read_only", "only queries can run here",
                          "ask with SELECT; tables are changed by load");
  }
  duckdb_destroy_extracted(&statements);
  return status;
}

base::Status DatabaseConnection::make_ready(const std::string& sql) {
  TRY_STATUS(shared_->spark_functions.ensure_decimals(connection_, sql));
  return check_allowed(sql);
}

base::Status DatabaseConnection::execute(const std::string& sql) {
  TRY_STATUS(make_ready(sql));
  Result result;
  if (duckdb_query(connection_, sql.c_str(), &result.get()) != DuckDBSuccess)
    return base::fail(error_of(duckdb_result_error_type(&result.get()), duckdb_result_error(&result.get())));
  return {};
}

base::Result<Rows> DatabaseConnection::query(const std::string& sql) {
  TRY_STATUS(make_ready(sql));
  Result result;
  if (duckdb_query(connection_, sql.c_str(), &result.get()) != DuckDBSuccess)
    return base::fail(error_of(duckdb_result_error_type(&result.get()), duckdb_result_error(&result.get())));
  Rows rows = describe(result.get());
  while (true) {
    const Chunk chunk(duckdb_fetch_chunk(result.get()));
    if (!chunk.get()) return rows;
    TRY_STATUS(append_rows(chunk.get(), rows));
  }
}

base::Status DatabaseConnection::stream(const std::string& sql, const OnChunk& on_chunk,
                                        bool& is_interrupted) {
  Prepared prepared;
  if (duckdb_prepare(connection_, sql.c_str(), &prepared.get()) != DuckDBSuccess)
    return base::fail(prepare_error(duckdb_prepare_error(prepared.get())));
  Result result;
  bool is_open = duckdb_execute_prepared_streaming(prepared.get(), &result.get()) == DuckDBSuccess;
  Rows rows = is_open ? describe(result.get()) : Rows();
  while (is_open) {
    const Chunk chunk(duckdb_fetch_chunk(result.get()));
    is_open = chunk.get() != nullptr;
    if (!is_open) break;
    rows.rows_.clear();
    TRY_STATUS(append_rows(chunk.get(), rows));
    if (rows.size() > 0) TRY_STATUS(on_chunk(rows));
  }
  const char* message = duckdb_result_error(&result.get());
  if (!message || !*message) return {};
  const duckdb_error_type type = duckdb_result_error_type(&result.get());
  is_interrupted = type == DUCKDB_ERROR_INTERRUPT;
  return base::fail(error_of(type, message));
}

// When one thread of a streamed query fails, the engine sometimes tells only that it interrupted the
// others. Nobody else interrupts here, so the reason is found elsewhere: among our own errors, or by
// running the query once more in one piece.
base::Status DatabaseConnection::query_each(const std::string& sql, const OnChunk& on_chunk) {
  TRY_STATUS(make_ready(sql));
  const std::uint64_t before = shared_->registry->mark();
  bool is_interrupted = false;
  base::Status status = stream(sql, on_chunk, is_interrupted);
  if (!is_interrupted) return status;
  if (auto ours = shared_->registry->take_since(before)) return base::fail(*std::move(ours));
  Result again;
  if (duckdb_query(connection_, sql.c_str(), &again.get()) != DuckDBSuccess)
    return base::fail(error_of(duckdb_result_error_type(&again.get()), duckdb_result_error(&again.get())));
  return status;
}

namespace {

std::string print_field_ids(const ParquetOptions& options) {
  std::string list;
  for (const auto& [column, id] : options.field_ids)
    list += (list.empty() ? "" : ", ") + base::sql_quote(column) + ": " + std::to_string(id);
  return list.empty() ? "" : ", FIELD_IDS {" + list + "}";
}

}  // namespace

base::Result<ParquetFile> DatabaseConnection::write_parquet(const std::string& select,
                                                            const std::string& path,
                                                            const ParquetOptions& options) {
  std::string sql = "COPY (" + select + ") TO " + base::sql_quote(path) + " (FORMAT parquet, COMPRESSION " +
                    base::sql_quote(options.compression);
  if (options.compression == "zstd")
    sql += ", COMPRESSION_LEVEL " + std::to_string(options.compression_level);
  sql += ", ROW_GROUP_SIZE " + std::to_string(options.row_group_rows) + ", DICTIONARY_SIZE_LIMIT " +
         std::to_string(options.dictionary_size_limit) + kCalendarMark + print_field_ids(options) +
         ", RETURN_STATS true)";
  TRY_STATUS(make_ready(sql));
  Result result;
  if (duckdb_query(connection_, sql.c_str(), &result.get()) != DuckDBSuccess)
    return base::fail(error_of(duckdb_result_error_type(&result.get()), duckdb_result_error(&result.get())));
  const Chunk chunk(duckdb_fetch_chunk(result.get()));
  return read_return_stats(chunk.get());
}

}  // namespace engine
