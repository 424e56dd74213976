// The machine's disk, by POSIX calls. A failed call names its path and the system's reason.
#include <world/files.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace world {

namespace {

using base::Kind;

base::Error system_error(const std::string& what, const std::string& path) {
  const int number = errno;
  Kind kind = Kind::io;
  if (number == ENOENT || number == ENOTDIR) kind = Kind::not_found;
  if (number == EACCES || number == EPERM || number == EROFS) kind = Kind::denied;
  const std::string code = kind == Kind::not_found ? "world.not_found"
                           : kind == Kind::denied  ? "world.denied"
                                                   : "world.io";
  return base::Error{kind, code, "cannot " + what + " " + path + ": " + std::strerror(number), {}, {}};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  bool ok() const { return number_ >= 0; }

 private:
  int number_;
};

FileInfo info_of(const struct stat& status, std::string name) {
  FileInfo info;
  info.name = std::move(name);
  info.is_directory = S_ISDIR(status.st_mode);
  info.is_link = S_ISLNK(status.st_mode);
  info.size = static_cast<std::uint64_t>(status.st_size);
  info.modified_us = std::int64_t{status.st_mtim.tv_sec} * 1'000'000 + status.st_mtim.tv_nsec / 1'000;
  return info;
}

base::Status write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return base::fail(system_error("write", path));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

base::Status sync_directory(const std::string& directory) {
  const Descriptor handle(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.ok()) return base::fail(system_error("open folder", directory));
  if (::fsync(handle.get()) != 0) return base::fail(system_error("sync folder", directory));
  return {};
}

class MachineReadFile final : public ReadFile {
 public:
  MachineReadFile(int number, std::string path) : handle_(number), path_(std::move(path)) {}

  base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const override {
    std::size_t done = 0;
    while (done < count) {
      const ssize_t got =
          ::pread(handle_.get(), into + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0) {
        if (errno == EINTR) continue;
        return base::fail(system_error("read", path_));
      }
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  base::Result<FileInfo> info() const override {
    struct stat status{};
    if (::fstat(handle_.get(), &status) != 0) return base::fail(system_error("look at", path_));
    return info_of(status, path_name(path_));
  }

 private:
  Descriptor handle_;
  std::string path_;
};

class MachineFiles final : public Files {
 public:
  base::Result<std::string> read(const std::string& path) const override {
    TRY(const auto file, open(path));
    TRY(const FileInfo about, file->info());
    if (about.is_directory) {
      errno = EISDIR;
      return base::fail(system_error("read", path));
    }
    std::string bytes(about.size, '\0');
    TRY(const std::size_t got, file->read_at(0, bytes.data(), bytes.size()));
    bytes.resize(got);
    return bytes;
  }

  base::Result<std::unique_ptr<ReadFile>> open(const std::string& path) const override {
    const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (number < 0) return base::fail(system_error("open", path));
    return std::make_unique<MachineReadFile>(number, path);
  }

  base::Result<FileInfo> info(const std::string& path) const override {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return base::fail(system_error("look at", path));
    return info_of(status, path_name(path));
  }

  bool exists(const std::string& path) const override {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0;
  }

  base::Result<std::vector<FileInfo>> list(const std::string& directory) const override {
    DIR* const handle = ::opendir(directory.c_str());
    if (handle == nullptr) return base::fail(system_error("list", directory));
    std::vector<FileInfo> entries;
    while (const dirent* entry = ::readdir(handle)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      const std::string path = path_join(directory, name);
      struct stat link_status{};
      if (::lstat(path.c_str(), &link_status) != 0) continue;  // gone meanwhile
      struct stat status = link_status;
      if (S_ISLNK(link_status.st_mode) && ::stat(path.c_str(), &status) != 0) status = link_status;
      // Pipes, sockets and devices hold no bytes of their own; reading one could wait for ever.
      if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode)) continue;
      FileInfo entry_info = info_of(status, name);
      entry_info.is_link = S_ISLNK(link_status.st_mode);
      entries.push_back(std::move(entry_info));
    }
    ::closedir(handle);
    std::sort(entries.begin(), entries.end(),
              [](const FileInfo& a, const FileInfo& b) { return a.name < b.name; });
    return entries;
  }

  base::Result<std::string> real_path(const std::string& path) const override {
    char* const resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return base::fail(system_error("resolve", path));
    std::string text = resolved;
    std::free(resolved);
    return text;
  }

  base::Result<PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) override {
    TRY(const auto nameless, put_nameless(path, bytes));
    TRY(const PutOutcome outcome, nameless ? base::Result<PutOutcome>(*nameless) : put_named(path, bytes));
    if (outcome == PutOutcome::created) TRY_STATUS(sync_directory(path_parent(path)));
    return outcome;
  }

  base::Status replace(const std::string& path, std::string_view bytes) override {
    const std::string shared = path_join(path_parent(path), "." + path_name(path) + ".tmp");
    std::string temporary = shared;
    std::unique_ptr<Descriptor> handle = take(shared);
    if (handle == nullptr) {
      temporary = own_name(path);
      handle = std::make_unique<Descriptor>(
          ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    }
    if (!handle->ok()) return base::fail(system_error("create", temporary));
    base::Status status = write_synced(handle->get(), bytes, temporary);
    if (status && ::rename(temporary.c_str(), path.c_str()) != 0)
      status = base::fail(system_error("replace", path));
    if (!status) {
      ::unlink(temporary.c_str());
      return status;
    }
    return sync_directory(path_parent(path));
  }

  base::Status sync(const std::string& path) override {
    const Descriptor handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!handle.ok()) return base::fail(system_error("open", path));
    if (::fsync(handle.get()) != 0) return base::fail(system_error("sync", path));
    return sync_directory(path_parent(path));
  }

  base::Status make_directories(const std::string& path) override {
    if (path.empty() || exists(path)) return {};
    const std::string parent = path_parent(path);
    TRY_STATUS(make_directories(parent));
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
      return base::fail(system_error("make folder", path));
    return sync_directory(parent);
  }

  base::Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return base::fail(system_error("remove", path));
    return {};
  }

  base::Status remove_all(const std::string& path) override {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return {};
    if (!S_ISDIR(status.st_mode)) return remove(path);
    TRY(const auto entries, list(path));
    for (const FileInfo& entry : entries) TRY_STATUS(remove_all(path_join(path, entry.name)));
    if (::rmdir(path.c_str()) != 0 && errno != ENOENT) return base::fail(system_error("remove folder", path));
    return {};
  }

 private:
  // Names of temporary files start with '.', which Delta readers and vacuum pass over.
  static std::string own_name(const std::string& path) {
    static std::atomic<std::uint64_t> counter{0};
    return path_join(path_parent(path), "." + path_name(path) + "." + std::to_string(::getpid()) + "." +
                                            std::to_string(counter++) + ".tmp");
  }

  static base::Status write_synced(int descriptor, std::string_view bytes, const std::string& path) {
    TRY_STATUS(write_all(descriptor, bytes, path));
    if (::fsync(descriptor) != 0) return base::fail(system_error("sync", path));
    return {};
  }

  // A temporary file whose name is always the same, emptied: what a killed run left is taken up by the next
  // one. Null while another process (or thread) is using it.
  static std::unique_ptr<Descriptor> take(const std::string& temporary) {
    auto handle =
        std::make_unique<Descriptor>(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (!handle->ok()) return handle;
    if (::flock(handle->get(), LOCK_EX | LOCK_NB) != 0) return nullptr;
    struct stat opened{};
    struct stat named{};
    // Another process may have given the file its final name before the lock was ours.
    const bool is_same = ::fstat(handle->get(), &opened) == 0 && ::stat(temporary.c_str(), &named) == 0 &&
                         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
    if (!is_same || (opened.st_size > 0 && ::ftruncate(handle->get(), 0) != 0)) return nullptr;
    return handle;
  }

  // A file without a name gets one: nothing is left behind, whenever the process ends. Empty where the file
  // system does not know such files.
  static base::Result<std::optional<PutOutcome>> put_nameless(const std::string& path,
                                                              std::string_view bytes) {
    const Descriptor handle(::open(path_parent(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (!handle.ok()) {
      if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) return std::optional<PutOutcome>();
      return base::fail(system_error("create", path));
    }
    TRY_STATUS(write_synced(handle.get(), bytes, path));
    const std::string opened = "/proc/self/fd/" + std::to_string(handle.get());
    if (::linkat(AT_FDCWD, opened.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0)
      return std::optional(PutOutcome::created);
    if (errno == EEXIST) return std::optional(PutOutcome::existed);
    if (errno == ENOENT || errno == EXDEV) return std::optional<PutOutcome>();  // no /proc
    return base::fail(system_error("create", path));
  }

  static base::Result<PutOutcome> put_named(const std::string& path, std::string_view bytes) {
    const std::string temporary = own_name(path);
    const Descriptor handle(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!handle.ok()) return base::fail(system_error("create", temporary));
    base::Status status = write_synced(handle.get(), bytes, temporary);
    const bool linked = status && ::link(temporary.c_str(), path.c_str()) == 0;
    const bool existed = status && !linked && errno == EEXIST;
    if (status && !linked) status = base::fail(system_error("create", path));
    ::unlink(temporary.c_str());
    if (linked) return PutOutcome::created;
    if (existed) return PutOutcome::existed;
    return base::fail(status.error());
  }
};

class MachineLock final : public FileLock {
 public:
  explicit MachineLock(int number) : handle_(number) {}

 private:
  Descriptor handle_;
};

}  // namespace

std::unique_ptr<Files> machine_files() {
  return std::make_unique<MachineFiles>();
}

base::Result<std::unique_ptr<FileLock>> lock_file(const std::string& path) {
  const int number = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (number < 0) return base::fail(system_error("open", path));
  auto lock = std::make_unique<MachineLock>(number);
  if (::flock(number, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return base::fail(Kind::conflict, "world.locked", "another process holds " + path,
                        "wait until it is done, then run again");
    return base::fail(system_error("lock", path));
  }
  return lock;
}

std::string path_join(std::string_view a, std::string_view b) {
  if (a.empty()) return std::string(b);
  std::string path(a);
  if (path.back() != '/') path += '/';
  while (!b.empty() && b.front() == '/') b.remove_prefix(1);
  path += b;
  return path;
}

std::string path_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string path_parent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  if (slash == 0) return "/";
  return std::string(path.substr(0, slash));
}

}  // namespace world
