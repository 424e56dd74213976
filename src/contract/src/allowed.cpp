// Allowed values as a rule: each text becomes a literal of the column's type.
#include <algorithm>
#include <charconv>

#include <base/text.h>
#include <base/time.h>

#include "expressions.h"
#include "values.h"

namespace contract {

namespace {

using base::Kind;
using TypeKind = sql::Type::Kind;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::string> integer_literal(std::string_view text, const sql::Type& type) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  std::int64_t limit = INT64_MAX;
  if (type.kind == TypeKind::tinyint) limit = INT8_MAX;
  if (type.kind == TypeKind::smallint) limit = INT16_MAX;
  if (type.kind == TypeKind::integer) limit = INT32_MAX;
  // The least value of each type has no literal of its own (its digits alone do not fit).
  if (value > limit || value < -limit) return std::nullopt;
  return std::to_string(value);
}

std::optional<std::string> decimal_literal(std::string_view text, const sql::Type& type) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const std::size_t dot = digits.find('.');
  std::string_view whole = digits.substr(0, dot);
  const std::string_view part = dot == std::string_view::npos ? "" : digits.substr(dot + 1);
  if (!is_digits(whole) || (dot != std::string_view::npos && !is_digits(part))) return std::nullopt;
  while (whole.size() > 1 && whole.starts_with('0')) whole.remove_prefix(1);
  const std::size_t whole_digits = whole == "0" ? 0 : whole.size();
  if (part.size() > static_cast<std::size_t>(type.scale)) return std::nullopt;
  if (whole_digits > static_cast<std::size_t>(type.precision - type.scale)) return std::nullopt;
  std::string literal = std::string(text.starts_with('-') ? "-" : "") + std::string(whole);
  if (!part.empty()) literal += "." + std::string(part);
  return literal;
}

// Digits as a number, or -1.
int digits_of(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<std::string> date_literal(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = digits_of(text.substr(0, 4));
  if (year < 1 || !base::is_valid_date(year, digits_of(text.substr(5, 2)), digits_of(text.substr(8, 2))))
    return std::nullopt;
  return "cast('" + std::string(text) + "' as date)";
}

std::optional<std::string> boolean_literal(std::string_view text) {
  const std::string lower = base::ascii_lower(text);
  if (lower == "true" || lower == "false") return lower;
  return std::nullopt;
}

bool is_listable(const sql::Type& type) {
  return sql::is_integral(type) || type.kind == TypeKind::decimal || type.kind == TypeKind::string ||
         type.kind == TypeKind::date || type.kind == TypeKind::boolean;
}

std::optional<std::string> literal(std::string_view text, const sql::Type& type) {
  if (type.kind == TypeKind::string) return sql::spark_quote(text);
  if (type.kind == TypeKind::decimal) return decimal_literal(text, type);
  if (type.kind == TypeKind::date) return date_literal(text);
  if (type.kind == TypeKind::boolean) return boolean_literal(text);
  return integer_literal(text, type);
}

}  // namespace

std::optional<std::string> allowed_rule(const Node& values, const Column& column, Faults& faults) {
  const std::string what = "allowed values of \"" + column.name + "\"";
  if (!is_listable(column.type)) {
    faults.add(Kind::invalid, "document.allowed_type",
               what + " cannot be a list: values of " + sql::print_type(column.type) +
                   " are not compared one by one",
               "write a rule under Checks", values);
    return std::nullopt;
  }
  std::vector<std::string> literals;
  bool admits_null = false;
  for (const Node& item : values.items) {
    if (item.is_written_null()) {
      admits_null = true;
      continue;
    }
    const auto text = item.is_text() ? literal(item.text, column.type) : std::nullopt;
    if (!text) {
      faults.add(Kind::invalid, "document.allowed_value",
                 found(item) + " is no value of " + sql::print_type(column.type) + ", the type of \"" +
                     column.name + "\"",
                 "write values as the table holds them", item);
      return std::nullopt;
    }
    if (std::find(literals.begin(), literals.end(), *text) != literals.end()) {
      faults.add(Kind::invalid, "document.allowed_value", found(item) + " stands twice in the " + what,
                 "name it once", item);
      return std::nullopt;
    }
    literals.push_back(*text);
  }
  if (admits_null && column.not_null) {
    faults.add(Kind::invalid, "document.allowed_value",
               "the " + what + " admit null, and the column is never null", "remove null from the list",
               values);
    return std::nullopt;
  }
  const std::string name = sql::spark_name(column.name);
  const std::string in = name + " in (" + base::join(literals, ", ") + ")";
  if (!admits_null) return in;
  return literals.empty() ? name + " is null" : in + " or " + name + " is null";
}

}  // namespace contract
