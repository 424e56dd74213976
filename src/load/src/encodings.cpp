#include "encodings.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace load {

namespace {

// 0x80 to 0x9F; 0 is undefined.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

bool is_high(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Of text that append_code_point made; moves `at` behind the character. A byte that stands alone is itself.
char32_t next_point(std::string_view text, std::size_t& at) {
  const unsigned first = byte_at(text, at++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  char32_t point = more == 3 ? first & 0x07 : more == 2 ? first & 0x0F : more == 1 ? first & 0x1F : first;
  for (int i = 0; i < more && at < text.size(); ++i) point = point << 6 | (byte_at(text, at++) & 0x3F);
  return point;
}

void append_unit(char32_t unit, bool is_big_endian, std::string& bytes) {
  const char high = static_cast<char>(unit >> 8);
  const char low = static_cast<char>(unit & 0xFF);
  bytes += is_big_endian ? high : low;
  bytes += is_big_endian ? low : high;
}

}  // namespace

void append_code_point(char32_t point, std::string& text) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

std::optional<bool> utf16_is_big_endian(std::string_view bytes) {
  const unsigned first = byte_at(bytes, 0);
  const unsigned second = byte_at(bytes, 1);
  if ((first == 0xFE && second == 0xFF) || (first == 0 && second > 0 && second < 0x80)) return true;
  if ((first == 0xFF && second == 0xFE) || (second == 0 && first > 0 && first < 0x80)) return false;
  return std::nullopt;
}

void append_utf16(std::string& bytes, bool is_big_endian, bool at_end, std::string& text) {
  const auto unit_at = [&](std::size_t at) -> char32_t {
    const unsigned a = byte_at(bytes, at);
    const unsigned b = byte_at(bytes, at + 1);
    return is_big_endian ? a << 8 | b : b << 8 | a;
  };
  std::size_t at = 0;
  while (at + 2 <= bytes.size()) {
    const char32_t unit = unit_at(at);
    if (is_high(unit) && at + 4 > bytes.size() && !at_end) break;
    if (is_high(unit) && at + 4 <= bytes.size() && is_low(unit_at(at + 2))) {
      append_code_point(0x10000 + ((unit - 0xD800) << 10) + (unit_at(at + 2) - 0xDC00), text);
      at += 4;
      continue;
    }
    append_code_point(unit, text);
    at += 2;
  }
  bytes.erase(0, at);
}

std::string to_utf16(std::string_view text, bool is_big_endian) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t point = next_point(text, at);
    if (point >= 0x10000) {
      append_unit(0xD800 + ((point - 0x10000) >> 10), is_big_endian, bytes);
      append_unit(0xDC00 + ((point - 0x10000) & 0x3FF), is_big_endian, bytes);
    } else {
      append_unit(point, is_big_endian, bytes);
    }
  }
  return bytes;
}

void append_windows_1252(std::string_view bytes, std::string& text) {
  for (const char c : bytes) {
    const unsigned byte = static_cast<unsigned char>(c);
    const bool is_special = byte >= 0x80 && byte < 0xA0;
    const char32_t point = is_special ? kWindows1252[byte - 0x80] : byte;
    if (is_special && point == 0) {
      text += c;
    } else {
      append_code_point(point, text);
    }
  }
}

std::string to_windows_1252(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_alone = (byte_at(text, at) & 0xC0) == 0x80;
    const char32_t point = next_point(text, at);
    const auto special = std::find(kWindows1252.begin(), kWindows1252.end(), static_cast<char16_t>(point));
    const bool is_special = !is_alone && point > 0xFF && special != kWindows1252.end();
    bytes += static_cast<char>(is_special ? 0x80 + (special - kWindows1252.begin()) : point);
  }
  return bytes;
}

}  // namespace load
