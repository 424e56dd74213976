// Finds one record at the front of some bytes. No I/O, no state from record to record: what it
// says depends on the bytes alone, which is why blocks can be read in any order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <load/records.h>

namespace load {

// One field inside the record's bytes, quotes left out.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  bool quoted = false;
  bool escaped = false;  // holds doubled or escaped characters
};

struct Extent {
  std::size_t size = 0;               // bytes of the record, without its line end
  std::size_t next = 0;               // bytes up to the next record
  std::int64_t line_ends = 0;         // physical lines up to the next record
  std::size_t fields = 0;             // 0 is a blank line
  std::optional<Malformation> cause;  // of the splitting; counts and encoding are the caller's
};

class Splitter {
 public:
  Splitter(const contract::CsvFormat& format, std::size_t record_bytes_max);

  // The record that starts at bytes[0]; `at_end` says that the file ends with these bytes.
  // False when more bytes are needed to tell. At most `spans_max` fields are noted.
  bool split(std::string_view bytes, bool at_end, std::size_t spans_max, Extent& extent,
             std::vector<Span>& spans) const;

  // Undoubles a field in place and returns its new size.
  std::size_t unescape(char* text, std::size_t size) const;

 private:
  struct Walk;
  bool plain_field(Walk& walk) const;
  bool quoted_field(Walk& walk, bool& closed) const;
  bool cut(std::string_view bytes, bool at_end, Malformation cause, Extent& extent) const;

  enum Class : std::uint8_t { ends_plain = 1, inside_quotes = 2 };
  std::array<std::uint8_t, 256> classes_{};
  char delimiter_;
  char quote_;
  char escape_;
  std::size_t record_bytes_max_;
};

// Bytes of the line end at bytes[at] ("\r\n" is one), which must be \n or \r; 0 when a \r is the
// last byte known and the file goes on.
std::size_t line_end_size(std::string_view bytes, std::size_t at, bool at_end);

}  // namespace load
