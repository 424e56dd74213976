#include "parquet_statistics.h"

#include <charconv>

#include "vectors.h"

namespace engine {

namespace {

using base::Kind;

// Order of the columns that RETURN_STATS gives.
constexpr idx_t kCount = 1;
constexpr idx_t kFileSize = 2;
constexpr idx_t kStatistics = 4;

std::int64_t parse_count(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Column names come as SQL identifiers, quoted: "a ""b""".
std::string unquoted(std::string_view name) {
  if (name.size() < 2 || name.front() != '"' || name.back() != '"') return std::string(name);
  std::string plain;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    plain += name[i];
    if (name[i] == '"' && name[i + 1] == '"') ++i;
  }
  return plain;
}

ColumnStatistics read_column(std::string name, duckdb_vector pairs, const duckdb_list_entry& entry) {
  const Column keys(duckdb_struct_vector_get_child(pairs, 0));
  const Column values(duckdb_struct_vector_get_child(pairs, 1));
  ColumnStatistics statistics;
  statistics.column = std::move(name);
  for (idx_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    if (values.is_null(i)) continue;
    const std::string_view key = keys.text(i);
    const std::string_view value = values.text(i);
    if (key == "min") statistics.minimum = value;
    if (key == "max") statistics.maximum = value;
    if (key == "null_count") statistics.null_count = parse_count(value);
    if (key == "has_nan") statistics.has_nan = value == "true";
  }
  return statistics;
}

}  // namespace

base::Result<ParquetFile> read_return_stats(duckdb_data_chunk chunk) {
  if (!chunk || duckdb_data_chunk_get_size(chunk) != 1 ||
      duckdb_data_chunk_get_column_count(chunk) <= kStatistics)
    return base::fail(Kind::internal, "engine.query",
                      "expected one row of statistics about one written file; the engine gave another shape");
  ParquetFile file;
  file.rows =
      static_cast<std::int64_t>(Column(duckdb_data_chunk_get_vector(chunk, kCount)).at<std::uint64_t>(0));
  file.bytes =
      static_cast<std::int64_t>(Column(duckdb_data_chunk_get_vector(chunk, kFileSize)).at<std::uint64_t>(0));
  const duckdb_vector map = duckdb_data_chunk_get_vector(chunk, kStatistics);
  const Column entries(map);
  if (entries.is_null(0)) return file;
  const duckdb_vector columns = duckdb_list_vector_get_child(map);
  const Column names(duckdb_struct_vector_get_child(columns, 0));
  const duckdb_vector inner = duckdb_struct_vector_get_child(columns, 1);
  const Column inner_entries(inner);
  const auto& outer = entries.at<duckdb_list_entry>(0);
  for (idx_t i = outer.offset; i < outer.offset + outer.length; ++i)
    file.statistics.push_back(read_column(unquoted(names.text(i)), duckdb_list_vector_get_child(inner),
                                          inner_entries.at<duckdb_list_entry>(i)));
  return file;
}

}  // namespace engine
