#include <sql/values.h>

#include <base/text.h>
#include <base/time.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "java_digits.h"
#include "text_scan.h"

namespace sql {

namespace {

// String.trim of Java.
std::string_view trim_java(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= 0x20) text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= 0x20) text.remove_suffix(1);
  return text;
}

std::int64_t least_of(int bits) {
  return bits == 64 ? std::numeric_limits<std::int64_t>::min() : -(std::int64_t{1} << (bits - 1));
}
std::int64_t most_of(int bits) {
  return bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
}

// The low bits, as Java's narrowing keeps them.
std::int64_t wrap(std::int64_t value, int bits) {
  switch (bits) {
    case 8:
      return static_cast<std::int8_t>(value);
    case 16:
      return static_cast<std::int16_t>(value);
    case 32:
      return static_cast<std::int32_t>(value);
    default:
      return value;
  }
}

// Java's layout: 1.0, 0.001, 1.0E7, 1.0E-4.
template <typename T>
std::string print_floating(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0.0";
  const auto [digits, exponent] = java_digits(std::fabs(value));
  if (exponent <= -3 || exponent >= 8) {
    const std::string fraction = digits.size() > 1 ? digits.substr(1) : "0";
    return sign + digits.substr(0, 1) + "." + fraction + "E" + std::to_string(exponent - 1);
  }
  if (exponent <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent);
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

// The zeros of other scripts' digits; Java's BigDecimal, and so a cast to decimal, takes them all.
constexpr std::array<std::uint32_t, 36> kZeros = {
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};

std::string with_ascii_digits(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view next = base::prefix_code_points(text.substr(at), 1);
    at += next.size();
    std::uint32_t letter = 0;
    if (next.size() == 2) letter = static_cast<std::uint32_t>((next[0] & 0x1F) << 6 | (next[1] & 0x3F));
    if (next.size() == 3)
      letter = static_cast<std::uint32_t>((next[0] & 0x0F) << 12 | (next[1] & 0x3F) << 6 | (next[2] & 0x3F));
    const auto above = std::upper_bound(kZeros.begin(), kZeros.end(), letter);
    const std::uint32_t digit = above == kZeros.begin() ? 10 : letter - *std::prev(above);
    if (digit < 10) {
      out += static_cast<char>('0' + digit);
    } else {
      out += next;
    }
  }
  return out;
}

// Java's grammar of floating numbers: decimal or hexadecimal, a last d or f allowed.
template <typename T>
std::optional<T> read_floating(std::string_view text) {
  text = trim_java(text);
  const bool negative = text.starts_with('-');
  std::string_view bare = text;
  if (bare.starts_with('-') || bare.starts_with('+')) bare.remove_prefix(1);
  const std::string lower = base::ascii_lower(bare);
  if (lower == "inf" || lower == "infinity")
    return negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  if (bare == "NaN" || (lower == "nan" && bare.size() == text.size()))
    return std::numeric_limits<T>::quiet_NaN();
  const bool is_hex = lower.starts_with("0x");
  std::string_view digits = lower;
  if (is_hex) {
    digits.remove_prefix(2);
    if (digits.find('p') == std::string_view::npos) return std::nullopt;
  }
  if (!digits.empty() && (digits.back() == 'd' || digits.back() == 'f')) digits.remove_suffix(1);
  constexpr std::string_view kStarts = "0123456789.abcdef";
  if (digits.empty() || kStarts.find(digits.front()) == std::string_view::npos) return std::nullopt;
  T value = 0;
  const auto format = is_hex ? std::chars_format::hex : std::chars_format::general;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
  if (read.ptr != digits.data() + digits.size() || read.ec == std::errc::invalid_argument)
    return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) {
    // Too small is zero, too large infinity; the exponent tells.
    const bool small = digits.find("e-") != std::string_view::npos ||
                       digits.find("p-") != std::string_view::npos || digits.starts_with("0.") ||
                       digits.starts_with('.');
    value = small ? T{0} : std::numeric_limits<T>::infinity();
  }
  return negative ? -value : value;
}

}  // namespace

std::optional<bool> text_to_boolean(std::string_view text) {
  const std::string lower = base::ascii_lower(trim_all(text));
  for (const std::string_view word : {"t", "true", "y", "yes", "1"})
    if (lower == word) return true;
  for (const std::string_view word : {"f", "false", "n", "no", "0"})
    if (lower == word) return false;
  return std::nullopt;
}

std::optional<std::int64_t> text_to_integer(std::string_view text, int bits, bool strict) {
  text = trim_all(text);
  const bool negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  std::size_t at = 0;
  std::uint64_t value = 0;
  const auto limit = static_cast<std::uint64_t>(most_of(bits)) + (negative ? 1 : 0);
  for (; at < text.size() && text[at] != '.'; ++at) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    if (value > (limit - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  if (at < text.size()) {
    if (strict) return std::nullopt;
    const std::string_view fraction = text.substr(at + 1);
    if (fraction.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  }
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - value : value);
}

std::optional<double> text_to_double(std::string_view text) {
  return read_floating<double>(text);
}

std::optional<float> text_to_float(std::string_view text) {
  return read_floating<float>(text);
}

std::optional<Int128> text_to_decimal(std::string_view text, const Type& to) {
  text = trim_java(text);
  const bool is_ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii ? decimal_of_digits(text, to) : decimal_of_digits(with_ascii_digits(text), to);
}

std::string print_double(double value) {
  return print_floating(value);
}

std::string print_float(float value) {
  return print_floating(value);
}

std::string print_date_text(std::int32_t days) {
  const base::Civil civil = base::civil_from_days(days);
  std::array<char, 48> buffer{};
  const char* sign = civil.year < 0 ? "-" : civil.year > 9999 ? "+" : "";
  std::snprintf(buffer.data(), buffer.size(), "%s%04lld-%02d-%02d", sign,
                static_cast<long long>(std::abs(civil.year)), civil.month, civil.day);
  return buffer.data();
}

std::string print_timestamp_text(std::int64_t us, const base::Zone& zone) {
  // By seconds, so that the ends of the range cannot overflow.
  const std::int64_t whole = floor_div(us, base::kSecond_us);
  const auto micros = static_cast<int>((us % base::kSecond_us + base::kSecond_us) % base::kSecond_us);
  const std::int64_t local = whole + zone.offset_seconds(us);
  const std::int64_t days = floor_div(local, 86'400);
  const auto seconds = static_cast<int>(local - days * 86'400);
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), " %02d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                seconds % 60);
  std::string text = print_date_text(static_cast<std::int32_t>(days)) + buffer.data();
  if (micros == 0) return text;
  std::snprintf(buffer.data(), buffer.size(), ".%06d", micros);
  text += buffer.data();
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::optional<std::int64_t> integer_to_integer(std::int64_t value, int bits, bool strict) {
  if (!strict) return wrap(value, bits);
  if (value < least_of(bits) || value > most_of(bits)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> double_to_integer(double value, int bits, bool strict) {
  const double least = static_cast<double>(least_of(bits));
  const double above = -least;
  if (strict) {
    // The cut value must lie in the range, so -128.9 is still a tinyint. Java compares with the greatest
    // bigint as a double, which is one more than it.
    if (std::isnan(value) || std::floor(value) > above || std::ceil(value) < least) return std::nullopt;
    if (value >= above) return bits == 64 ? std::optional(most_of(64)) : std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  if (std::isnan(value)) return 0;
  // Java goes to int (or long) first, saturating, and keeps the low bits from there.
  const int first = bits == 64 ? 64 : 32;
  const double low = static_cast<double>(least_of(first));
  if (value <= low) return wrap(least_of(first), bits);
  if (value >= -low) return wrap(most_of(first), bits);
  return wrap(static_cast<std::int64_t>(value), bits);
}

std::optional<std::int64_t> decimal_to_integer(Int128 unscaled, int scale, int bits, bool strict) {
  const Int128 whole = unscaled / power_of_ten(scale);
  if (!strict) return wrap(static_cast<std::int64_t>(static_cast<unsigned long long>(whole)), bits);
  if (whole < least_of(bits) || whole > most_of(bits)) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

std::optional<Int128> double_to_decimal(double value, const Type& to) {
  if (!std::isfinite(value)) return std::nullopt;
  return decimal_of_digits(print_double(value), to);
}

double round_double(double value, int digits) {
  if (value == 0) return 0;  // also of -0.0: what is rounded is a decimal
  if (!std::isfinite(value) || digits > 400) return value;
  std::string text = print_double(value);  // its shortest digits are what is rounded
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  const std::size_t mark = text.find('E');
  int exponent = 0;
  if (mark != std::string::npos) std::from_chars(text.data() + mark + 1, text.data() + text.size(), exponent);
  std::string shown = text.substr(0, mark);
  const std::size_t point = shown.find('.');
  exponent -= static_cast<int>(shown.size() - point - 1);
  shown.erase(point, 1);
  // shown * 10^exponent; the digit at 10^(-digits - 1) decides.
  const int cut = -digits - exponent;
  if (cut <= 0) return value;
  bool up = false;
  if (cut > static_cast<int>(shown.size())) {
    shown = "0";
  } else {
    const std::size_t kept = shown.size() - static_cast<std::size_t>(cut);
    up = shown[kept] >= '5';
    shown = "0" + shown.substr(0, kept);
  }
  for (std::size_t i = shown.size(); up && i-- > 0;) {
    up = shown[i] == '9';
    shown[i] = up ? '0' : static_cast<char>(shown[i] + 1);
  }
  const std::string rounded = shown + "e" + std::to_string(exponent + cut);
  double result = 0;
  std::from_chars(rounded.data(), rounded.data() + rounded.size(), result);
  return negative && result != 0 ? -result : result;
}

}  // namespace sql
