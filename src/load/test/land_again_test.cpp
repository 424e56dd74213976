// Landing again: batches that grow, runs that were cut, races, changing files.
#include "land_fixture.h"

namespace {

using load_test::LandedFile;
using load_test::LandOptions;
using load_test::LandReport;
using load_test::Texts;

class landing : public load_test::LandFixture {};

TEST_F(landing, malformed_records_of_a_landing_that_was_cut_are_removed_by_the_next_run) {
  deliver("landing/1.csv", "a,b\n1\n2,3\n");
  files_->refused_part = "orders_raw/_delta_log/";
  EXPECT_EQ(refused_code(), "world.io");
  files_->refused_part.clear();
  EXPECT_EQ(rows("SELECT count(*) FROM t", "quarantine/orders_raw_malformed"), (Texts{"1"}));
  EXPECT_FALSE(exists());

  place_.run_at_us += 1'000'000;
  const LandReport report = run("again");
  EXPECT_EQ(report.malformed, 1);
  EXPECT_EQ(rows("SELECT _batch_id, _source_line FROM t", "quarantine/orders_raw_malformed"),
            (Texts{"again|2"}));
  EXPECT_EQ(rows("SELECT a FROM t"), (Texts{"2"}));

  // What is known stays, also beside a later cut run.
  deliver("landing/2.csv", "a,b\n7\n");
  files_->refused_part = "orders_raw/_delta_log/";
  EXPECT_EQ(refused_code(), "world.io");
  files_->refused_part.clear();
  ASSERT_TRUE(world_.files->remove(root_ + "/landing/2.csv").has_value());
  deliver("landing/3.csv", "a,b\n8,9\n");
  run("third");
  EXPECT_EQ(rows("SELECT _batch_id, _source_line FROM t", "quarantine/orders_raw_malformed"),
            (Texts{"again|2"}));
}

TEST_F(landing, a_batch_without_a_given_id_is_named_by_time_and_ledger) {
  deliver("landing/a.csv", "id\n1\n");
  const LandReport report = run();
  ASSERT_TRUE(report.batch.has_value());
  EXPECT_EQ(report.batch->size(), 25U);
  EXPECT_TRUE(report.batch->starts_with("20260301T120000Z-"));
}

TEST_F(landing, a_batch_takes_in_more_files_until_a_table_has_decided_it) {
  deliver("landing/a.csv", "id\n1\n");
  run("day-1");
  deliver("landing/b.csv", "id\n2\n");
  options_.readers = {{"silver", "orders"}};
  const LandReport extended = run("day-1");
  EXPECT_TRUE(extended.extended);
  EXPECT_EQ(rows("SELECT id, _batch_id FROM t ORDER BY 1"), (Texts{"1|day-1", "2|day-1"}));

  table::Commit decided;
  decided.operation = "TENTER SKIP";
  delta::Schema schema;
  schema.fields = {delta::Field{"id", "string", {}, true, base::Json::object()}};
  decided.metadata = table::new_metadata(access(), schema, {});
  decided.txns = {delta::Txn{"tenter/load/" + snapshot().id() + "/day-1", 3, std::nullopt}};
  ASSERT_TRUE(table::commit(access(), table_path("silver/orders"), nullptr, decided).has_value());
  deliver("landing/c.csv", "id\n3\n");
  options_.batch = "day-1";
  EXPECT_EQ(refused_code(), "land.batch_decided");
  EXPECT_EQ(snapshot().version(), 1);
  EXPECT_EQ(run("day-2").rows, 1);
}

TEST_F(landing, an_id_that_could_not_be_typed_is_refused) {
  deliver("landing/a.csv", "id\n1\n");
  for (const std::string id : {"", "-a", "a b", "a/b", "ä"}) {
    options_.batch = id;
    EXPECT_EQ(refused_code(), "land.bad_batch_id") << id;
  }
  options_.batch = std::string(65, 'a');
  EXPECT_EQ(refused_code(), "land.bad_batch_id");
  options_.batch = std::string(64, 'a');
  EXPECT_EQ(refused_code(), "landed");
}

TEST_F(landing, the_loading_instant_rises_even_when_the_clock_does_not) {
  for (const std::string name : {"a", "b", "c"}) {
    deliver("landing/" + name + ".csv", "id\n" + name + name + "\n");
    run(name);
    place_.run_at_us -= 3'600'000'000;
  }
  EXPECT_EQ(rows("SELECT id, epoch_us(_loaded_at) FROM t ORDER BY 1"),
            (Texts{"aa|1772366400000000", "bb|1772366400000001", "cc|1772366400000002"}));
}

TEST_F(landing, a_file_that_changes_while_it_is_landed_is_refused) {
  deliver("landing/a.csv", "id\n1\n");
  place_.progress = [&](std::string_view what) {
    if (what.starts_with("landing")) deliver("landing/a.csv", "id\n1\n2\n");
  };
  const LandReport report = run();
  EXPECT_EQ(codes(report), (Texts{"landing/a.csv land.changed"}));
  EXPECT_EQ(report.rows, 0);
  EXPECT_FALSE(exists());
  const auto left = world_.files->list(table_path("bronze/orders_raw"));
  if (left) {
    for (const world::FileInfo& file : *left) EXPECT_FALSE(file.name.ends_with(".parquet")) << file.name;
  }
  place_.progress = nullptr;
  EXPECT_EQ(run().rows, 2);
}

TEST_F(landing, of_two_landings_at_once_the_slower_one_finds_the_file_there) {
  deliver("landing/a.csv", "id\n1\n2\n3,4\n");
  bool raced = false;
  place_.progress = [&](std::string_view what) {
    if (!what.starts_with("landing") || raced) return;
    raced = true;
    LandOptions options = options_;
    options.batch = "fast";
    EXPECT_TRUE(load::land(place_, landing_, options).has_value());
  };
  const LandReport report = run("slow");
  EXPECT_TRUE(raced);
  EXPECT_FALSE(report.batch.has_value());
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::not_read);
  EXPECT_EQ(rows("SELECT id, _batch_id FROM t ORDER BY 1"), (Texts{"1|fast", "2|fast"}));
  EXPECT_EQ(rows("SELECT _batch_id FROM t", "quarantine/orders_raw_malformed"), (Texts{"fast"}));
}

TEST_F(landing, a_landing_that_lost_the_race_lands_its_own_files_anew_and_later) {
  deliver("landing/0.csv", "id\n0\n");
  run("first");
  deliver("landing/a.csv", "id\n1\n");
  bool raced = false;
  place_.progress = [&](std::string_view what) {
    if (!what.starts_with("landing") || raced) return;
    raced = true;
    deliver("other/b.csv", "id\n2\nx,y\n");
    contract::Landing other = landing_;
    other.globs = {"other/*.csv"};
    LandOptions options = options_;
    options.batch = "fast";
    EXPECT_TRUE(load::land(place_, other, options).has_value());
  };
  EXPECT_EQ(run("slow").rows, 1);
  EXPECT_EQ(rows("SELECT id, _batch_id, epoch_us(_loaded_at) FROM t ORDER BY 1"),
            (Texts{"0|first|1772366400000000", "1|slow|1772366400000002", "2|fast|1772366400000001"}));
}

TEST_F(landing, malformed_records_survive_another_run_between_the_two_commits) {
  deliver("landing/a.csv", "id\n1\n2,3\n");
  bool ran = false;
  files_->before_put = [&](const std::string& path) {
    if (ran || path.find("orders_raw/_delta_log") == std::string::npos) return;
    ran = true;
    contract::Landing other = landing_;
    other.globs = {"other/*.csv"};
    EXPECT_TRUE(load::land(place_, other, options_).has_value());
  };
  run("day-1");
  files_->before_put = nullptr;
  EXPECT_TRUE(ran);
  EXPECT_EQ(rows("SELECT id FROM t"), (Texts{"1"}));
  EXPECT_EQ(rows("SELECT _batch_id, _source_line FROM t", "quarantine/orders_raw_malformed"),
            (Texts{"day-1|3"}));
}

// The other landing sees records of a landing that is alive; it is committed first, so that one loses and
// keeps its records as its own.
TEST_F(landing, malformed_records_survive_a_landing_that_is_committed_between_the_two_commits) {
  for (const bool same_batch : {true, false}) {
    const std::string day = same_batch ? "a" : "b";
    deliver("landing/" + day + ".csv", "id\n1\n2,3\n");
    deliver("other/" + day + ".csv", "id\n5\n6,7\n");
    bool ran = false;
    files_->before_put = [&](const std::string& path) {
      if (ran || path.find("orders_raw/_delta_log") == std::string::npos) return;
      ran = true;
      contract::Landing other = landing_;
      other.globs = {same_batch ? "landing/" + day + ".csv" : "other/" + day + ".csv"};
      LandOptions options = options_;
      options.batch = same_batch ? "day-" + day : "other";
      EXPECT_TRUE(load::land(place_, other, options).has_value());
    };
    run("day-" + day);
    files_->before_put = nullptr;
    EXPECT_TRUE(ran);
    const std::string batch = base::sql_quote("day-" + day);
    EXPECT_EQ(rows("SELECT id FROM t WHERE _batch_id = " + batch), (Texts{"1"}));
    EXPECT_EQ(
        rows("SELECT _source_line FROM t WHERE _batch_id = " + batch, "quarantine/orders_raw_malformed"),
        (Texts{"3"}));
  }
}

TEST_F(landing, what_was_landed_is_known_when_somebody_cleaned_the_log) {
  for (int i = 10; i < 21; ++i) {
    deliver("landing/" + std::to_string(i) + ".csv", "id\n" + std::to_string(i) + "\nx,y\n");
    run("day-" + std::to_string(i));
  }
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(
        world_.files->remove(table_path("bronze/orders_raw/_delta_log/") + delta::entry_name(i)).has_value());
  const LandReport report = run("again");
  EXPECT_FALSE(report.batch.has_value());
  EXPECT_EQ(report.files[0].outcome, LandedFile::Outcome::already_there);
  EXPECT_EQ(report.files[10].outcome, LandedFile::Outcome::not_read);
  EXPECT_EQ(rows("SELECT count(*) FROM t"), (Texts{"11"}));
  EXPECT_EQ(rows("SELECT count(*) FROM t", "quarantine/orders_raw_malformed"), (Texts{"11"}));
  deliver("landing/30.csv", "id\n30\n");
  run("last");
  EXPECT_EQ(rows("SELECT count(*) FROM t"), (Texts{"12"}));
}

TEST_F(landing, a_table_of_somebody_else_is_not_landed_into) {
  delta::Schema schema;
  schema.fields = {delta::Field{"id", "long", {}, true, base::Json::object()}};
  table::Commit create;
  create.operation = "CREATE TABLE";
  create.metadata = table::new_metadata(access(), schema, {});
  ASSERT_TRUE(table::commit(access(), table_path("bronze/orders_raw"), nullptr, create).has_value());
  deliver("landing/a.csv", "id\n1\n");
  EXPECT_EQ(refused_code(), "land.foreign_table");
}

}  // namespace
