#include "file_window.h"

#include <algorithm>
#include <cstring>

#include <base/hash.h>
#include <base/text.h>

namespace load {

using base::Kind;

namespace {

constexpr std::size_t kLineBytesMax = std::size_t{1} << 30;

bool is_ascii(std::string_view bytes) {
  std::uint64_t seen = 0;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    seen |= word;
  }
  for (; at < bytes.size(); ++at)
    seen |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at])) & 0x80;
  return (seen & 0x8080808080808080U) == 0;
}

// Pieces of a constant length, so that the compiler counts many bytes at once.
std::int64_t count_bytes(std::string_view bytes, char wanted) {
  constexpr std::size_t kPiece = 128;
  std::int64_t count = 0;
  std::size_t at = 0;
  for (; at + kPiece <= bytes.size(); at += kPiece) {
    std::uint8_t piece = 0;
    for (std::size_t i = 0; i < kPiece; ++i)
      piece = static_cast<std::uint8_t>(piece + static_cast<std::uint8_t>(bytes[at + i] == wanted));
    count += piece;
  }
  return count + std::count(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), wanted);
}

}  // namespace

bool is_text(std::string_view bytes) {
  return is_ascii(bytes) || base::is_utf8(bytes);
}

std::int64_t count_line_ends(std::string_view bytes) {
  std::int64_t count = count_bytes(bytes, '\n');
  for (std::size_t at = bytes.find('\r'); at != std::string_view::npos; at = bytes.find('\r', at + 1))
    if (at + 1 == bytes.size() || bytes[at + 1] != '\n') ++count;
  return count;
}

base::Error changed_while_read(const std::string& name) {
  return base::Error{Kind::conflict, "land.changed", name + " changed while it was read",
                     "run again when the file is completely written", base::Place{name, 0, 0}};
}

base::Result<std::string> hash_file(const world::ReadFile& file, const std::string& name,
                                    std::uint64_t size) {
  base::Sha256 hasher;
  std::string piece(std::min<std::uint64_t>(size, std::uint64_t{1} << 20), '\0');
  for (std::uint64_t offset = 0; offset < size;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), size - offset));
    TRY(const std::size_t got, file.read_at(offset, piece.data(), count));
    if (got < count) return base::fail(changed_while_read(name));
    hasher.update(std::string_view(piece).substr(0, got));
    offset += got;
  }
  return base::hex(hasher.finish());
}

base::Status Window::more(std::uint64_t position, std::uint64_t enough) {
  const std::size_t kept = static_cast<std::size_t>(offset_ + filled_ - position);
  if (kept > kLineBytesMax)
    return base::fail(Kind::unsupported, "land.line_too_long", name_ + " has a line of more than 1 GiB",
                      "check that the file is text, with line ends", base::Place{name_, 0, 0});
  const std::uint64_t next = position + kept;
  std::uint64_t count = std::max(kept, step_bytes_);
  if (next < enough) count = std::min(count, enough - next);
  count = std::min(count, file_bytes_ - std::min(next, file_bytes_));
  move_to(position, kept, kept + static_cast<std::size_t>(count));
  TRY(const std::size_t got, file_->read_at(next, buffer_.get() + kept, static_cast<std::size_t>(count)));
  filled_ += got;
  std::memset(buffer_.get() + filled_, 0, kSpareBytes);
  if (got == 0) return base::fail(changed_while_read(name_));
  return {};
}

void Window::move_to(std::uint64_t position, std::size_t kept, std::size_t capacity) {
  const char* const from = at(position);
  if (capacity > capacity_ || buffer_.use_count() > 1) {
    std::shared_ptr<char[]> other(new char[capacity + kSpareBytes]);
    if (kept > 0) std::memcpy(other.get(), from, kept);
    buffer_ = std::move(other);
    capacity_ = capacity;
  } else if (kept > 0) {
    std::memmove(buffer_.get(), from, kept);
  }
  offset_ = position;
  filled_ = kept;
}

}  // namespace load
