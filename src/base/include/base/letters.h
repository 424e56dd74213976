// Upper and lower case of UTF-8 text as Java has them (Unicode 13): full mappings, so that ß becomes SS, and
// a final Σ becomes ς.
#pragma once

#include <string>
#include <string_view>

namespace base {

std::string upper_letters(std::string_view utf8);
std::string lower_letters(std::string_view utf8);

}  // namespace base
