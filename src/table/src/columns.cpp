#include "columns.h"

#include <base/text.h>
#include <sql/types.h>
#include <world/files.h>

namespace table {

namespace {

using base::Kind;

// What of a nested type or an unknown name to show.
std::string type_word(const delta::Field& field) {
  if (!field.type.empty()) return field.type;
  return std::string(field.nested.string("type").value_or("nested"));
}

}  // namespace

base::Result<std::string> engine_type(const delta::Field& field) {
  if (field.type == "timestamp_ntz") return std::string("TIMESTAMP");
  const auto type = field.type.empty() ? base::Result<sql::Type>(base::fail(Kind::unsupported, "", ""))
                                       : sql::parse_delta_type(field.type);
  if (!type)
    return base::fail(Kind::unsupported, "delta.feature_unsupported",
                      "column " + field.name + " is of type " + type_word(field) + ", which is not built",
                      "use an engine that knows it");
  const std::string name = sql::engine_type(*type);
  return name == "TIMESTAMPTZ" ? std::string("TIMESTAMP WITH TIME ZONE") : name;
}

base::Result<std::string> absolute_path(const std::string& table_path, const std::string& path) {
  if (path.starts_with("/")) return path;
  for (const std::string_view scheme : {"file:///", "file:/"})
    if (path.starts_with(scheme)) return "/" + path.substr(scheme.size());
  const std::size_t colon = path.find(":/");
  if (colon != std::string::npos && path.find('/') == colon + 1)
    return base::fail(Kind::unsupported, "delta.feature_unsupported",
                      "the data file " + path + " lies outside the local disk, which is not built");
  return world::path_join(table_path, path);
}

std::string read_files(const std::vector<std::string>& absolute_paths) {
  std::vector<std::string> quoted;
  for (const std::string& path : absolute_paths) quoted.push_back(base::sql_quote(path));
  return "read_parquet([" + base::join(quoted, ", ") + "], union_by_name = true, hive_partitioning = false)";
}

base::Result<std::string> select_columns(const delta::Schema& schema, const std::string& source,
                                         const std::vector<std::string>& extra_columns) {
  if (schema.fields.empty())
    return base::fail(Kind::unsupported, "delta.feature_unsupported",
                      "the table has no columns, which is not built");
  std::vector<std::string> outer, shape;
  for (const delta::Field& field : schema.fields) {
    TRY(const std::string type, engine_type(field));
    const std::string stored = base::sql_name(delta::physical_name(field));
    outer.push_back("CAST(" + stored + " AS " + type + ") AS " + base::sql_name(field.name));
    shape.push_back("CAST(NULL AS " + type + ") AS " + stored);
  }
  for (const std::string& extra : extra_columns) {
    outer.push_back(extra);
    shape.push_back("CAST(NULL AS BIGINT) AS " + extra);
  }
  // The rowless first half gives every column a name and a type when files lack it.
  std::string inner = "SELECT " + base::join(shape, ", ") + " WHERE false";
  if (!source.empty()) inner += " UNION ALL BY NAME " + source;
  return "SELECT " + base::join(outer, ", ") + " FROM (" + inner + ")";
}

}  // namespace table
