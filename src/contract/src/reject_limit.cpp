#include "reject_limit.h"

#include <charconv>

#include <base/text.h>

namespace contract {

namespace {

base::Error wrong(std::string message) {
  return {base::Kind::invalid,
          "document.reject_ratio",
          std::move(message),
          "write 5%, 0.05 or \"5%, at least 20 rows\"",
          {}};
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "2.5" as 25 / 10; at most nine digits on each side.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

std::optional<Fraction> parse_decimal(std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view part = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  if (!is_digits(whole) || whole.size() > 9 || part.size() > 9) return std::nullopt;
  if (dot != std::string_view::npos && !is_digits(part)) return std::nullopt;
  Fraction value;
  for (const char c : whole) value.numerator = value.numerator * 10 + (c - '0');
  for (const char c : part) {
    value.numerator = value.numerator * 10 + (c - '0');
    value.denominator *= 10;
  }
  return value;
}

// The smallest power of ten, from 100, that holds the ratio.
void reduce(Fraction& value) {
  while (value.denominator > 100 && value.numerator % 10 == 0) {
    value.numerator /= 10;
    value.denominator /= 10;
  }
  while (value.denominator < 100) {
    value.numerator *= 10;
    value.denominator *= 10;
  }
}

base::Result<Fraction> parse_ratio(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const std::string_view number = is_percent ? base::trim(text.substr(0, text.size() - 1)) : text;
  auto value = parse_decimal(number);
  if (!value) return base::fail(wrong("\"" + std::string(text) + "\" is no ratio of rows"));
  if (is_percent) {
    value->denominator *= 100;
  } else if (number.find('.') == std::string_view::npos) {
    return base::fail(
        wrong("\"" + std::string(text) + "\" could mean " + std::string(text) + "% or a fraction"));
  }
  if (value->numerator > value->denominator)
    return base::fail(wrong("\"" + std::string(text) + "\" is more than all rows"));
  reduce(*value);
  return *value;
}

// "at least 20 rows"
base::Result<std::int64_t> parse_rows(std::string_view text) {
  const std::string lower = base::ascii_lower(text);
  std::string_view rest = lower;
  std::int64_t rows = 0;
  if (rest.starts_with("at least ")) {
    rest = base::trim(rest.substr(9));
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), rows);
    rest = base::trim(rest.substr(static_cast<std::size_t>(stop - rest.data())));
    if (error == std::errc() && rows >= 0 && (rest == "rows" || rest == "row")) return rows;
  }
  return base::fail(wrong("\"" + std::string(text) + "\" is not of the form \"at least 20 rows\""));
}

}  // namespace

base::Result<RejectLimit> parse_reject_limit(std::string_view text) {
  const std::size_t comma = text.find(',');
  TRY(const Fraction ratio, parse_ratio(base::trim(text.substr(0, comma))));
  RejectLimit limit;
  limit.numerator = ratio.numerator;
  limit.denominator = ratio.denominator;
  if (comma != std::string_view::npos) {
    TRY(const std::int64_t rows, parse_rows(base::trim(text.substr(comma + 1))));
    limit.rows_least = rows;
  }
  limit.text = std::string(base::trim(text));
  return limit;
}

std::string print_reject_limit(const RejectLimit& limit) {
  // The denominator is a power of ten from 100, so the percentage has a finite number of digits.
  const std::int64_t scale = limit.denominator / 100;
  std::string text = std::to_string(limit.numerator / scale);
  if (scale > 1) {
    const std::string part = std::to_string(limit.numerator % scale);
    text += "." + std::string(std::to_string(scale).size() - 1 - part.size(), '0') + part;
  }
  text += "%";
  if (limit.rows_least) text += ", at least " + std::to_string(*limit.rows_least) + " rows";
  return text;
}

}  // namespace contract
