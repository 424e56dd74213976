#include <algorithm>

#include <base/text.h>

#include "yaml.h"

namespace contract {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The number of characters after the backslash that one escape of a double-quoted scalar takes.
std::size_t escape_length(char kind) {
  if (kind == 'x') return 3;
  if (kind == 'u') return 5;
  if (kind == 'U') return 9;
  return 1;
}

// Offsets of the characters that are not white space, as they come out of a scalar. Folding only
// ever changes white space, so the n-th such byte of the text is the n-th of the source.
struct Walk {
  std::string_view source;
  std::size_t at;
  std::vector<std::size_t> found;

  void plain(std::size_t wanted) {
    for (; found.size() < wanted && at < source.size(); ++at)
      if (!is_space(source[at])) found.push_back(at);
  }
  void block(std::size_t wanted) {
    while (at < source.size() && source[at] != '\n') ++at;  // the header line
    plain(wanted);
  }
  void single_quoted() {
    for (++at; at < source.size(); ++at) {
      if (source[at] == '\'') {
        if (at + 1 >= source.size() || source[at + 1] != '\'') return;
        found.push_back(at++);
      } else if (!is_space(source[at])) {
        found.push_back(at);
      }
    }
  }
  void double_quoted() {
    for (++at; at < source.size() && source[at] != '"'; ++at) {
      if (source[at] == '\\' && at + 1 < source.size()) {
        escape();
      } else if (!is_space(source[at])) {
        found.push_back(at);
      }
    }
  }
  void escape() {
    const char kind = source[at + 1];
    const std::size_t length = escape_length(kind);
    const bool gives_space = kind == 'n' || kind == 't' || kind == 'r' || is_space(kind);
    if (!gives_space) found.push_back(at);
    at += length;
  }
};

}  // namespace

Source::Source(std::string_view text, std::string file) : file_(std::move(file)) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text_ = text;
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

base::Place Source::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - line_starts_.begin()) - 1;
  const std::size_t start = line_starts_[line];
  const std::size_t column = base::code_points(std::string_view(text_).substr(start, offset - start));
  return {file_, static_cast<std::int64_t>(line) + 1, static_cast<std::int64_t>(column) + 1};
}

std::vector<std::size_t> Source::marks(const Node& scalar) const {
  Walk walk{text_, scalar.begin, {}};
  if (walk.at >= text_.size()) return {};
  const auto wanted = static_cast<std::size_t>(
      std::count_if(scalar.text.begin(), scalar.text.end(), [](char c) { return !is_space(c); }));
  switch (text_[walk.at]) {
    case '\'':
      walk.single_quoted();
      break;
    case '"':
      walk.double_quoted();
      break;
    case '|':
    case '>':
      if (scalar.plain)
        walk.plain(wanted);
      else
        walk.block(wanted);
      break;
    default:
      walk.plain(wanted);
  }
  return walk.found;
}

base::Place Source::place_in(const Node& scalar, std::size_t offset) const {
  const std::vector<std::size_t> found = marks(scalar);
  if (found.empty()) return place(scalar.begin);
  offset = std::min(offset, scalar.text.size());
  const auto before = static_cast<std::size_t>(
      std::count_if(scalar.text.begin(), scalar.text.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char c) { return !is_space(c); }));
  const bool is_end = offset == scalar.text.size() || before >= found.size();
  return place(is_end ? found.back() + 1 : found[before]);
}

std::string_view Source::line(std::int64_t number) const {
  if (number < 1 || static_cast<std::size_t>(number) > line_starts_.size()) return {};
  const std::size_t start = line_starts_[static_cast<std::size_t>(number) - 1];
  std::string_view rest = std::string_view(text_).substr(start);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

bool Source::comment_follows(const Node& scalar) const {
  if (!scalar.plain || scalar.text.empty()) return false;
  const std::vector<std::size_t> found = marks(scalar);
  if (found.empty()) return false;
  std::size_t at = found.back() + 1;
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  return at < text_.size() && text_[at] == '#';
}

}  // namespace contract
