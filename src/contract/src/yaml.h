// YAML text as a tree that remembers where everything stood. Scalars are text and nothing else;
// a null is kept apart, with the characters that made it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace contract {

struct Entry;

struct Node {
  enum class Type { null, text, list, mapping };
  Type type = Type::null;
  std::size_t begin = 0;  // byte offset in the source of the first character
  std::string text;       // of a text; of a null as written: "null", "~" or nothing
  bool plain = false;     // neither quoted nor a block
  bool flow = false;      // a list or mapping in brackets
  std::vector<Node> items;
  std::vector<Entry> members;  // in text order

  bool is_text() const { return type == Type::text; }
  bool is_null() const { return type == Type::null; }
  // A null that somebody wrote, unlike a key without a value.
  bool is_written_null() const { return is_null() && !text.empty(); }
};

struct Entry {
  Node key;
  Node value;
};

// One document's text and the way from an offset to a place for people.
class Source {
 public:
  Source(std::string_view text, std::string file);

  std::string_view text() const { return text_; }
  const std::string& file() const { return file_; }
  base::Place place(std::size_t offset) const;
  // Where byte `offset` of a scalar's text stands in the file, through quotes, escapes and folding.
  base::Place place_in(const Node& scalar, std::size_t offset) const;
  std::string_view line(std::int64_t number) const;  // from 1; without its end
  // Whether YAML took the rest of the scalar's last line for a comment.
  bool comment_follows(const Node& scalar) const;

 private:
  std::vector<std::size_t> marks(const Node& scalar) const;

  std::string text_;  // without a byte order mark
  std::string file_;
  std::vector<std::size_t> line_starts_;
};

// The one document of the source. Codes: "document.yaml" and "document.repeated_key".
base::Result<Node> read_yaml(const Source& source);

// The text as a YAML scalar that every reader takes for this text.
std::string yaml_quote(std::string_view text);

// The line with the value quoted that YAML most likely stumbled over; nothing when none looks so.
std::optional<std::string> quoted_line(std::string_view line);

}  // namespace contract
