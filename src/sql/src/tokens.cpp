#include "tokens.h"

#include <base/text.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sql {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word_part(char c) {
  return is_digit(c) || is_letter(c) || c == '_';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  base::Result<std::vector<Token>> run() {
    if (!base::is_utf8(text_)) return base::fail(at(0, "the expression is not valid UTF-8"));
    if (text_.find('\0') != std::string_view::npos)
      return base::fail(at(text_.find('\0'), "a zero byte stands in the expression"));
    while (true) {
      TRY_STATUS(skip_blank());
      if (at_ == text_.size()) break;
      TRY_STATUS(next());
    }
    tokens_.push_back(Token{Token::Kind::end, text_.size(), {}, {}, {}});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  base::Error at(std::size_t offset, std::string message, std::string hint = {}) const {
    return error_at(text_, offset, "sql.syntax", std::move(message), std::move(hint));
  }

  base::Status skip_blank() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (c == '-' && peek(1) == '-') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) return base::fail(at(at_, "this comment is never closed"));
        at_ = close + 2;
      } else {
        break;
      }
    }
    return {};
  }

  base::Status next() {
    const char c = peek();
    if ((c == 'r' || c == 'R') && (peek(1) == '\'' || peek(1) == '"')) return raw_string();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (is_letter(c) || c == '_') return word();
    if (c == '\'' || c == '"') return string();
    if (c == '`') return quoted_name();
    return sign();
  }

  base::Status word() {
    const std::size_t start = at_;
    while (is_word_part(peek())) ++at_;
    std::string text(text_.substr(start, at_ - start));
    std::string lower = base::ascii_lower(text);
    tokens_.push_back(Token{Token::Kind::word, start, std::move(text), std::move(lower), {}});
    return {};
  }

  // Digits, a point, an exponent, a suffix letter: the parser says what number it is.
  base::Status number() {
    const std::size_t start = at_;
    while (is_digit(peek())) ++at_;
    if (peek() == '.') {
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if (is_digit(peek(sign))) {
        at_ += sign;
        while (is_digit(peek())) ++at_;
      }
    }
    while (is_word_part(peek())) ++at_;
    tokens_.push_back(
        Token{Token::Kind::number, start, std::string(text_.substr(start, at_ - start)), {}, {}});
    return {};
  }

  base::Status quoted_name() {
    const std::size_t start = at_++;
    Token token{Token::Kind::quoted_name, start, {}, {}, {}};
    while (true) {
      if (at_ == text_.size()) return base::fail(at(start, "this back-tick is never closed"));
      if (peek() == '`' && peek(1) != '`') break;
      if (peek() == '`') ++at_;
      token.text += text_[at_++];
    }
    ++at_;
    if (token.text.empty()) return base::fail(at(start, "there is no name between the back-ticks"));
    tokens_.push_back(std::move(token));
    return {};
  }

  base::Status push_string(Token token) {
    if (token.text.find('\0') != std::string::npos)
      return base::fail(at(token.offset, "a text with a zero character cannot be used"));
    if (!base::is_utf8(token.text))
      return base::fail(at(token.offset, "the escapes of this text do not give valid UTF-8"));
    if (!tokens_.empty() && tokens_.back().kind == Token::Kind::string)
      return base::fail(at(token.offset, "two texts stand side by side",
                           "Spark joins them; write a quote inside a text as \\', a joined text as one"));
    tokens_.push_back(std::move(token));
    return {};
  }

  base::Status raw_string() {
    const std::size_t start = at_++;
    const char quote = text_[at_++];
    Token token{Token::Kind::string, start, {}, {}, {}};
    for (; peek() != quote; ++at_) {
      if (at_ == text_.size()) return base::fail(at(start, "this text is never closed"));
      token.offsets.push_back(at_);
      token.text += text_[at_];
    }
    ++at_;
    return push_string(std::move(token));
  }

  base::Status string() {
    const std::size_t start = at_;
    const char quote = text_[at_++];
    Token token{Token::Kind::string, start, {}, {}, {}};
    while (peek() != quote || at_ == text_.size()) {
      if (at_ == text_.size()) return base::fail(at(start, "this text is never closed"));
      const std::size_t from = at_;
      if (peek() == '\\' && at_ + 1 < text_.size()) {
        escape(token.text);
      } else {
        token.text += text_[at_++];
      }
      token.offsets.resize(token.text.size(), from);
    }
    ++at_;
    return push_string(std::move(token));
  }

  // Spark's escapes; \% and \_ keep their backslash (they are for LIKE), any other \c is c.
  void escape(std::string& out) {
    const auto hex_digits = [&](std::size_t count, std::uint32_t& code) {
      code = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const int value = hex_value(peek(2 + i));
        if (value < 0) return false;
        code = code * 16 + static_cast<std::uint32_t>(value);
      }
      return true;
    };
    std::uint32_t code = 0;
    const char c = peek(1);
    if (c == 'u' && hex_digits(4, code)) {
      at_ += 6;
      std::uint32_t low = 0;
      if (code >= 0xD800 && code < 0xDC00 && peek() == '\\' && peek(1) == 'u' && hex_digits(4, low) &&
          low >= 0xDC00 && low < 0xE000) {
        at_ += 6;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      }
      append_utf8(out, code);
      return;
    }
    if (c == 'U' && hex_digits(8, code) && code < 0x110000) {
      at_ += 10;
      append_utf8(out, code);
      return;
    }
    const auto octal = [&](std::size_t i, char most) { return peek(i) >= '0' && peek(i) <= most; };
    if (octal(1, '1') && octal(2, '7') && octal(3, '7')) {
      append_utf8(out, static_cast<std::uint32_t>((c - '0') * 64 + (peek(2) - '0') * 8 + (peek(3) - '0')));
      at_ += 4;
      return;
    }
    at_ += 2;
    constexpr std::string_view kFrom = "0bnrtZ";
    constexpr std::array<char, 6> kTo = {'\0', '\b', '\n', '\r', '\t', '\x1A'};
    if (const std::size_t found = kFrom.find(c); found != std::string_view::npos) {
      out += kTo[found];
    } else {
      if (c == '%' || c == '_') out += '\\';
      out += c;
    }
  }

  base::Status sign() {
    static constexpr std::array<std::string_view, 27> kSigns = {
        "<=>", "::", "<=", ">=", "<>", "!=", "==", "||", "->", "=", "<", ">", "+", "-",
        "*",   "/",  "%",  "(",  ")",  ",",  ".",  "[",  "]",  "!", "~", "&", ":"};
    const std::string_view rest = text_.substr(at_);
    const auto* found = std::find_if(kSigns.begin(), kSigns.end(),
                                     [&](std::string_view sign) { return rest.starts_with(sign); });
    if (found == kSigns.end()) {
      const std::string_view shown = base::prefix_code_points(rest, 1);
      return base::fail(at(at_, "'" + std::string(shown) + "' has no meaning in an expression"));
    }
    tokens_.push_back(Token{Token::Kind::sign, at_, std::string(*found), {}, {}});
    at_ += found->size();
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

base::Result<std::vector<Token>> read_tokens(std::string_view text) {
  return Lexer(text).run();
}

base::Place place_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  base::Place place;
  place.line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n');
  const std::string_view line = line_start == std::string_view::npos ? before : before.substr(line_start + 1);
  place.column = 1 + static_cast<std::int64_t>(base::code_points(line));
  return place;
}

base::Error error_at(std::string_view text, std::size_t offset, std::string code, std::string message,
                     std::string hint, base::Kind kind) {
  return base::Error{kind, std::move(code), std::move(message), std::move(hint), place_at(text, offset)};
}

bool is_key_word(std::string_view lower) {
  static constexpr std::array<std::string_view, 24> kWords = {
      "and",  "as",       "between", "case",  "cast",   "current_date", "current_timestamp",
      "div",  "else",     "end",     "false", "from",   "in",           "is",
      "like", "not",      "null",    "or",    "regexp", "rlike",        "then",
      "true", "try_cast", "when"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

}  // namespace sql
