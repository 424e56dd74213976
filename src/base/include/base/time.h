// Instants are microseconds since 1970-01-01T00:00:00Z, dates are days since 1970-01-01, in the
// proleptic Gregorian calendar. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <base/result.h>

namespace base {

inline constexpr std::int64_t kSecond_us = 1'000'000;
inline constexpr std::int64_t kDay_us = 86'400 * kSecond_us;

struct Civil {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
};

std::int64_t days_from_civil(std::int64_t year, int month, int day);
Civil civil_from_days(std::int64_t days);
bool is_valid_date(std::int64_t year, int month, int day);
std::string print_date(std::int64_t days);           // 2026-03-01
std::string print_instant(std::int64_t us);          // 2026-03-01T12:00:00.000000Z
std::string print_compact_instant(std::int64_t us);  // 20260301T120000Z
// Exactly the forms above or any RFC 3339 instant with Z or an offset; code "time.syntax".
Result<std::int64_t> parse_instant(std::string_view text);

}  // namespace base
