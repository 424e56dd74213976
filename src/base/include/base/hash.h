// SHA-256 (FIPS 180-4). Not thread-safe per object; make one per thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace base {

using Digest = std::array<std::uint8_t, 32>;

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void update(std::string_view bytes);
  Digest finish();  // the object can be used anew afterwards

 private:
  void* context_;
};

Digest sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
std::string hex(std::span<const std::uint8_t> bytes);  // lower case

}  // namespace base
