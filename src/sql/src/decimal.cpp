#include <sql/decimal.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace sql {

namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr int kDigitsMax = 38;

// A magnitude wide enough for a 38-digit value times 10^76.
class Wide {
 public:
  explicit Wide(Uint128 value = 0)
      : limbs_{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)} {}

  Wide& times(std::uint64_t factor) {
    Uint128 carry = 0;
    for (std::uint64_t& limb : limbs_) {
      carry += static_cast<Uint128>(limb) * factor;
      limb = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return *this;
  }
  Wide& times_power(int exponent) {
    for (; exponent > 18; exponent -= 18) times(static_cast<std::uint64_t>(power_of_ten(18)));
    return times(static_cast<std::uint64_t>(power_of_ten(exponent)));
  }
  // Divides; returns the remainder.
  std::uint64_t over(std::uint64_t divisor) {
    Uint128 rest = 0;
    for (std::size_t i = kLimbs; i-- > 0;) {
      rest = (rest << 64) | limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(rest / divisor);
      rest %= divisor;
    }
    return static_cast<std::uint64_t>(rest);
  }
  // Divides by a power of ten, half up.
  Wide& over_power(int exponent) {
    if (exponent <= 0) return *this;
    --exponent;  // the last digit decides
    for (; exponent > 18; exponent -= 18) over(static_cast<std::uint64_t>(power_of_ten(18)));
    over(static_cast<std::uint64_t>(power_of_ten(exponent)));
    const std::uint64_t digit = over(10);
    return digit >= 5 ? add(Wide(1)) : *this;
  }
  Wide& add(const Wide& other) {
    Uint128 carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      carry += static_cast<Uint128>(limbs_[i]) + other.limbs_[i];
      limbs_[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return *this;
  }
  // The other one must not be greater.
  Wide& subtract(const Wide& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Uint128 taken = static_cast<Uint128>(other.limbs_[i]) + borrow;
      borrow = limbs_[i] < taken ? 1 : 0;
      limbs_[i] -= static_cast<std::uint64_t>(taken);
    }
    return *this;
  }
  static Wide product(Uint128 left, Uint128 right) {
    Wide high(left);
    high.times(static_cast<std::uint64_t>(right >> 64));
    for (std::size_t i = kLimbs - 1; i > 0; --i) high.limbs_[i] = high.limbs_[i - 1];
    high.limbs_[0] = 0;
    Wide low(left);
    return low.times(static_cast<std::uint64_t>(right)).add(high);
  }
  int compare(const Wide& other) const {
    for (std::size_t i = kLimbs; i-- > 0;)
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    return 0;
  }
  bool is_narrow() const {
    return std::all_of(limbs_.begin() + 2, limbs_.end(), [](std::uint64_t limb) { return limb == 0; });
  }
  Uint128 narrow() const { return (static_cast<Uint128>(limbs_[1]) << 64) | limbs_[0]; }
  // Quotient and, in `rest`, remainder; by shifting and subtracting.
  Wide divide(const Wide& divisor, Wide& rest) const {
    Wide quotient;
    rest = Wide();
    if (is_narrow() && divisor.is_narrow()) {
      rest = Wide(narrow() % divisor.narrow());
      return Wide(narrow() / divisor.narrow());
    }
    for (std::size_t bit = kLimbs * 64; bit-- > 0;) {
      rest.add(rest);
      rest.limbs_[0] |= limbs_[bit / 64] >> (bit % 64) & 1;
      if (rest.compare(divisor) < 0) continue;
      rest.subtract(divisor);
      quotient.limbs_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    return quotient;
  }

 private:
  static constexpr std::size_t kLimbs = 8;
  std::array<std::uint64_t, kLimbs> limbs_{};
};

Uint128 magnitude(Int128 value) {
  return value < 0 ? Uint128{0} - static_cast<Uint128>(value) : static_cast<Uint128>(value);
}

// A magnitude of the target's scale as a value of the target, if it has no more digits than that.
std::optional<Int128> fit(const Wide& value, bool negative, const Type& to) {
  if (!value.is_narrow() || value.narrow() >= static_cast<Uint128>(power_of_ten(to.precision)))
    return std::nullopt;
  const auto result = static_cast<Int128>(value.narrow());
  return negative ? -result : result;
}

std::optional<Int128> fit_scaled(Wide value, bool negative, int scale, const Type& to) {
  if (scale > to.scale) value.over_power(scale - to.scale);
  if (scale < to.scale) value.times_power(to.scale - scale);
  return fit(value, negative, to);
}

std::optional<Int128> add_signed(Int128 left, int left_scale, Int128 right, int right_scale, const Type& to) {
  const int scale = std::max(left_scale, right_scale);
  Wide a(magnitude(left));
  Wide b(magnitude(right));
  a.times_power(scale - left_scale);
  b.times_power(scale - right_scale);
  if ((left < 0) == (right < 0)) return fit_scaled(a.add(b), left < 0, scale, to);
  if (a.compare(b) >= 0) return fit_scaled(a.subtract(b), left < 0, scale, to);
  return fit_scaled(b.subtract(a), right < 0, scale, to);
}

}  // namespace

Int128 power_of_ten(int exponent) {
  static const auto kPowers = [] {
    std::array<Int128, kDigitsMax + 1> powers{};
    powers[0] = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
  }();
  return kPowers[static_cast<std::size_t>(exponent)];
}

std::optional<Int128> rescale(Int128 unscaled, int scale, const Type& to) {
  if (scale == to.scale) return fit(Wide(magnitude(unscaled)), unscaled < 0, to);
  return fit_scaled(Wide(magnitude(unscaled)), unscaled < 0, scale, to);
}

std::optional<Int128> add_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                   const Type& to) {
  return add_signed(left, left_scale, right, right_scale, to);
}

std::optional<Int128> subtract_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                        const Type& to) {
  return add_signed(left, left_scale, -right, right_scale, to);
}

std::optional<Int128> multiply_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                        const Type& to) {
  return fit_scaled(Wide::product(magnitude(left), magnitude(right)), (left < 0) != (right < 0),
                    left_scale + right_scale, to);
}

std::optional<Int128> divide_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                      const Type& to) {
  if (right == 0) return std::nullopt;
  const int exponent = to.scale + right_scale - left_scale;
  Wide dividend(magnitude(left));
  Wide divisor(magnitude(right));
  if (exponent >= 0) dividend.times_power(exponent);
  if (exponent < 0) divisor.times_power(-exponent);
  Wide rest;
  Wide quotient = dividend.divide(divisor, rest);
  const Wide half = rest;
  if (rest.add(half).compare(divisor) >= 0) quotient.add(Wide(1));
  return fit(quotient, (left < 0) != (right < 0), to);
}

std::optional<Int128> remainder_decimals(Int128 left, int left_scale, Int128 right, int right_scale,
                                         const Type& to) {
  if (right == 0) return std::nullopt;
  const int scale = std::max(left_scale, right_scale);
  Wide dividend(magnitude(left));
  Wide divisor(magnitude(right));
  dividend.times_power(scale - left_scale);
  divisor.times_power(scale - right_scale);
  Wide rest;
  dividend.divide(divisor, rest);
  return fit_scaled(rest, left < 0, scale, to);
}

std::optional<Int128> round_decimal(Int128 unscaled, int scale, int digits, const Type& to) {
  if (digits >= scale) return rescale(unscaled, scale, to);
  Wide value(magnitude(unscaled));
  // More places than any value has: nothing is left of it.
  if (scale - digits > 2 * kDigitsMax) return 0;
  value.over_power(scale - digits);
  return digits >= 0 ? fit_scaled(value, unscaled < 0, digits, to)
                     : fit_scaled(value.times_power(-digits), unscaled < 0, 0, to);
}

std::optional<Int128> floor_decimal(Int128 unscaled, int scale, const Type& to) {
  const Int128 power = power_of_ten(scale);
  const Int128 whole = unscaled / power - (unscaled % power < 0 ? 1 : 0);
  return rescale(whole, 0, to);
}

std::optional<Int128> ceil_decimal(Int128 unscaled, int scale, const Type& to) {
  const Int128 power = power_of_ten(scale);
  const Int128 whole = unscaled / power + (unscaled % power > 0 ? 1 : 0);
  return rescale(whole, 0, to);
}

namespace {

// The significant digits of a number's text, as far as 38 of them go.
struct Digits {
  bool negative = false;
  Uint128 value = 0;
  std::int64_t scale = 0;  // of `value`; negative when whole digits were dropped
  bool half = false;       // the first dropped digit is 5 or more
};

// Reads up to the exponent; `at` is where it stopped.
std::optional<Digits> read_digits(std::string_view text, std::size_t& at) {
  Digits digits;
  digits.negative = text.starts_with('-');
  at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  int kept = 0;
  bool point = false, any = false, first_dropped = true;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (kept < kDigitsMax) {
      digits.value = digits.value * 10 + static_cast<Uint128>(c - '0');
      if (digits.value != 0) ++kept;
      if (point) ++digits.scale;
    } else {
      if (first_dropped) digits.half = c >= '5';
      first_dropped = false;
      if (!point) --digits.scale;
    }
  }
  if (!any) return std::nullopt;
  return digits;
}

// "e+12" to the end of the text.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int32_t exponent = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return exponent;
}

}  // namespace

std::optional<Int128> decimal_of_digits(std::string_view text, const Type& to) {
  std::size_t at = 0;
  std::optional<Digits> digits = read_digits(text, at);
  if (!digits) return std::nullopt;
  const std::optional<std::int64_t> exponent = read_exponent(text.substr(at));
  if (!exponent) return std::nullopt;
  const std::int64_t scale = digits->scale - *exponent;
  // Of a zero, Spark counts the whole digits that its exponent claims.
  if (digits->value == 0) return 1 - scale > kDigitsMax ? std::nullopt : std::optional<Int128>(0);
  // Digits beyond the 38 taken ones decide only when none of those is cut.
  if (digits->half && scale == to.scale) ++digits->value;
  if (scale < -kDigitsMax) return std::nullopt;
  if (scale - to.scale > kDigitsMax + 1) return 0;
  Wide wide(digits->value);
  if (scale < 0) return fit_scaled(wide.times_power(static_cast<int>(-scale)), digits->negative, 0, to);
  return fit_scaled(wide, digits->negative, static_cast<int>(scale), to);
}

std::string print_decimal(Int128 unscaled, int scale, bool plain) {
  std::string digits;
  for (Uint128 rest = magnitude(unscaled); rest != 0; rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  if (digits.empty()) digits = "0";
  const std::string sign = unscaled < 0 ? "-" : "";
  // Java's BigDecimal.toString: an exponent where it would be below -6.
  const int adjusted = static_cast<int>(digits.size()) - 1 - scale;
  if (!plain && scale > 0 && adjusted < -6)
    return sign + digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") + "E" +
           std::to_string(adjusted);
  if (scale == 0) return sign + digits;
  const auto places = static_cast<std::size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  return sign + digits.substr(0, digits.size() - places) + "." + digits.substr(digits.size() - places);
}

double decimal_to_double(Int128 unscaled, int scale) {
  const std::string text = print_decimal(unscaled, 0, true) + "e-" + std::to_string(scale);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace sql
