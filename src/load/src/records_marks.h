// Which bytes of a text end a plain field or could open a quote, 64 bytes at a time. With the machine's
// vectors where it has them; every way gives the same marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <load/records.h>

#include "records_splitter.h"

namespace load {

inline constexpr std::size_t kPieceBytes = 64;

// One bit for each byte of a piece, the first byte's lowest.
struct Marks {
  std::uint64_t ends = 0;  // delimiter, quote, \n, \r
  std::uint64_t wide = 0;  // not ASCII
};

class Marker {
 public:
  Marker(char delimiter, char quote, Vectors vectors);
  // Reads 64 bytes for each piece.
  void mark(const char* bytes, std::size_t pieces, Marks* into) const { mark_(*this, bytes, pieces, into); }

  char delimiter = ',';
  char quote = '"';

 private:
  void (*mark_)(const Marker&, const char*, std::size_t, Marks*);
};

// Splits records that have no quoted field, by marks. What it does not take the Splitter takes, and for
// what it takes the Splitter gives the same.
class PlainRecords {
 public:
  PlainRecords(const contract::CsvFormat& format, const CsvLimits& limits, std::size_t fields);

  // The record at the front of `bytes`, which stand at `position` of the file and are followed by at
  // least 63 readable ones. False: ask the Splitter.
  bool split(std::string_view bytes, std::uint64_t position, Extent& extent);
  // Of the record: where its fields end (the first ones, up to as many as asked for), and whether it
  // is surely ASCII.
  const std::vector<std::uint32_t>& ends() const { return ends_; }
  bool is_ascii() const { return wide_ == 0; }

 private:
  bool next_piece(std::string_view bytes, std::uint64_t position);
  bool end_line(std::string_view bytes, std::uint64_t position, std::size_t at, std::size_t fields,
                Extent& extent);

  static constexpr std::size_t kPieces = 64;
  static constexpr std::uint64_t kNowhere = static_cast<std::uint64_t>(-1);

  Marker marker_;
  bool is_used_;
  std::size_t record_bytes_max_;
  std::vector<std::uint32_t> ends_;
  std::uint64_t next_ = kNowhere;  // where the marks go on
  std::uint64_t base_ = 0;         // where the first piece stands
  std::size_t pieces_ = 0;
  std::size_t piece_ = 0;
  std::uint64_t left_ = 0;  // marks of this piece that were not passed yet
  std::uint64_t wide_ = 0;
  Marks marks_[kPieces];
};

}  // namespace load
