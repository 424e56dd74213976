// Delivered bytes as the record readers want them: unpacked, and in UTF-8. They are made while they
// are read and never held as a whole, so reading goes forward: reading far back starts anew.
//
// What has no meaning in the file's encoding (half a surrogate pair, a byte that windows-1252 does not
// define) becomes bytes that are no UTF-8, one for one, so that the file's own bytes can be had back.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <world/files.h>

namespace load {

struct Decoding {
  bool is_gzip = false;
  contract::Encoding encoding = contract::Encoding::utf_8;
  bool is_needed() const { return is_gzip || encoding != contract::Encoding::utf_8; }
};
// `compression` as the document says it; by_name looks at the file's name.
bool is_gzip(contract::Compression compression, std::string_view file_name);

// One pass over some bytes.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  virtual base::Result<std::size_t> read(char* into, std::size_t count) = 0;  // 0 at the end
};

// Safe to share between threads; each thread's own forward reading stays one pass.
class DecodedFile final : public world::ReadFile {
 public:
  // Reads the whole file once. `name` is for errors: "land.bad_gzip" (not gzip, cut short, or its checksum
  // is wrong), "land.bad_encoding" (UTF-16 of an odd size or unknown byte order), "land.changed".
  static base::Result<std::shared_ptr<const DecodedFile>> open(std::shared_ptr<const world::ReadFile> file,
                                                               std::string name, const Decoding& decoding);

  base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const override;
  base::Result<world::FileInfo> info() const override;  // size: of the decoded bytes

  // Thousands of files may stay open: their memory goes while nobody reads.
  void forget_passes() const;

  std::uint64_t delivered_size() const { return delivered_size_; }
  const std::string& delivered_sha256() const { return delivered_sha256_; }
  // The file's bytes for a piece of decoded ones (still unpacked).
  std::string undecode(std::string_view text) const;

 private:
  struct Pass {
    std::unique_ptr<ByteStream> stream;
    std::uint64_t position = 0;
  };
  DecodedFile() = default;
  std::optional<Pass> take_pass(std::uint64_t offset) const;

  std::shared_ptr<const world::ReadFile> file_;
  std::string name_;
  Decoding decoding_;
  mutable std::optional<bool> is_big_endian_;  // of UTF-16; found by the first pass, the same in each
  std::uint64_t size_ = 0;
  std::uint64_t delivered_size_ = 0;
  std::string delivered_sha256_;
  mutable std::mutex mutex_;
  mutable std::vector<Pass> passes_;  // not in use now
};

}  // namespace load
