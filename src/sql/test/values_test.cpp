// The probes of cases/casts say what each text is; these hold the edges of the code itself.
#include <base/time.h>
#include <sql/date_pattern.h>
#include <sql/decimal.h>
#include <sql/values.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace sql {
namespace {

std::optional<std::string> printed(std::optional<Int128> value, int scale) {
  if (!value) return std::nullopt;
  return print_decimal(*value, scale, true);
}

TEST(Decimals, RoundHalfUpAndGiveNothingWhenTooWide) {
  const Type money = Type::decimal(9, 2);
  EXPECT_EQ(printed(decimal_of_digits("1.005", money), 2), "1.01");
  EXPECT_EQ(printed(decimal_of_digits("-1.005", money), 2), "-1.01");
  EXPECT_EQ(printed(decimal_of_digits("9999999.994", money), 2), "9999999.99");
  EXPECT_EQ(printed(decimal_of_digits("9999999.995", money), 2), std::nullopt);
  EXPECT_EQ(printed(decimal_of_digits("1e-400", money), 2), "0.00");
  EXPECT_EQ(printed(decimal_of_digits("1.5x", money), 2), std::nullopt);
}

TEST(Decimals, ArithmeticIsExactAtTheEdgeOf38Digits) {
  const Type widest = Type::decimal(38, 0);
  const Int128 most = power_of_ten(38) - 1;
  EXPECT_EQ(printed(add_decimals(most, 0, 1, 0, widest), 0), std::nullopt);
  EXPECT_EQ(printed(subtract_decimals(most, 0, most, 0, widest), 0), "0");
  EXPECT_EQ(printed(multiply_decimals(most, 19, most, 19, Type::decimal(38, 0)), 0),
            "99999999999999999999999999999999999998");
  EXPECT_EQ(printed(divide_decimals(most, 0, most, 38, Type::decimal(38, 0)), 0), std::nullopt);
  EXPECT_EQ(printed(divide_decimals(1, 0, 3, 0, Type::decimal(38, 37)), 37),
            "0.3333333333333333333333333333333333333");
  EXPECT_EQ(printed(divide_decimals(2, 0, 3, 0, Type::decimal(38, 37)), 37),
            "0.6666666666666666666666666666666666667");
  EXPECT_EQ(divide_decimals(1, 0, 0, 0, widest), std::nullopt);
  EXPECT_EQ(printed(remainder_decimals(-75, 1, 2, 0, Type::decimal(5, 1)), 1), "-1.5");
}

TEST(Decimals, DivisionAgreesWithLongDoubleOnRandomValues) {
  const unsigned seed = 20'260'301;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const auto left = static_cast<std::int64_t>(random() >> 24);
    const auto right = static_cast<std::int64_t>(random() >> 44) + 1;
    const auto quotient = divide_decimals(left, 0, right, 0, Type::decimal(38, 4));
    ASSERT_TRUE(quotient);
    // quotient * right lies within half a unit of left.
    const Int128 error = *quotient * right - static_cast<Int128>(left) * 10'000;
    EXPECT_TRUE(error * 2 <= right && error * 2 >= -right)
        << "seed " << seed << ": " << left << " / " << right;
  }
}

TEST(FloatingNumbers, TheirDigitsReadBackAsTheSameValue) {
  const unsigned seed = 7;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::strtod(print_double(value).c_str(), nullptr), value) << "seed " << seed;
    float narrow = 0;
    std::memcpy(&narrow, &bits, sizeof(narrow));
    if (!std::isfinite(narrow)) continue;
    EXPECT_EQ(std::strtof(print_float(narrow).c_str(), nullptr), narrow) << "seed " << seed;
  }
}

TEST(FloatingNumbers, AreLaidOutAsJavaDoes) {
  EXPECT_EQ(print_double(1.0), "1.0");
  EXPECT_EQ(print_double(1e7), "1.0E7");
  EXPECT_EQ(print_double(0.001), "0.001");
  EXPECT_EQ(print_double(1e-4), "1.0E-4");
  EXPECT_EQ(print_double(-0.0), "-0.0");
  EXPECT_EQ(print_double(std::numeric_limits<double>::denorm_min()), "4.9E-324");
  EXPECT_EQ(print_float(std::numeric_limits<float>::denorm_min()), "1.4E-45");
  EXPECT_EQ(print_float(2'147'483'648.0F), "2.14748365E9") << "more digits than the fewest";
}

TEST(Numbers, TheGreatestWholeNumbersFitAndTheNextDoNot) {
  EXPECT_EQ(text_to_integer("9223372036854775807", 64, true), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(text_to_integer("-9223372036854775808", 64, true), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(text_to_integer("9223372036854775808", 64, true), std::nullopt);
  EXPECT_EQ(text_to_integer("-129", 8, true), std::nullopt);
  EXPECT_EQ(text_to_integer("1.5", 32, true), std::nullopt);
  EXPECT_EQ(text_to_integer("1.5", 32, false), 1);
}

TEST(Times, EveryDayComesBackFromItsText) {
  for (std::int32_t days = -800'000; days < 3'000'000; days += 997)
    EXPECT_EQ(text_to_date(print_date_text(days)), days) << days;
}

TEST(Times, TextsOfNoTimestampAreNothing) {
  const base::Zone utc = base::Zone::utc();
  for (const char* text :
       {"", "epoch", "infinity", "now", "12:34", "T12", "2020-01-01 24:00:00", "2020-01-01 12:34Z",
        "2020-01-01 12:34:56junk", "2020-02-30", "20200101", "-", "2020-01-01 12:34:56+19:00"})
    EXPECT_EQ(text_to_timestamp(text, utc, {}), std::nullopt) << text;
}

TEST(Times, AZoneInTheTextWins) {
  const base::Zone far = base::Zone::fixed(-3600 * 5);
  EXPECT_EQ(text_to_timestamp("1970-01-01 00:00:00", far, {}), 5 * 3600 * base::kSecond_us);
  EXPECT_EQ(text_to_timestamp("1970-01-01 00:00:00Z", far, {}), 0);
  EXPECT_EQ(text_to_timestamp("1970-01-01 00:00:00.25+01:00", far, {}), -3600 * base::kSecond_us + 250'000);
}

TEST(DatePatterns, AdjacentFieldsShareTheirDigits) {
  const auto pattern = DatePattern::parse("yyyyMMddHHmmss");
  ASSERT_TRUE(pattern);
  const auto local = pattern->read("20200203040506");
  ASSERT_TRUE(local);
  EXPECT_EQ(base::print_date(local->days), "2020-02-03");
  EXPECT_EQ(local->day_us, ((4 * 60 + 5) * 60 + 6) * base::kSecond_us);
  EXPECT_FALSE(pattern->read("2020020304050"));
}

TEST(DatePatterns, UnknownLettersAreRefusedWithTheirPlace) {
  const auto pattern = DatePattern::parse("yyyy-MM-dd EEE");
  ASSERT_FALSE(pattern);
  EXPECT_EQ(pattern.error().code, "sql.pattern");
  EXPECT_EQ(pattern.error().place.column, 12);
  for (const char* text : {"", "yyyyyyy", "ddd", "aa", "[yyyy]", "yyyy 'open", "u"})
    EXPECT_FALSE(DatePattern::parse(text)) << text;
}

}  // namespace
}  // namespace sql
