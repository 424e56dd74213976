#include "json_walk.h"

#include <algorithm>
#include <optional>

namespace load {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

// Where an element ends, by brackets, commas and quotes alone: its grammar is judged later. A text ends
// with its line at the latest, so that one open quote does not swallow what follows. Nothing when the
// bytes end first.
std::optional<std::size_t> element_size(std::string_view bytes, bool is_single) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    switch (bytes[at]) {
      case '"':
        for (++at; at < bytes.size() && bytes[at] != '"' && !is_line_end(bytes[at]); ++at)
          if (bytes[at] == '\\' && at + 1 < bytes.size() && !is_line_end(bytes[at + 1])) ++at;
        break;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth == 0 && bytes[at] == ']') return at;
        if (depth > 0) --depth;
        if (depth == 0 && is_single) return at + 1;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default:
        break;
    }
  }
  return std::nullopt;
}

}  // namespace

JsonWalk::JsonWalk(std::shared_ptr<const world::ReadFile> file, const std::string& name,
                   std::uint64_t file_bytes, const JsonShape& shape, std::size_t step_bytes,
                   const JsonPlace& from)
    : name_(name),
      file_bytes_(file_bytes),
      shape_(shape),
      at_(from),
      state_(from.offset == 0 ? State::outside : State::at_record),
      window_(std::move(file), name, file_bytes, from.offset, std::max(step_bytes, kByteOrderMark.size())) {}

std::unexpected<base::Error> JsonWalk::bad(const std::string& what, const std::string& hint) const {
  return base::fail(base::Kind::invalid, "land.bad_json", name_ + " is no JSON file: " + what, hint,
                    base::Place{name_, static_cast<int>(std::min<std::int64_t>(at_.line, INT32_MAX)), 0});
}

base::Result<bool> JsonWalk::more() {
  if (window_.at_end() || file_bytes_ == 0) return false;
  TRY_STATUS(window_.more(at_.offset, file_bytes_));
  return true;
}

// The next byte; false at the end of the file.
base::Result<bool> JsonWalk::find_byte(char& byte) {
  while (window_.from(at_.offset).empty()) {
    TRY(const bool have_more, more());
    if (!have_more) return false;
  }
  byte = window_.from(at_.offset)[0];
  return true;
}

void JsonWalk::pass(std::size_t count) {
  const std::string_view bytes = window_.from(at_.offset).substr(0, count);
  at_.line += count_line_ends(bytes);
  if (after_return_ && bytes.starts_with('\n')) --at_.line;
  if (!bytes.empty()) after_return_ = bytes.back() == '\r';
  at_.offset += count;
}

base::Status JsonWalk::skip_mark() {
  char first = '\0';
  TRY(const bool any, find_byte(first));
  if (any && window_.from(0).starts_with(kByteOrderMark)) at_.offset = kByteOrderMark.size();
  return {};
}

base::Status JsonWalk::skip_space() {
  for (;;) {
    char byte = '\0';
    TRY(const bool any, find_byte(byte));
    if (!any || !is_space(byte)) return {};
    const std::string_view bytes = window_.from(at_.offset);
    pass(static_cast<std::size_t>(std::find_if_not(bytes.begin(), bytes.end(), is_space) - bytes.begin()));
  }
}

void JsonWalk::pass_record() {
  at_.offset += record_bytes_;
  at_.line += record_line_ends_;
  record_bytes_ = 0;
  record_line_ends_ = 0;
  after_return_ = false;
}

base::Status JsonWalk::find_line_end() {
  for (std::size_t looked = 0;;) {
    const std::string_view bytes = window_.from(at_.offset);
    std::size_t end = bytes.find('\n', looked);
    end = std::min(bytes.substr(0, end).find('\r', looked), end);
    record_bytes_ = std::min(end, bytes.size());
    if (end != std::string_view::npos) return {};
    looked = bytes.size();
    TRY(const bool have_more, more());
    if (!have_more) return {};
  }
}

// The next line that holds more than spaces and tabs.
base::Result<bool> JsonWalk::next_line() {
  if (state_ == State::behind_record) pass_record();
  state_ = State::behind_record;
  for (;;) {
    char byte = '\0';
    TRY(const bool any, find_byte(byte));
    if (!any) return false;
    if (is_line_end(byte)) {
      pass(1);
      continue;
    }
    TRY_STATUS(find_line_end());
    const std::string_view line = record();
    if (!std::all_of(line.begin(), line.end(), is_space)) return true;
    pass_record();
  }
}

// Behind the opening bracket of the file's array, or before its one object.
base::Result<bool> JsonWalk::enter() {
  TRY_STATUS(skip_space());
  char byte = '\0';
  TRY(const bool any, find_byte(byte));
  if (!any) return false;
  shape_.is_single = byte == '{';
  if (!shape_.is_single && byte != '[')
    return bad("it begins with neither [ nor {", "write Format: jsonl for a file of one record a line");
  if (shape_.is_single) return true;
  pass(1);
  TRY_STATUS(skip_space());
  TRY(const bool more_comes, find_byte(byte));
  if (!more_comes) return bad("its array is not closed", "deliver the file anew: it was cut");
  if (byte != ']') return true;
  TRY_STATUS(check_end());
  return false;
}

// Nothing but spaces behind the last bracket.
base::Status JsonWalk::check_end() {
  if (!shape_.is_single) pass(1);
  TRY_STATUS(skip_space());
  char byte = '\0';
  TRY(const bool any, find_byte(byte));
  if (any) return bad("more follows its end", "write Format: jsonl for a file of one record a line");
  return {};
}

base::Status JsonWalk::find_element_end() {
  for (;;) {
    const std::string_view bytes = window_.from(at_.offset);
    const auto size = element_size(bytes, shape_.is_single);
    if (size) {
      record_bytes_ = *size;
      while (record_bytes_ > 0 && is_space(bytes[record_bytes_ - 1])) --record_bytes_;
      record_line_ends_ = count_line_ends(bytes.substr(0, record_bytes_));
      if (record_bytes_ == 0) return bad("a comma where a record should be", "remove the comma");
      return {};
    }
    TRY(const bool have_more, more());
    if (!have_more)
      return bad(shape_.is_single ? "its object is not closed" : "its array is not closed",
                 "deliver the file anew: it was cut");
  }
}

base::Result<bool> JsonWalk::next_element() {
  if (state_ == State::outside) {
    TRY(const bool any, enter());
    if (!any) return false;
  } else if (state_ == State::behind_record) {
    pass_record();
    if (shape_.is_single) {
      TRY_STATUS(check_end());
      return false;
    }
    TRY_STATUS(skip_space());
    char byte = '\0';
    TRY(const bool any, find_byte(byte));
    if (!any) return bad("its array is not closed", "deliver the file anew: it was cut");
    if (byte == ']') {
      TRY_STATUS(check_end());
      return false;
    }
    pass(1);
    TRY_STATUS(skip_space());
    TRY(const bool more_comes, find_byte(byte));
    if (more_comes && byte == ']') return bad("a comma behind its last record", "remove the comma");
  }
  state_ = State::behind_record;
  TRY_STATUS(find_element_end());
  return true;
}

base::Result<bool> JsonWalk::next() {
  if (state_ == State::at_end) return false;
  if (state_ == State::outside) TRY_STATUS(skip_mark());
  base::Result<bool> found = shape_.is_lines ? next_line() : next_element();
  if (!found || !*found) state_ = State::at_end;
  return found;
}

}  // namespace load
