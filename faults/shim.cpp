// Fails, delays or kills a process at its k-th call that changes something under one folder, whatever library
// makes the call. Preloaded by the tests (LD_PRELOAD), never linked; README.md lists the variables.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// What a call is about: a full disk refuses what needs room, a read-only one all but syncing.
enum class Need { room, change, sync };

enum class Act { none, fail, from, lost, kill, kill_after, torn, shorten, run };

struct Plan {
  std::string under;
  long at = 0;
  Act act = Act::none;
  int error = EIO;
  std::string command;
  int log = -1;
};

int error_of(const std::string& name) {
  if (name == "ENOSPC") return ENOSPC;
  if (name == "EROFS") return EROFS;
  if (name == "EACCES") return EACCES;
  if (name == "EOPNOTSUPP") return EOPNOTSUPP;
  return EIO;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

const char* const kActs[] = {"none", "fail", "from", "lost", "kill", "kill-after", "torn", "short", "run"};

Plan read_plan() {
  Plan plan;
  plan.under = variable("TENTER_FAULT_UNDER");
  plan.at = std::strtol(variable("TENTER_FAULT_AT").c_str(), nullptr, 10);
  const std::string what = variable("TENTER_FAULT_DO");
  const std::size_t colon = what.find(':');
  const std::string verb = what.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : what.substr(colon + 1);
  for (std::size_t i = 0; i < std::size(kActs); ++i)
    if (verb == kActs[i]) plan.act = static_cast<Act>(i);
  plan.error = error_of(rest);
  plan.command = rest;
  const std::string log = variable("TENTER_FAULT_LOG");
  if (!log.empty())
    plan.log = static_cast<int>(
        ::syscall(SYS_openat, AT_FDCWD, log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  return plan;
}

const Plan& plan() {
  static const Plan read = read_plan();
  return read;
}

std::atomic<long> counted{0};

std::string path_of(int descriptor) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  char path[4096];
  const ssize_t size = ::readlink(name, path, sizeof path);
  return size <= 0 ? std::string() : std::string(path, static_cast<std::size_t>(size));
}

std::string absolute(int folder, const char* path) {
  if (path[0] == '/') return path;
  char current[4096];
  const std::string base = folder != AT_FDCWD                  ? path_of(folder)
                           : ::getcwd(current, sizeof current) ? std::string(current)
                                                               : std::string();
  return base + "/" + path;
}

bool is_under(const std::string& path) {
  const std::string& under = plan().under;
  return !under.empty() && path.compare(0, under.size(), under) == 0 &&
         (path.size() == under.size() || path[under.size()] == '/');
}

void note(long number, const char* call, const std::string& path, const std::string& to,
          const char* outcome) {
  if (plan().log < 0) return;
  const std::string line =
      std::to_string(number) + "\t" + call + "\t" + path + "\t" + to + "\t" + outcome + "\n";
  if (::syscall(SYS_write, plan().log, line.data(), line.size()) < 0) std::abort();
}

// Another program runs to its end before the call goes on: it does not see this library.
void run_command() {
  std::vector<char*> variables;
  for (char** at = environ; *at != nullptr; ++at)
    if (std::strncmp(*at, "LD_PRELOAD=", 11) != 0 && std::strncmp(*at, "TENTER_FAULT_", 13) != 0)
      variables.push_back(*at);
  variables.push_back(nullptr);
  std::string shell = "/bin/sh", flag = "-c", command = plan().command;
  char* const words[] = {shell.data(), flag.data(), command.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawn(&child, shell.c_str(), nullptr, nullptr, words, variables.data()) != 0) std::abort();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

bool refuses(Need need) {
  if (plan().error == ENOSPC) return need == Need::room;
  if (plan().error == EROFS) return need != Need::sync;
  return true;
}

// The call itself, and for calls that write bytes the same with half of them.
template <class Call, class Half>
auto faulty(const char* name, Need need, const std::string& path, const std::string& to, Call call, Half half)
    -> decltype(call()) {
  const long number = ++counted;
  const bool is_now = plan().at > 0 && number == plan().at;
  const bool is_later = plan().at > 0 && number > plan().at && plan().act == Act::from;
  const Act act = is_now || is_later ? plan().act : Act::none;
  const auto failed = [&] {
    note(number, name, path, to, "failed");
    errno = plan().error;
    return static_cast<decltype(call())>(-1);
  };
  switch (act) {
    case Act::fail:
      return failed();
    case Act::from:
      if (refuses(need)) return failed();
      break;
    case Act::lost:
      if (call() < 0) break;
      return failed();
    case Act::kill:
      note(number, name, path, to, "killed");
      die();
    case Act::kill_after:
      static_cast<void>(call());
      note(number, name, path, to, "killed after");
      die();
    case Act::torn:
      static_cast<void>(half());
      note(number, name, path, to, "torn");
      die();
    case Act::shorten:
      note(number, name, path, to, "short");
      return half();
    case Act::run:
      note(number, name, path, to, "ran a command");
      run_command();
      break;
    case Act::none:
      break;
  }
  const auto result = call();
  const int error = errno;
  note(number, name, path, to, result < 0 ? std::strerror(error) : "ok");
  errno = error;
  return result;
}

template <class Call>
auto faulty(const char* name, Need need, const std::string& path, const std::string& to, Call call) {
  return faulty(name, need, path, to, call, call);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool changes(int flags) {
  return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
}

bool counts_reads() {
  static const bool wanted = !variable("TENTER_FAULT_READS").empty();
  return wanted;
}

using OpenAt = int(int, const char*, int, ...);

int open_under(const char* name, int folder, const char* path, int flags, mode_t mode) {
  static OpenAt* const next = real<OpenAt>("openat");
  const auto call = [&] { return next(folder, path, flags, mode); };
  if (!changes(flags) && !counts_reads()) return call();
  const std::string whole = absolute(folder, path);
  if (!is_under(whole)) return call();
  return faulty(changes(flags) ? name : "open for reading", changes(flags) ? Need::room : Need::sync, whole,
                "", call);
}

mode_t mode_of(int flags, va_list list) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

template <class Call, class Half>
ssize_t write_under(const char* name, int descriptor, Call call, Half half) {
  const std::string path = plan().under.empty() ? std::string() : path_of(descriptor);
  if (!is_under(path)) return call();
  return faulty(name, Need::room, path, "", call, half);
}

template <class Call>
int change_descriptor(const char* name, Need need, int descriptor, Call call) {
  const std::string path = plan().under.empty() ? std::string() : path_of(descriptor);
  if (!is_under(path)) return call();
  return faulty(name, need, path, "", call);
}

template <class Call>
int change_path(const char* name, Need need, const std::string& path, const std::string& to, Call call) {
  if (!is_under(path) && !is_under(to)) return call();
  return faulty(name, need, path, to, call);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_under("open", AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_under("open", AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_under("openat", folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_under("openat", folder, path, flags | O_LARGEFILE, mode);
}
// What a fortified caller calls.
int __open_2(const char* path, int flags) {
  return open_under("open", AT_FDCWD, path, flags, 0);
}
int __open64_2(const char* path, int flags) {
  return open_under("open", AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  return write_under(
      "write", descriptor, [&] { return next(descriptor, bytes, count); },
      [&] { return next(descriptor, bytes, (count + 1) / 2); });
}
ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  static auto* const next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return write_under(
      "pwrite", descriptor, [&] { return next(descriptor, bytes, count, offset); },
      [&] { return next(descriptor, bytes, (count + 1) / 2, offset); });
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
  return ::pwrite(descriptor, bytes, count, offset);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  static auto* const next = real<ssize_t(int, const iovec*, int)>("writev");
  return write_under(
      "writev", descriptor, [&] { return next(descriptor, parts, count); },
      [&] { return next(descriptor, parts, (count + 1) / 2); });
}

int fsync(int descriptor) {
  static auto* const next = real<int(int)>("fsync");
  return change_descriptor("fsync", Need::sync, descriptor, [&] { return next(descriptor); });
}
int fdatasync(int descriptor) {
  static auto* const next = real<int(int)>("fdatasync");
  return change_descriptor("fdatasync", Need::sync, descriptor, [&] { return next(descriptor); });
}
int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const next = real<int(int, off_t)>("ftruncate");
  return change_descriptor("ftruncate", Need::change, descriptor, [&] { return next(descriptor, size); });
}
int ftruncate64(int descriptor, off64_t size) noexcept {
  return ::ftruncate(descriptor, size);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  static auto* const next = real<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return change_path("rename", Need::change, absolute(from_folder, from), absolute(to_folder, to),
                     [&] { return next(from_folder, from, to_folder, to, flags); });
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return ::renameat2(from_folder, from, to_folder, to, 0);
}
int rename(const char* from, const char* to) noexcept {
  return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static auto* const next = real<int(int, const char*, int, const char*, int)>("linkat");
  return change_path("link", Need::room, absolute(from_folder, from), absolute(to_folder, to),
                     [&] { return next(from_folder, from, to_folder, to, flags); });
}
int link(const char* from, const char* to) noexcept {
  return ::linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  static auto* const next = real<int(int, const char*, int)>("unlinkat");
  return change_path("unlink", Need::change, absolute(folder, path), "",
                     [&] { return next(folder, path, flags); });
}
int unlink(const char* path) noexcept {
  return ::unlinkat(AT_FDCWD, path, 0);
}
int rmdir(const char* path) noexcept {
  return ::unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  static auto* const next = real<int(int, const char*, mode_t)>("mkdirat");
  return change_path("mkdir", Need::room, absolute(folder, path), "",
                     [&] { return next(folder, path, mode); });
}
int mkdir(const char* path, mode_t mode) noexcept {
  return ::mkdirat(AT_FDCWD, path, mode);
}

}  // extern "C"
#pragma GCC visibility pop
