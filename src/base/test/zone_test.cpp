#include <base/time.h>
#include <base/zone.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace base {
namespace {

// Writes a TZif file of version 2, so that no test depends on the machine's own rules.
class TzifWriter {
 public:
  struct Change {
    std::int64_t at;
    std::uint8_t type;
  };
  static std::string write(const std::vector<Change>& changes, const std::vector<std::int32_t>& offsets,
                           std::string_view footer) {
    TzifWriter writer;
    writer.block({}, {0}, 4);
    writer.block(changes, offsets, 8);
    writer.bytes_ += "\n" + std::string(footer) + "\n";
    return writer.bytes_;
  }

 private:
  void number(std::int64_t value, int count) {
    for (int i = count - 1; i >= 0; --i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (i * 8));
  }
  void block(const std::vector<Change>& changes, const std::vector<std::int32_t>& offsets, int time_bytes) {
    bytes_ += "TZif2" + std::string(15, '\0');
    const std::array<std::size_t, 6> counts = {0, 0, 0, changes.size(), offsets.size(), 4};
    for (const std::size_t count : counts) number(static_cast<std::int64_t>(count), 4);
    for (const Change& change : changes) number(change.at, time_bytes);
    for (const Change& change : changes) bytes_ += static_cast<char>(change.type);
    for (const std::int32_t offset : offsets) {
      number(offset, 4);
      bytes_ += std::string(2, '\0');
    }
    bytes_ += std::string("ABC\0", 4);
  }
  std::string bytes_;
};

std::int64_t us(std::string_view instant) {
  const Result<std::int64_t> parsed = parse_instant(instant);
  EXPECT_TRUE(parsed) << instant;
  return parsed.value_or(0);
}

// Oslo's rule since 1996, as its file has it behind the change of October 1995.
Zone oslo() {
  const auto zone = Zone::decode(TzifWriter::write(
      {{us("1980-04-06T01:00:00Z") / kSecond_us, 1}, {us("1995-09-24T01:00:00Z") / kSecond_us, 0}},
      {3600, 7200}, "CET-1CEST,M3.5.0,M10.5.0/3"));
  EXPECT_TRUE(zone);
  return zone.value_or(Zone::utc());
}

Zone new_york() {
  const auto zone = Zone::decode(TzifWriter::write({{us("2007-03-11T07:00:00Z") / kSecond_us, 1}},
                                                   {-18000, -14400}, "EST5EDT,M3.2.0,M11.1.0"));
  EXPECT_TRUE(zone);
  return zone.value_or(Zone::utc());
}

Zone lord_howe() {
  const auto zone = Zone::decode(TzifWriter::write({{us("2008-04-05T15:00:00Z") / kSecond_us, 0}},
                                                   {37800, 39600}, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"));
  EXPECT_TRUE(zone);
  return zone.value_or(Zone::utc());
}

TEST(Zone, FixedOffsetsNeverChange) {
  EXPECT_EQ(Zone::utc().offset_seconds(us("2026-07-01T00:00:00Z")), 0);
  EXPECT_EQ(Zone::fixed(-3600).instant_us(us("2026-07-01T00:00:00Z")), us("2026-07-01T01:00:00Z"));
}

TEST(Zone, ListedChangesAreUsedBeforeTheFooter) {
  EXPECT_EQ(oslo().offset_seconds(us("1979-07-01T00:00:00Z")), 3600);
  EXPECT_EQ(oslo().offset_seconds(us("1990-01-01T00:00:00Z")), 7200);
}

TEST(Zone, TheFooterGivesSummerAndWinterTime) {
  EXPECT_EQ(oslo().offset_seconds(us("2026-03-29T00:59:59Z")), 3600);
  EXPECT_EQ(oslo().offset_seconds(us("2026-03-29T01:00:00Z")), 7200);
  EXPECT_EQ(oslo().offset_seconds(us("2026-10-25T00:59:59Z")), 7200);
  EXPECT_EQ(oslo().offset_seconds(us("2026-10-25T01:00:00Z")), 3600);
}

TEST(Zone, TheFooterHoldsCenturiesAhead) {
  EXPECT_EQ(oslo().offset_seconds(us("2999-07-01T00:00:00Z")), 7200);
  EXPECT_EQ(oslo().offset_seconds(us("9999-12-31T00:00:00Z")), 3600);
  EXPECT_EQ(oslo().instant_us(us("9998-07-01T12:00:00Z")), us("9998-07-01T10:00:00Z"));
}

TEST(Zone, ALocalTimeInAGapMovesForwardByTheGap) {
  EXPECT_EQ(oslo().instant_us(us("2026-03-29T02:30:00Z")), us("2026-03-29T01:30:00Z"));
  EXPECT_EQ(new_york().instant_us(us("2026-03-08T02:15:00Z")), us("2026-03-08T07:15:00Z"));
}

TEST(Zone, ALocalTimeInAnOverlapTakesTheEarlierOffset) {
  EXPECT_EQ(oslo().instant_us(us("2026-10-25T02:30:00Z")), us("2026-10-25T00:30:00Z"));
  EXPECT_EQ(new_york().instant_us(us("2026-11-01T01:59:59.999999Z")), us("2026-11-01T05:59:59.999999Z"));
  EXPECT_EQ(new_york().instant_us(us("2026-11-01T02:00:00Z")), us("2026-11-01T07:00:00Z"));
}

TEST(Zone, AHalfHourOfSummerTimeSouthOfTheEquator) {
  EXPECT_EQ(lord_howe().offset_seconds(us("2026-01-15T00:00:00Z")), 39600);
  EXPECT_EQ(lord_howe().offset_seconds(us("2026-07-15T00:00:00Z")), 37800);
  // 2026-10-04 02:00 becomes 02:30.
  EXPECT_EQ(lord_howe().instant_us(us("2026-10-04T02:10:00Z")), us("2026-10-03T15:40:00Z"));
}

TEST(Zone, EveryInstantComesBackFromItsLocalTimeOutsideOverlaps) {
  const Zone zone = new_york();
  for (std::int64_t at = us("2026-01-01T00:00:00Z"); at < us("2030-01-01T00:00:00Z");
       at += 1'800 * kSecond_us) {
    const std::int64_t back = zone.instant_us(at + zone.offset_seconds(at) * kSecond_us);
    if (back == at) continue;
    EXPECT_EQ(at - back, 3'600 * kSecond_us) << print_instant(at);
  }
}

TEST(Zone, ARuleMayCountDaysAndStrikeOutsideItsDay) {
  const auto zone = Zone::decode(TzifWriter::write({}, {0}, "<-02>2<-01>,J60/-1,300/26"));
  ASSERT_TRUE(zone);
  // March 1st 2028 (a leap year) less one hour of local time; day 300 from zero, 02:00 the next day.
  EXPECT_EQ(zone->offset_seconds(us("2028-03-01T00:59:59Z")), -7200);
  EXPECT_EQ(zone->offset_seconds(us("2028-03-01T01:00:00Z")), -3600);
  EXPECT_EQ(zone->offset_seconds(us("2028-10-28T02:59:59Z")), -3600);
  EXPECT_EQ(zone->offset_seconds(us("2028-10-28T03:00:00Z")), -7200);
}

TEST(Zone, DamagedBytesAreRefused) {
  const std::string good = TzifWriter::write({{0, 0}}, {3600}, "CET-1");
  ASSERT_TRUE(Zone::decode(good));
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto zone = Zone::decode(std::string_view(good).substr(0, size));
    ASSERT_FALSE(zone) << size;
    EXPECT_EQ(zone.error().code, "zone.format");
  }
  EXPECT_FALSE(Zone::decode(TzifWriter::write({{0, 7}}, {3600}, "CET-1")));
  EXPECT_FALSE(Zone::decode(TzifWriter::write({{5, 0}, {5, 0}}, {3600}, "CET-1")));
  EXPECT_FALSE(Zone::decode(TzifWriter::write({}, {3600}, "CET-1CEST,M13.5.0,M10.5.0/3")));
}

}  // namespace
}  // namespace base
