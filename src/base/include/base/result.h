// Errors are values. Every function that can fail returns Result<T>; exceptions of libraries
// are caught in the one file that wraps the library. Plain values: copy and share freely.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base {

// Whose fault it is and whether trying again can help. Closed: each wire maps it once.
enum class Kind {
  invalid,      // what we were given is wrong
  denied,       // a rule or a right forbids it
  not_found,    // it is not there
  conflict,     // somebody else was first; trying again can help
  unsupported,  // recognised, not built
  corrupt,      // stored bytes break their own format
  io,           // the machine failed
  internal,     // our own fault
};

std::string_view kind_name(Kind kind);

// Where in a text. Lines and columns count from 1, 0 is unknown; columns count code points.
struct Place {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

struct Error {
  Kind kind = Kind::internal;
  std::string code;     // stable dotted words: "document.unknown_key"
  std::string message;  // what was found and what was expected
  std::string hint;     // what to do; may be empty
  Place place;

  friend bool operator==(const Error&, const Error&) = default;
};

// One line for people: "file:line:column: message (code). hint".
std::string print(const Error& error);

template <typename T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(Kind kind, std::string code, std::string message, std::string hint = {},
                                   Place place = {}) {
  return std::unexpected<Error>(
      Error{kind, std::move(code), std::move(message), std::move(hint), std::move(place)});
}
inline std::unexpected<Error> fail(Error error) {
  return std::unexpected<Error>(std::move(error));
}

}  // namespace base

#define TENTER_CONCAT_INNER(a, b) a##b
#define TENTER_CONCAT(a, b) TENTER_CONCAT_INNER(a, b)

// TRY(auto rows, read(path)): the value, or return its error.
#define TRY(declaration, expression)                                                 \
  auto TENTER_CONCAT(try_result_, __LINE__) = (expression);                          \
  if (!TENTER_CONCAT(try_result_, __LINE__))                                         \
    return std::unexpected(std::move(TENTER_CONCAT(try_result_, __LINE__)).error()); \
  declaration = *std::move(TENTER_CONCAT(try_result_, __LINE__))

// TRY_STATUS(write(path, bytes)): go on, or return its error.
#define TRY_STATUS(expression)                                     \
  do {                                                             \
    if (auto try_status_value = (expression); !try_status_value)   \
      return std::unexpected(std::move(try_status_value).error()); \
  } while (false)
