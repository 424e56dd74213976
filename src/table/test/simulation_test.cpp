// A history of commits on a simulated disk: every step fails, loses its answer, or is the last before the
// process or the power goes. Data files are bytes that name their batch; no engine is opened.
#include <gtest/gtest.h>
#include <table/table.h>
#include <world/simulation.h>

#include <set>

namespace table {
namespace {

using world::DiskFault;
using world::PowerLoss;

constexpr int kBatches = 8;  // below the first checkpoint, which needs the engine
const std::string kTable = "/disk/onelake/shop/Shop.Lakehouse/Tables/silver/orders";

class Shop {
 public:
  Shop() {
    world_.files = disk_;
    EXPECT_TRUE(disk_->make_directories("/disk/onelake/shop/Shop.Lakehouse"));
  }

  world::SimulatedFiles& disk() { return *disk_; }

  // Everything that is not done yet, in order; stops at the first error.
  base::Status run() {
    TRY_STATUS(build());
    for (int batch = 1; batch <= kBatches; ++batch) TRY_STATUS(load(batch));
    return {};
  }

  // What does not hold of the table now.
  std::vector<std::string> wrong() const {
    std::vector<std::string> found;
    if (!exists(access_, kTable)) {
      if (is_built_ || !acknowledged_.empty()) found.push_back("the table is gone");
      return found;
    }
    const auto snapshot = open(access_, kTable);
    if (!snapshot) return {"the table does not open: " + snapshot.error().message};
    std::multiset<std::string> live;
    for (const delta::Add& add : snapshot->files()) {
      const auto bytes = disk_->read(world::path_join(kTable, add.path));
      if (!bytes || static_cast<std::int64_t>(bytes->size()) != add.size)
        found.push_back("version " + std::to_string(snapshot->version()) + " names a file that is not whole");
      else
        live.insert(*bytes);
    }
    for (int batch = 1; batch <= kBatches; ++batch) {
      const std::size_t count = live.count(rows_of(batch));
      const bool is_loaded = snapshot->txn(app_id(batch)).has_value();
      if (count != (is_loaded ? 1U : 0U))
        found.push_back("batch " + std::to_string(batch) + " is there " + std::to_string(count) + " times");
      if (acknowledged_.contains(batch) && !is_loaded)
        found.push_back("batch " + std::to_string(batch) + " was reported as loaded and is gone");
    }
    return found;
  }

  bool is_complete() const { return acknowledged_.size() == kBatches; }

 private:
  static std::string app_id(int batch) { return "load/" + std::to_string(batch); }
  static std::string rows_of(int batch) { return "the rows of batch " + std::to_string(batch); }

  base::Status build() {
    if (exists(access_, kTable)) return {};
    Commit change;
    change.operation = "CREATE TABLE";
    delta::Field field;
    field.name = "a";
    field.type = "long";
    change.metadata = new_metadata(access_, delta::Schema{{field}}, {});
    const auto made = commit(access_, kTable, nullptr, std::move(change));
    if (!made && made.error().kind == base::Kind::conflict) return {};
    if (!made) return base::fail(made.error());
    is_built_ = true;
    return {};
  }

  base::Status load(int batch) {
    for (;;) {
      TRY(const Snapshot snapshot, open(access_, kTable));
      if (snapshot.txn(app_id(batch))) break;
      TRY(const DataFile file, write_rows(batch));
      Commit change;
      change.operation = "WRITE";
      change.adds = {file};
      change.txns = {delta::Txn{app_id(batch), 1, {}}};
      const auto committed = commit(access_, kTable, &snapshot, std::move(change));
      if (committed) break;
      discard(access_, {file});
      if (committed.error().kind != base::Kind::conflict) return base::fail(committed.error());
    }
    acknowledged_.insert(batch);
    return {};
  }

  base::Result<DataFile> write_rows(int batch) {
    DataFile file;
    file.add.path = "part-" + world_.random->uuid() + ".parquet";
    file.absolute_path = world::path_join(kTable, file.add.path);
    file.add.size = static_cast<std::int64_t>(rows_of(batch).size());
    TRY_STATUS(disk_->write_unsynced(file.absolute_path, rows_of(batch)));
    TRY_STATUS(disk_->sync(file.absolute_path));
    return file;
  }

  std::shared_ptr<world::SimulatedFiles> disk_ = world::simulated_files();
  world::World world_ = world::memory_world();
  engine::LazyEngine engine_{engine::Settings{}};
  Access access_{&world_, &engine_};
  bool is_built_ = false;
  std::set<int> acknowledged_;
};

struct Case {
  DiskFault fault;
  PowerLoss loss;
  std::uint64_t seed;
};

std::vector<Case> cases() {
  std::vector<Case> all = {{DiskFault::fails, PowerLoss::none, 0},
                           {DiskFault::answer_is_lost, PowerLoss::none, 0}};
  for (const DiskFault fault : {DiskFault::dies, DiskFault::dies_after}) {
    all.push_back({fault, PowerLoss::none, 0});
    all.push_back({fault, PowerLoss::all_lost, 0});
    all.push_back({fault, PowerLoss::torn, 0});
    for (std::uint64_t seed = 1; seed <= 8; ++seed) all.push_back({fault, PowerLoss::by_chance, seed});
  }
  return all;
}

std::int64_t steps_of_a_history() {
  Shop shop;
  shop.disk().plan(DiskFault::none, 0);
  EXPECT_TRUE(shop.run());
  return shop.disk().steps();
}

std::string name(const Case& one, std::int64_t at) {
  return "step " + std::to_string(at) + ", fault " + std::to_string(static_cast<int>(one.fault)) + ", loss " +
         std::to_string(static_cast<int>(one.loss)) + ", seed " + std::to_string(one.seed) + ": ";
}

// What does not hold after a fault, and after the history was run once more.
std::vector<std::string> suffer(const Case& one, std::int64_t at, bool forgetful) {
  Shop shop;
  if (forgetful) shop.disk().forget_folder_syncs();
  shop.disk().plan(one.fault, at);
  (void)shop.run();  // may fail: that is the point
  shop.disk().restart(one.loss, one.seed);
  std::vector<std::string> found = shop.wrong();
  shop.disk().plan(DiskFault::none, 0);
  if (const base::Status again = shop.run(); !again) found.push_back("the rerun: " + again.error().message);
  if (!shop.is_complete()) found.push_back("the rerun is not complete");
  for (const std::string& line : shop.wrong()) found.push_back("after the rerun: " + line);
  for (std::string& line : found) line = name(one, at) + line;
  return found;
}

TEST(SimulatedCommits, survive_a_fault_at_every_step) {
  const std::int64_t steps = steps_of_a_history();
  ASSERT_GT(steps, 40);
  for (const Case& one : cases())
    for (std::int64_t at = 1; at <= steps; ++at)
      for (const std::string& line : suffer(one, at, false)) ADD_FAILURE() << line;
}

TEST(SimulatedCommits, are_made_once_when_another_run_comes_between_at_every_step) {
  const std::int64_t steps = steps_of_a_history();
  for (std::int64_t at = 1; at <= steps; ++at) {
    Shop shop;
    base::Status other;
    shop.disk().plan(DiskFault::runs_other, at, [&] { other = shop.run(); });
    EXPECT_TRUE(shop.run()) << "step " << at;
    EXPECT_TRUE(other) << "step " << at;
    EXPECT_EQ(shop.wrong(), std::vector<std::string>()) << "step " << at;
  }
}

TEST(SimulatedCommits, are_lost_on_a_disk_that_forgets_to_sync_folders) {
  std::size_t noticed = 0;
  for (std::int64_t at = 1; at <= steps_of_a_history(); ++at)
    noticed += suffer({DiskFault::dies, PowerLoss::all_lost, 0}, at, true).size();
  EXPECT_GT(noticed, 0U) << "a loss of power must be seen by these tests";
}

}  // namespace
}  // namespace table
