#include <world/scratch.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace world {

namespace {

base::Error scratch_error(const std::string& what, const std::string& directory) {
  return base::Error{base::Kind::io,
                     "world.io",
                     "cannot " + what + " a temporary file in " + directory + ": " + std::strerror(errno),
                     "name a folder with room in the variable TMPDIR",
                     {}};
}

class UnnamedFile final : public ScratchFile {
 public:
  UnnamedFile(int descriptor, std::string directory)
      : descriptor_(descriptor), directory_(std::move(directory)) {}
  ~UnnamedFile() override { ::close(descriptor_); }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  base::Result<std::uint64_t> append(std::string_view bytes) override {
    const std::uint64_t offset = size_.fetch_add(bytes.size());
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count =
          ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return base::fail(scratch_error("write to", directory_));
      done += static_cast<std::size_t>(count);
    }
    return offset;
  }

  base::Status read(std::uint64_t offset, char* into, std::size_t count) const override {
    for (std::size_t done = 0; done < count;) {
      const ssize_t got = ::pread(descriptor_, into + done, count - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) errno = EIO;  // it is shorter than what was appended
      if (got <= 0) return base::fail(scratch_error("read", directory_));
      done += static_cast<std::size_t>(got);
    }
    return {};
  }

 private:
  int descriptor_;
  std::string directory_;
  std::atomic<std::uint64_t> size_{0};
};

}  // namespace

base::Result<std::unique_ptr<ScratchFile>> scratch_file(const std::string& directory) {
  int descriptor = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) {  // a file system without such files
    std::string name = directory + "/tenter-XXXXXX";
    descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(name.c_str());
  }
  if (descriptor < 0) return base::fail(scratch_error("make", directory));
  return std::unique_ptr<ScratchFile>(std::make_unique<UnnamedFile>(descriptor, directory));
}

}  // namespace world
