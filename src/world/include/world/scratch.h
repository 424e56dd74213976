// A file without a name that lives as long as the object: room for what does not fit into memory. It is gone
// with the process, whatever ends that. Safe to use from several threads. Errors have the kinds of Files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <base/result.h>

namespace world {

class ScratchFile {
 public:
  virtual ~ScratchFile() = default;
  virtual base::Result<std::uint64_t> append(std::string_view bytes) = 0;  // the offset they stand at
  virtual base::Status read(std::uint64_t offset, char* into, std::size_t count) const = 0;
};

// `directory` must exist.
base::Result<std::unique_ptr<ScratchFile>> scratch_file(const std::string& directory);

}  // namespace world
