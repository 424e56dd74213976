#include <base/json.h>
#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Json, keeps_the_characters_of_numbers) {
  const auto json =
      Json::parse(R"({"a":12345678901234567890.123456789012345678,"b":-0,"c":9007199254740993})");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("a")->number_text(), "12345678901234567890.123456789012345678");
  EXPECT_EQ(json->int64("c"), 9007199254740993);
}

TEST(Json, keeps_the_order_of_members) {
  const std::string text = R"({"z":1,"a":[true,null,"x"],"m":{}})";
  const auto json = Json::parse(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->print(), text);
}

TEST(Json, refuses_a_repeated_member) {
  const auto json = Json::parse(R"({"a":1,"a":2})");
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().code, "json.syntax");
  EXPECT_NE(json.error().message.find("stands twice"), std::string::npos);
}

TEST(Json, refuses_what_is_not_json) {
  for (const char* text : {"", "{", "[1,]", "01", "nul", "\"\xff\"", "{} x", "\"\\ud800\"", "[1] [2]"})
    EXPECT_FALSE(Json::parse(text)) << text;
}

TEST(Json, refuses_text_nested_too_deeply) {
  EXPECT_FALSE(Json::parse(std::string(100'000, '[')));
}

TEST(Json, prints_control_characters_escaped_and_reads_them_back) {
  const std::string text("a\"b\\c\n\r\t\b\f\x01 é", 14);
  const auto json = Json::parse(json_quote(text));
  ASSERT_TRUE(json) << json_quote(text);
  EXPECT_EQ(json->as_string(), text);
}

TEST(Json, set_replaces_and_remove_takes_away) {
  Json json = Json::object({{"a", 1}, {"b", 2}});
  json.set("a", "x");
  json.remove("b");
  json.set("c", Json::array({Json(true)}));
  EXPECT_EQ(json.print(), R"({"a":"x","c":[true]})");
}

TEST(Json, as_int64_is_nothing_for_fractions_and_overflow) {
  EXPECT_FALSE(Json::number("1.0").as_int64());
  EXPECT_FALSE(Json::number("9223372036854775808").as_int64());
  EXPECT_EQ(Json::number("-9223372036854775808").as_int64(), INT64_MIN);
}

}  // namespace
}  // namespace base
