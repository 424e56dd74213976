#include "failure_hook.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <world/simulation.h>

namespace project {
namespace {

class FailureHookTest : public ::testing::Test {
 protected:
  void SetUp() override {
    world_ = world::machine_world();
    outside_ = world::simulated_outside();
    world_.outside = outside_;
    char pattern[] = "/tmp/tenter_hook_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern), nullptr);
    root_ = pattern;
    project_.root = root_;
    project_.settings.on_failure = contract::FailureHook{.command = {"sh", "tell.sh"}};
    auto home = Home::create(world_, world::path_join(root_, "home"), std::nullopt);
    ASSERT_TRUE(home);
    home_ = *std::move(home);
    session_.world = &world_;
    session_.home = &*home_;
    session_.run_at_us = 1;
    session_.user = "ann";
  }
  void TearDown() override { EXPECT_TRUE(world_.files->remove_all(root_)); }

  static load::LoadReport stopped(const std::string& batch) {
    load::LoadReport report;
    report.batch = batch;
    report.counts.read = 2;
    report.rejects = {{"missing.id", 1}};
    report.stopped = base::Error{base::Kind::invalid, "gate.reject_ratio", "too many", {}, {}};
    return report;
  }
  std::vector<std::string> tell(const load::LoadReport& report) {
    std::vector<std::string> warnings;
    tell_failure(session_, project_, table_, "Data team", report, warnings);
    return warnings;
  }

  world::World world_;
  std::shared_ptr<world::SimulatedOutside> outside_;
  std::string root_;
  Project project_;
  std::optional<Home> home_;
  Session session_;
  HomeTable table_{"Dev", "Shop", "", {"silver", "orders"}, ""};
};

TEST_F(FailureHookTest, the_story_is_told_once_for_each_batch_and_table) {
  EXPECT_TRUE(tell(stopped("day-1")).empty());
  EXPECT_TRUE(tell(stopped("day-1")).empty());
  EXPECT_TRUE(tell(stopped("day-2")).empty());
  table_.name.object = "customers";
  EXPECT_TRUE(tell(stopped("day-2")).empty());
  ASSERT_EQ(outside_->processes().size(), 3U);
  const world::Process told = outside_->processes().front();
  EXPECT_EQ(told.words, (std::vector<std::string>{"sh", "tell.sh"}));
  EXPECT_EQ(told.folder, root_);
  const auto story = base::Json::parse(told.input);
  ASSERT_TRUE(story);
  EXPECT_EQ(story->string("table"), "silver.orders");
  EXPECT_EQ(story->string("batch"), "day-1");
  EXPECT_EQ(story->string("gate"), "gate.reject_ratio");
  EXPECT_EQ(story->string("owner"), "Data team");
  EXPECT_EQ(story->find("counts")->int64("read"), 2);
  EXPECT_EQ(story->find("rejects")->int64("missing.id"), 1);
}

TEST_F(FailureHookTest, a_failure_after_a_forgotten_one_is_told_anew) {
  tell(stopped("day-1"));
  ASSERT_TRUE(home_->forget_failure(world_, table_, "day-1"));
  tell(stopped("day-1"));
  EXPECT_EQ(outside_->processes().size(), 2U);
}

TEST_F(FailureHookTest, a_home_without_its_notes_tells_anew) {
  tell(stopped("day-1"));
  ASSERT_TRUE(world_.files->remove(world::path_join(home_->path(), "control.db")));
  tell(stopped("day-1"));
  EXPECT_EQ(outside_->processes().size(), 2U);
}

TEST_F(FailureHookTest, nobody_is_told_when_that_cannot_be_noted) {
  ASSERT_TRUE(world_.files->make_directories(world::path_join(home_->path(), "control.db")));
  const auto warnings = tell(stopped("day-1"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("nobody was told"), std::string::npos);
  EXPECT_TRUE(outside_->processes().empty());
}

TEST_F(FailureHookTest, a_replay_that_stops_is_no_failed_batch) {
  load::LoadReport report = stopped("day-1");
  report.replay = true;
  tell(report);
  report = stopped("day-1");
  report.stopped.reset();
  tell(report);
  EXPECT_TRUE(outside_->processes().empty());
}

TEST_F(FailureHookTest, what_goes_wrong_is_a_warning_and_not_tried_again) {
  outside_->answer_run(world::ProcessEnd{3, false, "no mail today\n"});
  const auto warnings = tell(stopped("day-1"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "on failure of batch day-1 in silver.orders: sh tell.sh ended with 3: no mail today; "
            "it is not tried again");
  EXPECT_TRUE(tell(stopped("day-1")).empty());
  outside_->answer_run(world::ProcessEnd{0, true, ""});
  EXPECT_NE(tell(stopped("day-2")).at(0).find("time limit of 10 s"), std::string::npos);
}

TEST_F(FailureHookTest, an_address_is_posted_to) {
  project_.settings.on_failure =
      contract::FailureHook{.command = {}, .host = "localhost", .port = 8080, .path = "/failed"};
  EXPECT_TRUE(tell(stopped("day-1")).empty());
  outside_->answer_post(500);
  EXPECT_NE(tell(stopped("day-2")).at(0).find("localhost:8080 answered with status 500"), std::string::npos);
  ASSERT_EQ(outside_->posts().size(), 2U);
  EXPECT_EQ(outside_->posts()[0].path, "/failed");
  EXPECT_EQ(outside_->posts()[0].content_type, "application/json");
  EXPECT_EQ(base::Json::parse(outside_->posts()[0].body)->string("batch"), "day-1");
}

}  // namespace
}  // namespace project
