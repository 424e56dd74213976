#include <base/hash.h>

#include <openssl/evp.h>

namespace base {

namespace {
EVP_MD_CTX* context(void* pointer) {
  return static_cast<EVP_MD_CTX*>(pointer);
}
}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context(context_), EVP_sha256(), nullptr);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context(context_));
}

void Sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(context(context_), bytes.data(), bytes.size());
}

Digest Sha256::finish() {
  Digest digest{};
  EVP_DigestFinal_ex(context(context_), digest.data(), nullptr);
  EVP_DigestInit_ex(context(context_), nullptr, nullptr);
  return digest;
}

Digest sha256(std::string_view bytes) {
  thread_local Sha256 hasher;
  hasher.update(bytes);
  return hasher.finish();
}

std::string sha256_hex(std::string_view bytes) {
  return hex(sha256(bytes));
}

std::string hex(std::span<const std::uint8_t> bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

}  // namespace base
