// Statistics hold for every value, or are not there.
#include "statistics.h"

#include "table_fixture.h"

namespace table {

namespace {

TEST(TextBounds, AreCutAtThirtyTwoCodePoints) {
  const std::string exact(32, 'a');
  EXPECT_EQ(lower_bound(exact), exact);
  EXPECT_EQ(upper_bound(exact), exact);
  EXPECT_EQ(lower_bound(exact + "b"), exact);
  EXPECT_EQ(upper_bound(exact + "b"), std::string(31, 'a') + "b");
  std::string umlauts, last;
  for (int i = 0; i < 32; ++i) umlauts += "ü", last += "\xF4\x8F\xBF\xBF";
  EXPECT_EQ(lower_bound(umlauts + "x"), umlauts);
  EXPECT_EQ(upper_bound(umlauts + "x"), umlauts.substr(0, 62) + "ý");
  EXPECT_EQ(upper_bound(last + "x"), std::nullopt);
  EXPECT_EQ(upper_bound("a" + last), "b");
  // The code point after U+D7FF is U+E000: between them are no characters.
  EXPECT_EQ(upper_bound(std::string(31, 'a') + "\xED\x9F\xBF" + "x"), std::string(31, 'a') + "\xEE\x80\x80");
  EXPECT_EQ(upper_bound(std::string(31, 'a') + "\x7F" + "x"), std::string(31, 'a') + "\xC2\x80");
  EXPECT_EQ(upper_bound(std::string(31, 'a') + "\xDF\xBF" + "x"), std::string(31, 'a') + "\xE0\xA0\x80");
  EXPECT_EQ(upper_bound(std::string(31, 'a') + "\xEF\xBF\xBF" + "x"),
            std::string(31, 'a') + "\xF0\x90\x80\x80");
}

class StatisticsTest : public TableTest {
 protected:
  base::Json stats_of(std::vector<delta::Field> fields, const std::string& select) {
    create(std::move(fields));
    must(append(access_, path_, select));
    return must(base::Json::parse(*open_now().files().front().stats));
  }
};

TEST_F(StatisticsTest, HoldExactDecimals) {
  const base::Json stats =
      stats_of({field("v", "decimal(1,0)"), field("w", "decimal(38,18)")},
               "SELECT 1::DECIMAL(1,0) AS v, -99999999999999999999.999999999999999999::DECIMAL(38,18) AS w");
  EXPECT_EQ(stats.print(),
            R"({"numRecords":1,"minValues":{"v":1,"w":-99999999999999999999.999999999999999999},)"
            R"("maxValues":{"v":1,"w":-99999999999999999999.999999999999999999},"nullCount":{"v":0,"w":0}})");
}

TEST_F(StatisticsTest, WriteDecimalsWithoutIntegerDigitsAsJsonNumbers) {
  const base::Json stats =
      stats_of({field("v", "decimal(2,2)")}, "SELECT unnest([-0.25, 0.5])::DECIMAL(2,2) AS v");
  EXPECT_EQ(stats.find("minValues")->print(), R"({"v":-0.25})");
  EXPECT_EQ(stats.find("maxValues")->print(), R"({"v":0.50})");
}

TEST_F(StatisticsTest, WriteInstantsWithSixDigitsAndNeverRound) {
  const base::Json stats = stats_of(
      {field("at", "timestamp"), field("d", "date")},
      "SELECT * FROM (VALUES (TIMESTAMPTZ '2026-01-01 00:00:00.1+00', DATE '2026-01-01'), (TIMESTAMPTZ "
      "'9999-12-31 23:59:59.999999+00', DATE '0001-01-01')) v(\"at\", d)");
  EXPECT_EQ(stats.find("minValues")->print(), R"({"at":"2026-01-01T00:00:00.100000Z","d":"0001-01-01"})");
  EXPECT_EQ(stats.find("maxValues")->print(), R"({"at":"9999-12-31T23:59:59.999999Z","d":"2026-01-01"})");
}

TEST_F(StatisticsTest, LeaveOutYearsThatReadersCannotParse) {
  const base::Json stats =
      stats_of({field("at", "timestamp"), field("d", "date")},
               "SELECT TIMESTAMPTZ '10000-01-01 00:00:00+00' AS \"at\", DATE '0001-01-01 (BC)' AS d");
  EXPECT_EQ(stats.find("minValues")->print(), "{}");
  EXPECT_EQ(stats.find("maxValues")->print(), "{}");
}

TEST_F(StatisticsTest, TakeInBothZerosAndLeaveOutColumnsWithNaN) {
  const base::Json stats =
      stats_of({field("z", "double"), field("nan", "double"), field("inf", "double"), field("f", "float")},
               "SELECT * FROM (VALUES (0.0::DOUBLE, 'nan'::DOUBLE, 'inf'::DOUBLE, 0.1::FLOAT), "
               "('-0.0'::DOUBLE, 1::DOUBLE, 1::DOUBLE, 0.1::FLOAT)) v(z, nan, inf, f)");
  EXPECT_EQ(stats.find("minValues")->print(), R"({"z":-0.0,"inf":1,"f":0.10000000149011612})");
  EXPECT_EQ(stats.find("maxValues")->print(), R"({"z":0.0,"f":0.10000000149011612})");
  EXPECT_EQ(stats.find("nullCount")->print(), R"({"z":0,"nan":0,"inf":0,"f":0})");
}

TEST_F(StatisticsTest, BoundLongTextsFarBeyondWhatTheEngineKeeps) {
  const base::Json stats = stats_of(
      {field("t", "string"), field("u", "string"), field("b", "binary"), field("k", "boolean"),
       field("e", "string"), field("w", "string")},
      "SELECT * FROM (VALUES (repeat('é', 100), repeat('z', 3000), 'ab'::BLOB, true, NULL::VARCHAR, "
      "repeat('é', 400)), (repeat('é', 99), 'a\"\\' || chr(1), NULL, false, NULL, repeat('é', 300))) "
      "v(t, u, b, k, e, w)");
  std::string prefix;
  for (int i = 0; i < 32; ++i) prefix += "é";
  const base::Json* low = stats.find("minValues");
  const base::Json* high = stats.find("maxValues");
  EXPECT_EQ(low->string("t"), prefix);
  EXPECT_EQ(high->string("t"), prefix.substr(0, 62) + "ê");
  EXPECT_EQ(low->string("u"), "a\"\\\x01");
  EXPECT_EQ(high->string("u"), std::string(31, 'z') + "{");
  // Neither booleans, binary, nulls alone, nor texts for which the engine itself finds no bound.
  EXPECT_EQ(low->members().size(), 2U);
  EXPECT_EQ(high->members().size(), 2U);
  EXPECT_EQ(stats.find("nullCount")->print(), R"({"t":0,"u":0,"b":1,"k":0,"e":2,"w":0})");
}

}  // namespace
}  // namespace table
