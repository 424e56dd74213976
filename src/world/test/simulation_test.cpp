// The simulated disk loses what was not synced, and only that.
#include <gtest/gtest.h>
#include <world/simulation.h>

namespace world {
namespace {

class SimulationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(disk_->make_directories("/disk"));
    disk_->plan(DiskFault::none, 0);
  }
  std::shared_ptr<SimulatedFiles> disk_ = simulated_files();
};

TEST_F(SimulationTest, a_put_is_there_after_a_power_loss) {
  ASSERT_TRUE(disk_->put_if_absent("/disk/a", "one"));
  disk_->restart(PowerLoss::all_lost);
  EXPECT_EQ(disk_->read("/disk/a").value(), "one");
}

TEST_F(SimulationTest, a_data_file_ends_absent_torn_or_whole) {
  ASSERT_TRUE(disk_->write_unsynced("/disk/a", "1234567890"));
  disk_->restart(PowerLoss::torn);
  EXPECT_EQ(disk_->read("/disk/a").value(), "12345");
  ASSERT_TRUE(disk_->write_unsynced("/disk/b", "1234567890"));
  disk_->restart(PowerLoss::all_lost);
  EXPECT_FALSE(disk_->exists("/disk/b"));
  ASSERT_TRUE(disk_->write_unsynced("/disk/c", "1234567890"));
  ASSERT_TRUE(disk_->sync("/disk/c"));
  disk_->restart(PowerLoss::all_lost);
  EXPECT_EQ(disk_->read("/disk/c").value(), "1234567890");
}

TEST_F(SimulationTest, a_removal_and_a_replacement_come_back_until_the_folder_is_synced) {
  ASSERT_TRUE(disk_->put_if_absent("/disk/a", "one"));
  ASSERT_TRUE(disk_->remove("/disk/a"));
  disk_->restart(PowerLoss::all_lost);
  EXPECT_EQ(disk_->read("/disk/a").value(), "one");
  disk_->plan(DiskFault::dies, 3);  // bytes, name, folder
  EXPECT_FALSE(disk_->replace("/disk/a", "two"));
  EXPECT_FALSE(disk_->read("/disk/a")) << "the process has ended";
  disk_->restart(PowerLoss::all_lost);
  EXPECT_EQ(disk_->read("/disk/a").value(), "one");
}

TEST_F(SimulationTest, an_answer_is_lost_and_the_work_done) {
  disk_->plan(DiskFault::answer_is_lost, 2);
  EXPECT_FALSE(disk_->put_if_absent("/disk/a", "one"));
  EXPECT_EQ(disk_->read("/disk/a").value(), "one");
  disk_->plan(DiskFault::fails, 2);
  EXPECT_FALSE(disk_->put_if_absent("/disk/b", "two"));
  EXPECT_FALSE(disk_->exists("/disk/b"));
}

TEST_F(SimulationTest, a_folder_that_was_not_synced_takes_its_files_with_it) {
  disk_->plan(DiskFault::fails, 2);
  EXPECT_FALSE(disk_->make_directories("/disk/new"));
  ASSERT_TRUE(disk_->put_if_absent("/disk/new/a", "one"));
  disk_->restart(PowerLoss::all_lost);
  EXPECT_FALSE(disk_->exists("/disk/new/a"));
}

TEST_F(SimulationTest, another_run_comes_between_the_steps) {
  disk_->plan(DiskFault::runs_other, 2, [&] { EXPECT_TRUE(disk_->put_if_absent("/disk/a", "other")); });
  EXPECT_EQ(disk_->put_if_absent("/disk/a", "one").value(), PutOutcome::existed);
  EXPECT_EQ(disk_->read("/disk/a").value(), "other");
}

TEST(SimulatedClock, goes_where_it_is_told) {
  const auto clock = simulated_clock(1'000);
  clock->set(7);
  EXPECT_EQ(clock->now_us(), 7);
}

}  // namespace
}  // namespace world
