#include <sql/expression.h>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace sql {
namespace {

const std::vector<Column> kColumns = {{"s", {Type::Kind::string}},      {"n", {Type::Kind::integer}},
                                      {"l", {Type::Kind::bigint}},      {"d", {Type::Kind::float64}},
                                      {"Amount", Type::decimal(10, 2)}, {"b", {Type::Kind::boolean}},
                                      {"day", {Type::Kind::date}},      {"at", {Type::Kind::timestamp}},
                                      {"bytes", {Type::Kind::binary}},  {"Order Id", {Type::Kind::string}}};

base::Result<TypedExpression> analyzed(std::string_view text) {
  TRY(const Expression parsed, Expression::parse(text));
  return analyze(parsed, kColumns);
}

std::string type_of(std::string_view text) {
  const auto typed = analyzed(text);
  return typed ? print_type(typed->type()) : base::print(typed.error());
}

std::string engine_text(std::string_view text, const Context& context = {}) {
  const auto typed = analyzed(text);
  if (!typed) return base::print(typed.error());
  return print_engine(
      *typed, [](std::string_view name) { return "t.\"" + std::string(name) + "\""; }, context);
}

TEST(Analyze, GivesSparksTypes) {
  const std::vector<std::pair<const char*, const char*>> kTypes = {
      {"n + 1", "int"},
      {"n + l", "bigint"},
      {"n / 2", "double"},
      {"amount * 2", "decimal(12,2)"},
      {"amount + amount", "decimal(11,2)"},
      {"amount / n", "decimal(21,13)"},
      {"amount + d", "double"},
      {"s + 1", "double"},
      {"day + 1", "date"},
      {"1.50", "decimal(3,2)"},
      {"coalesce(n, amount)", "decimal(12,2)"},
      {"coalesce(s, n)", "string"},
      {"case when b then day else at end", "timestamp"},
      {"nullif(n, '1')", "int"},
      {"round(amount, 1)", "decimal(10,1)"},
      {"floor(amount)", "decimal(9,0)"},
      {"ceil(d)", "bigint"},
      {"length(s)", "int"},
      {"date_trunc('month', day)", "timestamp"},
      {"to_date(s, 'd/M/yyyy')", "date"},
      {"null", "void"},
      {"n in (1, 2.5)", "boolean"},
  };
  for (const auto& [text, type] : kTypes) EXPECT_EQ(type_of(text), type) << text;
}

TEST(Analyze, RefusesByCodeAndPlace) {
  const std::vector<std::tuple<const char*, const char*, int>> kBad = {
      {"amout > 1", "sql.unknown_column", 1},
      {"1 + nowhere", "sql.unknown_column", 5},
      {"b + 1", "sql.type_mismatch", 3},
      {"n and b", "sql.type_mismatch", 1},
      {"b > 1", "sql.type_mismatch", 3},
      {"day = 1", "sql.type_mismatch", 5},
      {"cast(day as int)", "sql.type_mismatch", 1},
      {"coalesce(b, s)", "sql.type_mismatch", 1},
      {"upper(bytes)", "sql.type_mismatch", 7},
      {"split(s, ',')", "sql.not_built", 1},
      {"s like n", "sql.pattern", 8},
      {"s like 'a\\\\b'", "sql.pattern", 10},
      {"s rlike 'a(?=b)'", "sql.pattern", 11},
      {"s rlike '(a)\\\\1'", "sql.pattern", 13},
      {"s rlike '[a-z&&[b]]'", "sql.pattern", 14},
      {"s rlike 'a++'", "sql.pattern", 12},
      {"s rlike 'a('", "sql.pattern", 10},
      {"to_date(s, 'dd-EE')", "sql.pattern", 16},
      {"to_date(s, n)", "sql.pattern", 12},
      {"regexp_extract(s, '(a)', 2)", "sql.arguments", 26},
      {"regexp_replace(s, '(a)', '$2')", "sql.pattern", 27},
      {"date_trunc('eon', at)", "sql.arguments", 12},
      {"date'2020-02-30'", "sql.syntax", 1},
      {"d div 2", "sql.not_built", 3},
  };
  for (const auto& [text, code, column] : kBad) {
    const auto typed = analyzed(text);
    ASSERT_FALSE(typed) << text;
    EXPECT_EQ(typed.error().code, code) << text << ": " << base::print(typed.error());
    EXPECT_EQ(typed.error().place.column, column) << text << ": " << base::print(typed.error());
  }
}

TEST(Analyze, FindsColumnsInAnyCaseAndKeepsTheirSpelling) {
  const auto typed = analyzed("AMOUNT > 1 and `order id` = 'x' and amount < 5");
  ASSERT_TRUE(typed);
  EXPECT_EQ(typed->columns(), (std::vector<std::string>{"Amount", "Order Id"}));
  EXPECT_EQ(analyzed("amout > 1").error().hint, "did you mean Amount?");
}

TEST(Analyze, ConditionsMustBeBoolean) {
  EXPECT_TRUE(analyze_condition(*Expression::parse("n > 1"), kColumns));
  EXPECT_TRUE(analyze_condition(*Expression::parse("null"), kColumns));
  EXPECT_EQ(analyze_condition(*Expression::parse("n + 1"), kColumns).error().code, "sql.type_mismatch");
}

TEST(EngineText, WritesImplicitCastsOut) {
  EXPECT_EQ(engine_text("n = 1"), "(t.\"n\" = 1)");
  EXPECT_EQ(engine_text("n = '1'"), "(t.\"n\" = spark_integer('1'))");
  EXPECT_EQ(engine_text("l > n"), "(t.\"l\" > CAST(t.\"n\" AS BIGINT))");
  EXPECT_EQ(engine_text("amount + 1"), "spark_add_11_2(t.\"Amount\", spark_decimal_1_0(1))");
  EXPECT_EQ(engine_text("n between 1 and 2"), "((t.\"n\" >= 1) AND (t.\"n\" <= 2))");
  EXPECT_EQ(engine_text("s <=> null"), "(t.\"s\" IS NOT DISTINCT FROM CAST(NULL AS VARCHAR))");
}

TEST(EngineText, TakesZoneAndInstantFromTheContext) {
  const Context context{"Europe/Oslo", 1'700'000'000'000'000};
  EXPECT_EQ(engine_text("cast(s as timestamp)", context), "spark_timestamp(t.\"s\", 'Europe/Oslo')");
  EXPECT_EQ(engine_text("current_timestamp()", context), "spark_instant(CAST(1700000000000000 AS BIGINT))")
      << "one instant for the whole run";
}

TEST(EngineText, QuotesCannotBreakOut) {
  EXPECT_EQ(engine_text(R"(s = 'a\'; drop table x; --')"), "(t.\"s\" = 'a''; drop table x; --')");
}

TEST(EngineText, DefaultCastsAreTryCasts) {
  const Context context;
  const Type text{Type::Kind::string};
  EXPECT_EQ(print_cast("c", text, Type{Type::Kind::integer}, context, true), "spark_try_integer(c)");
  EXPECT_EQ(print_cast("c", text, Type::decimal(18, 2), context, true), "spark_decimal_18_2(c)");
  EXPECT_EQ(print_cast("c", text, text, context, true), "c");
  EXPECT_EQ(print_cast("c", Type{Type::Kind::integer}, Type{Type::Kind::bigint}, context, true),
            "CAST(c AS BIGINT)");
  EXPECT_FALSE(can_cast(Type{Type::Kind::date}, Type{Type::Kind::integer}, true));
}

}  // namespace
}  // namespace sql
