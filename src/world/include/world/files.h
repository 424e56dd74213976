// The door to the disk. Paths are absolute, or relative to the process's folder; bytes are bytes.
// Two implementations: the machine's, and one in memory for tests. Implementations are
// safe to use from several threads. All errors have kind io, not_found, denied or conflict.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace world {

struct FileInfo {
  std::string name;  // last part of the path
  bool is_directory = false;
  bool is_link = false;
  std::uint64_t size = 0;        // bytes
  std::int64_t modified_us = 0;  // microseconds since 1970 UTC
};

// A file opened for reading at any offset (pread; never mapped).
class ReadFile {
 public:
  virtual ~ReadFile() = default;
  // Fills up to `count` bytes from `offset`; fewer only at the end of the file.
  virtual base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const = 0;
  virtual base::Result<FileInfo> info() const = 0;  // of the open file, whatever its name means now
};

enum class PutOutcome { created, existed };

class Files {
 public:
  virtual ~Files() = default;

  virtual base::Result<std::string> read(const std::string& path) const = 0;
  virtual base::Result<std::unique_ptr<ReadFile>> open(const std::string& path) const = 0;
  virtual base::Result<FileInfo> info(const std::string& path) const = 0;  // follows links
  virtual bool exists(const std::string& path) const = 0;
  // Files and folders, sorted by name (pipes and devices are passed over); a missing folder is not_found.
  virtual base::Result<std::vector<FileInfo>> list(const std::string& directory) const = 0;
  // The path with every link followed; not_found when it does not exist.
  virtual base::Result<std::string> real_path(const std::string& path) const = 0;

  // Writes a new file, whole and synced (file, then directory), or none: the bytes go to a file without
  // a name that is linked under the final one, which fails when it exists. An error does not say that
  // nothing was written: the file may be there, whole, when only the sync of its folder failed.
  virtual base::Result<PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) = 0;
  // Replaces the file in one step (temporary neighbour, sync, rename, directory sync).
  virtual base::Status replace(const std::string& path, std::string_view bytes) = 0;
  // Syncs a file that something else wrote (the engine), and the directory that names it.
  virtual base::Status sync(const std::string& path) = 0;
  virtual base::Status make_directories(const std::string& path) = 0;  // synced
  virtual base::Status remove(const std::string& path) = 0;            // missing is fine
  virtual base::Status remove_all(const std::string& path) = 0;        // missing is fine
};

std::unique_ptr<Files> machine_files();
std::unique_ptr<Files> memory_files();
// The same files for somebody who works in `folder` (absolute) alone: relative paths are below it, and
// nothing is written outside it: code "world.outside_folder" (kind denied).
std::unique_ptr<Files> files_within(std::shared_ptr<Files> files, std::string folder);

// a/b, with exactly one slash between.
std::string path_join(std::string_view a, std::string_view b);
std::string path_name(std::string_view path);    // last part
std::string path_parent(std::string_view path);  // "." when there is none

// Holds an advisory lock on a file while it lives.
class FileLock {
 public:
  virtual ~FileLock() = default;
};
// conflict, code "world.locked", when another process holds it.
base::Result<std::unique_ptr<FileLock>> lock_file(const std::string& path);

}  // namespace world
