// Goes through a JSON file from record to record, whatever is inside them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <base/result.h>
#include <world/files.h>

#include "file_window.h"

namespace load {

struct JsonPlace {
  std::uint64_t offset = 0;
  std::int64_t line = 1;
};

struct JsonShape {
  bool is_lines = false;
  bool is_single = false;  // one object, no array; found out at the beginning of a file
};

class JsonWalk {
 public:
  // `from` is the beginning of a file, or where a record begins.
  JsonWalk(std::shared_ptr<const world::ReadFile> file, const std::string& name, std::uint64_t file_bytes,
           const JsonShape& shape, std::size_t step_bytes, const JsonPlace& from);

  // Goes on to the next record; false at the end. "land.bad_json" when the file is none.
  base::Result<bool> next();
  // Of the record that next() found.
  const JsonPlace& place() const { return at_; }
  std::string_view record() { return window_.from(at_.offset).substr(0, record_bytes_); }
  char* bytes() { return window_.at(at_.offset); }
  // What the record's bytes live in; held by others, they stay when next() reads on.
  std::shared_ptr<const void> owner() const { return window_.bytes(); }
  bool is_single() const { return shape_.is_single; }

 private:
  enum class State { outside, at_record, behind_record, at_end };
  base::Result<bool> more();
  base::Result<bool> find_byte(char& byte);
  base::Status skip_mark();
  base::Status skip_space();
  base::Result<bool> next_line();
  base::Result<bool> next_element();
  base::Result<bool> enter();
  base::Status find_element_end();
  base::Status check_end();
  base::Status find_line_end();
  void pass(std::size_t count);
  void pass_record();
  std::unexpected<base::Error> bad(const std::string& what, const std::string& hint) const;

  std::string name_;
  std::uint64_t file_bytes_;
  JsonShape shape_;
  JsonPlace at_;
  State state_;
  std::size_t record_bytes_ = 0;
  std::int64_t record_line_ends_ = 0;  // counted before anybody changes the bytes
  bool after_return_ = false;
  Window window_;
};

}  // namespace load
