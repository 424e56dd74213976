#include "decoded_file.h"

#include <zlib.h>

#include <algorithm>

#include <base/hash.h>
#include <base/text.h>

#include "encodings.h"

namespace load {

namespace {

using base::Kind;

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr std::size_t kPassesMax = 8;

std::unexpected<base::Error> changed(const std::string& name) {
  return base::fail(Kind::conflict, "land.changed", name + " changed while it was read",
                    "run again when the file is completely written", base::Place{name, 0, 0});
}

std::unexpected<base::Error> bad_gzip(const std::string& name, const std::string& what) {
  return base::fail(Kind::invalid, "land.bad_gzip", name + " cannot be unpacked: " + what,
                    "deliver the file anew; gzip -t tells whether it is whole", base::Place{name, 0, 0});
}

std::unexpected<base::Error> bad_encoding(const std::string& name, const std::string& what) {
  return base::fail(Kind::invalid, "land.bad_encoding", name + " is no UTF-16 text: " + what,
                    "correct the file, or the encoding in the document", base::Place{name, 0, 0});
}

// The file as it is.
class Delivered final : public ByteStream {
 public:
  Delivered(std::shared_ptr<const world::ReadFile> file, const std::string& name, std::uint64_t size,
            base::Sha256* hash)
      : file_(std::move(file)), name_(name), size_(size), hash_(hash) {}

  base::Result<std::size_t> read(char* into, std::size_t count) override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - offset_));
    if (wanted == 0) return wanted;
    TRY(const std::size_t got, file_->read_at(offset_, into, wanted));
    if (got == 0) return changed(name_);
    if (hash_ != nullptr) hash_->update(std::string_view(into, got));
    offset_ += got;
    return got;
  }

 private:
  std::shared_ptr<const world::ReadFile> file_;
  const std::string& name_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;
  base::Sha256* hash_;
};

// One gzip member or several, one behind the other, and nothing else.
class Unpacked final : public ByteStream {
 public:
  Unpacked(std::unique_ptr<ByteStream> packed, const std::string& name)
      : packed_(std::move(packed)), name_(name), input_(kPieceBytes, '\0') {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    is_ready_ = inflateInit2(&inflater_, kGzipOnly) == Z_OK;
  }
  ~Unpacked() override {
    if (is_ready_) inflateEnd(&inflater_);
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  base::Result<std::size_t> read(char* into, std::size_t count) override {
    if (!is_ready_) return base::fail(Kind::io, "world.no_memory", "no memory to unpack " + name_);
    count = std::min(count, kPieceBytes);
    inflater_.next_out = reinterpret_cast<Bytef*>(into);
    inflater_.avail_out = static_cast<uInt>(count);
    while (inflater_.avail_out == count) {
      TRY(const bool more, feed());
      if (!more && is_between_members_) return std::size_t{0};
      if (!more) return bad_gzip(name_, "it ends too early");
      is_between_members_ = false;
      const int code = inflate(&inflater_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        is_between_members_ = true;
        inflateReset(&inflater_);
      } else if (code == Z_MEM_ERROR) {
        return base::fail(Kind::io, "world.no_memory", "no memory to unpack " + name_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return bad_gzip(name_, inflater_.msg == nullptr ? "it is no gzip file" : inflater_.msg);
      }
    }
    return count - inflater_.avail_out;
  }

 private:
  base::Result<bool> feed() {
    if (inflater_.avail_in > 0) return true;
    TRY(const std::size_t got, packed_->read(input_.data(), input_.size()));
    inflater_.next_in = reinterpret_cast<Bytef*>(input_.data());
    inflater_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }

  std::unique_ptr<ByteStream> packed_;
  const std::string& name_;
  std::string input_;
  z_stream inflater_{};
  bool is_ready_ = false;
  bool is_between_members_ = false;
};

// Texts of another encoding.
class InUtf8 final : public ByteStream {
 public:
  InUtf8(std::unique_ptr<ByteStream> from, const std::string& name, contract::Encoding encoding,
         std::optional<bool>* is_big_endian)
      : from_(std::move(from)), name_(name), input_(kPieceBytes, '\0'), is_big_endian_(is_big_endian) {
    is_utf16_ = encoding == contract::Encoding::utf_16;
  }

  base::Result<std::size_t> read(char* into, std::size_t count) override {
    while (given_ == made_.size()) {
      TRY(const bool more, make());
      if (!more) return std::size_t{0};
    }
    const std::size_t size = std::min(count, made_.size() - given_);
    made_.copy(into, size, given_);
    given_ += size;
    return size;
  }

 private:
  base::Result<bool> make() {
    made_.clear();
    given_ = 0;
    TRY(const std::size_t got, from_->read(input_.data(), input_.size()));
    const std::string_view bytes(input_.data(), got);
    if (!is_utf16_) {
      append_windows_1252(bytes, made_);
      return got > 0;
    }
    pending_ += bytes;
    if (!is_big_endian_->has_value() && pending_.size() >= 2) {
      *is_big_endian_ = utf16_is_big_endian(pending_);
      if (!is_big_endian_->has_value())
        return bad_encoding(name_, "it has no byte order mark, and does not begin with an ASCII character");
    }
    if (got == 0 && pending_.size() % 2 == 1) return bad_encoding(name_, "it has an odd number of bytes");
    if (is_big_endian_->has_value()) append_utf16(pending_, **is_big_endian_, got == 0, made_);
    return got > 0 || !made_.empty();
  }

  std::unique_ptr<ByteStream> from_;
  const std::string& name_;
  std::string input_;
  std::string pending_;  // units that wait for their other half
  std::string made_;
  std::size_t given_ = 0;
  bool is_utf16_ = false;
  std::optional<bool>* is_big_endian_;
};

// Everything that a pass points to belongs to the file that makes it.
std::unique_ptr<ByteStream> begin_pass(const std::shared_ptr<const world::ReadFile>& file,
                                       const std::string& name, std::uint64_t size, const Decoding& decoding,
                                       base::Sha256* hash, std::optional<bool>* is_big_endian) {
  std::unique_ptr<ByteStream> stream = std::make_unique<Delivered>(file, name, size, hash);
  if (decoding.is_gzip) stream = std::make_unique<Unpacked>(std::move(stream), name);
  if (decoding.encoding != contract::Encoding::utf_8)
    stream = std::make_unique<InUtf8>(std::move(stream), name, decoding.encoding, is_big_endian);
  return stream;
}

}  // namespace

bool is_gzip(contract::Compression compression, std::string_view file_name) {
  if (compression == contract::Compression::by_name) return base::ascii_lower(file_name).ends_with(".gz");
  return compression == contract::Compression::gzip;
}

base::Result<std::shared_ptr<const DecodedFile>> DecodedFile::open(
    std::shared_ptr<const world::ReadFile> file, std::string name, const Decoding& decoding) {
  std::shared_ptr<DecodedFile> opened(new DecodedFile);
  TRY(const world::FileInfo before, file->info());
  opened->file_ = std::move(file);
  opened->name_ = std::move(name);
  opened->decoding_ = decoding;
  opened->delivered_size_ = before.size;
  base::Sha256 hash;
  const auto stream =
      begin_pass(opened->file_, opened->name_, before.size, decoding, &hash, &opened->is_big_endian_);
  std::string piece(kPieceBytes, '\0');
  for (;;) {
    TRY(const std::size_t got, stream->read(piece.data(), piece.size()));
    if (got == 0) break;
    opened->size_ += got;
  }
  opened->delivered_sha256_ = base::hex(hash.finish());
  return std::shared_ptr<const DecodedFile>(std::move(opened));
}

base::Result<world::FileInfo> DecodedFile::info() const {
  TRY(world::FileInfo info, file_->info());
  if (info.size != delivered_size_) return changed(name_);
  info.size = size_;
  return info;
}

// The pass that is nearest before `offset`, taken out of those not in use.
std::optional<DecodedFile::Pass> DecodedFile::take_pass(std::uint64_t offset) const {
  const std::lock_guard lock(mutex_);
  auto best = passes_.end();
  for (auto at = passes_.begin(); at != passes_.end(); ++at)
    if (at->position <= offset && (best == passes_.end() || at->position > best->position)) best = at;
  if (best == passes_.end()) return std::nullopt;
  Pass pass = std::move(*best);
  passes_.erase(best);
  return pass;
}

base::Result<std::size_t> DecodedFile::read_at(std::uint64_t offset, char* into, std::size_t count) const {
  std::optional<Pass> kept = take_pass(offset);
  std::uint64_t position = kept ? kept->position : 0;
  std::unique_ptr<ByteStream> stream =
      kept ? std::move(kept->stream)
           : begin_pass(file_, name_, delivered_size_, decoding_, nullptr, &is_big_endian_);
  std::string passed_over;
  std::size_t filled = 0;
  while (filled < count) {
    const bool is_before = position < offset;
    if (is_before) passed_over.resize(kPieceBytes);
    const auto got = is_before
                         ? stream->read(passed_over.data(), static_cast<std::size_t>(std::min<std::uint64_t>(
                                                                passed_over.size(), offset - position)))
                         : stream->read(into + filled, count - filled);
    // The whole file was decoded before: what fails now is another file.
    if (!got && got.error().kind == Kind::invalid) return changed(name_);
    if (!got) return base::fail(got.error());
    if (*got == 0) break;
    position += *got;
    if (!is_before) filled += *got;
  }
  if (position == size_) return filled;  // nobody goes on from the end
  const std::lock_guard lock(mutex_);
  if (passes_.size() == kPassesMax) passes_.erase(passes_.begin());
  passes_.push_back(Pass{std::move(stream), position});
  return filled;
}

void DecodedFile::forget_passes() const {
  const std::lock_guard lock(mutex_);
  passes_.clear();
}

std::string DecodedFile::undecode(std::string_view text) const {
  if (decoding_.encoding == contract::Encoding::utf_16) return to_utf16(text, is_big_endian_.value_or(false));
  if (decoding_.encoding == contract::Encoding::windows_1252) return to_windows_1252(text);
  return std::string(text);
}

}  // namespace load
