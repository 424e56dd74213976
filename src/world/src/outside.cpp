// Processes and HTTP posts, by POSIX calls.
#include <world/outside.h>

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>

namespace world {

namespace {

using base::Kind;

constexpr std::size_t kOutputBytes = 4'096;
constexpr int kLookEvery_ms = 10;

base::Error failed(const std::string& code, const std::string& what, int number) {
  return base::Error{Kind::io, code, what + ": " + std::strerror(number), {}, {}};
}

// How long there is still to wait; never below 0.
class Deadline {
 public:
  explicit Deadline(std::int64_t limit_ms)
      : end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(limit_ms)) {}
  int left_ms() const {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

class Handle {
 public:
  explicit Handle(int number = -1) : number_(number) {}
  ~Handle() { close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  void take(int number) {
    close();
    number_ = number;
  }

 private:
  int number_;
};

// ---- processes ----

// "NAME=value" of this process and of the call, the call's first.
std::vector<std::string> environment(const Process& process) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : process.variables) all[name] = value;
  std::vector<std::string> texts;
  for (const auto& [name, value] : all) texts.push_back(name + "=" + value);
  return texts;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// A whole input as a file without a name: a program that does not read it cannot make us wait.
base::Status fill_input(Handle& input, const std::string& bytes) {
  input.take(::memfd_create("input", MFD_CLOEXEC));
  std::size_t done = 0;
  while (input.get() >= 0 && done < bytes.size()) {
    const ssize_t written = ::write(input.get(), bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  if (input.get() < 0 || done < bytes.size() || ::lseek(input.get(), 0, SEEK_SET) != 0)
    return base::fail(failed("world.process", "cannot keep the input of a process", errno));
  return {};
}

// What a child starts from: its folder, its three streams, a group of its own, signals as usual.
class Start {
 public:
  Start(const Process& process, int input, int output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addchdir_np(&actions_, process.folder.empty() ? "." : process.folder.c_str());
    ::posix_spawn_file_actions_adddup2(&actions_, input, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 2);
    ::posix_spawnattr_init(&attributes_);
    sigset_t usual;
    ::sigemptyset(&usual);
    ::posix_spawnattr_setsigmask(&attributes_, &usual);
    for (const int signal : {SIGXFSZ, SIGPIPE, SIGINT, SIGTERM}) ::sigaddset(&usual, signal);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  // 0, or the number of the error.
  int run(std::vector<std::string> words, std::vector<std::string> variables, pid_t& child) {
    const std::vector<char*> arguments = pointers(words);
    const std::vector<char*> around = pointers(variables);
    return ::posix_spawnp(&child, words.front().c_str(), &actions_, &attributes_, arguments.data(),
                          around.data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Takes what is there to be read; false at the end of the stream.
bool drain(int from, std::string& output) {
  std::array<char, kOutputBytes> piece{};
  for (;;) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    const std::size_t room = kOutputBytes - std::min(output.size(), kOutputBytes);
    output.append(piece.data(), std::min(static_cast<std::size_t>(got), room));
  }
}

ProcessEnd wait_for(pid_t child, int output, std::int64_t limit_ms) {
  const Deadline deadline(limit_ms);
  ProcessEnd end;
  int status = 0;
  bool is_open = true;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (deadline.left_ms() == 0) {
      end.timed_out = true;
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      break;
    }
    pollfd ready{output, POLLIN, 0};
    ::poll(&ready, is_open ? 1 : 0, std::min(kLookEvery_ms, deadline.left_ms()));
    if (is_open) is_open = drain(output, end.output);
  }
  if (is_open) drain(output, end.output);
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

// ---- posts ----

base::Error post_failed(const HttpPost& post, const std::string& why) {
  return base::Error{Kind::io,
                     "world.post",
                     "cannot post to " + post.host + ":" + std::to_string(post.port) + ": " + why,
                     {},
                     {}};
}

struct Addresses {
  addrinfo* first = nullptr;
  ~Addresses() {
    if (first != nullptr) ::freeaddrinfo(first);
  }
};

// Whether the handle is ready before the deadline.
bool is_ready(int handle, short events, const Deadline& deadline) {
  pollfd ready{handle, events, 0};
  int count = 0;
  do count = ::poll(&ready, 1, deadline.left_ms());
  while (count < 0 && errno == EINTR);
  return count > 0;
}

base::Status connect_to(const HttpPost& post, const Deadline& deadline, Handle& connection) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  Addresses found;
  const int code = ::getaddrinfo(post.host.c_str(), std::to_string(post.port).c_str(), &wanted, &found.first);
  if (code != 0) return base::fail(post_failed(post, ::gai_strerror(code)));
  std::string why = "the host has no address";
  for (const addrinfo* one = found.first; one != nullptr; one = one->ai_next) {
    connection.take(::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, one->ai_protocol));
    if (connection.get() < 0) continue;
    if (::connect(connection.get(), one->ai_addr, one->ai_addrlen) == 0) return {};
    int number = errno;
    if (number == EINPROGRESS) {
      if (!is_ready(connection.get(), POLLOUT, deadline)) {
        why = "no connection within the time limit";
        continue;
      }
      socklen_t size = sizeof(number);
      ::getsockopt(connection.get(), SOL_SOCKET, SO_ERROR, &number, &size);
      if (number == 0) return {};
    }
    why = std::strerror(number);
  }
  return base::fail(post_failed(post, why));
}

std::string request_of(const HttpPost& post) {
  const bool is_bracketed = post.host.find(':') != std::string::npos;
  const std::string host = is_bracketed ? "[" + post.host + "]" : post.host;
  return "POST " + post.path + " HTTP/1.1\r\nHost: " + host + ":" + std::to_string(post.port) +
         "\r\nContent-Type: " + post.content_type +
         "\r\nContent-Length: " + std::to_string(post.body.size()) + "\r\nConnection: close\r\n\r\n" +
         post.body;
}

base::Status send_all(const HttpPost& post, const Deadline& deadline, int connection,
                      std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!is_ready(connection, POLLOUT, deadline))
        return base::fail(post_failed(post, "it was not taken within the time limit"));
    } else if (errno != EINTR) {
      return base::fail(post_failed(post, std::strerror(errno)));
    }
  }
  return {};
}

// "HTTP/1.1 204 No Content"; interim answers (1xx) are passed over.
base::Result<int> read_status(const HttpPost& post, const Deadline& deadline, int connection) {
  std::string head;
  std::array<char, 1'024> piece{};
  while (head.size() < kOutputBytes) {
    const std::size_t end = head.find("\r\n");
    if (end != std::string::npos) {
      int status = 0;
      const bool is_http = head.starts_with("HTTP/1.") && end >= 12 && head[8] == ' ';
      if (is_http) std::from_chars(head.data() + 9, head.data() + 12, status);
      if (status < 100 || status > 599) return base::fail(post_failed(post, "the answer is no HTTP"));
      const std::size_t behind = head.find("\r\n\r\n");
      if (status >= 200) return status;
      if (behind != std::string::npos) {
        head.erase(0, behind + 4);
        continue;
      }
    }
    if (!is_ready(connection, POLLIN, deadline))
      return base::fail(post_failed(post, "no answer within the time limit"));
    const ssize_t got = ::recv(connection, piece.data(), piece.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got < 0) return base::fail(post_failed(post, std::strerror(errno)));
    if (got == 0) return base::fail(post_failed(post, "the connection ended without an answer"));
    head.append(piece.data(), static_cast<std::size_t>(got));
  }
  return base::fail(post_failed(post, "the answer is no HTTP"));
}

class Machine final : public Outside {
 public:
  base::Result<ProcessEnd> run(const Process& process) override {
    if (process.words.empty())
      return base::fail(Kind::invalid, "world.process", "no program is named to be run");
    Handle input;
    TRY_STATUS(fill_input(input, process.input));
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return base::fail(failed("world.process", "cannot make a pipe", errno));
    const Handle output(ends[0]);
    Handle childs(ends[1]);
    ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
    pid_t child = 0;
    Start start(process, input.get(), childs.get());
    const int number = start.run(process.words, environment(process), child);
    if (number != 0)
      return base::fail(failed("world.process", "cannot run " + process.words.front(), number));
    childs.close();
    return wait_for(child, output.get(), process.limit_ms);
  }

  base::Result<int> post(const HttpPost& post) override {
    const Deadline deadline(post.limit_ms);
    Handle connection;
    TRY_STATUS(connect_to(post, deadline, connection));
    TRY_STATUS(send_all(post, deadline, connection.get(), request_of(post)));
    return read_status(post, deadline, connection.get());
  }
};

}  // namespace

std::unique_ptr<Outside> machine_outside() {
  return std::make_unique<Machine>();
}

}  // namespace world
