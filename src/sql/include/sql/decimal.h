// Spark's decimals: unscaled 128-bit integers of at most 38 digits, rounded half up (away from zero),
// nothing when a result does not fit its type. Pure functions; all results exact before rounding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sql/types.h>

namespace sql {

__extension__ typedef __int128 Int128;

// 0 <= exponent <= 38.
Int128 power_of_ten(int exponent);

// The value at another scale; nothing when it has more than `to.precision` digits there.
std::optional<Int128> rescale(Int128 unscaled, int scale, const Type& to);

// `left` and `right` are unscaled values of their decimal types; a zero divisor gives nothing.
std::optional<Int128> add_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                   const Type& to);
std::optional<Int128> subtract_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                        const Type& to);
std::optional<Int128> multiply_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                        const Type& to);
std::optional<Int128> divide_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                      const Type& to);
std::optional<Int128> remainder_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                         const Type& to);

// round(x, digits): digits may be negative; half up.
std::optional<Int128> round_decimal(Int128 unscaled, int scale, int digits, const Type& to);
std::optional<Int128> floor_decimal(Int128 unscaled, int scale, const Type& to);
std::optional<Int128> ceil_decimal(Int128 unscaled, int scale, const Type& to);

// Digits with an optional sign, point and exponent, and nothing else.
std::optional<Int128> decimal_of_digits(std::string_view text, const Type& to);
// Every digit of the scale: -0.0100. `plain` off gives an exponent to values below 1e-6, as Java does.
std::string print_decimal(Int128 unscaled, int scale, bool plain);
// The nearest double.
double decimal_to_double(Int128 unscaled, int scale);

}  // namespace sql
