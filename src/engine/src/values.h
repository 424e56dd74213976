// From the engine's vectors to the values of engine.h.
#pragma once

#include <duckdb.h>

#include <base/result.h>
#include <engine/engine.h>

namespace engine {

// Names and types of the result's columns, no rows.
Rows describe(duckdb_result& result);
// Appends the rows of the chunk; `unsupported` when a column's type has no value form.
base::Status append_rows(duckdb_data_chunk chunk, Rows& rows);

}  // namespace engine
