#include "java_regex.h"

#include <re2/re2.h>

#include <base/text.h>

namespace sql {

namespace {

constexpr std::string_view kNotLineEnd = R"([^\n\r\x{85}\x{2028}\x{2029}])";
constexpr std::string_view kBeforeLineEnd = R"((?:(?:\r\n|[\n\r\x{85}\x{2028}\x{2029}])?\z))";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Translator {
 public:
  Translator(std::string_view pattern, bool is_test) : pattern_(pattern), is_test_(is_test) {}

  std::expected<std::string, RegexError> run() {
    while (at_ < pattern_.size() && error_.message.empty()) next();
    if (!error_.message.empty()) return std::unexpected(error_);
    return out_;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  void refuse(std::size_t at, std::string message) {
    if (error_.message.empty()) error_ = RegexError{at, std::move(message)};
  }
  void copy(std::size_t count = 1) {
    out_ += pattern_.substr(at_, count);
    at_ += count;
  }

  void next() {
    switch (peek()) {
      case '\\':
        return escape(false);
      case '[':
        return character_class();
      case '(':
        return group();
      case '{':
        return refuse(at_, "'{' stands where nothing can be repeated; write \\{");
      case '.':
        ++at_;
        out_ += dot_is_any_ ? std::string_view("(?s:.)") : kNotLineEnd;
        return quantifier();
      case '$':
        ++at_;
        out_ += is_test_ ? kBeforeLineEnd : std::string_view("$");
        return;
      case '^':
      case '|':
        return copy();
      case '*':
      case '+':
      case '?':
        return refuse(at_, std::string("'") + peek() + "' repeats nothing");
      case ')':
        copy();
        return quantifier();
      default:
        copy();
        while ((static_cast<unsigned char>(peek()) & 0xC0) == 0x80) copy();
        return quantifier();
    }
  }

  // What may follow a thing that can be repeated.
  void quantifier() {
    const char c = peek();
    if (c == '{') {
      if (!counted()) return;
    } else if (c == '*' || c == '+' || c == '?') {
      copy();
    } else {
      return;
    }
    if (peek() == '?') {
      copy();
    } else if (peek() == '+') {
      refuse(at_, "possessive repetition is not in RE2's language");
    }
    if (peek() == '*' || peek() == '+' || peek() == '?' || peek() == '{')
      refuse(at_, "a repetition of a repetition wants a group");
  }

  bool counted() {
    std::size_t end = 1;
    while (is_digit(peek(end))) ++end;
    const bool has_low = end > 1;
    if (peek(end) == ',') {
      ++end;
      while (is_digit(peek(end))) ++end;
    }
    if (!has_low || peek(end) != '}') {
      refuse(at_, "'{' is no repetition such as {2} or {2,5}; write \\{ for the sign");
      return false;
    }
    copy(end + 1);
    return true;
  }

  void group() {
    if (peek(1) != '?') return copy();
    if (peek(2) == ':') return copy(3);
    if (peek(2) == '<' && peek(3) != '=' && peek(3) != '!') {
      out_ += "(?P<";
      at_ += 3;
      return;
    }
    if (peek(2) == '=' || peek(2) == '!' || peek(2) == '<')
      return refuse(at_, "looking ahead or behind is not in RE2's language");
    if (peek(2) == '>') return refuse(at_, "an atomic group is not in RE2's language");
    std::size_t end = 2;
    while (peek(end) == 'i' || peek(end) == 's') ++end;
    if (end == 2 || (peek(end) != ')' && peek(end) != ':'))
      return refuse(at_, "of the flags only i and s are understood here");
    if (pattern_.substr(at_, end).find('s') != std::string_view::npos) {
      if (at_ != 0 || peek(end) != ')') return refuse(at_, "the flag s must stand first, as (?s)");
      dot_is_any_ = true;
    }
    copy(end + 1);
  }

  void escape(bool in_class) {
    const char c = peek(1);
    const std::size_t start = at_;
    if (c == '\0') return refuse(start, "the pattern ends in a backslash");
    if (c == 'Q') return quoted(in_class);
    if (is_digit(c))
      return refuse(start, c == '0' ? "octal characters are not understood here, write \\x.."
                                    : "a back-reference is not in RE2's language");
    if (c == 'u') return unicode(in_class);
    if (c == 'p' || c == 'P') return property(in_class);
    if (c == 's' || c == 'S') return space(in_class);
    constexpr std::string_view kClasses = "dDwW";
    constexpr std::string_view kCharacters = "tnrfax";
    constexpr std::string_view kPlaces = "bBAz";
    const bool is_place = kPlaces.find(c) != std::string_view::npos;
    const bool known = kClasses.find(c) != std::string_view::npos ||
                       kCharacters.find(c) != std::string_view::npos || (is_place && !in_class);
    if (is_letter(c) && !known) return refuse(start, std::string("\\") + c + " is not in RE2's language");
    if (!is_letter(c) && static_cast<unsigned char>(c) >= 0x80) {
      ++at_;  // a backslash before a character beyond ASCII means that character
      return;
    }
    copy(2);
    if (c == 'x') hex_digits(start);
    if (!in_class && !is_place) quantifier();
  }

  void hex_digits(std::size_t start) {
    const auto is_hex = [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    if (peek() == '{') {
      const std::size_t close = pattern_.find('}', at_);
      if (close == std::string_view::npos) return refuse(start, "\\x{ is never closed");
      return copy(close - at_ + 1);
    }
    if (!is_hex(peek()) || !is_hex(peek(1))) return refuse(start, "\\x wants two hexadecimal digits");
    copy(2);
  }

  void unicode(bool in_class) {
    for (std::size_t i = 2; i < 6; ++i) {
      const char c = peek(i);
      if (!is_digit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F'))
        return refuse(at_, "\\u wants four hexadecimal digits");
    }
    out_ += "\\x{" + std::string(pattern_.substr(at_ + 2, 4)) + "}";
    at_ += 6;
    if (!in_class) quantifier();
  }

  // Only names of general categories mean the same in both languages.
  void property(bool in_class) {
    std::size_t end = 3;
    if (peek(2) == '{') {
      const std::size_t close = pattern_.find('}', at_);
      if (close == std::string_view::npos || close - at_ > 5)
        return refuse(at_,
                      "of the \\p{…} only general categories such as \\p{L} or \\p{Lu} are understood here");
      end = close - at_ + 1;
    }
    copy(end);
    if (!in_class) quantifier();
  }

  void space(bool in_class) {
    const bool negated = peek(1) == 'S';
    if (negated && in_class) return refuse(at_, "\\S inside a class is not understood here");
    at_ += 2;
    if (in_class) {
      out_ += R"(\t\n\x0B\f\r )";
    } else {
      out_ += negated ? R"([^\t\n\x0B\f\r ])" : R"([\t\n\x0B\f\r ])";
      quantifier();
    }
  }

  void quoted(bool in_class) {
    const std::size_t close = pattern_.find("\\E", at_ + 2);
    const std::size_t end = close == std::string_view::npos ? pattern_.size() : close;
    if (in_class) return refuse(at_, "\\Q inside a class is not understood here");
    out_ += RE2::QuoteMeta(re2::StringPiece(pattern_.data() + at_ + 2, end - at_ - 2));
    at_ = close == std::string_view::npos ? end : end + 2;
    quantifier();
  }

  void character_class() {
    const std::size_t start = at_;
    copy();
    if (peek() == '^') copy();
    if (peek() == ']') return refuse(at_, "an empty class; write \\] for the sign");
    while (peek() != ']') {
      if (at_ >= pattern_.size()) return refuse(start, "this class is never closed");
      if (!error_.message.empty()) return;
      if (peek() == '[') return refuse(at_, "a class inside a class is not in RE2's language; write \\[");
      if (peek() == '&' && peek(1) == '&') return refuse(at_, "&& inside a class is not in RE2's language");
      if (peek() == '\\') {
        escape(true);
      } else {
        copy();
      }
    }
    copy();
    quantifier();
  }

  std::string_view pattern_;
  bool is_test_;
  bool dot_is_any_ = false;
  std::size_t at_ = 0;
  std::string out_;
  RegexError error_;
};

}  // namespace

std::expected<std::string, RegexError> translate_regex(std::string_view pattern, bool is_test) {
  std::expected<std::string, RegexError> translated = Translator(pattern, is_test).run();
  if (!translated) return translated;
  const RE2 compiled(*translated, RE2::Quiet);
  if (compiled.ok()) return translated;
  const std::size_t at = pattern.find(compiled.error_arg());
  return std::unexpected(RegexError{at == std::string_view::npos ? 0 : at, compiled.error()});
}

int count_groups(const std::string& translated) {
  return RE2(translated, RE2::Quiet).NumberOfCapturingGroups();
}

}  // namespace sql
