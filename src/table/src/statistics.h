// The statistics of a data file as the Delta protocol writes them ("Per-file Statistics").
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <base/json.h>
#include <delta/schema.h>
#include <engine/engine.h>

namespace table {

// Bounds hold for every value of the column, or are left out: never for booleans, binary, nested
// types, floats that hold NaN, or years outside 1 to 9999.
base::Json file_statistics(const delta::Schema& schema, const engine::ParquetFile& file);

// A text of at most 32 code points that is no greater / no less than `text` in code point order.
std::string lower_bound(std::string_view text);
std::optional<std::string> upper_bound(std::string_view text);

}  // namespace table
