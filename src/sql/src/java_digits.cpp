// Steele and White's digit generation with the shortcuts that Java takes: whole numbers lose the digits
// below their precision at once, small scales run in machine integers and treat ties otherwise.
#include "java_digits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace sql {

namespace {

constexpr int kFractionBits = 52;  // behind the leading one, of doubles and of widened floats

// A natural number of any size.
class Natural {
 public:
  explicit Natural(std::uint64_t value) {
    for (; value != 0; value >>= 32) limbs_.push_back(static_cast<std::uint32_t>(value));
  }
  Natural& times(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += static_cast<std::uint64_t>(limb) * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    return *this;
  }
  Natural& times_five_two(int fives, int twos) {
    for (; fives >= 13; fives -= 13) times(1'220'703'125);
    for (; fives > 0; --fives) times(5);
    for (; twos >= 31; twos -= 31) times(1U << 31);
    return times(1U << twos);
  }
  Natural& add(const Natural& other) {
    limbs_.resize(std::max(limbs_.size(), other.limbs_.size()));
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += static_cast<std::uint64_t>(limbs_[i]) + (i < other.limbs_.size() ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
    return *this;
  }
  // The other one must not be greater.
  void subtract(const Natural& other) {
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      std::int64_t rest =
          static_cast<std::int64_t>(limbs_[i]) - (i < other.limbs_.size() ? other.limbs_[i] : 0) - borrow;
      borrow = rest < 0 ? 1 : 0;
      limbs_[i] = static_cast<std::uint32_t>(rest + (borrow << 32));
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  int compare(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (std::size_t i = limbs_.size(); i-- > 0;)
      if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i] ? -1 : 1;
    return 0;
  }
  // Takes the whole part of this divided by `divisor` (below ten) away and moves the rest up one digit.
  int next_digit(const Natural& divisor) {
    int digit = 0;
    for (; compare(divisor) >= 0; ++digit) subtract(divisor);
    times(10);
    return digit;
  }

 private:
  std::vector<std::uint32_t> limbs_;
};

struct Parts {
  std::uint64_t fraction = 0;  // its highest bit is bit 52
  int exponent = 0;            // of the highest bit
  int significant_bits = 0;
};

int bits_of_power_of_five(int exponent) {
  static constexpr int kKnown = 27;
  if (exponent >= kKnown) return exponent * 3;
  return exponent == 0 ? 0 : static_cast<int>(std::floor(exponent * std::log2(5.0))) + 1;
}

void append_rounded_up(JavaDigits& result) {
  std::string& digits = result.digits;
  std::size_t i = digits.size() - 1;
  while (digits[i] == '9' && i > 0) digits[i--] = '0';
  if (digits[i] == '9') {
    digits[0] = '1';
    ++result.exponent;
  } else {
    ++digits[i];
  }
}

// A whole number below 2^63.
JavaDigits whole_digits(const Parts& parts) {
  std::uint64_t value = parts.exponent >= kFractionBits ? parts.fraction << (parts.exponent - kFractionBits)
                                                        : parts.fraction >> (kFractionBits - parts.exponent);
  int dropped = 0;
  const int spare_bits = parts.exponent - parts.significant_bits - 1;
  if (spare_bits > 1) dropped = static_cast<int>(std::floor(spare_bits * std::log10(2.0)));
  if (dropped > 0) {
    std::uint64_t power = 1;
    for (int i = 0; i < dropped; ++i) power *= 10;
    const std::uint64_t rest = value % power;
    value = value / power + (rest >= power / 2 ? 1 : 0);
  }
  JavaDigits result;
  result.digits = std::to_string(value);
  result.exponent = static_cast<int>(result.digits.size()) + dropped;
  result.digits.erase(result.digits.find_last_not_of('0') + 1);
  return result;
}

JavaDigits generate(const Parts& parts) {
  const int tail_zeros = std::countr_zero(parts.fraction);
  const int fraction_bits = kFractionBits + 1 - tail_zeros;
  const int tiny_bits = std::max(0, fraction_bits - parts.exponent - 1);
  if (parts.exponent >= -21 && parts.exponent <= 62 && tiny_bits == 0) return whole_digits(parts);

  const double leading = std::ldexp(static_cast<double>(parts.fraction), -kFractionBits);  // in [1, 2)
  int decimal = static_cast<int>(
      std::floor((leading - 1.5) * 0.289529654 + 0.176091259 + parts.exponent * 0.301029995663981));
  // value = fraction * 5^b5 * 2^b2 over 5^s5 * 2^s2; half a unit of the last bit is 5^b5 * 2^m2 over the
  // same.
  const int b5 = std::max(0, -decimal);
  const int s5 = std::max(0, decimal);
  int b2 = b5 + tiny_bits + parts.exponent;
  int s2 = s5 + tiny_bits;
  int m2 = b2 - parts.significant_bits;
  b2 -= fraction_bits - 1;
  const int common = std::min(b2, s2);
  b2 -= common;
  s2 -= common;
  m2 -= common;
  if (fraction_bits == 1) --m2;  // below a power of two the neighbour is half as far
  if (m2 < 0) {
    b2 -= m2;
    s2 -= m2;
    m2 = 0;
  }
  const bool is_narrow =
      fraction_bits + b2 + bits_of_power_of_five(b5) < 64 && s2 + 1 + bits_of_power_of_five(s5 + 1) < 64;
  Natural value = Natural(parts.fraction >> tail_zeros).times_five_two(b5, b2);
  Natural margin = Natural(10).times_five_two(b5, m2);
  const Natural scale = Natural(1).times_five_two(s5, s2);
  const Natural ten_scales = Natural(10).times_five_two(s5, s2);

  JavaDigits result;
  int digit = value.next_digit(scale);
  const auto is_low = [&] { return value.compare(margin) < 0; };
  const auto is_high = [&] {
    Natural sum = value;
    const int order = sum.add(margin).compare(ten_scales);
    return is_narrow ? order > 0 : order >= 0;
  };
  bool low = is_low();
  bool high = is_high();
  if (digit == 0 && !high) {
    --decimal;
  } else {
    result.digits += static_cast<char>('0' + digit);
  }
  // With an exponent there is always a digit behind the point.
  if (decimal < -3 || decimal >= 8) high = low = false;
  while (!low && !high) {
    digit = value.next_digit(scale);
    margin.times(10);
    low = is_low();
    high = is_high();
    result.digits += static_cast<char>('0' + digit);
  }
  result.exponent = decimal + 1;
  if (!high) return result;
  int order = 1;
  if (low) order = value.times(2).compare(ten_scales);
  const bool is_odd = (result.digits.back() - '0') % 2 != 0;
  if (order > 0 || (order == 0 && is_odd)) append_rounded_up(result);
  return result;
}

// `width` bits of fraction are stored, below a biased exponent.
Parts parts_of(std::uint64_t bits, int width, int bias) {
  Parts parts;
  parts.fraction = bits & ((std::uint64_t{1} << width) - 1);
  parts.exponent = static_cast<int>(bits >> width);
  parts.significant_bits = width + 1;
  if (parts.exponent == 0) {
    parts.significant_bits = 64 - std::countl_zero(parts.fraction);
    const int shift = width + 1 - parts.significant_bits;
    parts.fraction <<= shift;
    parts.exponent = 1 - shift;
  } else {
    parts.fraction |= std::uint64_t{1} << width;
  }
  parts.exponent -= bias;
  parts.fraction <<= kFractionBits - width;
  return parts;
}

}  // namespace

JavaDigits java_digits(double value) {
  return generate(parts_of(std::bit_cast<std::uint64_t>(value), kFractionBits, 1023));
}

JavaDigits java_digits(float value) {
  return generate(parts_of(std::bit_cast<std::uint32_t>(value), 23, 127));
}

}  // namespace sql
