#include "json_grammar.h"

#include <algorithm>

#include "encodings.h"

namespace load {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The four digits behind "\u".
char32_t unit_at(const char* digits) {
  char32_t unit = 0;
  for (int i = 0; i < 4; ++i) unit = unit << 4 | static_cast<char32_t>(hex_value(digits[i]));
  return unit;
}

bool is_high(char32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low(char32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

// Whether "\uXXXX" of a low surrogate begins at `at`.
bool low_follows(std::string_view text, std::size_t at) {
  return at + 6 <= text.size() && text[at] == '\\' && text[at + 1] == 'u' &&
         is_low(unit_at(text.data() + at + 2));
}

char simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

void JsonGrammar::space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool JsonGrammar::fail(const char* expected) {
  expected_ = expected;
  return false;
}

bool JsonGrammar::take(char wanted, const char* expected) {
  if (at_ == text_.size() || text_[at_] != wanted) return fail(expected);
  ++at_;
  return true;
}

bool JsonGrammar::escape() {
  ++at_;
  if (here() != 'u') {
    if (at_ == text_.size() || std::string_view("\"\\/bfnrt").find(here()) == std::string_view::npos)
      return fail("an escape that JSON knows");
    ++at_;
    return true;
  }
  ++at_;
  for (int i = 0; i < 4; ++i, ++at_)
    if (hex_value(here()) < 0) return fail("four hexadecimal digits");
  return true;
}

bool JsonGrammar::text(std::string_view& content, bool& escaped) {
  if (!take('"', "a text in double quotes")) return false;
  const std::size_t begin = at_;
  escaped = false;
  for (;;) {
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20)
      ++at_;
    if (at_ == text_.size()) return fail("the text's closing quote");
    if (text_[at_] == '"') break;
    if (text_[at_] != '\\') return fail("an escape, not a control character,");
    escaped = true;
    if (!escape()) return false;
  }
  content = text_.substr(begin, at_ - begin);
  ++at_;
  return true;
}

bool JsonGrammar::digits() {
  if (!is_digit(here())) return fail("a digit");
  while (is_digit(here())) ++at_;
  return true;
}

bool JsonGrammar::number() {
  if (here() == '-') ++at_;
  if (here() == '0') {
    ++at_;
  } else if (!digits()) {
    return false;
  }
  if (here() == '.') {
    ++at_;
    if (!digits()) return false;
  }
  if (here() != 'e' && here() != 'E') return true;
  ++at_;
  if (here() == '+' || here() == '-') ++at_;
  return digits();
}

bool JsonGrammar::word(std::string_view wanted) {
  if (text_.substr(at_, wanted.size()) != wanted) return fail("a value");
  at_ += wanted.size();
  return true;
}

bool JsonGrammar::scalar() {
  std::string_view content;
  bool escaped = false;
  switch (here()) {
    case '"':
      return text(content, escaped);
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      return here() == '-' || is_digit(here()) ? number() : fail("a value");
  }
}

bool JsonGrammar::key() {
  std::string_view content;
  bool escaped = false;
  space();
  if (!text(content, escaped)) return false;
  space();
  return take(':', "a colon");
}

// Behind a bracket that was just passed.
bool JsonGrammar::open_nested(bool& is_empty) {
  nesting_ += text_[at_++];
  space();
  is_empty = here() == (nesting_.back() == '{' ? '}' : ']');
  return is_empty || nesting_.back() == '[' || key();
}

// Behind a value: closes what ends here. False when another value must follow, or with a fault.
bool JsonGrammar::close_nested() {
  expected_ = nullptr;
  while (!nesting_.empty()) {
    space();
    const bool is_object = nesting_.back() == '{';
    if (here() == ',') {
      ++at_;
      if (is_object) key();
      return false;
    }
    if (!take(is_object ? '}' : ']', is_object ? "a comma or }" : "a comma or ]")) return false;
    nesting_.pop_back();
  }
  return true;
}

// Any value, however deep, without recursion.
bool JsonGrammar::value() {
  nesting_.clear();
  for (;;) {
    space();
    bool is_empty = false;
    if (here() == '{' || here() == '[') {
      if (!open_nested(is_empty)) return false;
      if (!is_empty) continue;
    } else if (!scalar()) {
      return false;
    }
    if (close_nested()) return true;
    if (expected_ != nullptr) return false;
  }
}

bool JsonGrammar::member(JsonMember& found) {
  space();
  if (!text(found.key, found.key_escaped)) return false;
  space();
  if (!take(':', "a colon")) return false;
  space();
  if (here() == '"') {
    found.kind = JsonMember::Kind::text;
    return text(found.value, found.value_escaped);
  }
  const std::size_t begin = at_;
  found.kind = here() == 'n' ? JsonMember::Kind::null : JsonMember::Kind::other;
  if (!value()) return false;
  found.value = text_.substr(begin, at_ - begin);
  return true;
}

bool JsonGrammar::members(std::vector<JsonMember>& found) {
  ++at_;
  space();
  if (here() == '}') {
    ++at_;
    return true;
  }
  for (;;) {
    if (!member(found.emplace_back())) return false;
    space();
    if (here() != ',') return take('}', "a comma or }");
    ++at_;
  }
}

JsonAnswer JsonGrammar::read(std::string_view text, std::vector<JsonMember>& found) {
  text_ = text;
  at_ = 0;
  found.clear();
  space();
  const bool is_object = here() == '{';
  if (!(is_object ? members(found) : value())) return JsonAnswer::broken;
  space();
  if (at_ < text_.size()) {
    fail("nothing more");
    return JsonAnswer::broken;
  }
  return is_object ? JsonAnswer::object : JsonAnswer::other;
}

std::string JsonGrammar::fault() const {
  return "expected " + std::string(expected_) + " at byte " + std::to_string(at_ + 1);
}

bool has_half_surrogate(std::string_view text) {
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    if (text[at + 1] != 'u') {
      at += 2;
      continue;
    }
    const char32_t unit = unit_at(text.data() + at + 2);
    at += 6;
    if (is_low(unit)) return true;
    if (!is_high(unit)) continue;
    if (!low_follows(text, at)) return true;
    at += 6;
  }
  return false;
}

std::size_t resolve_escapes(char* text, std::size_t size) {
  const std::string_view given(text, size);
  std::string made;
  std::size_t to = 0;
  for (std::size_t at = 0; at < size;) {
    if (text[at] != '\\') {
      text[to++] = text[at++];
      continue;
    }
    if (text[at + 1] != 'u') {
      text[to++] = simple_escape(text[at + 1]);
      at += 2;
      continue;
    }
    char32_t point = unit_at(text + at + 2);
    at += 6;
    if (is_high(point) && low_follows(given, at)) {
      point = 0x10000 + ((point - 0xD800) << 10) + (unit_at(text + at + 2) - 0xDC00);
      at += 6;
    }
    made.clear();
    append_code_point(point, made);
    to += made.copy(text + to, made.size());
  }
  return to;
}

}  // namespace load
