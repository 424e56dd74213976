#include <base/text.h>
#include <gtest/gtest.h>

namespace base {
namespace {

using Words = std::vector<std::string>;

TEST(SplitWords, splits_as_a_shell_does) {
  EXPECT_EQ(split_words("load  silver.orders\t--batch day-1 ").value(),
            (Words{"load", "silver.orders", "--batch", "day-1"}));
  EXPECT_EQ(split_words(R"(--because "two 'names' \"x\" \n" 'a "b" \' c\ d '' e"f"g)").value(),
            (Words{"--because", R"(two 'names' "x" \n)", R"(a "b" \)", "c d", "", "efg"}));
  EXPECT_TRUE(split_words("").value().empty());
}

TEST(SplitWords, an_open_quote_is_an_error) {
  EXPECT_EQ(split_words("sh 'a").error().code, "words.open_quote");
  EXPECT_EQ(split_words("sh \"a\\\"").error().code, "words.open_quote");
}

}  // namespace
}  // namespace base
