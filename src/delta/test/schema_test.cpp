#include <gtest/gtest.h>

#include <delta/schema.h>

namespace delta {

namespace {

TEST(Schema, ComesBackTheSame) {
  const std::string text =
      R"({"type":"struct","fields":[{"name":"Id","type":"long","nullable":false,"metadata":{}},)"
      R"x({"name":"price","type":"decimal(18,2)","nullable":true,"metadata":{"comment":"net"}},)x"
      R"({"name":"tags","type":{"type":"array","elementType":"string","containsNull":true},"nullable":true,)"
      R"("metadata":{}}]})";
  const auto schema = parse_schema(text);
  ASSERT_TRUE(schema) << base::print(schema.error());
  ASSERT_EQ(schema->fields.size(), 3U);
  EXPECT_EQ(schema->fields[0].type, "long");
  EXPECT_FALSE(schema->fields[0].nullable);
  EXPECT_TRUE(schema->fields[2].type.empty());
  EXPECT_EQ(print_schema(*schema), text);
  EXPECT_EQ(schema->find("id"), nullptr);
  EXPECT_EQ(schema->find_ignoring_case("id"), &schema->fields[0]);
}

TEST(Schema, RefusesWhatIsNoSchema) {
  for (const char* text :
       {"", "[]", "{}", R"({"type":"array","fields":[]})", R"({"type":"struct"})",
        R"({"type":"struct","fields":[{"type":"long"}]})",
        R"({"type":"struct","fields":[{"name":"","type":"long"}]})",
        R"({"type":"struct","fields":[{"name":"a"}]})",
        R"({"type":"struct","fields":[{"name":"a","type":7}]})",
        R"({"type":"struct","fields":[{"name":"a","type":{"type":"tuple"}}]})",
        R"({"type":"struct","fields":[{"name":"a","type":"long","nullable":"no"}]})",
        R"({"type":"struct","fields":[{"name":"a","type":"long","metadata":[]}]})",
        R"({"type":"struct","fields":[{"name":"a","type":"long"},{"name":"A","type":"long"}]})"}) {
    const auto schema = parse_schema(text);
    ASSERT_FALSE(schema) << text;
    EXPECT_EQ(schema.error().code, "delta.schema") << text;
  }
}

}  // namespace
}  // namespace delta
