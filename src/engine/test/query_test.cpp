// Values, errors, settings and the lock.
#include <map>

#include "engine_fixture.h"

namespace engine {

namespace {

TEST_F(EngineTest, GivesEveryTypeItsValueForm) {
  const Rows rows = query(
      "SELECT true, 5::TINYINT, -7::BIGINT, 1.5::DOUBLE, 'é', '\\x00\\xFF'::BLOB, DATE '1970-01-02', "
      "TIMESTAMPTZ '1970-01-01 00:00:01+00', 12.50::DECIMAL(18,2), -0.05::DECIMAL(3,2), "
      "170141183460469231731687303715884105727::HUGEINT, "
      "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID, NULL, [1, NULL], {'a': 1, 'b': 'x y'}, MAP {'k': 2}");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.at(0, 0), Value(true));
  EXPECT_EQ(rows.at(0, 1), Value(std::int64_t{5}));
  EXPECT_EQ(rows.at(0, 2), Value(std::int64_t{-7}));
  EXPECT_EQ(rows.at(0, 3), Value(1.5));
  EXPECT_EQ(rows.text(0, 4), "é");
  EXPECT_EQ(rows.text(0, 5), std::string("\0\xFF", 2));
  EXPECT_EQ(rows.int64(0, 6), 1);
  EXPECT_EQ(rows.int64(0, 7), 1'000'000);
  EXPECT_EQ(rows.text(0, 8), "12.50");
  EXPECT_EQ(rows.text(0, 9), "-0.05");
  EXPECT_EQ(rows.text(0, 10), "170141183460469231731687303715884105727");
  EXPECT_EQ(rows.text(0, 11), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
  EXPECT_TRUE(rows.is_null(0, 12));
  EXPECT_EQ(rows.text(0, 13), "[1, NULL]");
  EXPECT_EQ(rows.text(0, 14), "{'a': 1, 'b': x y}");
  EXPECT_EQ(rows.text(0, 15), "{k=2}");
  EXPECT_EQ(rows.type(8), "DECIMAL(18,2)");
  EXPECT_EQ(rows.type(14), "STRUCT(a INTEGER, b VARCHAR)");
}

TEST_F(EngineTest, PrintsDecimalsOfEveryWidthWithAllDigits) {
  EXPECT_EQ(text("SELECT 0::DECIMAL(4,0)"), "0");
  EXPECT_EQ(text("SELECT -1234.5::DECIMAL(9,3)"), "-1234.500");
  EXPECT_EQ(text("SELECT 99999999999999999999.999999999999999999::DECIMAL(38,18)"),
            "99999999999999999999.999999999999999999");
  EXPECT_EQ(text("SELECT -99999999999999999999999999999999999999::DECIMAL(38,0)"),
            "-99999999999999999999999999999999999999");
}

TEST_F(EngineTest, LivesInUtcOnEveryConnection) {
  EXPECT_EQ(number("SELECT TIMESTAMPTZ '1970-01-01 00:00:00'"), 0);
  auto other = *engine_->connect();
  EXPECT_EQ(other->query("SELECT current_setting('TimeZone')")->text(0, 0), "UTC");
}

TEST_F(EngineTest, SaysWhatIsWrongWithAQueryInOneLine) {
  const base::Error found = error("SELECT nothing FROM range(3)");
  EXPECT_EQ(found.code, "engine.query");
  EXPECT_EQ(found.kind, base::Kind::invalid);
  EXPECT_NE(found.message.find("nothing"), std::string::npos);
  EXPECT_EQ(found.message.find("LINE 1"), std::string::npos);
}

TEST_F(EngineTest, CallsAMissingFileAFaultOfTheMachine) {
  EXPECT_EQ(error("SELECT * FROM read_parquet('" + file("absent.parquet") + "')").kind, base::Kind::io);
}

TEST_F(EngineTest, StreamsLargeResultsInPiecesAndStopsWhenTold) {
  std::int64_t rows = 0, pieces = 0, sum = 0;
  const auto status =
      connection_->query_each("SELECT range::BIGINT FROM range(100000)", [&](const Rows& chunk) {
        rows += static_cast<std::int64_t>(chunk.size());
        for (std::size_t row = 0; row < chunk.size(); ++row) sum += chunk.int64(row, 0);
        ++pieces;
        return base::Status();
      });
  ASSERT_TRUE(status) << base::print(status.error());
  EXPECT_EQ(rows, 100000);
  EXPECT_EQ(sum, 4999950000);
  EXPECT_GT(pieces, 10);
  const auto stopped = connection_->query_each(
      "SELECT * FROM range(100000)",
      [](const Rows&) -> base::Status { return base::fail(base::Kind::invalid, "test.enough", "enough"); });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, "test.enough");
  EXPECT_EQ(number("SELECT 1::BIGINT"), 1);
}

TEST_F(EngineTest, ReportsAnErrorInTheMiddleOfAStream) {
  const auto status = connection_->query_each(
      "SELECT CASE WHEN range = 90000 THEN error('late') ELSE 'x' END FROM range(100000)",
      [](const Rows&) { return base::Status(); });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("late"), std::string::npos) << status.error().message;
}

TEST_F(EngineTest, ReadsOnlyTheAllowedFoldersAndWritesNothingOnceLocked) {
  std::filesystem::create_directories(file("open"));
  ASSERT_TRUE(connection_->write_parquet("SELECT 1 AS a", file("open/a.parquet"), {}));
  ASSERT_TRUE(connection_->write_parquet("SELECT 2 AS a", file("b.parquet"), {}));
  ASSERT_TRUE(engine_->lock_down({file("open")}));

  EXPECT_EQ(number("SELECT a::BIGINT FROM read_parquet('" + file("open/a.parquet") + "')"), 1);
  EXPECT_EQ(number("WITH t AS (VALUES (3::BIGINT)) FROM t"), 3);
  EXPECT_EQ(error("SELECT * FROM read_parquet('" + file("b.parquet") + "')").kind, base::Kind::denied);
  EXPECT_EQ(error("SELECT * FROM read_text('/etc/hostname')").kind, base::Kind::denied);
  for (const std::string& sql :
       {"COPY (SELECT 1) TO '" + file("open/c.parquet") + "'", std::string("SET threads = 1"),
        std::string("EXPLAIN ANALYZE COPY (SELECT 1) TO '") + file("open/c.parquet") + "'",
        std::string("SELECT 1; CREATE TABLE t(a INT)"), std::string("ATTACH '") + file("open/d.db") + "'"}) {
    EXPECT_EQ(error(sql).code, "engine.read_only") << sql;
  }
  EXPECT_FALSE(std::filesystem::exists(file("open/c.parquet")));
  EXPECT_FALSE(std::filesystem::exists(file("open/d.db")));
}

TEST_F(EngineTest, WritesParquetAndTellsExactlyWhatItWrote) {
  const auto written = connection_->write_parquet(
      "SELECT range::BIGINT AS \"a \"\"b\"\"\", CASE WHEN range % 2 = 0 THEN 'é' || range END AS t, "
      "CASE WHEN range = 5 THEN 'nan'::DOUBLE ELSE range END AS f, "
      "make_timestamptz(range * 1000001) AS at FROM range(1000)",
      file("w.parquet"), {});
  ASSERT_TRUE(written) << base::print(written.error());
  EXPECT_EQ(written->rows, 1000);
  EXPECT_EQ(static_cast<std::uintmax_t>(written->bytes), std::filesystem::file_size(file("w.parquet")));
  ASSERT_EQ(written->statistics.size(), 4U);
  std::map<std::string, ColumnStatistics> by_name;
  for (const ColumnStatistics& column : written->statistics) by_name[column.column] = column;
  EXPECT_EQ(by_name["a \"b\""].minimum, "0");
  EXPECT_EQ(by_name["a \"b\""].maximum, "999");
  EXPECT_EQ(by_name["t"].minimum, "é0");
  EXPECT_EQ(by_name["t"].null_count, 500);
  EXPECT_TRUE(by_name["f"].has_nan);
  EXPECT_EQ(by_name["at"].maximum, "1970-01-01 00:16:39.000999+00");
}

TEST_F(EngineTest, TellsSparkThatOldDatesAreGregorian) {
  ASSERT_TRUE(connection_->write_parquet("SELECT DATE '0001-01-01' AS d", file("old.parquet"), {}));
  EXPECT_EQ(text("SELECT decode(value) FROM parquet_kv_metadata('" + file("old.parquet") +
                 "') WHERE decode(key) = 'org.apache.spark.version'"),
            "3.5.0");
}

TEST_F(EngineTest, WritesAFileForNoRows) {
  const auto written = connection_->write_parquet("SELECT 1 AS a WHERE false", file("none.parquet"), {});
  ASSERT_TRUE(written) << base::print(written.error());
  EXPECT_EQ(written->rows, 0);
  EXPECT_EQ(number("SELECT count(*) FROM read_parquet('" + file("none.parquet") + "')"), 0);
}

TEST(LazyEngine, OpensNothingUntilAsked) {
  LazyEngine lazy{Settings()};
  EXPECT_FALSE(lazy.is_open());
  const auto connection = lazy.connection();
  ASSERT_TRUE(connection);
  EXPECT_EQ((*connection)->query("SELECT 2::BIGINT")->int64(0, 0), 2);
  EXPECT_TRUE(lazy.is_open());
  EXPECT_EQ(library_version().substr(0, 1), "v");
}

TEST(EngineOpen, RefusesSettingsThatTheEngineDoesNotUnderstand) {
  Settings settings;
  settings.memory_limit = "plenty";
  const auto opened = Engine::open(settings);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "engine.open");
}

}  // namespace
}  // namespace engine
