// Bytes that are held, read as a file: of both worlds that have no disk.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include <world/files.h>

namespace world {

inline base::Error no_such_file(const std::string& path) {
  return base::Error{base::Kind::not_found, "world.not_found", "no such file or folder: " + path, {}, {}};
}

class HeldFile final : public ReadFile {
 public:
  HeldFile(std::string bytes, FileInfo about) : bytes_(std::move(bytes)), about_(std::move(about)) {}
  base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const override {
    if (offset >= bytes_.size()) return std::size_t{0};
    const std::size_t got = std::min(count, bytes_.size() - static_cast<std::size_t>(offset));
    std::memcpy(into, bytes_.data() + offset, got);
    return got;
  }
  base::Result<FileInfo> info() const override { return about_; }

 private:
  std::string bytes_;
  FileInfo about_;
};

}  // namespace world
