// Landing of Delta tables: what is new in a version, and what when the log does not tell any more.
#include "land_fixture.h"

namespace load_test {
namespace {

class LandDelta : public LandFixture {
 protected:
  void SetUp() override {
    LandFixture::SetUp();
    landing_.globs = {"landing/*"};
    landing_.format = contract::FileFormat::delta;
  }
  std::string source() const { return root_ + "/landing/orders"; }

  void make_source() {
    delta::Field id;
    id.name = "id";
    id.type = "long";
    table::Commit change;
    change.operation = "CREATE TABLE";
    change.metadata = table::new_metadata(access(), delta::Schema{{id}}, {});
    ASSERT_TRUE(table::commit(access(), source(), nullptr, std::move(change)));
  }
  void append(int id) {
    ASSERT_TRUE(table::append(access(), source(), "SELECT " + std::to_string(id) + "::BIGINT AS id"));
  }
  void remove_entries(std::int64_t first, std::int64_t last) {
    for (std::int64_t version = first; version <= last; ++version)
      ASSERT_TRUE(world_.files->remove(source() + "/_delta_log/" + delta::entry_name(version)));
  }
  Texts landed() { return rows("SELECT id, _source_file FROM t ORDER BY _source_file, id"); }
};

TEST_F(LandDelta, an_empty_table_and_plain_folders_bring_nothing) {
  make_source();
  deliver("landing/notes/a.txt", "x");
  const LandReport report = run();
  EXPECT_TRUE(report.refused.empty());
  EXPECT_FALSE(report.batch);
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].path, "landing/orders@v0");
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::already_there);
  EXPECT_FALSE(exists());
}

TEST_F(LandDelta, versions_between_two_landings_land_together) {
  make_source();
  append(1);
  run();
  append(2);
  append(3);
  const LandReport report = run();
  EXPECT_EQ(report.rows, 2);
  EXPECT_EQ(landed(), (Texts{"1|landing/orders@v1", "2|landing/orders@v3", "3|landing/orders@v3"}));
  EXPECT_EQ(run().files[0].outcome, LandedFile::Outcome::not_read);
}

TEST_F(LandDelta, what_the_ledger_says_is_that_of_the_log_entry) {
  make_source();
  append(1);
  run();
  const base::Json info = commit_info(0);
  const base::Json file = info.find("tenterLedger")->find("files")->items().front();
  const std::string entry = source() + "/_delta_log/" + delta::entry_name(1);
  EXPECT_EQ(file.string("path"), "landing/orders@v1");
  EXPECT_EQ(file.string("sha256"), base::sha256_hex(world_.files->read(entry).value()));
  EXPECT_EQ(file.int64("size"), static_cast<std::int64_t>(world_.files->info(entry)->size));
  EXPECT_EQ(file.int64("rows"), 1);
}

TEST_F(LandDelta, a_version_whose_entry_looks_new_is_known_by_its_bytes) {
  make_source();
  append(1);
  run();
  touch("landing/orders/_delta_log/" + delta::entry_name(1));
  const LandReport report = run();
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::already_there);
  EXPECT_FALSE(report.batch);
}

TEST_F(LandDelta, a_log_that_was_cleaned_up_lands_whole_and_says_so) {
  make_source();
  append(1);
  run();
  for (int id = 2; id <= 11; ++id) append(id);
  remove_entries(0, 9);
  const LandReport report = run();
  EXPECT_EQ(report.rows, 11);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("no longer tells"), std::string::npos);
}

TEST_F(LandDelta, the_checkpoint_stands_for_an_entry_that_was_cleaned_up) {
  make_source();
  for (int id = 1; id <= 10; ++id) append(id);
  remove_entries(0, 10);
  EXPECT_EQ(run().rows, 10);
  append(11);
  const LandReport report = run();
  EXPECT_EQ(report.rows, 1);
  EXPECT_TRUE(report.warnings.empty());
}

TEST_F(LandDelta, a_table_made_anew_at_the_same_place_lands_whole) {
  make_source();
  append(1);
  run();
  ASSERT_TRUE(world_.files->remove_all(source()));
  make_source();
  append(7);
  const LandReport report = run();
  EXPECT_EQ(report.rows, 1);
  EXPECT_EQ(landed(), (Texts{"1|landing/orders@v1", "7|landing/orders@v1"}));
}

TEST_F(LandDelta, a_source_may_map_its_columns) {
  delta::Field odd;
  odd.name = "order id";
  odd.type = "long";
  delta::Schema schema{{odd}};
  delta::Properties properties;
  table::map_columns(access(), schema, properties);
  table::Commit change;
  change.operation = "CREATE TABLE";
  change.metadata = table::new_metadata(access(), schema, properties);
  ASSERT_TRUE(table::commit(access(), source(), nullptr, std::move(change)));
  ASSERT_TRUE(table::append(access(), source(), "SELECT 5::BIGINT AS \"order id\""));
  run();
  EXPECT_EQ(rows("SELECT order_id FROM t"), Texts{"5"});
}

TEST_F(LandDelta, a_table_of_ours_is_refused_for_its_reserved_names) {
  make_source();
  append(1);
  run();
  landing_.globs = {"landing/copy"};
  landing_.name = {"bronze", "other"};
  const std::string from = table_path("bronze/orders_raw");
  const std::vector<world::FileInfo> files = world_.files->list(from).value();
  for (const world::FileInfo& file : files)
    if (!file.is_directory)
      deliver("landing/copy/" + file.name, world_.files->read(from + "/" + file.name).value());
  const std::string entry = "/_delta_log/" + delta::entry_name(0);
  deliver("landing/copy" + entry, world_.files->read(from + entry).value());
  const LandReport report = run();
  EXPECT_EQ(report.refused.size(), 4U);
  EXPECT_EQ(codes(report).at(0), "landing/copy@v0 land.reserved_header");
}

}  // namespace
}  // namespace load_test
