// What the record readers share: a file as a window that moves forward, and what is asked of its bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <base/result.h>
#include <world/files.h>

namespace load {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_text(std::string_view bytes);  // UTF-8
std::int64_t count_line_ends(std::string_view bytes);
base::Error changed_while_read(const std::string& name);  // "land.changed"
// SHA-256 of the whole file, lower-case hex; "land.changed" when it has become shorter.
base::Result<std::string> hash_file(const world::ReadFile& file, const std::string& name, std::uint64_t size);

// Readable behind what a window holds, for those who read many bytes at once.
inline constexpr std::size_t kSpareBytes = 64;

// A piece of the file in memory, moved forward as records are taken from it. What others still
// hold of it is left alone.
class Window {
 public:
  Window(std::shared_ptr<const world::ReadFile> file, const std::string& name, std::uint64_t file_bytes,
         std::uint64_t offset, std::size_t step_bytes)
      : file_(std::move(file)),
        name_(name),
        file_bytes_(file_bytes),
        offset_(offset),
        step_bytes_(step_bytes) {}

  char* at(std::uint64_t position) { return buffer_.get() + (position - offset_); }
  std::shared_ptr<const void> bytes() const { return buffer_; }
  std::string_view from(std::uint64_t position) {
    return {at(position), static_cast<std::size_t>(offset_ + filled_ - position)};
  }
  bool at_end() const { return offset_ + filled_ >= file_bytes_; }

  // Forgets what is before `position` and reads on, not beyond `enough` (which may be past) while
  // that is still ahead. At least one byte arrives, or the file has changed.
  base::Status more(std::uint64_t position, std::uint64_t enough);

 private:
  void move_to(std::uint64_t position, std::size_t kept, std::size_t capacity);

  std::shared_ptr<const world::ReadFile> file_;
  std::string name_;
  std::uint64_t file_bytes_;
  std::uint64_t offset_;
  std::size_t step_bytes_;
  std::shared_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace load
