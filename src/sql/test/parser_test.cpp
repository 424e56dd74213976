#include <sql/expression.h>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace sql {
namespace {

std::string printed(std::string_view text) {
  const auto parsed = Expression::parse(text);
  EXPECT_TRUE(parsed) << text << ": " << base::print(parsed.error());
  return parsed ? print_spark(*parsed) : "";
}

base::Error refused(std::string_view text) {
  const auto parsed = Expression::parse(text);
  EXPECT_FALSE(parsed) << text;
  return parsed ? base::Error{} : parsed.error();
}

// Each comparison of a comparison is printed in brackets.
TEST(Parser, refuses_what_it_could_not_read_when_printed) {
  const auto chain = [](int links) {
    std::string text = "a";
    for (int i = 0; i < links; ++i) text += " = a";
    return text;
  };
  const std::string longest = printed(chain(199));
  EXPECT_EQ(printed(longest), longest);
  EXPECT_NE(refused(chain(300)).message.find("nested too deeply"), std::string::npos);
}

TEST(Parser, PrintsEveryFormCanonically) {
  const std::vector<std::pair<const char*, const char*>> kForms = {
      {"1+2*3", "1 + 2 * 3"},
      {"(1+2)*3", "(1 + 2) * 3"},
      {"a-(b-c)", "a - (b - c)"},
      {"a-b-c", "a - b - c"},
      {"a == 1 and b != 2 or not c", "a = 1 AND b <> 2 OR NOT c"},
      {"a and (b or c)", "a AND (b OR c)"},
      {"not (a and b)", "NOT (a AND b)"},
      {"! a", "NOT a"},
      {"x is not null", "x IS NOT NULL"},
      {"x not in (1, 2)", "x NOT IN (1, 2)"},
      {"x between 1 and 2 and y", "x BETWEEN 1 AND 2 AND y"},
      {"x like 'a%'", "x LIKE 'a%'"},
      {"x like 'a!%' escape '!'", "x LIKE 'a!%' ESCAPE '!'"},
      {"x regexp 'a+'", "x RLIKE 'a+'"},
      {"case when a then 1 end", "CASE WHEN a THEN 1 END"},
      {"CASE x WHEN 1 THEN 'a' ELSE 'b' END", "CASE x WHEN 1 THEN 'a' ELSE 'b' END"},
      {"cast(x as dec(9,2))", "CAST(x AS DECIMAL(9,2))"},
      {"try_cast(x as long)", "TRY_CAST(x AS BIGINT)"},
      {"UPPER(trim(x))", "upper(trim(x))"},
      {"trim(both 'x' from y)", "trim(BOTH 'x' FROM y)"},
      {"ltrim('x', y)", "trim(LEADING 'x' FROM y)"},
      {"substring(x from 2 for 3)", "substring(x, 2, 3)"},
      {"split(x, ',')[0]", "split(x, ',')[0]"},
      {"a || b || 'c'", "a || b || 'c'"},
      {"- x", "-x"},
      {"-1", "-1"},
      {"-(1)", "-(1)"},
      {"- - 1", "-(-1)"},
      {"a - -1", "a - -1"},
      {"(a = b) = c", "(a = b) = c"},
      {"(a = b) is null", "(a = b) IS NULL"},
      {"`order id` = `a``b`", "`order id` = `a``b`"},
      {"`plain` + `order`", "plain + `order`"},
      {"date '2020-01-01'", "DATE '2020-01-01'"},
      {"x'0aF'", "X'00AF'"},
      {"\"it's\"", R"('it\'s')"},
      {R"('a\\b\tc\u00e6\101')", R"('a\\b\tcæA')"},
      {R"('50\%')", R"('50\%')"},
      {"r'\\d+'", R"('\\d+')"},
      {"1.50", "1.50"},
      {".5", "0.5"},
      {"007", "7"},
      {"1e3", "1e3"},
      {"1.5D", "1.5e0"},
      {"7L", "7L"},
      {"3000000000", "3000000000"},
      {"5BD", "5BD"},
      {"1 /* a comment */ + 2 -- and another", "1 + 2"},
      {"current_date", "current_date()"},
      {"a <=> null", "a <=> NULL"},
      {"a div b % c", "a DIV b % c"},
  };
  for (const auto& [written, canonical] : kForms) {
    EXPECT_EQ(printed(written), canonical);
    EXPECT_EQ(printed(canonical), canonical) << "not a fixed point";
  }
}

TEST(Parser, RefusesByCodeAndPlace) {
  const std::vector<std::tuple<const char*, const char*, int, int>> kBad = {
      {"", "sql.syntax", 1, 1},
      {"a +", "sql.syntax", 1, 4},
      {"a::int", "sql.syntax", 1, 2},
      {"a = = b", "sql.syntax", 1, 5},
      {"(a", "sql.syntax", 1, 3},
      {"a b", "sql.syntax", 1, 3},
      {"a\n  + 'æ' ?", "sql.syntax", 2, 9},
      {"'open", "sql.syntax", 1, 1},
      {"`open", "sql.syntax", 1, 1},
      {"a /* open", "sql.syntax", 1, 3},
      {"'it''s'", "sql.syntax", 1, 5},
      {"12abc", "sql.syntax", 1, 1},
      {"1e5x", "sql.syntax", 1, 1},
      {"300Y", "sql.syntax", 1, 1},
      {"case when a end", "sql.syntax", 1, 13},
      {"f(a,)", "sql.syntax", 1, 5},
      {"uper(a)", "sql.unknown_function", 1, 1},
      {"a + lenght(b)", "sql.unknown_function", 1, 5},
      {"upper(a, b)", "sql.arguments", 1, 1},
      {"round()", "sql.arguments", 1, 1},
      {"cast(a as strng)", "sql.type", 1, 11},
      {"cast(a as array<int>)", "sql.type_not_built", 1, 11},
      {"a.b", "sql.not_built", 1, 2},
      {"a in (select 1)", "sql.not_built", 1, 7},
      {"interval 1 day", "sql.not_built", 1, 1},
      {"a ilike 'b'", "sql.not_built", 1, 3},
      {"a is true", "sql.not_built", 1, 6},
      {"a & b", "sql.not_built", 1, 3},
      {"a like any ('x')", "sql.not_built", 1, 8},
      {"a[0]", "sql.not_built", 1, 2},
      {"timestamp_ntz'2020-01-01'", "sql.not_built", 1, 1},
      {"end = 1", "sql.syntax", 1, 1},
  };
  for (const auto& [text, code, line, column] : kBad) {
    const base::Error error = refused(text);
    EXPECT_EQ(error.code, code) << text;
    EXPECT_EQ(error.place.line, line) << text;
    EXPECT_EQ(error.place.column, column) << text;
  }
}

TEST(Parser, AnUnknownFunctionNamesTheNearest) {
  EXPECT_EQ(refused("uper(a)").hint, "did you mean upper?");
  EXPECT_EQ(refused("regexp_replce(a)").hint, "did you mean regexp_replace?");
}

TEST(Parser, DeepNestingAndLengthAreRefusedNotCrashedOn) {
  EXPECT_EQ(refused(std::string(100'000, '(')).code, "sql.syntax");
  std::string nots;
  for (int i = 0; i < 50'000; ++i) nots += "not ";
  EXPECT_EQ(refused(nots + "a").code, "sql.syntax");
  std::string sum = "a";
  for (int i = 0; i < 50'000; ++i) sum += "+a";
  EXPECT_EQ(refused(sum).code, "sql.syntax");
}

TEST(Parser, ColumnsComeInOrderOnceIgnoringCase) {
  const auto parsed = Expression::parse("upper(B) = a and b > `C d` or A is null");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->columns(), (std::vector<std::string>{"B", "a", "C d"}));
}

TEST(Parser, TheClockIsSeen) {
  EXPECT_TRUE(uses_clock(*Expression::parse("a < current_timestamp()")));
  EXPECT_TRUE(uses_clock(*Expression::parse("case when a then current_date end")));
  EXPECT_FALSE(uses_clock(*Expression::parse("date_add(a, 1) > b")));
}

}  // namespace
}  // namespace sql
