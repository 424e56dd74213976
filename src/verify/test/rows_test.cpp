// Our row hash and the engine's own are two programs for one rule (docs/signature.md): they must agree.
#include "rows.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace verify {
namespace {

class VerifyRows : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tenter_rows_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  LiveFile write(const std::string& name, const std::string& select) {
    const std::string path = folder_ + "/" + name;
    const auto written = (*engine_.connection())->write_parquet(select, path, {});
    EXPECT_TRUE(written) << base::print(written.error());
    return {name, path, written ? written->bytes : 0, {}};
  }
  std::string engine_hash(const std::string& select, const std::string& columns) {
    const auto rows =
        (*engine_.connection())
            ->query("SELECT tenter_table_hash(tenter_payload(" + columns + ")) FROM (" + select + ")");
    EXPECT_TRUE(rows) << base::print(rows.error());
    return rows ? rows->text(0, 0) : "";
  }

  std::string folder_;
  world::World world_ = world::machine_world();
  engine::LazyEngine engine_{engine::Settings{}};
};

TEST_F(VerifyRows, HashesEveryTypeAsTheEngineDoes) {
  const std::string select =
      "SELECT * FROM (VALUES "
      "(true, 1::TINYINT, -2::SMALLINT, 3::INTEGER, -4::BIGINT, 0.1::FLOAT, 1e16::DOUBLE, "
      "12.50::DECIMAL(18,2), "
      "7::DECIMAL(38,0), 'Åse', '\\x00\\xFF'::BLOB, DATE '2026-03-01', TIMESTAMPTZ '1969-12-31 "
      "23:59:59.999999+00'), "
      "(false, NULL, NULL, NULL, NULL, '-0.0'::FLOAT, 'nan'::DOUBLE, -0.05::DECIMAL(18,2), NULL, '', "
      "''::BLOB, "
      "DATE '0001-01-01', TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'), "
      "(NULL, 127, 32767, 2147483647, 9223372036854775807, '-inf'::FLOAT, 0.0001::DOUBLE, NULL, NULL, NULL, "
      "NULL, NULL, "
      "NULL), (NULL, 0, 0, 0, 0, 123456792::FLOAT, 1.5e-7::DOUBLE, 0, 0, '~', 'x'::BLOB, NULL, NULL), "
      "(NULL, 0, 0, 0, 0, 1e-5::FLOAT, 5e-324::DOUBLE, 0, 0, '1:~', NULL, NULL, NULL)) "
      "v(b, i1, i2, i4, i8, f, d, n, w, s, x, day, moment)";
  using Kind = sql::Type::Kind;
  const std::vector<Field> fields = {{"b", {Kind::boolean}, true},
                                     {"i1", {Kind::tinyint}, true},
                                     {"i2", {Kind::smallint}, true},
                                     {"i4", {Kind::integer}, true},
                                     {"i8", {Kind::bigint}, true},
                                     {"f", {Kind::float32}, true},
                                     {"d", {Kind::float64}, true},
                                     {"n", sql::Type::decimal(18, 2), true},
                                     {"w", sql::Type::decimal(38, 0), true},
                                     {"s", {Kind::string}, true},
                                     {"x", {Kind::binary}, true},
                                     {"day", {Kind::date}, true},
                                     {"moment", {Kind::timestamp}, true}};
  Scanner scanner(*world_.files, engine_);
  const LiveFile file = write("all.parquet", select);
  const auto all = scanner.hash(file, fields);
  ASSERT_TRUE(all) << base::print(all.error());
  EXPECT_EQ(all->rows, 5);
  EXPECT_EQ(all->text(), engine_hash(select, "b, i1, i2, i4, i8, f, d, n, w, s, x, day, moment"));
  for (const Field& field : fields) {
    const auto one = scanner.hash(file, {field});
    ASSERT_TRUE(one) << base::print(one.error());
    EXPECT_EQ(one->text(), engine_hash(select, field.name)) << field.name;
  }
}

TEST_F(VerifyRows, TakesAColumnThatAnOlderFileDoesNotHaveAsNull) {
  const std::vector<Field> fields = {{"id", {sql::Type::Kind::string}, true},
                                     {"note", {sql::Type::Kind::string}, true}};
  Scanner scanner(*world_.files, engine_);
  const LiveFile older = write("older.parquet", "SELECT 'a' AS id");
  const LiveFile newer = write("newer.parquet", "SELECT 'b' AS id, 'n' AS note");
  const auto hash = scanner.hash({older, newer}, fields);
  ASSERT_TRUE(hash) << base::print(hash.error());
  EXPECT_EQ(hash->rows, 2);
  EXPECT_EQ(hash->text(),
            engine_hash("SELECT 'a' AS id, NULL::VARCHAR AS note UNION ALL SELECT 'b', 'n'", "id, note"));
}

TEST_F(VerifyRows, HasAHashOfNoRows) {
  Scanner scanner(*world_.files, engine_);
  const auto hash = scanner.hash(std::vector<LiveFile>(), {{"id", {sql::Type::Kind::string}, true}});
  ASSERT_TRUE(hash);
  EXPECT_EQ(hash->text(), std::string(32, '0'));
}

TEST_F(VerifyRows, RemembersAFileThatCannotBeRead) {
  Scanner scanner(*world_.files, engine_);
  LiveFile file = write("bad.parquet", "SELECT 1 AS id");
  ASSERT_TRUE(world_.files->replace(file.absolute, "no Parquet"));
  const std::vector<Field> fields = {{"id", {sql::Type::Kind::integer}, true}};
  const auto hash = scanner.hash(file, fields);
  ASSERT_FALSE(hash);
  EXPECT_EQ(hash.error().code, "verify.file_unreadable");
  const auto again = scanner.relation({file}, fields);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, "verify.file_unreadable");
}

}  // namespace
}  // namespace verify
