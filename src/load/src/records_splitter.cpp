#include "records_splitter.h"

#include <algorithm>

namespace load {

// Where the splitter stands in a record.
struct Splitter::Walk {
  std::string_view bytes;
  bool at_end;
  std::size_t at = 0;
  std::int64_t line_ends = 0;
  bool text_after_quote = false;
  Span span;
};

Splitter::Splitter(const contract::CsvFormat& format, std::size_t record_bytes_max)
    : delimiter_(format.delimiter),
      quote_(format.quote),
      escape_(format.escape),
      record_bytes_max_(record_bytes_max) {
  const auto mark = [&](char c, Class what) {
    auto& entry = classes_[static_cast<unsigned char>(c)];
    entry = static_cast<std::uint8_t>(entry | what);
  };
  for (const char c : {delimiter_, '\n', '\r'}) mark(c, ends_plain);
  for (const char c : {quote_, escape_, '\n', '\r'}) mark(c, inside_quotes);
}

std::size_t line_end_size(std::string_view bytes, std::size_t at, bool at_end) {
  if (bytes[at] == '\n') return 1;
  if (at + 1 < bytes.size()) return bytes[at + 1] == '\n' ? 2 : 1;
  return at_end ? 1 : 0;
}

// Leaves `at` on the delimiter or line end behind the field, or at the end of the bytes.
bool Splitter::plain_field(Walk& walk) const {
  const char* const data = walk.bytes.data();
  const std::size_t size = walk.bytes.size();
  std::size_t at = walk.at;
  while (at < size && (classes_[static_cast<unsigned char>(data[at])] & ends_plain) == 0) ++at;
  walk.span.size = static_cast<std::uint32_t>(at - walk.at);
  walk.at = at;
  return at < size || walk.at_end;
}

// `at` stands on the opening quote. False when the bytes end first; `closed` is then false when
// the file ends too, and the quote with it is open.
bool Splitter::quoted_field(Walk& walk, bool& closed) const {
  const std::string_view bytes = walk.bytes;
  const std::size_t begin = walk.at + 1;
  walk.span = Span{static_cast<std::uint32_t>(begin), 0, true, false};
  closed = false;
  std::size_t at = begin;
  for (;;) {
    while (at < bytes.size() && (classes_[static_cast<unsigned char>(bytes[at])] & inside_quotes) == 0) ++at;
    if (at == bytes.size()) return walk.at_end;
    const char c = bytes[at];
    if (c == escape_) {
      if (at + 1 == bytes.size() && !walk.at_end) return false;
      const bool pair = at + 1 < bytes.size() && (bytes[at + 1] == quote_ || bytes[at + 1] == escape_);
      if (pair) {
        walk.span.escaped = true;
        at += 2;
        continue;
      }
    }
    if (c == quote_) break;
    if (c == '\n' || c == '\r') {
      const std::size_t size = line_end_size(bytes, at, walk.at_end);
      if (size == 0) return false;
      ++walk.line_ends;
      at += size;
      continue;
    }
    ++at;  // an escape before an ordinary character is text
  }
  closed = true;
  walk.span.size = static_cast<std::uint32_t>(at - begin);
  walk.at = at + 1;
  const Span kept = walk.span;
  if (!plain_field(walk)) return false;
  walk.text_after_quote = walk.text_after_quote || walk.span.size != 0;
  walk.span = kept;
  return true;
}

// The record ends with its first physical line.
bool Splitter::cut(std::string_view bytes, bool at_end, Malformation cause, Extent& extent) const {
  const std::size_t at = std::min(bytes.find_first_of("\r\n"), bytes.size());
  if (at == bytes.size() && !at_end) return false;
  const std::size_t end_size = at == bytes.size() ? 0 : line_end_size(bytes, at, at_end);
  if (end_size == 0 && at < bytes.size()) return false;
  extent = Extent{at, at + end_size, end_size == 0 ? 0 : 1, 1, cause};
  return true;
}

bool Splitter::split(std::string_view bytes, bool at_end, std::size_t spans_max, Extent& extent,
                     std::vector<Span>& spans) const {
  spans.clear();
  Walk walk{bytes, at_end};
  std::size_t fields = 0;
  const auto more = [&] {
    return bytes.size() > record_bytes_max_ + 1 && cut(bytes, at_end, Malformation::too_long, extent);
  };
  for (;;) {
    walk.span = Span{static_cast<std::uint32_t>(walk.at), 0, false, false};
    if (walk.at < bytes.size() && bytes[walk.at] == quote_) {
      bool closed = false;
      if (!quoted_field(walk, closed)) return more();
      if (!closed) {
        const bool long_one = bytes.size() > record_bytes_max_;
        return cut(bytes, at_end, long_one ? Malformation::too_long : Malformation::open_quote, extent);
      }
    } else if (!plain_field(walk)) {
      return more();
    }
    if (fields < spans_max) spans.push_back(walk.span);
    ++fields;
    if (walk.at == bytes.size() || bytes[walk.at] != delimiter_) break;
    ++walk.at;
  }
  if (walk.at > record_bytes_max_) return cut(bytes, at_end, Malformation::too_long, extent);
  const std::size_t end_size = walk.at == bytes.size() ? 0 : line_end_size(bytes, walk.at, at_end);
  if (end_size == 0 && walk.at < bytes.size()) return false;
  if (walk.at == 0) fields = 0;
  extent = Extent{walk.at, walk.at + end_size, walk.line_ends + (end_size == 0 ? 0 : 1), fields, {}};
  if (walk.text_after_quote) extent.cause = Malformation::text_after_quote;
  return true;
}

std::size_t Splitter::unescape(char* text, std::size_t size) const {
  std::size_t to = 0;
  for (std::size_t from = 0; from < size; ++from) {
    const bool pair =
        text[from] == escape_ && from + 1 < size && (text[from + 1] == quote_ || text[from + 1] == escape_);
    if (pair) ++from;
    text[to++] = text[from];
  }
  return to;
}

}  // namespace load
