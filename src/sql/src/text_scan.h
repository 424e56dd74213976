// Small pieces that the readers of values share.
#pragma once

#include <cstdint>
#include <string_view>

namespace sql {

// UTF8String.trimAll of Spark: blanks and control characters at both ends.
inline std::string_view trim_all(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

inline std::int64_t floor_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

}  // namespace sql
