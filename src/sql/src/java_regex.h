// Regular expressions as Java writes them, in RE2's language where both have the construct.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <base/result.h>

namespace sql {

struct RegexError {
  std::size_t at = 0;  // byte in the pattern
  std::string message;
};

// For a mere test (rlike) `$` also matches before a last line end, as in Java.
std::expected<std::string, RegexError> translate_regex(std::string_view pattern, bool is_test);
int count_groups(const std::string& translated);

}  // namespace sql
