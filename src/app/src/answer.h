// What a command answers: JSON for machines, text for people, errors for both.
#pragma once

#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>

namespace app {

struct Answer {
  base::Json result = base::Json::object();
  std::string text;                 // for standard output, in text mode
  std::vector<base::Error> errors;  // the first decides the exit code
  std::vector<std::string> warnings;
  bool text_has_hints = false;  // the text says already what to do about the errors
};

int exit_code(const base::Error& error);
// 0 without errors.
int exit_code(const Answer& answer);
Answer failed(base::Error error);

// For people: control characters made visible, and what is longer than a screen's lines cut, with its size.
std::string clipped(std::string_view text);

// A text table: columns aligned, numbers to the right, two spaces between; long values are cut.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string print(int indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace app
