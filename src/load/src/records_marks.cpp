#include "records_marks.h"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace load {

namespace {

#if defined(__x86_64__)

__attribute__((target("avx2"))) void mark_avx2(const Marker& marker, const char* bytes, std::size_t pieces,
                                               Marks* into) {
  const __m256i delimiter = _mm256_set1_epi8(marker.delimiter);
  const __m256i quote = _mm256_set1_epi8(marker.quote);
  const __m256i feed = _mm256_set1_epi8('\n');
  const __m256i carriage = _mm256_set1_epi8('\r');
  const auto ends = [&](__m256i part) __attribute__((target("avx2"))) {
    const __m256i any =
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(part, delimiter), _mm256_cmpeq_epi8(part, quote)),
                        _mm256_or_si256(_mm256_cmpeq_epi8(part, feed), _mm256_cmpeq_epi8(part, carriage)));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(any));
  };
  for (std::size_t i = 0; i < pieces; ++i, bytes += kPieceBytes) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
    into[i].ends = static_cast<std::uint64_t>(ends(high)) << 32 | ends(low);
    into[i].wide = static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32 |
                   static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  }
}

// Every x86-64 has these.
void mark_narrow(const Marker& marker, const char* bytes, std::size_t pieces, Marks* into) {
  const __m128i delimiter = _mm_set1_epi8(marker.delimiter);
  const __m128i quote = _mm_set1_epi8(marker.quote);
  const __m128i feed = _mm_set1_epi8('\n');
  const __m128i carriage = _mm_set1_epi8('\r');
  for (std::size_t i = 0; i < pieces; ++i) {
    into[i] = Marks{};
    for (unsigned shift = 0; shift < kPieceBytes; shift += 16, bytes += 16) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
      const __m128i any =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(part, delimiter), _mm_cmpeq_epi8(part, quote)),
                       _mm_or_si128(_mm_cmpeq_epi8(part, feed), _mm_cmpeq_epi8(part, carriage)));
      into[i].ends |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(any))) << shift;
      into[i].wide |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(part)))
                      << shift;
    }
  }
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#endif

void mark_bytes(const Marker& marker, const char* bytes, std::size_t pieces, Marks* into) {
  for (std::size_t i = 0; i < pieces; ++i) {
    into[i] = Marks{};
    for (unsigned at = 0; at < kPieceBytes; ++at) {
      const char c = *bytes++;
      const bool is_end = c == marker.delimiter || c == marker.quote || c == '\n' || c == '\r';
      into[i].ends |= static_cast<std::uint64_t>(is_end) << at;
      into[i].wide |= static_cast<std::uint64_t>(static_cast<unsigned char>(c) >= 0x80) << at;
    }
  }
}

}  // namespace

Marker::Marker(char delimiter_character, char quote_character, Vectors vectors)
    : delimiter(delimiter_character), quote(quote_character), mark_(mark_bytes) {
#if defined(__x86_64__)
  if (vectors == Vectors::best || vectors == Vectors::narrow) mark_ = mark_narrow;
  if (vectors == Vectors::best && has_avx2()) mark_ = mark_avx2;
#else
  static_cast<void>(vectors);
#endif
}

PlainRecords::PlainRecords(const contract::CsvFormat& format, const CsvLimits& limits, std::size_t fields)
    : marker_(format.delimiter, format.quote, limits.vectors),
      is_used_(limits.vectors != Vectors::none),
      record_bytes_max_(limits.record_bytes_max),
      ends_(std::max<std::size_t>(fields, 1)) {}

// False when no byte that was not marked is there.
bool PlainRecords::next_piece(std::string_view bytes, std::uint64_t position) {
  if (++piece_ >= pieces_) {
    base_ += pieces_ * kPieceBytes;
    const std::size_t offset = static_cast<std::size_t>(base_ - position);
    if (offset >= bytes.size()) return false;
    const std::size_t rest = bytes.size() - offset;
    piece_ = 0;
    pieces_ = std::min(kPieces, (rest + kPieceBytes - 1) / kPieceBytes);
    marker_.mark(bytes.data() + offset, pieces_, marks_);
    const std::size_t last = rest - (pieces_ - 1) * kPieceBytes;
    if (last < kPieceBytes) {
      marks_[pieces_ - 1].ends &= (std::uint64_t{1} << last) - 1;
      marks_[pieces_ - 1].wide &= (std::uint64_t{1} << last) - 1;
    }
  }
  left_ = marks_[piece_].ends;
  wide_ |= marks_[piece_].wide;
  return true;
}

// At the line end `at` behind the last field.
bool PlainRecords::end_line(std::string_view bytes, std::uint64_t position, std::size_t at,
                            std::size_t fields, Extent& extent) {
  std::size_t end_size = 1;
  if (bytes[at] == '\r') {
    if (at + 1 == bytes.size()) return false;
    if (bytes[at + 1] == '\n') {
      end_size = 2;
      while (left_ == 0)
        if (!next_piece(bytes, position)) return false;
      left_ &= left_ - 1;
    }
  }
  if (at > record_bytes_max_) return false;
  extent = Extent{at, at + end_size, 1, at == 0 ? 0 : fields, {}};
  next_ = position + extent.next;
  return true;
}

bool PlainRecords::split(std::string_view bytes, std::uint64_t position, Extent& extent) {
  if (!is_used_) return false;
  wide_ = 0;
  if (position != next_) {
    base_ = position;
    pieces_ = piece_ = 0;
    left_ = 0;
  } else if (piece_ < pieces_) {
    wide_ = marks_[piece_].wide;
  }
  next_ = kNowhere;
  std::size_t begin = 0;
  std::size_t fields = 0;
  const std::size_t fields_max = ends_.size();
  for (;;) {
    while (left_ == 0)
      if (!next_piece(bytes, position)) return false;
    const std::size_t at = static_cast<std::size_t>(base_ + piece_ * kPieceBytes - position) +
                           static_cast<std::size_t>(std::countr_zero(left_));
    left_ &= left_ - 1;
    const char c = bytes[at];
    if (c == marker_.quote) {
      if (at == begin) return false;
      continue;
    }
    if (fields < fields_max) ends_[fields] = static_cast<std::uint32_t>(at);
    ++fields;
    if (c != marker_.delimiter) return end_line(bytes, position, at, fields, extent);
    begin = at + 1;
  }
}

}  // namespace load
