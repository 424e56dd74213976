// Two pictures of the disk: what processes see, and what a power loss leaves.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <world/simulation.h>

#include "held_file.h"

namespace world {

namespace {

using base::Kind;

struct Node {
  std::string bytes;
  bool is_synced = false;
  std::int64_t modified_us = 0;
};

// Names of files and folders; a folder has no node.
using Names = std::map<std::string, std::shared_ptr<Node>>;

class Disk final : public SimulatedFiles {
 public:
  Disk() : seen_{{"/", nullptr}, {".", nullptr}}, synced_(seen_) {}

  // ---- faults ----

  void plan(DiskFault fault, std::int64_t at, std::function<void()> other) override {
    const std::lock_guard lock(mutex_);
    fault_ = fault;
    at_ = at;
    other_ = std::move(other);
    steps_ = 0;
  }
  std::int64_t steps() const override {
    const std::lock_guard lock(mutex_);
    return steps_;
  }
  void forget_folder_syncs() override {
    const std::lock_guard lock(mutex_);
    forgets_folder_syncs_ = true;
  }

  void restart(PowerLoss loss, std::uint64_t seed) override {
    const std::lock_guard lock(mutex_);
    is_dead_ = false;
    fault_ = DiskFault::none;
    if (loss == PowerLoss::none) return;
    std::mt19937_64 chance(seed);
    const auto keeps = [&](bool otherwise) {
      return loss == PowerLoss::by_chance ? chance() % 2 == 0 : otherwise;
    };
    Names left = synced_;
    for (const auto& [path, node] : seen_) {
      const auto before = synced_.find(path);
      const bool is_same = before != synced_.end() && before->second == node;
      if (!is_same && keeps(loss == PowerLoss::torn)) left[path] = node;
    }
    for (const auto& [path, node] : synced_)
      if (!seen_.contains(path) && keeps(false)) left.erase(path);
    drop_orphans(left);
    std::erase_if(left, [&](const auto& item) {
      const std::shared_ptr<Node>& node = item.second;
      if (node == nullptr || node->is_synced) return false;
      if (loss == PowerLoss::all_lost) return true;
      if (keeps(false)) return false;
      node->bytes.resize(node->bytes.size() / 2);
      return keeps(false);
    });
    for (auto& [path, node] : left)
      if (node != nullptr) node->is_synced = true;
    seen_ = synced_ = left;
  }

  base::Status write_unsynced(const std::string& path, std::string_view bytes) override {
    return step("write " + path, [&]() -> base::Status {
      if (!seen_.contains(path_parent(path))) return base::fail(no_such_file(path_parent(path)));
      seen_[path] = node_of(bytes, false);
      return {};
    });
  }

  // ---- reading ----

  base::Result<std::string> read(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    TRY_STATUS(alive());
    const auto at = seen_.find(path);
    if (at == seen_.end() || at->second == nullptr) return base::fail(no_such_file(path));
    return at->second->bytes;
  }
  base::Result<std::unique_ptr<ReadFile>> open(const std::string& path) const override {
    TRY(std::string bytes, read(path));
    TRY(FileInfo about, info(path));
    return std::make_unique<HeldFile>(std::move(bytes), std::move(about));
  }
  base::Result<FileInfo> info(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    TRY_STATUS(alive());
    const auto at = seen_.find(path);
    if (at == seen_.end()) return base::fail(no_such_file(path));
    return info_of(*at);
  }
  bool exists(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    return !is_dead_ && seen_.contains(path);
  }
  base::Result<std::vector<FileInfo>> list(const std::string& directory) const override {
    const std::lock_guard lock(mutex_);
    TRY_STATUS(alive());
    const auto at = seen_.find(directory);
    if (at == seen_.end() || at->second != nullptr) return base::fail(no_such_file(directory));
    std::vector<FileInfo> entries;
    for (const auto& item : seen_)
      if (item.first != directory && path_parent(item.first) == directory) entries.push_back(info_of(item));
    return entries;
  }
  base::Result<std::string> real_path(const std::string& path) const override {
    if (!exists(path)) return base::fail(no_such_file(path));
    return path;
  }

  // ---- changing ----

  base::Result<PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) override {
    // The bytes are written and synced in a file without a name: a loss leaves nothing of them.
    TRY_STATUS(step("write " + path, [] { return base::Status(); }));
    bool existed = false;
    TRY_STATUS(step("link " + path, [&]() -> base::Status {
      if (!seen_.contains(path_parent(path))) return base::fail(no_such_file(path_parent(path)));
      existed = !seen_.try_emplace(path, node_of(bytes, true)).second;
      return {};
    }));
    if (existed) return PutOutcome::existed;
    TRY_STATUS(sync_folder(path_parent(path)));
    return PutOutcome::created;
  }
  base::Status replace(const std::string& path, std::string_view bytes) override {
    TRY_STATUS(step("write " + path, [] { return base::Status(); }));
    TRY_STATUS(step("rename " + path, [&]() -> base::Status {
      if (!seen_.contains(path_parent(path))) return base::fail(no_such_file(path_parent(path)));
      seen_[path] = node_of(bytes, true);
      return {};
    }));
    return sync_folder(path_parent(path));
  }
  base::Status sync(const std::string& path) override {
    TRY_STATUS(step("sync " + path, [&]() -> base::Status {
      const auto at = seen_.find(path);
      if (at == seen_.end()) return base::fail(no_such_file(path));
      if (at->second != nullptr) at->second->is_synced = true;
      return {};
    }));
    return sync_folder(path_parent(path));
  }
  base::Status make_directories(const std::string& path) override {
    if (path.empty() || exists(path)) return {};
    TRY_STATUS(make_directories(path_parent(path)));
    TRY_STATUS(step("make folder " + path, [&]() -> base::Status {
      seen_.try_emplace(path, nullptr);
      return {};
    }));
    return sync_folder(path_parent(path));
  }
  base::Status remove(const std::string& path) override {
    return step("remove " + path, [&]() -> base::Status {
      seen_.erase(path);
      return {};
    });
  }
  base::Status remove_all(const std::string& path) override {
    return step("remove " + path, [&]() -> base::Status {
      seen_.erase(path);
      std::erase_if(seen_, [&](const auto& item) { return item.first.starts_with(path + "/"); });
      return {};
    });
  }

 private:
  std::shared_ptr<Node> node_of(std::string_view bytes, bool is_synced) {
    return std::make_shared<Node>(Node{std::string(bytes), is_synced, ++ticks_});
  }

  static FileInfo info_of(const Names::value_type& item) {
    const std::shared_ptr<Node>& node = item.second;
    FileInfo about;
    about.name = path_name(item.first);
    about.is_directory = node == nullptr;
    about.size = node == nullptr ? 0 : node->bytes.size();
    about.modified_us = node == nullptr ? 0 : node->modified_us;
    return about;
  }

  base::Status alive() const {
    if (!is_dead_) return {};
    return base::fail(Kind::io, "world.io", "the process has ended");
  }

  template <class Do>
  base::Status step(const std::string& what, Do&& perform) {
    std::unique_lock lock(mutex_);
    TRY_STATUS(alive());
    const DiskFault fault = ++steps_ == at_ ? fault_ : DiskFault::none;
    const auto failed = [&] { return base::fail(Kind::io, "world.io", "cannot " + what + ": simulated"); };
    if (fault == DiskFault::fails) return failed();
    is_dead_ = fault == DiskFault::dies || fault == DiskFault::dies_after;
    if (fault == DiskFault::dies) return failed();
    if (fault == DiskFault::runs_other) {
      const std::function<void()> other = std::exchange(other_, nullptr);
      lock.unlock();
      other();
      lock.lock();
    }
    const base::Status done = perform();
    if (fault == DiskFault::answer_is_lost || fault == DiskFault::dies_after) return failed();
    return done;
  }

  base::Status sync_folder(const std::string& folder) {
    return step("sync folder " + folder, [&]() -> base::Status {
      if (!seen_.contains(folder)) return base::fail(no_such_file(folder));
      if (forgets_folder_syncs_) return {};
      const auto is_inside = [&](const auto& item) { return path_parent(item.first) == folder; };
      std::erase_if(synced_,
                    [&](const auto& item) { return is_inside(item) && !seen_.contains(item.first); });
      for (const auto& item : seen_)
        if (is_inside(item)) synced_[item.first] = item.second;
      return {};
    });
  }

  // What lies in a folder that is lost is lost.
  static void drop_orphans(Names& names) {
    std::erase_if(names, [&](const auto& item) {
      return item.first != "/" && item.first != "." && !names.contains(path_parent(item.first));
    });
  }

  mutable std::mutex mutex_;
  Names seen_;
  Names synced_;
  std::int64_t ticks_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t at_ = 0;
  DiskFault fault_ = DiskFault::none;
  std::function<void()> other_;
  bool is_dead_ = false;
  bool forgets_folder_syncs_ = false;
};

class MovedClock final : public SimulatedClock {
 public:
  explicit MovedClock(std::int64_t now_us) : now_us_(now_us) {}
  std::int64_t now_us() const override { return now_us_; }
  void set(std::int64_t now_us) override { now_us_ = now_us; }

 private:
  std::atomic<std::int64_t> now_us_;
};

}  // namespace

std::shared_ptr<SimulatedFiles> simulated_files() {
  return std::make_shared<Disk>();
}

std::shared_ptr<SimulatedClock> simulated_clock(std::int64_t now_us) {
  return std::make_shared<MovedClock>(now_us);
}

}  // namespace world
