#include "parquet_file.h"

#include <algorithm>
#include <map>
#include <optional>

#include <base/text.h>

#include "file_window.h"

namespace load {

namespace {

using base::Kind;

std::string source_of(const std::string& absolute) {
  return "read_parquet(" + base::sql_quote(absolute) + ", hive_partitioning = false)";
}

// The Delta type that holds what the engine read; nothing where there is none.
std::optional<std::string> landed_type(const std::string& engine_type) {
  static const std::map<std::string, std::string> kTypes = {{"BOOLEAN", "boolean"},
                                                            {"TINYINT", "byte"},
                                                            {"SMALLINT", "short"},
                                                            {"INTEGER", "integer"},
                                                            {"BIGINT", "long"},
                                                            {"UTINYINT", "short"},
                                                            {"USMALLINT", "integer"},
                                                            {"UINTEGER", "long"},
                                                            {"UBIGINT", "decimal(20,0)"},
                                                            {"FLOAT", "float"},
                                                            {"DOUBLE", "double"},
                                                            {"VARCHAR", "string"},
                                                            {"JSON", "string"},
                                                            {"UUID", "string"},
                                                            {"BLOB", "binary"},
                                                            {"DATE", "date"},
                                                            {"TIMESTAMP WITH TIME ZONE", "timestamp"}};
  const auto found = kTypes.find(engine_type);
  if (found != kTypes.end()) return found->second;
  if (engine_type.starts_with("DECIMAL(") && engine_type.ends_with(")"))
    return base::ascii_lower(engine_type);
  return std::nullopt;
}

}  // namespace

base::Status ParquetFile::describe(engine::Connection& connection) {
  const base::Place place{name_, 0, 0};
  const auto bad = [&](const base::Error& error) {
    return base::fail(Kind::invalid, "land.bad_parquet", name_ + " is no Parquet file: " + error.message,
                      "deliver the file anew", place);
  };
  const std::string quoted = base::sql_quote(absolute_);
  const auto shape = connection.query("DESCRIBE SELECT * FROM " + source_of(absolute_));
  if (!shape) return bad(shape.error());
  // The engine renames columns that are alike; the file's own names are in its schema, below the root.
  const auto names = connection.query("SELECT name FROM parquet_schema(" + quoted + ")");
  if (!names) return bad(names.error());
  const auto count = connection.query("SELECT num_rows FROM parquet_file_metadata(" + quoted + ")");
  if (!count) return bad(count.error());
  rows_ = count->int64(0, 0);
  for (std::size_t i = 0; i < shape->size(); ++i) {
    const auto type = landed_type(shape->text(i, 1));
    if (!type)
      return base::fail(
          Kind::unsupported, "land.column_type",
          "the column " + shape->text(i, 0) + " is " + shape->text(i, 1) + ", a type that is not landed yet",
          shape->text(i, 1).starts_with("TIMESTAMP") ? "write its times as instants, with a time zone"
                                                     : "leave the column out, or write it as text",
          place);
    engine_names_.push_back(shape->text(i, 0));
    header_.push_back(names->text(i + 1, 0));
    types_.push_back(*type);
    if (header_.back().empty())
      return base::fail(Kind::invalid, "land.empty_header",
                        "the header has no name at position " + std::to_string(i + 1) + " of " +
                            std::to_string(shape->size()),
                        "give every column a name", place);
  }
  return {};
}

base::Result<std::shared_ptr<const ParquetFile>> ParquetFile::open(const world::ReadFile& file,
                                                                   const std::string& absolute,
                                                                   const std::string& name,
                                                                   engine::Connection& connection) {
  const auto opened = std::make_shared<ParquetFile>();
  TRY(const world::FileInfo info, file.info());
  opened->absolute_ = absolute;
  opened->name_ = name;
  opened->size_ = info.size;
  TRY(opened->sha256_, hash_file(file, name, info.size));
  if (absolute.find_first_of("*?[") != std::string::npos)
    return base::fail(Kind::invalid, "land.bad_path",
                      "the engine would take " + name + " for a pattern: it has *, ? or [ in it",
                      "rename the file or its folder", base::Place{name, 0, 0});
  if (info.size > 0) TRY_STATUS(opened->describe(connection));
  return std::shared_ptr<const ParquetFile>(opened);
}

base::Result<std::string> ParquetFile::select(const std::vector<delta::Field>& fields,
                                              const std::vector<std::string>& names) const {
  TRY(const std::string list, select_typed(fields, names, engine_names_, name_));
  return list + " FROM " + source_of(absolute_);
}

}  // namespace load
