#include <gtest/gtest.h>
#include <project/home.h>
#include <stdlib.h>

namespace project {
namespace {

class HomeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_ = world::machine_world();
    char pattern[] = "/tmp/tenter_home_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern), nullptr);
    root_ = pattern;
    path_ = world::path_join(root_, "home");
  }
  void TearDown() override { EXPECT_TRUE(world_.files->remove_all(root_)); }

  void make_table(const std::string& item, const std::string& schema, const std::string& object) {
    ASSERT_TRUE(world_.files->make_directories(path_ + "/onelake/Dev/" + item + ".Lakehouse/Tables/" +
                                               schema + "/" + object + "/_delta_log"));
  }

  world::World world_;
  std::string root_;
  std::string path_;
};

TEST_F(HomeTest, a_missing_home_says_how_to_make_one) {
  const auto home = Home::open(world_, path_);
  ASSERT_FALSE(home);
  EXPECT_EQ(home.error().code, "home.not_found");
  EXPECT_NE(home.error().hint.find("tenter init"), std::string::npos);
}

TEST_F(HomeTest, a_newer_home_is_refused) {
  ASSERT_TRUE(Home::create(world_, path_, std::nullopt));
  ASSERT_TRUE(world_.files->replace(path_ + "/home.json", R"({"format":99})"));
  EXPECT_EQ(Home::open(world_, path_).error().code, "home.newer_format");
}

TEST_F(HomeTest, a_test_clock_moves_one_second_per_command) {
  auto home = Home::create(world_, path_, 1'000'000);
  ASSERT_TRUE(home);
  EXPECT_EQ(home->begin_command(world_).value(), 2'000'000);
  EXPECT_EQ(home->begin_command(world_).value(), 3'000'000);
  auto again = Home::open(world_, path_);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->has_test_clock());
  EXPECT_EQ(again->begin_command(world_).value(), 4'000'000);
}

TEST_F(HomeTest, tables_are_found_ignoring_case) {
  const auto home = Home::create(world_, path_, std::nullopt);
  ASSERT_TRUE(home);
  make_table("Shop", "silver", "orders");
  make_table("Shop", "bronze", "orders_raw");
  EXPECT_EQ(home->tables(world_)->size(), 2U);
  EXPECT_EQ(home->find(world_, {"Silver", "Orders"})->item, "Shop");
  const auto unknown = home->find(world_, {"silver", "ordres"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, "home.table_unknown");
  EXPECT_NE(unknown.error().hint.find("silver.orders"), std::string::npos);
  make_table("Other", "silver", "orders");
  EXPECT_EQ(home->find(world_, {"silver", "orders"}).error().code, "home.table_ambiguous");
}

TEST_F(HomeTest, notes_of_failed_tries_come_and_go) {
  const auto home = Home::create(world_, path_, std::nullopt);
  ASSERT_TRUE(home);
  make_table("Shop", "silver", "orders");
  const HomeTable table = home->find(world_, {"silver", "orders"}).value();
  EXPECT_TRUE(home->failures(world_, table).empty());
  ASSERT_TRUE(home->note_failure(table, FailedTry{"day-1", "gate.no_rows", "it's empty", 5}));
  ASSERT_TRUE(home->note_failure(table, FailedTry{"day-1", "gate.reject_ratio", "too many", 6}));
  const auto notes = home->failures(world_, table);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, "gate.reject_ratio");
  EXPECT_EQ(notes[0].at_us, 6);
  ASSERT_TRUE(home->forget_failure(world_, table, "day-1"));
  EXPECT_TRUE(home->failures(world_, table).empty());
}

TEST_F(HomeTest, a_broken_control_db_holds_no_notes) {
  const auto home = Home::create(world_, path_, std::nullopt);
  ASSERT_TRUE(home);
  make_table("Shop", "silver", "orders");
  ASSERT_TRUE(
      world_.files->replace(path_ + "/control.db", "this is no database at all, not even nearly one"));
  EXPECT_TRUE(home->failures(world_, home->find(world_, {"silver", "orders"}).value()).empty());
}

}  // namespace
}  // namespace project
