// Files in memory: folders exist by being made or by holding something. Links do not exist here.
#include <world/files.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "held_file.h"

namespace world {

namespace {

class MemoryFiles final : public Files {
 public:
  base::Result<std::string> read(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    const auto at = files_.find(path);
    if (at == files_.end()) return base::fail(no_such_file(path));
    return at->second.bytes;
  }

  base::Result<std::unique_ptr<ReadFile>> open(const std::string& path) const override {
    TRY(std::string bytes, read(path));
    TRY(FileInfo about, info(path));
    return std::make_unique<HeldFile>(std::move(bytes), std::move(about));
  }

  base::Result<FileInfo> info(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    if (const auto at = files_.find(path); at != files_.end())
      return FileInfo{path_name(path), false, false, at->second.bytes.size(), at->second.modified_us};
    if (directories_.contains(path)) return FileInfo{path_name(path), true, false, 0, 0};
    return base::fail(no_such_file(path));
  }

  bool exists(const std::string& path) const override {
    const std::lock_guard lock(mutex_);
    return files_.contains(path) || directories_.contains(path);
  }

  base::Result<std::vector<FileInfo>> list(const std::string& directory) const override {
    const std::lock_guard lock(mutex_);
    if (!directories_.contains(directory)) return base::fail(no_such_file(directory));
    std::vector<FileInfo> entries;
    for (const auto& [path, file] : files_)
      if (path_parent(path) == directory)
        entries.push_back(FileInfo{path_name(path), false, false, file.bytes.size(), file.modified_us});
    for (const std::string& path : directories_)
      if (path != directory && path_parent(path) == directory)
        entries.push_back(FileInfo{path_name(path), true, false, 0, 0});
    std::sort(entries.begin(), entries.end(),
              [](const FileInfo& a, const FileInfo& b) { return a.name < b.name; });
    return entries;
  }

  base::Result<std::string> real_path(const std::string& path) const override {
    if (!exists(path)) return base::fail(no_such_file(path));
    return path;
  }

  base::Result<PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    if (!directories_.contains(path_parent(path))) return base::fail(no_such_file(path_parent(path)));
    const bool created = files_.try_emplace(path, File{std::string(bytes), ++ticks_}).second;
    return created ? PutOutcome::created : PutOutcome::existed;
  }

  base::Status replace(const std::string& path, std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    if (!directories_.contains(path_parent(path))) return base::fail(no_such_file(path_parent(path)));
    files_[path] = File{std::string(bytes), ++ticks_};
    return {};
  }

  base::Status sync(const std::string& path) override {
    if (!exists(path)) return base::fail(no_such_file(path));
    return {};
  }

  base::Status make_directories(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    for (std::string at = path; !at.empty() && at != "." && at != "/"; at = path_parent(at))
      directories_.insert(at);
    return {};
  }

  base::Status remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    files_.erase(path);
    return {};
  }

  base::Status remove_all(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const std::string inside = path + "/";
    std::erase_if(files_,
                  [&](const auto& item) { return item.first == path || item.first.starts_with(inside); });
    std::erase_if(directories_,
                  [&](const std::string& item) { return item == path || item.starts_with(inside); });
    return {};
  }

 private:
  struct File {
    std::string bytes;
    std::int64_t modified_us;
  };
  mutable std::mutex mutex_;
  std::map<std::string, File> files_;
  std::set<std::string> directories_{"/", "."};
  std::int64_t ticks_ = 0;
};

}  // namespace

std::unique_ptr<Files> memory_files() {
  return std::make_unique<MemoryFiles>();
}

}  // namespace world
