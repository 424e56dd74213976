// A Delta table's columns in the engine's SQL.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>
#include <engine/engine.h>

namespace table {

// "TIMESTAMP WITH TIME ZONE"; code "delta.feature_unsupported" for nested and unknown types.
base::Result<std::string> engine_type(const delta::Field& field);

// Where a data file lies: `path` of an add is relative to the table's folder or absolute.
base::Result<std::string> absolute_path(const std::string& table_path, const std::string& path);

// read_parquet([…]) over these files, columns matched by name.
std::string read_files(const std::vector<std::string>& absolute_paths);

// SELECT of all columns of the schema in order, cast to their types, from `source` ("FROM" text) that
// holds them by their physical names; columns that `source` lacks are null. `extra` is appended to the list.
base::Result<std::string> select_columns(const delta::Schema& schema, const std::string& source,
                                         const std::vector<std::string>& extra_columns);

// A SELECT of exactly the schema's columns, in order and with their types, from the rows of `select`:
// columns by name in any order, missing nullable ones null. Code "table.schema_mismatch".
base::Result<std::string> shape_rows(engine::Connection& connection, const delta::Schema& schema,
                                     const std::string& select);

}  // namespace table
