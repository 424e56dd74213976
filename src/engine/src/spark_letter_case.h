// Upper and lower case as Java has them: full mappings, so that ß becomes SS, and a final Σ becomes ς.
#pragma once

#include <string>
#include <string_view>

namespace engine {

std::string java_upper(std::string_view utf8);
std::string java_lower(std::string_view utf8);

}  // namespace engine
