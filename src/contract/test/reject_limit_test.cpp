#include "reject_limit.h"

#include <gtest/gtest.h>

namespace contract {
namespace {

std::string ratio(std::string_view text) {
  const auto limit = parse_reject_limit(text);
  if (!limit) return limit.error().code;
  std::string out = std::to_string(limit->numerator) + "/" + std::to_string(limit->denominator);
  if (limit->rows_least) out += " from " + std::to_string(*limit->rows_least);
  return out;
}

TEST(RejectLimit, ReadsEveryForm) {
  EXPECT_EQ(ratio("5%"), "5/100");
  EXPECT_EQ(ratio("0.05"), "5/100");
  EXPECT_EQ(ratio("0.050"), "5/100");
  EXPECT_EQ(ratio("2.5 %"), "25/1000");
  EXPECT_EQ(ratio("0%"), "0/100");
  EXPECT_EQ(ratio("100%"), "100/100");
  EXPECT_EQ(ratio("1.0"), "100/100");
  EXPECT_EQ(ratio("0.5"), "50/100");
  EXPECT_EQ(ratio("5%, at least 20 rows"), "5/100 from 20");
  EXPECT_EQ(ratio("0.001,At least 1 row"), "1/1000 from 1");
}

TEST(RejectLimit, RefusesWhatCouldBeMisread) {
  for (const std::string_view text :
       {"5", "0", "1", "-5%", "101%", "1.5", "5 %%", "%", "", ".5", "5.%", "five", "5%, 20",
        "5%, at least many rows", "5%, at least -1 rows", "1e-2"})
    EXPECT_EQ(ratio(text), "document.reject_ratio") << text;
}

TEST(RejectLimit, PrintsWhatReadsTheSame) {
  for (const std::string text : {"5%", "2.5%", "0.01%", "0%", "100%", "12.345%, at least 20 rows"}) {
    const auto limit = parse_reject_limit(text);
    ASSERT_TRUE(limit.has_value()) << text;
    EXPECT_EQ(print_reject_limit(*limit), text);
  }
}

}  // namespace
}  // namespace contract
