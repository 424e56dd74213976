// What COPY … (RETURN_STATS) tells about the file it wrote.
#pragma once

#include <duckdb.h>

#include <base/result.h>
#include <engine/engine.h>

namespace engine {

base::Result<ParquetFile> read_return_stats(duckdb_data_chunk chunk);

}  // namespace engine
