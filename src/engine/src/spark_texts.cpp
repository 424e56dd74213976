// Texts by characters (code points), with Java's upper and lower case.
#include <base/letters.h>
#include <base/text.h>

#include <algorithm>

#include "spark_rows.h"

namespace engine {

namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Only blanks (U+0020) are trimmed, no other white space.
template <bool kLeft, bool kRight>
void trim(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) {
    std::string_view text = call.column(0).text(row);
    if (kLeft) text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (kRight) text = text.substr(0, text.find_last_not_of(' ') + 1);
    return std::optional(text);
  });
}

bool holds_character(std::string_view characters, std::string_view character) {
  for (std::size_t at = 0; at < characters.size();) {
    const std::string_view next = base::prefix_code_points(characters.substr(at), 1);
    if (next == character) return true;
    at += next.size();
  }
  return false;
}

template <bool kLeft, bool kRight>
void trim_characters(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) {
    std::string_view text = call.column(0).text(row);
    const std::string_view characters = call.column(1).text(row);
    while (kLeft && !text.empty()) {
      const std::string_view first = base::prefix_code_points(text, 1);
      if (!holds_character(characters, first)) break;
      text.remove_prefix(first.size());
    }
    while (kRight && !text.empty()) {
      std::size_t start = text.size() - 1;
      while (start > 0 && is_continuation(text[start])) --start;
      if (!holds_character(characters, text.substr(start))) break;
      text = text.substr(0, start);
    }
    return std::optional(text);
  });
}

template <bool kUpper>
void change_case(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) {
    const std::string_view text = call.column(0).text(row);
    if (is_ascii(text)) return std::optional(kUpper ? base::ascii_upper(text) : base::ascii_lower(text));
    return std::optional(kUpper ? base::upper_letters(text) : base::lower_letters(text));
  });
}

void length(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const bool is_text = type_of(call.vector(0)).id() == DUCKDB_TYPE_VARCHAR;
  call.each<std::int32_t>([&](idx_t row) {
    const std::string_view text = call.column(0).text(row);
    return std::optional(static_cast<std::int32_t>(is_text ? base::code_points(text) : text.size()));
  });
}

// From `position` (1 is the first character, 0 too, -1 the last), `count` characters.
std::string_view substring_of(std::string_view text, std::int64_t position, std::int64_t count) {
  std::int64_t start = position > 0 ? position - 1 : 0;
  if (position < 0) start = static_cast<std::int64_t>(base::code_points(text)) + position;
  const std::int64_t end = start + count;
  start = std::max<std::int64_t>(start, 0);
  if (end <= start) return {};
  const std::string_view before = base::prefix_code_points(text, static_cast<std::size_t>(start));
  return base::prefix_code_points(text.substr(before.size()), static_cast<std::size_t>(end - start));
}

void substring(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const bool to_end = call.columns() == 2;
  call.each_text([&](idx_t row) {
    const std::int64_t count = to_end ? INT32_MAX : call.column(2).at<std::int32_t>(row);
    return std::optional(substring_of(call.column(0).text(row), call.column(1).at<std::int32_t>(row), count));
  });
}

}  // namespace

void add_spark_texts(SparkRegistrar& registrar) {
  constexpr duckdb_type kText = DUCKDB_TYPE_VARCHAR;
  constexpr duckdb_type kInt = DUCKDB_TYPE_INTEGER;
  registrar.add("spark_trim", {kText}, kText, trim<true, true>);
  registrar.add("spark_ltrim", {kText}, kText, trim<true, false>);
  registrar.add("spark_rtrim", {kText}, kText, trim<false, true>);
  registrar.add("spark_trim", {kText, kText}, kText, trim_characters<true, true>);
  registrar.add("spark_ltrim", {kText, kText}, kText, trim_characters<true, false>);
  registrar.add("spark_rtrim", {kText, kText}, kText, trim_characters<false, true>);
  registrar.add("spark_upper", {kText}, kText, change_case<true>);
  registrar.add("spark_lower", {kText}, kText, change_case<false>);
  registrar.add("spark_length", {kText}, kInt, length);
  registrar.add("spark_length", {DUCKDB_TYPE_BLOB}, kInt, length);
  registrar.add("spark_substring", {kText, kInt}, kText, substring);
  registrar.add("spark_substring", {kText, kInt, kInt}, kText, substring);
}

}  // namespace engine
