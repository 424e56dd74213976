#include <base/time.h>
#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Time, civil_days_round_trip_over_eight_centuries) {
  for (std::int64_t days = -146'097; days <= 146'097; ++days) {
    const Civil civil = civil_from_days(days);
    ASSERT_TRUE(is_valid_date(civil.year, civil.month, civil.day)) << days;
    ASSERT_EQ(days_from_civil(civil.year, civil.month, civil.day), days);
  }
}

TEST(Time, known_days) {
  EXPECT_EQ(days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(days_from_civil(2000, 3, 1), 11'017);
  EXPECT_EQ(print_date(-719'162), "0001-01-01");
  EXPECT_FALSE(is_valid_date(1900, 2, 29));
  EXPECT_TRUE(is_valid_date(2000, 2, 29));
}

TEST(Time, instants_before_1970_keep_their_fraction) {
  EXPECT_EQ(print_instant(-1), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(print_instant(0), "1970-01-01T00:00:00.000000Z");
}

TEST(Time, instants_parse_back) {
  const std::int64_t us = 1'772'366'400'123'456;
  const auto parsed = parse_instant(print_instant(us));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, us);
  EXPECT_EQ(parse_instant("2026-03-01T12:00:00Z").value(),
            parse_instant("2026-03-01T13:30:00+01:30").value());
}

TEST(Time, what_is_no_instant_is_refused) {
  for (const char* text : {"", "2026-03-01", "2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z",
                           "2026-03-01T12:00:00", "2026-03-01T12:00:00Zx", "2026-03-01T12:00:00.Z"})
    EXPECT_FALSE(parse_instant(text)) << text;
}

TEST(Time, compact_instants_name_batches) {
  EXPECT_EQ(print_compact_instant(1'772'366'400'000'000), "20260301T120000Z");
}

}  // namespace
}  // namespace base
