#include <sql/expression.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sql {
namespace {

const std::vector<Column> kColumns = {
    {"order_total", Type::decimal(18, 2)}, {"currency", {Type::Kind::string}},
    {"Order Date", {Type::Kind::date}},    {"order", {Type::Kind::integer}},
    {"rate", {Type::Kind::float64}},       {"at", {Type::Kind::timestamp}},
    {"ok", {Type::Kind::boolean}}};

base::Result<std::string> check(std::string_view text) {
  TRY(const Expression parsed, Expression::parse(text));
  return print_table_check(parsed, kColumns);
}

TEST(TableCheck, PrintsDeclaredSpellingAndIsAFixedPoint) {
  const std::vector<std::pair<const char*, const char*>> kForms = {
      {"ORDER_TOTAL>=0", "order_total >= 0"},
      {"currency in (\"AUD\",'NZD')", "currency IN ('AUD', 'NZD')"},
      {"`order date` >= date'2020-01-01'", "`Order Date` >= DATE '2020-01-01'"},
      {"`order date` between '2020-01-01' and '2020-12-31'",
       "`Order Date` BETWEEN '2020-01-01' AND '2020-12-31'"},
      {"`order` != 3L", "`order` <> 3"},
      {"UPPER(trim(currency)) = currency", "upper(trim(currency)) = currency"},
      {"length(currency) == 3 or ok", "length(currency) = 3 OR ok"},
      {"substring(currency, 1, 2) = 'AU'", "substring(currency, 1, 2) = 'AU'"},
      {"case when ok then order_total else 0 end >= 0", "CASE WHEN ok THEN order_total ELSE 0 END >= 0"},
      {"coalesce(order_total, 0) * 2 < -1000.5",
       "coalesce(order_total, 0) * 2 < CAST('-1000.5' AS DECIMAL(5,1))"},
      {"order_total in (0, .5)", "order_total IN (0, CAST('0.5' AS DECIMAL(1,1)))"},
      {"rate > 0.5 or rate + 1.5 > -2.25", "rate > 0.5e0 OR rate + 1.5e0 > -2.25e0"},
      {"`order date` > cast('2020-01-01' as date)", "`Order Date` > CAST('2020-01-01' AS DATE)"},
      {"rate / 2 > 1", "rate / 2 > 1"},
      {"`order` % 2 = 0", "`order` % 2 = 0"},
      {"cast(`order` as decimal(12,0)) + 1 > 1", "CAST(`order` AS DECIMAL(12,0)) + 1 > 1"},
      {"currency like 'A%' and at is not null", "currency LIKE 'A%' AND `at` IS NOT NULL"},
      {"not (ok and currency is null)", "NOT (ok AND currency IS NULL)"},
  };
  for (const auto& [written, stored] : kForms) {
    const auto printed = check(written);
    ASSERT_TRUE(printed) << written << ": " << base::print(printed.error());
    EXPECT_EQ(*printed, stored);
    EXPECT_EQ(check(*printed).value_or("refused"), stored) << "not a fixed point";
  }
}

TEST(TableCheck, RefusesWhatReadersEvaluateDifferently) {
  for (const char* text : {"currency rlike 'A'",
                           "order_total / `order` > 1",
                           "`order` / 2 > 1",
                           "`order` div 2 = 1",
                           "`order` + 1 > 1",
                           "-`order` < 0",
                           "`order` * `order` > 1",
                           "order_total * order_total * order_total > 1",
                           "cast(currency as decimal(9,2)) > 1",
                           "cast(order_total as decimal(18,1)) > 1",
                           "cast(currency as date) > date'2020-01-01'",
                           "rate > order_total",
                           "rate in (0, 1)",
                           "rate - rate >= 0",
                           "rate * 0 = 0",
                           "-rate < 0",
                           "case rate when 0 then ok else false end",
                           "order_total > cast('1.5' as decimal(9,1))",
                           "order_total > cast('x' as decimal(2,1))",
                           "order_total < 1e3",
                           "rate * order_total > 1",
                           "rate between 0 and order_total",
                           "case when ok then rate else order_total end > 1",
                           "cast(order_total as decimal(9,2)) > 1",
                           "cast(`order` as decimal(9,0)) > 1",
                           "`order` <=> 1",
                           "at > '2020-01-01'",
                           "at > timestamp'2020-01-01 00:00:00Z'",
                           "currency > 5",
                           "`order` = '5'",
                           "ok = 1",
                           "`order date` < at",
                           "cast(at as date) > date'2020-01-01'",
                           "cast(currency as int) = 1",
                           "try_cast(currency as date) is null",
                           "concat(currency, 'x') = 'x'",
                           "currency || 'x' = 'x'",
                           "`order date` < current_date()",
                           "year(`order date`) = 2020",
                           "currency = 'it\\'s'",
                           "currency = 'a\\\\b'",
                           "substring(currency, -1) = 'D'",
                           "substring(currency, `order`) = 'D'",
                           "trim('x' from currency) = 'a'",
                           "currency like 'a!%' escape '!'",
                           "rate > 1.5F",
                           "order_total > 5BD",
                           "length(`order`) = 1",
                           "rate % 2 = 0",
                           "currency = '~'"}) {
    const auto printed = check(text);
    ASSERT_FALSE(printed) << text << " gave " << *printed;
    EXPECT_EQ(printed.error().code, "sql.not_on_table") << text;
    EXPECT_GT(printed.error().place.column, 0) << text;
    EXPECT_FALSE(printed.error().hint.empty()) << text;
  }
}

TEST(TableCheck, MustBeTrueOrFalse) {
  EXPECT_EQ(check("order_total").error().code, "sql.type_mismatch");
  EXPECT_EQ(check("missing = 1").error().code, "sql.unknown_column");
}

}  // namespace
}  // namespace sql
