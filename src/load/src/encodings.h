// UTF-16 and windows-1252 to UTF-8 and back. Pure. What has no meaning becomes bytes that are no UTF-8
// and turns back into what it was: half a surrogate pair its three-byte form, an undefined byte itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace load {

// By the byte order mark, else by an ASCII character in front; of two bytes or more.
std::optional<bool> utf16_is_big_endian(std::string_view bytes);
// Takes whole characters away from the front of `bytes`; at the end also what is incomplete.
void append_utf16(std::string& bytes, bool is_big_endian, bool at_end, std::string& text);
std::string to_utf16(std::string_view text, bool is_big_endian);

void append_windows_1252(std::string_view bytes, std::string& text);
std::string to_windows_1252(std::string_view text);

// A code point, or half a surrogate pair, in the form of UTF-8.
void append_code_point(char32_t point, std::string& text);

}  // namespace load
