// JSON's grammar (RFC 8259), strictly, over bytes that are known to be UTF-8. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace load {

// A member of an object. Texts stand without their quotes, escapes unresolved.
struct JsonMember {
  enum class Kind { null, text, other };
  std::string_view key;
  std::string_view value;
  Kind kind = Kind::other;
  bool key_escaped = false;
  bool value_escaped = false;
};

enum class JsonAnswer { object, other, broken };

class JsonGrammar {
 public:
  // What `text` is as a whole, spaces around it aside. The members of an object are views into it.
  JsonAnswer read(std::string_view text, std::vector<JsonMember>& members);
  // After `broken`: "expected a value at byte 7".
  std::string fault() const;

 private:
  void space();
  bool fail(const char* expected);
  bool take(char wanted, const char* expected);
  bool text(std::string_view& content, bool& escaped);
  bool escape();
  bool digits();
  bool number();
  bool word(std::string_view wanted);
  bool scalar();
  bool key();
  bool value();
  bool open_nested(bool& is_empty);
  bool close_nested();
  bool members(std::vector<JsonMember>& found);
  bool member(JsonMember& found);
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string nesting_;
  const char* expected_ = "";
};

// Resolves the escapes of a text that the grammar took, in place; the new size.
std::size_t resolve_escapes(char* text, std::size_t size);
bool has_half_surrogate(std::string_view text);  // among its escapes

}  // namespace load
