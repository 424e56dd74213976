// Other programs and other machines, for what has to be told to somebody. Every call has a limit in time.
// Safe to use from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <base/result.h>

namespace world {

struct Process {
  std::vector<std::string> words;  // the program, by PATH or by its path, and its arguments; no shell
  std::string folder;              // where it runs; relative names are seen from there
  std::string input;               // its standard input
  std::vector<std::pair<std::string, std::string>> variables;  // beside those of this process
  std::int64_t limit_ms = 0;                                   // then it and what it started are killed
};

struct ProcessEnd {
  int exit_code = 0;  // 128 + n when signal n ended it
  bool timed_out = false;
  std::string output;  // the first bytes that it wrote, both outputs together
};

struct HttpPost {
  std::string host;
  std::uint16_t port = 80;
  std::string path = "/";
  std::string content_type;
  std::string body;
  std::int64_t limit_ms = 0;  // from the first connection to the answer's status; names are looked up before
};

class Outside {
 public:
  virtual ~Outside() = default;
  // Runs to its end, or to the limit. An error when it could not be started: code "world.process".
  virtual base::Result<ProcessEnd> run(const Process& process) = 0;
  // Plain HTTP/1.1, one connection; the status of the answer. Code "world.post": no such host, no answer
  // within the limit, or one that is no HTTP. The post may have arrived all the same.
  virtual base::Result<int> post(const HttpPost& post) = 0;
};

std::unique_ptr<Outside> machine_outside();

}  // namespace world
