// Recursive descent over Spark's grammar, lowest precedence first: or, and, not, predicates,
// comparison, + - ||, * / % div, signs, primaries.
#include <base/text.h>

#include <algorithm>
#include <utility>

#include "node.h"

namespace sql {

namespace {

using Kind = Node::Kind;
constexpr int kDepthMax = 200;
constexpr std::size_t kTokensMax = 10'000;

NodePtr make(Kind kind, std::size_t offset, std::string text, std::vector<NodePtr> children = {}) {
  Node node;
  node.kind = kind;
  node.offset = offset;
  node.text = std::move(text);
  node.children = std::move(children);
  return std::make_shared<const Node>(std::move(node));
}

class Parser {
 public:
  Parser(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  base::Result<NodePtr> run() {
    TRY(NodePtr root, expression());
    if (peek().kind != Token::Kind::end) return base::fail(unexpected("the end of the expression"));
    return root;
  }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool is_word(std::string_view word, std::size_t ahead = 0) const {
    return peek(ahead).kind == Token::Kind::word && peek(ahead).lower == word;
  }
  bool is_sign(std::string_view sign, std::size_t ahead = 0) const {
    return peek(ahead).kind == Token::Kind::sign && peek(ahead).text == sign;
  }
  bool take_word(std::string_view word) {
    if (!is_word(word)) return false;
    ++at_;
    return true;
  }
  bool take_sign(std::string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }

  base::Error error(std::size_t offset, std::string message, std::string hint = {}) const {
    return error_at(text_, offset, "sql.syntax", std::move(message), std::move(hint));
  }
  base::Error not_built(std::size_t offset, const std::string& what, std::string hint = {}) const {
    return error_at(text_, offset, "sql.not_built", what + " is not built yet", std::move(hint),
                    base::Kind::unsupported);
  }
  base::Error unexpected(const std::string& wanted) const {
    const Token& token = peek();
    if (token.kind == Token::Kind::end)
      return error(token.offset, "the expression ends where " + wanted + " is expected");
    if (token.text == "::") return error(token.offset, "'::' is not Spark SQL", "write cast(x as type)");
    if (token.text == "->") return not_built(token.offset, "a lambda (->)");
    if (token.text == "&" || token.text == "~") return not_built(token.offset, "the operator " + token.text);
    if (token.text == ".")
      return not_built(token.offset, "a name in parts", "a column name holding a point wants back-ticks");
    if (token.text == "[") return not_built(token.offset, "taking an item of anything but split(…)");
    return error(token.offset, "'" + token.text + "' stands where " + wanted + " is expected");
  }
  base::Status expect_sign(std::string_view sign) {
    if (!take_sign(sign)) return base::fail(unexpected("'" + std::string(sign) + "'"));
    return {};
  }
  base::Status expect_word(std::string_view word) {
    if (!take_word(word)) return base::fail(unexpected(base::ascii_upper(word)));
    return {};
  }

  // What is read must be readable when printed.
  bool is_shallow() const { return deepest_ + chained_ <= kDepthMax; }
  bool go_deeper() {
    deepest_ = std::max(deepest_, ++depth_);
    return is_shallow();
  }

  base::Result<NodePtr> expression() {
    if (!go_deeper()) return base::fail(error(peek().offset, "the expression is nested too deeply"));
    TRY(NodePtr left, conjunction());
    while (is_word("or")) {
      const std::size_t offset = tokens_[at_++].offset;
      TRY(NodePtr right, conjunction());
      left = make(Kind::logic, offset, "or", {left, right});
    }
    --depth_;
    return left;
  }

  base::Result<NodePtr> conjunction() {
    TRY(NodePtr left, negation());
    while (is_word("and")) {
      const std::size_t offset = tokens_[at_++].offset;
      TRY(NodePtr right, negation());
      left = make(Kind::logic, offset, "and", {left, right});
    }
    return left;
  }

  base::Result<NodePtr> negation() {
    if (!is_word("not") && !is_sign("!")) return predicate();
    const std::size_t offset = tokens_[at_++].offset;
    if (!go_deeper()) return base::fail(error(offset, "the expression is nested too deeply"));
    TRY(NodePtr inner, negation());
    --depth_;
    return make(Kind::negation, offset, "not", {inner});
  }

  base::Result<NodePtr> predicate() {
    TRY(NodePtr value, comparison());
    const std::size_t offset = peek().offset;
    const bool negated =
        is_word("not") && (is_word("between", 1) || is_word("in", 1) || is_word("like", 1) ||
                           is_word("rlike", 1) || is_word("regexp", 1) || is_word("ilike", 1));
    if (negated) ++at_;
    if (take_word("between")) return between(value, offset, negated);
    if (take_word("in")) return in_list(value, offset, negated);
    if (take_word("like")) return like(value, offset, negated);
    if (take_word("rlike") || take_word("regexp")) {
      TRY(NodePtr pattern, comparison());
      return finish(make(Kind::rlike, offset, "rlike", {value, pattern}), negated);
    }
    if (is_word("ilike"))
      return base::fail(not_built(peek().offset, "ilike", "write lower(x) like 'pattern'"));
    if (take_word("is")) return is_null(value, offset);
    return value;
  }

  static NodePtr finish(const NodePtr& node, bool negated) {
    Node copy = *node;
    copy.negated = negated;
    return std::make_shared<const Node>(std::move(copy));
  }

  base::Result<NodePtr> between(const NodePtr& value, std::size_t offset, bool negated) {
    TRY(NodePtr low, comparison());
    TRY_STATUS(expect_word("and"));
    TRY(NodePtr high, comparison());
    return finish(make(Kind::between, offset, "between", {value, low, high}), negated);
  }

  base::Result<NodePtr> in_list(const NodePtr& value, std::size_t offset, bool negated) {
    TRY_STATUS(expect_sign("("));
    if (is_word("select") || is_word("with"))
      return base::fail(not_built(peek().offset, "a query inside an expression"));
    std::vector<NodePtr> children = {value};
    do {
      TRY(NodePtr choice, expression());
      children.push_back(choice);
    } while (take_sign(","));
    TRY_STATUS(expect_sign(")"));
    return finish(make(Kind::in, offset, "in", std::move(children)), negated);
  }

  base::Result<NodePtr> like(const NodePtr& value, std::size_t offset, bool negated) {
    if ((is_word("all") || is_word("any") || is_word("some")) && is_sign("(", 1))
      return base::fail(not_built(peek().offset, "like " + peek().lower));
    TRY(NodePtr pattern, comparison());
    std::string escape = "\\";
    if (take_word("escape")) {
      if (peek().kind != Token::Kind::string || peek().text.size() != 1)
        return base::fail(unexpected("an escape character as a text of one ASCII character"));
      escape = tokens_[at_++].text;
    }
    return finish(make(Kind::like, offset, escape, {value, pattern}), negated);
  }

  base::Result<NodePtr> is_null(const NodePtr& value, std::size_t offset) {
    const bool negated = take_word("not");
    if (take_word("null")) return finish(make(Kind::is_null, offset, "is null", {value}), negated);
    if (is_word("true") || is_word("false") || is_word("unknown") || is_word("distinct"))
      return base::fail(not_built(peek().offset, "is " + peek().lower, "write x = true, or x <=> y"));
    return base::fail(unexpected("NULL"));
  }

  base::Result<NodePtr> comparison() {
    TRY(NodePtr left, sum());
    int links = 0;
    while (peek().kind == Token::Kind::sign) {
      std::string sign = peek().text;
      if (sign == "==") sign = "=";
      if (sign == "!=") sign = "<>";
      if (sign != "=" && sign != "<>" && sign != "<" && sign != "<=" && sign != ">" && sign != ">=" &&
          sign != "<=>")
        break;
      const std::size_t offset = tokens_[at_++].offset;
      if (links++ > 0) ++chained_;
      if (!is_shallow()) return base::fail(error(offset, "the expression is nested too deeply"));
      TRY(NodePtr right, sum());
      left = make(Kind::compare, offset, sign, {left, right});
    }
    return left;
  }

  base::Result<NodePtr> sum() {
    TRY(NodePtr left, product());
    while (is_sign("+") || is_sign("-") || is_sign("||")) {
      const Token& token = tokens_[at_++];
      TRY(NodePtr right, product());
      left =
          make(token.text == "||" ? Kind::joined : Kind::arithmetic, token.offset, token.text, {left, right});
    }
    return left;
  }

  base::Result<NodePtr> product() {
    TRY(NodePtr left, signed_value());
    while (is_sign("*") || is_sign("/") || is_sign("%") || is_word("div")) {
      const Token& token = tokens_[at_++];
      TRY(NodePtr right, signed_value());
      left =
          make(Kind::arithmetic, token.offset, token.lower.empty() ? token.text : token.lower, {left, right});
    }
    return left;
  }

  base::Result<NodePtr> signed_value() {
    if (!is_sign("-") && !is_sign("+")) return item();
    const std::size_t offset = peek().offset;
    const bool minus = is_sign("-");
    ++at_;
    if (minus && peek().kind == Token::Kind::number) return item(offset);
    if (!go_deeper()) return base::fail(error(offset, "the expression is nested too deeply"));
    TRY(NodePtr value, signed_value());
    --depth_;
    return minus ? make(Kind::negate, offset, "-", {value}) : value;
  }

  // A primary and, behind split(…), the number of the wanted part.
  base::Result<NodePtr> item(std::size_t minus = std::string::npos) {
    TRY(NodePtr value, minus == std::string::npos ? primary() : number(minus));
    if (!is_sign("[") || value->kind != Kind::call || value->function->id != FunctionId::split) return value;
    const std::size_t offset = tokens_[at_++].offset;
    TRY(NodePtr index, expression());
    TRY_STATUS(expect_sign("]"));
    return make(Kind::item, offset, "[]", {value, index});
  }

  base::Result<NodePtr> primary() {
    const Token& token = peek();
    switch (token.kind) {
      case Token::Kind::number:
        return number(std::string::npos);
      case Token::Kind::string:
        return text_literal();
      case Token::Kind::quoted_name:
        ++at_;
        return make(Kind::column, token.offset, token.text);
      case Token::Kind::word:
        return word();
      case Token::Kind::sign:
        if (take_sign("(")) {
          TRY(NodePtr inner, expression());
          TRY_STATUS(expect_sign(")"));
          return inner;
        }
        break;
      case Token::Kind::end:
        break;
    }
    return base::fail(unexpected("a value"));
  }

  base::Result<NodePtr> text_literal() {
    const Token& token = tokens_[at_++];
    Node node;
    node.offset = token.offset;
    node.text = token.text;
    node.type.kind = Type::Kind::string;
    node.offsets = token.offsets;
    return std::make_shared<const Node>(std::move(node));
  }

  static NodePtr literal(std::size_t offset, Type type, std::string text) {
    Node node;
    node.offset = offset;
    node.type = type;
    node.text = std::move(text);
    return std::make_shared<const Node>(std::move(node));
  }

  base::Result<NodePtr> number(std::size_t minus);
  base::Result<NodePtr> whole_number(std::size_t offset, const std::string& digits,
                                     const std::string& suffix);
  base::Result<NodePtr> decimal_number(std::size_t offset, const std::string& sign,
                                       const std::string& digits);
  base::Result<NodePtr> word();
  base::Result<NodePtr> typed_literal();
  base::Result<NodePtr> case_of();
  base::Result<NodePtr> cast();
  base::Result<NodePtr> call();
  bool take_argument_word(std::string_view name, std::size_t count);
  base::Result<NodePtr> trim_from(std::size_t offset);
  base::Result<NodePtr> finish_call(std::size_t offset, const std::string& name,
                                    std::vector<NodePtr> arguments);

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int deepest_ = 0;
  int chained_ = 0;  // comparisons of comparisons: each is printed in brackets
};

// -- numbers ------------------------------------------------------------------------------------

bool is_all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether the digits, taken as a whole number with that sign, fit a two's complement of `bits` bits.
bool fits(std::string_view digits, bool negative, int bits) {
  __extension__ typedef unsigned __int128 Wide;
  Wide value = 0;
  const Wide limit = (Wide{1} << (bits - 1)) - (negative ? 0 : 1);
  for (const char c : digits) {
    value = value * 10 + static_cast<Wide>(c - '0');
    if (value > limit) return false;
  }
  return true;
}

base::Result<NodePtr> Parser::number(std::size_t minus) {
  const Token& token = tokens_[at_++];
  const bool negative = minus != std::string::npos;
  const std::size_t offset = negative ? minus : token.offset;
  const std::string sign = negative ? "-" : "";
  std::size_t digits_end = 0;
  while (digits_end < token.text.size() &&
         (is_all_digits(token.text.substr(digits_end, 1)) || token.text[digits_end] == '.'))
    ++digits_end;
  std::string digits = token.text.substr(0, digits_end);
  std::string suffix = base::ascii_lower(token.text.substr(digits_end));
  if (suffix.size() > 1 && suffix[0] == 'e') {
    const std::size_t sign_end = suffix[1] == '-' || suffix[1] == '+' ? 2 : 1;
    const std::size_t end = suffix.find_first_not_of("0123456789", sign_end);
    const std::string exponent = suffix.substr(0, end);
    suffix = end == std::string::npos ? "" : suffix.substr(end);
    if (exponent.size() > sign_end && (suffix.empty() || suffix == "d"))
      return literal(offset, Type{Type::Kind::float64}, sign + digits + exponent);
    return base::fail(error(token.offset, "'" + token.text + "' is no number"));
  }
  if (suffix == "d") return literal(offset, Type{Type::Kind::float64}, sign + digits + "e0");
  if (suffix == "f") return literal(offset, Type{Type::Kind::float32}, sign + digits);
  if (suffix == "bd" || (suffix.empty() && digits.find('.') != std::string::npos))
    return decimal_number(offset, sign, digits);
  if (is_all_digits(digits)) return whole_number(offset, sign + digits, suffix);
  return base::fail(error(token.offset, "'" + token.text + "' is no number"));
}

base::Result<NodePtr> Parser::whole_number(std::size_t offset, const std::string& digits,
                                           const std::string& suffix) {
  using TypeKind = Type::Kind;
  static constexpr std::pair<std::string_view, std::pair<TypeKind, int>> kKinds[] = {
      {"y", {TypeKind::tinyint, 8}},
      {"s", {TypeKind::smallint, 16}},
      {"l", {TypeKind::bigint, 64}},
      {"", {TypeKind::integer, 32}},
      {"", {TypeKind::bigint, 64}}};
  const bool negative = digits[0] == '-';
  const std::string_view bare = std::string_view(digits).substr(negative ? 1 : 0);
  const std::size_t first = std::min(bare.find_first_not_of('0'), bare.size() - 1);
  const std::string canonical = (negative ? "-" : "") + std::string(bare.substr(first));
  for (const auto& [letter, kind] : kKinds)
    if (letter == suffix && fits(bare, negative, kind.second))
      return literal(offset, Type{kind.first}, canonical);
  if (suffix.empty()) return decimal_number(offset, negative ? "-" : "", std::string(bare));
  return base::fail(error(offset, "'" + digits + suffix + "' is no number, or too large for its type"));
}

base::Result<NodePtr> Parser::decimal_number(std::size_t offset, const std::string& sign,
                                             const std::string& digits) {
  const std::size_t point = digits.find('.');
  const std::size_t scale = point == std::string::npos ? 0 : digits.size() - point - 1;
  if (digits.find('.', point + 1) != std::string::npos && point != std::string::npos)
    return base::fail(error(offset, "'" + digits + "' is no number"));
  std::string whole = point == std::string::npos ? digits : digits.substr(0, point);
  whole.erase(0, whole.find_first_not_of('0'));
  const std::string fraction = point == std::string::npos ? "" : digits.substr(point + 1);
  const std::size_t precision =
      std::max<std::size_t>(1, whole.empty() ? fraction.size() : whole.size() + scale);
  if (precision > 38) return base::fail(error(offset, "a decimal has at most 38 digits"));
  std::string text = sign + (whole.empty() ? "0" : whole) + (fraction.empty() ? "" : "." + fraction);
  return literal(offset, Type::decimal(static_cast<int>(precision), static_cast<int>(scale)),
                 std::move(text));
}

// -- words --------------------------------------------------------------------------------------

base::Result<NodePtr> Parser::word() {
  const Token& token = peek();
  if (token.lower == "null") return ++at_, literal(token.offset, Type{}, "null");
  if (token.lower == "true" || token.lower == "false")
    return ++at_, literal(token.offset, Type{Type::Kind::boolean}, token.lower);
  if (peek(1).kind == Token::Kind::string) return typed_literal();
  if (token.lower == "interval" && peek(1).kind != Token::Kind::sign && peek(1).kind != Token::Kind::end)
    return base::fail(not_built(token.offset, "an interval", "use date_add or date_sub"));
  if (token.lower == "case") return case_of();
  if (token.lower == "cast" || token.lower == "try_cast") return cast();
  if (is_sign("(", 1)) return call();
  if (token.lower == "current_date" || token.lower == "current_timestamp")
    return ++at_, finish_call(token.offset, token.lower, {});
  if (is_key_word(token.lower))
    return base::fail(error(token.offset, "'" + token.text + "' stands where a value is expected",
                            "a column of that name wants back-ticks: `" + token.text + "`"));
  ++at_;
  return make(Kind::column, token.offset, token.text);
}

base::Result<NodePtr> Parser::typed_literal() {
  const Token& name = tokens_[at_];
  const Token& text = tokens_[at_ + 1];
  Type type;
  if (name.lower == "date") type.kind = Type::Kind::date;
  if (name.lower == "timestamp" || name.lower == "timestamp_ltz") type.kind = Type::Kind::timestamp;
  if (name.lower == "x") type.kind = Type::Kind::binary;
  if (type.kind == Type::Kind::null && (name.lower == "interval" || name.lower == "timestamp_ntz"))
    return base::fail(not_built(name.offset, "a literal of type " + name.lower));
  if (type.kind == Type::Kind::null)
    return base::fail(error(text.offset, "a text stands behind '" + name.text + "'",
                            "typed literals are date'…', timestamp'…' and X'…'"));
  const bool is_hex = text.text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (type.kind == Type::Kind::binary && !is_hex)
    return base::fail(error(text.offset, "X'…' holds only hexadecimal digits"));
  at_ += 2;
  std::string value = text.text;
  if (type.kind == Type::Kind::binary) {
    value = base::ascii_upper(value);
    if (value.size() % 2 != 0) value.insert(0, "0");
  }
  return literal(name.offset, type, std::move(value));
}

base::Result<NodePtr> Parser::case_of() {
  Node node;
  node.kind = Kind::case_of;
  node.offset = tokens_[at_++].offset;
  if (!is_word("when")) {
    node.has_operand = true;
    TRY(NodePtr operand, expression());
    node.children.push_back(operand);
  }
  do {
    TRY_STATUS(expect_word("when"));
    TRY(NodePtr when, expression());
    TRY_STATUS(expect_word("then"));
    TRY(NodePtr then, expression());
    node.children.push_back(when);
    node.children.push_back(then);
  } while (is_word("when"));
  if (take_word("else")) {
    node.has_otherwise = true;
    TRY(NodePtr otherwise, expression());
    node.children.push_back(otherwise);
  }
  TRY_STATUS(expect_word("end"));
  return std::make_shared<const Node>(std::move(node));
}

base::Result<NodePtr> Parser::cast() {
  Node node;
  node.kind = Kind::cast;
  node.offset = peek().offset;
  node.text = tokens_[at_++].lower;
  TRY_STATUS(expect_sign("("));
  TRY(NodePtr value, expression());
  node.children.push_back(value);
  TRY_STATUS(expect_word("as"));
  TRY(node.type, read_type(text_, tokens_, at_));
  TRY_STATUS(expect_sign(")"));
  return std::make_shared<const Node>(std::move(node));
}

base::Result<NodePtr> Parser::call() {
  const Token name = tokens_[at_];
  at_ += 2;
  if (name.lower == "trim" && (is_word("both") || is_word("leading") || is_word("trailing")) &&
      !is_sign(")", 1))
    return trim_from(name.offset);
  if (is_word("distinct")) return base::fail(not_built(peek().offset, "distinct in a call"));
  std::vector<NodePtr> arguments;
  bool more = !is_sign(")");
  while (more) {
    TRY(NodePtr argument, expression());
    arguments.push_back(argument);
    more = take_sign(",") || take_argument_word(name.lower, arguments.size());
  }
  TRY_STATUS(expect_sign(")"));
  return finish_call(name.offset, name.lower, std::move(arguments));
}

// substring(x from 2 for 3) and trim(c from x) say their commas in words.
bool Parser::take_argument_word(std::string_view name, std::size_t count) {
  const bool is_substring = name == "substring" || name == "substr";
  if (is_substring && count == 2) return take_word("for");
  return (is_substring || name == "trim") && count == 1 && take_word("from");
}

base::Result<NodePtr> Parser::trim_from(std::size_t offset) {
  const std::string side = tokens_[at_++].lower;
  const std::string name = side == "leading" ? "ltrim" : side == "trailing" ? "rtrim" : "trim";
  std::vector<NodePtr> arguments;
  if (!is_word("from")) {
    TRY(NodePtr characters, expression());
    arguments.push_back(characters);
  }
  TRY_STATUS(expect_word("from"));
  TRY(NodePtr value, expression());
  arguments.push_back(value);
  TRY_STATUS(expect_sign(")"));
  return finish_call(offset, name, std::move(arguments));
}

base::Result<NodePtr> Parser::finish_call(std::size_t offset, const std::string& name,
                                          std::vector<NodePtr> arguments) {
  Node node;
  node.kind = Kind::call;
  node.offset = offset;
  node.text = name;
  node.function = find_function(name);
  if (node.function == nullptr) {
    const std::string near = base::closest(name, function_names());
    return base::fail(error_at(text_, offset, "sql.unknown_function", "there is no function '" + name + "'",
                               near.empty() ? "" : "did you mean " + near + "?"));
  }
  const int count = static_cast<int>(arguments.size());
  const Function& function = *node.function;
  if (count < function.arguments_min || (function.arguments_max >= 0 && count > function.arguments_max)) {
    const std::string range =
        function.arguments_max == function.arguments_min ? std::to_string(function.arguments_min)
        : function.arguments_max < 0
            ? "at least " + std::to_string(function.arguments_min)
            : std::to_string(function.arguments_min) + " or " + std::to_string(function.arguments_max);
    return base::fail(error_at(text_, offset, "sql.arguments",
                               name + " takes " + range + " arguments, not " + std::to_string(count)));
  }
  node.children = std::move(arguments);
  return std::make_shared<const Node>(std::move(node));
}

}  // namespace

base::Result<NodePtr> parse_tree(std::string_view text) {
  TRY(std::vector<Token> tokens, read_tokens(text));
  if (tokens.size() == 1)
    return base::fail(error_at(text, 0, "sql.syntax", "the expression is empty", "write an expression"));
  if (tokens.size() > kTokensMax)
    return base::fail(error_at(text, tokens[kTokensMax].offset, "sql.syntax", "the expression is too long"));
  return Parser(text, std::move(tokens)).run();
}

}  // namespace sql
