#include "values.h"

#include <charconv>
#include <span>

#include <base/hash.h>
#include <base/text.h>
#include <base/time.h>

#include "answer.h"

namespace app {

namespace {

std::string print_double(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string print_bytes(const std::string& bytes) {
  std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  return base::hex(copy);
}

std::string print_present(const engine::Rows& rows, std::size_t row, std::size_t column) {
  const engine::Value& value = rows.at(row, column);
  const std::string& type = rows.type(column);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* real = std::get_if<double>(&value)) return print_double(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return type == "BLOB" ? print_bytes(*text) : *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == "DATE") return base::print_date(number);
  if (type.starts_with("TIMESTAMP")) return base::print_instant(number);
  return std::to_string(number);
}

}  // namespace

std::string print_value(const engine::Rows& rows, std::size_t row, std::size_t column) {
  return rows.is_null(row, column) ? "NULL" : print_present(rows, row, column);
}

base::Json json_value(const engine::Rows& rows, std::size_t row, std::size_t column) {
  if (rows.is_null(row, column)) return {};
  const engine::Value& value = rows.at(row, column);
  const std::string& type = rows.type(column);
  if (const auto* flag = std::get_if<bool>(&value)) return base::Json(*flag);
  const bool is_time = type == "DATE" || type.starts_with("TIMESTAMP");
  if (const auto* number = std::get_if<std::int64_t>(&value); number != nullptr && !is_time)
    return base::Json(*number);
  if (const auto* real = std::get_if<double>(&value); real != nullptr && *real - *real == 0)
    return base::Json::number(print_double(*real));
  return base::Json(print_present(rows, row, column));
}

base::Json json_rows(const engine::Rows& rows) {
  base::Json columns = base::Json::array();
  for (std::size_t c = 0; c < rows.columns(); ++c)
    columns.push(base::Json::object({{"name", rows.name(c)}, {"type", rows.type(c)}}));
  base::Json list = base::Json::array();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    base::Json row = base::Json::array();
    for (std::size_t c = 0; c < rows.columns(); ++c) row.push(json_value(rows, r, c));
    list.push(std::move(row));
  }
  return base::Json::object({{"columns", std::move(columns)}, {"rows", std::move(list)}});
}

std::string text_rows(const engine::Rows& rows) {
  std::vector<std::string> head;
  for (std::size_t c = 0; c < rows.columns(); ++c) head.push_back(rows.name(c));
  TextTable table(head);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < rows.columns(); ++c)
      row.push_back(base::replace_all(base::replace_all(print_value(rows, r, c), "\n", "\\n"), "\r", "\\r"));
    table.add(std::move(row));
  }
  return table.print();
}

std::string csv_rows(const engine::Rows& rows) {
  const auto quoted = [](const std::string& text) {
    if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos) return text;
    return "\"" + base::replace_all(text, "\"", "\"\"") + "\"";
  };
  std::string text;
  for (std::size_t c = 0; c < rows.columns(); ++c) text += (c > 0 ? "," : "") + quoted(rows.name(c));
  text += "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows.columns(); ++c) {
      if (c > 0) text += ",";
      if (!rows.is_null(r, c)) text += quoted(print_present(rows, r, c));
    }
    text += "\n";
  }
  return text;
}

}  // namespace app
