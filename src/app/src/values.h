// Engine values as text and as JSON.
#pragma once

#include <string>

#include <base/json.h>
#include <engine/engine.h>

namespace app {

std::string print_value(const engine::Rows& rows, std::size_t row, std::size_t column);  // null is NULL
base::Json json_value(const engine::Rows& rows, std::size_t row, std::size_t column);
// {"columns":[{name,type}],"rows":[[…]]}
base::Json json_rows(const engine::Rows& rows);
std::string text_rows(const engine::Rows& rows);
std::string csv_rows(const engine::Rows& rows);  // RFC 4180, null is an empty field, empty text is ""

}  // namespace app
