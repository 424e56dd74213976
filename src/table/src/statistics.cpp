#include "statistics.h"

#include <base/text.h>

#include <charconv>
#include <cmath>

namespace table {

namespace {

using base::Json;

constexpr std::size_t kPrefixCodePoints = 32;
constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr char32_t kFirstSurrogate = 0xD800;
constexpr char32_t kAfterSurrogates = 0xE000;

enum class Side { minimum, maximum };

char32_t decode_last(std::string_view utf8) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
  switch (utf8.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
    case 3:
      return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    default:
      return (byte(0) & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu);
  }
}

void append_code_point(std::string& out, char32_t c) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | c >> 6);
    add(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    add(0xE0 | c >> 12);
    add(0x80 | (c >> 6 & 0x3F));
    add(0x80 | (c & 0x3F));
  } else {
    add(0xF0 | c >> 18);
    add(0x80 | (c >> 12 & 0x3F));
    add(0x80 | (c >> 6 & 0x3F));
    add(0x80 | (c & 0x3F));
  }
}

bool are_digits(std::string_view text) {
  for (const char c : text)
    if (c < '0' || c > '9') return false;
  return !text.empty();
}

// Exactly yyyy-MM-dd; the engine writes other years longer or with an era.
bool is_plain_date(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && are_digits(text.substr(0, 4)) &&
         are_digits(text.substr(5, 2)) && are_digits(text.substr(8, 2));
}

// From "2026-01-01 00:00:00.1+00" to "2026-01-01T00:00:00.100000Z".
std::optional<Json> instant_bound(std::string_view text) {
  if (!text.ends_with("+00")) return std::nullopt;
  text.remove_suffix(3);
  if (text.size() < 19 || text[10] != ' ' || !is_plain_date(text.substr(0, 10))) return std::nullopt;
  std::string fraction(text.substr(19));
  if (!fraction.empty() && (fraction.size() > 7 || fraction[0] != '.' || !are_digits(fraction.substr(1))))
    return std::nullopt;
  if (fraction.empty()) fraction = ".";
  fraction.append(7 - fraction.size(), '0');
  return Json(std::string(text.substr(0, 10)) + "T" + std::string(text.substr(11, 8)) + fraction + "Z");
}

// Readers differ on which zero is smaller, so the bounds take both in.
std::optional<Json> floating_bound(std::string_view text, bool is_float, Side side) {
  double value = 0;
  const char* end = text.data() + text.size();
  std::errc fault{};
  if (is_float) {
    // As wide as a reader may hold it: 0.1f is above 0.1.
    float narrow = 0;
    fault = std::from_chars(text.data(), end, narrow).ec;
    value = narrow;
  } else {
    fault = std::from_chars(text.data(), end, value).ec;
  }
  if (fault != std::errc() || !std::isfinite(value)) return std::nullopt;
  if (value == 0) return Json::number(side == Side::minimum ? "-0.0" : "0.0");
  char digits[64];
  const auto written = std::to_chars(digits, digits + sizeof(digits), value);
  return Json::number(std::string(digits, written.ptr));
}

// The engine prints a decimal without integer digits as .25, which is no JSON.
std::string with_leading_zero(std::string text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() > sign && text[sign] == '.') text.insert(sign, "0");
  return text;
}

std::optional<Json> bound(const std::string& type, const std::string& text, Side side) {
  if (type == "string") {
    if (side == Side::minimum) return Json(lower_bound(text));
    const auto upper = upper_bound(text);
    return upper ? std::optional(Json(*upper)) : std::nullopt;
  }
  if (type == "long" || type == "integer" || type == "short" || type == "byte") return Json::number(text);
  if (type.starts_with("decimal")) return Json::number(with_leading_zero(text));
  if (type == "float" || type == "double") return floating_bound(text, type == "float", side);
  if (type == "date") return is_plain_date(text) ? std::optional(Json(text)) : std::nullopt;
  if (type == "timestamp") return instant_bound(text);
  return std::nullopt;
}

}  // namespace

std::string lower_bound(std::string_view text) {
  return std::string(base::prefix_code_points(text, kPrefixCodePoints));
}

std::optional<std::string> upper_bound(std::string_view text) {
  std::string_view prefix = base::prefix_code_points(text, kPrefixCodePoints);
  if (prefix.size() == text.size()) return std::string(text);
  while (!prefix.empty()) {
    std::size_t start = prefix.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(prefix[start]) & 0xC0) == 0x80) --start;
    char32_t last = decode_last(prefix.substr(start));
    prefix = prefix.substr(0, start);
    if (last == kLastCodePoint) continue;
    ++last;
    if (last == kFirstSurrogate) last = kAfterSurrogates;
    std::string raised(prefix);
    append_code_point(raised, last);
    return raised;
  }
  return std::nullopt;
}

base::Json file_statistics(const delta::Schema& schema, const engine::ParquetFile& file) {
  Json::Object minimums, maximums, nulls;
  for (const delta::Field& field : schema.fields) {
    const std::string name = delta::physical_name(field);
    for (const engine::ColumnStatistics& column : file.statistics) {
      if (column.column != name) continue;
      nulls.emplace_back(name, column.null_count);
      if (column.has_nan) break;
      const auto low = column.minimum ? bound(field.type, *column.minimum, Side::minimum) : std::nullopt;
      const auto high = column.maximum ? bound(field.type, *column.maximum, Side::maximum) : std::nullopt;
      if (low) minimums.emplace_back(name, *low);
      if (high) maximums.emplace_back(name, *high);
      break;
    }
  }
  return Json::object({{"numRecords", file.rows},
                       {"minValues", Json::object_of(std::move(minimums))},
                       {"maxValues", Json::object_of(std::move(maximums))},
                       {"nullCount", Json::object_of(std::move(nulls))}});
}

}  // namespace table
