// Text: UTF-8 in, UTF-8 out. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace base {

bool is_utf8(std::string_view bytes);  // RFC 3629: no surrogates, no overlong forms
std::size_t code_points(std::string_view utf8);
std::string_view prefix_code_points(std::string_view utf8, std::size_t count);
std::string ascii_lower(std::string_view text);
std::string ascii_upper(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);  // of any alphabet
std::string_view trim(std::string_view text);                      // spaces, tabs, CR, LF
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// "1 row", "2 rows", "3 batches": the noun is given in the singular.
std::string counted(std::int64_t count, std::string_view noun);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
// 'it''s': a single-quoted SQL literal (DuckDB reads no escapes inside).
std::string sql_quote(std::string_view text);
// "name": a double-quoted SQL identifier for the engine.
std::string sql_name(std::string_view name);
// The closest of `candidates` when it is near enough to be a slip of the pen, else empty.
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

// Words as a shell takes them: separated by spaces and tabs, with '…', "…" and back-slashes, and nothing else
// of a shell. Code "words.open_quote".
Result<std::vector<std::string>> split_words(std::string_view text);

// A random (version 4) UUID in text form, from 16 random bytes.
std::string uuid_text(const std::uint8_t (&random)[16]);

}  // namespace base
