// What texts and values are in Spark 3.5: the casts, value by value. `strict` is try_cast, else the
// cast with ANSI off. Nothing means NULL. Pure functions; none fails.
// Dates are days, timestamps microseconds, both since 1970-01-01 (UTC).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <base/zone.h>
#include <sql/decimal.h>
#include <sql/types.h>

namespace sql {

// The rules of a zone by its IANA name; null when nobody knows it.
using ZoneFinder = std::function<std::shared_ptr<const base::Zone>(std::string_view name)>;

std::optional<bool> text_to_boolean(std::string_view text);
// 8 to 64 bits; without `strict` a well-formed fraction is cut off.
std::optional<std::int64_t> text_to_integer(std::string_view text, int bits, bool strict);
std::optional<double> text_to_double(std::string_view text);
std::optional<float> text_to_float(std::string_view text);
std::optional<Int128> text_to_decimal(std::string_view text, const Type& to);
std::optional<std::int32_t> text_to_date(std::string_view text);
// A bare time of day is nothing.
std::optional<std::int64_t> text_to_timestamp(std::string_view text, const base::Zone& zone,
                                              const ZoneFinder& zones);
// A zone as texts name it: "Z", "+01:00", "UTC+1", "Europe/Oslo", "EST".
std::shared_ptr<const base::Zone> zone_of_text(std::string_view name, const ZoneFinder& zones);

std::string print_double(double value);
std::string print_float(float value);
std::string print_date_text(std::int32_t days);
std::string print_timestamp_text(std::int64_t us, const base::Zone& zone);

// Numbers to narrower ones: out of range is nothing if `strict`, else what Java makes of it.
std::optional<std::int64_t> double_to_integer(double value, int bits, bool strict);
std::optional<std::int64_t> integer_to_integer(std::int64_t value, int bits, bool strict);
std::optional<std::int64_t> decimal_to_integer(Int128 unscaled, int scale, int bits, bool strict);
std::optional<Int128> double_to_decimal(double value, const Type& to);
double round_double(double value, int digits);

std::int32_t timestamp_to_date(std::int64_t us, const base::Zone& zone);
std::int64_t date_to_timestamp(std::int32_t days, const base::Zone& zone);
// Seconds with a fraction, cut to microseconds; the low 64 bits, as Java keeps them.
std::int64_t decimal_to_timestamp(Int128 unscaled, int scale);
// Microseconds of the local wall clock, as if it were UTC.
std::int64_t local_us(std::int64_t us, const base::Zone& zone);
// `unit`: year quarter month week day hour minute second millisecond microsecond.
std::int64_t truncate_timestamp(std::string_view unit, std::int64_t us, const base::Zone& zone);

}  // namespace sql
