#include <base/zone.h>

#include <string>
#include <thread>
#include <vector>

#include "engine_fixture.h"

namespace engine {
namespace {

class SparkFunctionsTest : public EngineTest {
 protected:
  std::optional<base::Zone> zone_named(const std::string& name) override {
    return name == "Some/Land" ? std::optional(base::Zone::fixed(3600)) : std::nullopt;
  }
};

TEST_F(SparkFunctionsTest, ABareNullIsNullForEveryFunctionOfAnyType) {
  for (const char* call : {"spark_try_integer(NULL)", "spark_bigint(NULL)", "spark_float(NULL)",
                           "spark_double(NULL)", "spark_string(NULL)", "spark_try_string(NULL)",
                           "spark_timestamp(NULL, 'UTC')", "spark_decimal_9_2(NULL)"}) {
    const Rows rows = query("SELECT " + std::string(call));
    EXPECT_TRUE(rows.is_null(0, 0)) << call;
  }
}

TEST_F(SparkFunctionsTest, NullsInAColumnStayNull) {
  const Rows rows = query(
      "SELECT spark_trim(s), spark_try_integer(s), spark_date(s), spark_decimal_9_2(s) "
      "FROM (VALUES (0, ' 1 '), (1, NULL), (2, 'x')) AS t(n, s) ORDER BY n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.text(0, 0), "1");
  EXPECT_EQ(rows.int64(0, 1), 1);
  for (std::size_t column = 0; column < 4; ++column) EXPECT_TRUE(rows.is_null(1, column)) << column;
  EXPECT_FALSE(rows.is_null(2, 0));
  for (std::size_t column = 1; column < 4; ++column) EXPECT_TRUE(rows.is_null(2, column)) << column;
}

TEST_F(SparkFunctionsTest, DecimalsOfEveryWidthKeepTheirDigits) {
  for (const char* name : {"4_2", "9_2", "18_2", "38_2"}) {
    EXPECT_EQ(text("SELECT CAST(spark_decimal_" + std::string(name) + "('-12.345') AS VARCHAR)"), "-12.35")
        << name;
    EXPECT_EQ(
        text("SELECT CAST(spark_decimal_38_3(spark_decimal_" + std::string(name) + "('99.99')) AS VARCHAR)"),
        "99.990")
        << name;
  }
  EXPECT_TRUE(query("SELECT spark_decimal_4_2('100')").is_null(0, 0));
}

TEST_F(SparkFunctionsTest, DecimalFunctionsOutliveARolledBackTransaction) {
  ASSERT_TRUE(connection_->execute("BEGIN"));
  EXPECT_EQ(text("SELECT CAST(spark_decimal_7_1('1.25') AS VARCHAR)"), "1.3");
  ASSERT_TRUE(connection_->execute("ROLLBACK"));
  EXPECT_EQ(text("SELECT CAST(spark_decimal_7_1('1.25') AS VARCHAR)"), "1.3");
}

TEST_F(SparkFunctionsTest, DecimalFunctionsAreSharedByConnectionsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> errors(4);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto connection = engine_->connect();
      for (int scale = 0; scale < 12 && connection && errors[i].empty(); ++scale) {
        const auto rows = (*connection)->query("SELECT spark_decimal_20_" + std::to_string(scale) + "('1')");
        if (!rows) errors[i] = base::print(rows.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& error : errors) EXPECT_EQ(error, "");
}

TEST_F(SparkFunctionsTest, AnUnknownZoneIsAnErrorOfTheCallerNotOfARow) {
  EXPECT_NE(error("SELECT spark_timestamp('2020-01-01', 'Nowhere/Land')").message.find("Nowhere/Land"),
            std::string::npos);
  EXPECT_TRUE(query("SELECT spark_timestamp('2020-01-01 00:00:00 Nowhere/Land', 'UTC')").is_null(0, 0));
}

TEST_F(SparkFunctionsTest, AZoneNamedByAValueIsFound) {
  EXPECT_EQ(number("SELECT epoch_us(spark_timestamp('1970-01-01 01:00:00', 'Some/Land'))"), 0);
  EXPECT_EQ(number("SELECT epoch_us(spark_timestamp('1970-01-01 01:00:00 Some/Land', 'UTC'))"), 0);
}

TEST_F(SparkFunctionsTest, ManyRowsThroughEveryVectorSizeAgree) {
  // Canonical dates take a short way, others the long one: both must give the same day.
  EXPECT_EQ(
      number("SELECT count(*) FROM range(10000) t(i) WHERE spark_date(strftime(DATE '1970-01-01' + CAST(i AS "
             "INTEGER), '%Y-%m-%d')) IS DISTINCT FROM spark_date(strftime(DATE '1970-01-01' + CAST(i AS "
             "INTEGER), "
             "'%Y-%-m-%-d '))"),
      0);
  EXPECT_EQ(
      number("SELECT count(*) FROM range(10000) t(i) WHERE spark_timestamp(strftime(TIMESTAMP '1970-01-01' + "
             "to_seconds(i * 86461), '%Y-%m-%d %H:%M:%S'), 'UTC') IS DISTINCT FROM spark_timestamp(strftime("
             "TIMESTAMP '1970-01-01' + to_seconds(i * 86461), '%Y-%-m-%-dT%-H:%-M:%-S.'), 'UTC')"),
      0);
}

}  // namespace
}  // namespace engine
