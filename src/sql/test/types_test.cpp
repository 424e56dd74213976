#include <sql/types.h>

#include <gtest/gtest.h>

namespace sql {
namespace {

using Kind = Type::Kind;

TEST(Types, SparksNamesAndAliasesAreReadInAnyCase) {
  for (const char* name : {"bigint", "LONG", "Long"})
    EXPECT_EQ(*parse_type(name), Type{Kind::bigint}) << name;
  EXPECT_EQ(*parse_type("integer"), *parse_type("int"));
  EXPECT_EQ(*parse_type(" decimal( 18 , 2 ) "), Type::decimal(18, 2));
  EXPECT_EQ(*parse_type("numeric(9)"), Type::decimal(9, 0));
  EXPECT_EQ(*parse_type("dec"), Type::decimal(10, 0));
  EXPECT_EQ(*parse_type("timestamp_ltz"), Type{Kind::timestamp});
}

TEST(Types, EachNameComesBackFromItsPrintedForm) {
  for (const char* name : {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double",
                           "decimal(38,18)", "string", "binary", "date", "timestamp"}) {
    const Type type = *parse_type(name);
    EXPECT_EQ(print_type(type), name);
    EXPECT_EQ(*parse_delta_type(delta_type(type)), type) << name;
  }
}

TEST(Types, DeltaAndEngineHaveTheirOwnNames) {
  EXPECT_EQ(delta_type(Type{Kind::bigint}), "long");
  EXPECT_EQ(delta_type(Type{Kind::integer}), "integer");
  EXPECT_EQ(engine_type(Type{Kind::timestamp}), "TIMESTAMPTZ");
  EXPECT_EQ(engine_type(Type::decimal(18, 2)), "DECIMAL(18,2)");
  EXPECT_FALSE(parse_delta_type("bigint"));
}

TEST(Types, WhatIsNotBuiltIsRefusedByName) {
  for (const char* name :
       {"array<int>", "map<string,int>", "struct<a:int>", "varchar(10)", "char(3)", "timestamp_ntz"}) {
    const auto type = parse_type(name);
    ASSERT_FALSE(type) << name;
    EXPECT_EQ(type.error().code, "sql.type_not_built") << name;
    EXPECT_EQ(type.error().kind, base::Kind::unsupported) << name;
  }
}

TEST(Types, AWrongNameIsAnErrorWithTheNearestOne) {
  const auto type = parse_type("strng");
  ASSERT_FALSE(type);
  EXPECT_EQ(type.error().code, "sql.type");
  EXPECT_EQ(type.error().hint, "did you mean string?");
  for (const char* name :
       {"decimal(0,0)", "decimal(39,1)", "decimal(5,6)", "decimal(5", "decimal(5,)", "int x", ""})
    EXPECT_FALSE(parse_type(name)) << name;
}

}  // namespace
}  // namespace sql
