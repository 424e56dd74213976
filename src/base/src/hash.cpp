// The one-piece hash is called once a row: OpenSSL's own SHA-256 calls spare it the cost of the general
// digest interface, which is more than that of the hash. They are marked as old, not as wrong.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <base/hash.h>

#include <openssl/evp.h>
#include <openssl/sha.h>

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
  SHA256_CTX state;
  Digest digest;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &state);
  return digest;
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
