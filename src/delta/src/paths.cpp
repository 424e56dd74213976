// Percent-encoding of data file paths (RFC 2396).
#include <delta/actions.h>

namespace delta {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_plain(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return std::string_view("-_.!~*'()/=").find(c) != std::string_view::npos;
}

// "s3:" of "s3://bucket/x": its colon stays, any other one could be taken for it.
std::size_t scheme_length(std::string_view path) {
  const std::size_t colon = path.find(":/");
  if (colon == std::string_view::npos || colon == 0) return 0;
  for (const char c : path.substr(0, colon))
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-'))
      return 0;
  return colon + 1;
}

}  // namespace

base::Result<std::string> decode_path(std::string_view encoded) {
  std::string path;
  path.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      path += encoded[i];
      continue;
    }
    const int high = i + 2 < encoded.size() ? hex_digit(encoded[i + 1]) : -1;
    const int low = i + 2 < encoded.size() ? hex_digit(encoded[i + 2]) : -1;
    if (high < 0 || low < 0)
      return base::fail(
          base::Kind::corrupt, "delta.action",
          "the file path '" + std::string(encoded) + "' has a % without two hexadecimal digits");
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

std::string encode_path(std::string_view path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  const std::size_t scheme = scheme_length(path);
  std::string encoded(path.substr(0, scheme));
  for (const char c : path.substr(scheme)) {
    if (is_plain(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kHex[byte >> 4];
    encoded += kHex[byte & 15];
  }
  return encoded;
}

}  // namespace delta
