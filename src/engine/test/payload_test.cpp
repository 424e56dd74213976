// The texts and hashes of docs/signature.md. Hash values were computed with another tool.
#include "engine_fixture.h"

namespace engine {

namespace {

TEST_F(EngineTest, GivesEveryTypeItsPayloadText) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"true", "1"},
      {"false", "0"},
      {"(-128)::TINYINT", "-128"},
      {"300::SMALLINT", "300"},
      {"70000::INTEGER", "70000"},
      {"(-9223372036854775807 - 1)::BIGINT", "-9223372036854775808"},
      {"12.5::DECIMAL(18,2)", "12.50"},
      {"-0.05::DECIMAL(38,18)", "-0.050000000000000000"},
      {"3::DECIMAL(1,0)", "3"},
      {"DATE '0001-01-01'", "0001-01-01"},
      {"DATE '2026-03-01'", "2026-03-01"},
      {"TIMESTAMPTZ '1969-12-31 23:59:59.999999+00'", "-1"},
      {"TIMESTAMPTZ '2026-03-01 12:00:00+01'", "1772362800000000"},
      {"'\\x00\\xAB'::BLOB", "00ab"},
      {"'ünï'", "ünï"},
      {"''", ""},
      {"'nan'::DOUBLE", "NaN"},
      {"'inf'::DOUBLE", "Infinity"},
      {"'-inf'::FLOAT", "-Infinity"},
      {"'-0.0'::DOUBLE", "0.0"},
      {"0.1::DOUBLE", "0.1"},
      {"0.1::FLOAT", "0.1"},
      {"1e15::DOUBLE", "1000000000000000.0"},
      {"1e16::DOUBLE", "1e+16"},
      {"123456789.125::DOUBLE", "123456789.125"},
      {"0.0001::DOUBLE", "0.0001"},
      {"0.00001::DOUBLE", "1e-05"},
      {"1.5e-7::DOUBLE", "1.5e-07"},
      {"1.7976931348623157e308::DOUBLE", "1.7976931348623157e+308"},
      {"5e-324::DOUBLE", "5e-324"},
      {"16777216::FLOAT", "16777216.0"},
      {"-2.5::DOUBLE", "-2.5"},
  };
  for (const auto& [sql, expected] : cases)
    EXPECT_EQ(text("SELECT tenter_text(" + sql + ")"), expected) << sql;
  EXPECT_EQ(value("SELECT tenter_text(NULL)"), Value());
  EXPECT_EQ(number("SELECT count(tenter_text(CASE WHEN range % 2 = 0 THEN range END)) FROM range(10)"), 5);
}

TEST_F(EngineTest, BuildsAPayloadFromLengthsInBytes) {
  EXPECT_EQ(text("SELECT tenter_payload('ab', NULL, '', 'é', 7::BIGINT, true)"), "2:ab~0:2:é1:71:1");
  EXPECT_EQ(text("SELECT tenter_payload()"), "");
  const Rows rows =
      query("SELECT tenter_payload(CASE WHEN range = 1 THEN NULL ELSE 'x' || range END) FROM range(3)");
  EXPECT_EQ(rows.text(0, 0), "2:x0");
  EXPECT_EQ(rows.text(1, 0), "~");
  EXPECT_EQ(rows.text(2, 0), "2:x2");
}

TEST_F(EngineTest, RefusesAPayloadOfTypesThatNoTableColumnHas) {
  EXPECT_NE(error("SELECT tenter_payload([1])").message.find("INTEGER[]"), std::string::npos);
  EXPECT_NE(error("SELECT tenter_text(INTERVAL 1 DAY)").message.find("INTERVAL"), std::string::npos);
}

TEST_F(EngineTest, HashesTextAndBytesAlike) {
  EXPECT_EQ(text("SELECT lower(hex(tenter_sha256('abc')))"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(text("SELECT lower(hex(tenter_sha256('abc'::BLOB)))"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(value("SELECT tenter_sha256(NULL::VARCHAR)"), Value());
}

TEST_F(EngineTest, SumsTheFirstHalvesOfTheHashesModulo2To128) {
  EXPECT_EQ(text("SELECT tenter_table_hash('x') FROM range(0)"), std::string(32, '0'));
  EXPECT_EQ(text("SELECT tenter_table_hash(NULL::VARCHAR)"), std::string(32, '0'));
  EXPECT_EQ(text("SELECT tenter_table_hash('abc')"), "ba7816bf8f01cfea414140de5dae2223");
  EXPECT_EQ(text("SELECT tenter_table_hash(t) FROM (VALUES ('abc'), (NULL), ('abc')) v(t)"),
            "74f02d7f1e039fd4828281bcbb5c4446");
  EXPECT_EQ(text("SELECT tenter_table_hash(tenter_payload(range)) FROM range(1000)"),
            "e2c459da349ee808459cc2ed7f68f67b");
  // Any order and any split over threads and groups gives the same sum.
  EXPECT_EQ(text("SELECT tenter_table_hash(tenter_payload(range)) FROM range(200000)"),
            text("SELECT tenter_table_hash(tenter_payload(199999 - range)) FROM range(200000)"));
  const Rows groups = query("SELECT range % 3, tenter_table_hash('abc') FROM range(6) GROUP BY 1");
  ASSERT_EQ(groups.size(), 3U);
  for (std::size_t row = 0; row < 3; ++row)
    EXPECT_EQ(groups.text(row, 1), "74f02d7f1e039fd4828281bcbb5c4446");
}

}  // namespace
}  // namespace engine
