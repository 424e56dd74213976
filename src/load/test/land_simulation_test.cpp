// Landings on a simulated disk, with a fault at every step. The files are empty, so that everything but the
// rows is done (ledger, transactions, receipts) and no engine is opened.
#include <gtest/gtest.h>
#include <load/land.h>
#include <load/load.h>
#include <table/table.h>
#include <world/simulation.h>

namespace load {
namespace {

using world::DiskFault;
using world::PowerLoss;

constexpr int kLandings = 3;

class Shore {
 public:
  Shore() {
    world_.files = disk_;
    place_.world = &world_;
    place_.engine = &engine_;
    place_.tables_root = "/p/.tenter/onelake/w/Shop.Lakehouse/Tables";
    place_.user = "tester";
    landing_.name = {"bronze", "raw"};
    landing_.globs = {"in/*.csv"};
    options_.project_root = "/p";
    options_.home_root = "/p/.tenter";
    EXPECT_TRUE(disk_->make_directories("/p/in"));
    EXPECT_TRUE(disk_->make_directories("/p/.tenter/onelake"));
  }

  world::SimulatedFiles& disk() { return *disk_; }

  // A source delivers its files; the disk that has the faults is ours, so they are told apart by name.
  base::Status run() {
    for (int number = 1; number <= kLandings; ++number) {
      place_.run_at_us += 1'000'000;
      TRY_STATUS(disk_->replace("/p/in/" + std::to_string(number) + ".csv", ""));
      TRY(const LandReport report, land(place_, landing_, options_));
      if (!report.refused.empty()) return base::fail(report.refused.front());
      acknowledged_ = std::max(acknowledged_, number);
    }
    return {};
  }

  std::vector<std::string> wrong() const {
    const table::Access access{place_.world, place_.engine};
    if (!table::exists(access, place_.table_path(landing_.name)))
      return acknowledged_ == 0 ? std::vector<std::string>() : std::vector<std::string>{"the table is gone"};
    const auto batches = landed_batches(place_, landing_.name);
    if (!batches) return {"the ledgers cannot be read: " + batches.error().message};
    std::map<std::string, int> landed;
    for (const Batch& batch : *batches)
      for (const BatchFile& file : batch.files) ++landed[file.path];
    std::vector<std::string> found;
    for (const auto& [path, count] : landed)
      if (count != 1) found.push_back(path + " was landed " + std::to_string(count) + " times");
    for (int number = 1; number <= acknowledged_; ++number)
      if (!landed.contains("in/" + std::to_string(number) + ".csv"))
        found.push_back("landing " + std::to_string(number) + " was reported and is gone");
    return found;
  }
  bool is_complete() const { return acknowledged_ == kLandings; }

 private:
  std::shared_ptr<world::SimulatedFiles> disk_ = world::simulated_files();
  world::World world_ = world::memory_world();
  engine::LazyEngine engine_{engine::Settings{}};
  Place place_;
  contract::Landing landing_;
  LandOptions options_;
  int acknowledged_ = 0;
};

std::int64_t steps_of_a_history() {
  Shore shore;
  shore.disk().plan(DiskFault::none, 0);
  EXPECT_TRUE(shore.run());
  EXPECT_TRUE(shore.wrong().empty());
  return shore.disk().steps();
}

void suffer(DiskFault fault, PowerLoss loss, std::uint64_t seed, std::int64_t at) {
  SCOPED_TRACE("step " + std::to_string(at) + ", fault " + std::to_string(static_cast<int>(fault)) +
               ", loss " + std::to_string(static_cast<int>(loss)) + ", seed " + std::to_string(seed));
  Shore shore;
  shore.disk().plan(fault, at);
  (void)shore.run();  // may fail: that is the point
  shore.disk().restart(loss, seed);
  EXPECT_EQ(shore.wrong(), std::vector<std::string>());
  shore.disk().plan(DiskFault::none, 0);
  const base::Status again = shore.run();
  EXPECT_TRUE(again) << base::print(again.error());
  EXPECT_TRUE(shore.is_complete());
  EXPECT_EQ(shore.wrong(), std::vector<std::string>()) << "after the rerun";
}

TEST(SimulatedLandings, survive_a_fault_at_every_step) {
  const std::int64_t steps = steps_of_a_history();
  ASSERT_GT(steps, 20);
  for (std::int64_t at = 1; at <= steps; ++at) {
    suffer(DiskFault::fails, PowerLoss::none, 0, at);
    suffer(DiskFault::answer_is_lost, PowerLoss::none, 0, at);
    for (const DiskFault death : {DiskFault::dies, DiskFault::dies_after}) {
      suffer(death, PowerLoss::none, 0, at);
      suffer(death, PowerLoss::all_lost, 0, at);
      suffer(death, PowerLoss::torn, 0, at);
      for (std::uint64_t seed = 1; seed <= 4; ++seed) suffer(death, PowerLoss::by_chance, seed, at);
    }
  }
}

TEST(SimulatedLandings, land_each_file_once_when_another_run_comes_between_at_every_step) {
  const std::int64_t steps = steps_of_a_history();
  for (std::int64_t at = 1; at <= steps; ++at) {
    SCOPED_TRACE("step " + std::to_string(at));
    Shore shore;
    shore.disk().plan(DiskFault::runs_other, at, [&] { (void)shore.run(); });
    (void)shore.run();  // a file that was replaced meanwhile is refused
    shore.disk().plan(DiskFault::none, 0);
    EXPECT_TRUE(shore.run());
    EXPECT_EQ(shore.wrong(), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace load
