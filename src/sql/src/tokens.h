// Words, numbers, strings and signs of Spark SQL, each with the byte offset where it starts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace sql {

struct Token {
  enum class Kind { word, quoted_name, string, number, sign, end };
  Kind kind = Kind::end;
  std::size_t offset = 0;
  std::string text;   // as written; of strings and back-ticked names what they stand for
  std::string lower;  // words only: in lower case
  // Strings only: offsets[i] is where byte i of `text` was written.
  std::vector<std::size_t> offsets;
};

base::Result<std::vector<Token>> read_tokens(std::string_view text);

base::Place place_at(std::string_view text, std::size_t offset);
// An error at a place in `text`.
base::Error error_at(std::string_view text, std::size_t offset, std::string code, std::string message,
                     std::string hint = {}, base::Kind kind = base::Kind::invalid);

// Words that are never a column by themselves.
bool is_key_word(std::string_view lower);

}  // namespace sql
