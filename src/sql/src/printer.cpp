#include "printer.h"

#include <base/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace sql {

namespace {

using Kind = Node::Kind;

// How tightly a node's outermost operator binds; a child below the wanted strength is bracketed.
enum Strength { kAny = 0, kOr, kAnd, kNot, kPredicate, kCompare, kSum, kProduct, kSign, kPrimary };

Strength strength_of(const Node& node) {
  switch (node.kind) {
    case Kind::logic:
      return node.text == "or" ? kOr : kAnd;
    case Kind::negation:
      return kNot;
    case Kind::is_null:
    case Kind::in:
    case Kind::between:
    case Kind::like:
    case Kind::rlike:
      return kPredicate;
    case Kind::compare:
      return kCompare;
    case Kind::joined:
      return kSum;
    case Kind::arithmetic:
      return node.text == "+" || node.text == "-" ? kSum : kProduct;
    case Kind::negate:
      return kSign;
    case Kind::literal:
      return node.text.starts_with('-') && is_numeric(node.type) ? kSign : kPrimary;
    default:
      return kPrimary;
  }
}

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  std::string print(const Node& node, int wanted = kAny) const {
    std::string text = bare(node);
    return strength_of(node) < wanted ? "(" + text + ")" : text;
  }

 private:
  std::string bare(const Node& node) const {
    const auto child = [&](std::size_t i, int wanted) { return print(*node.children[i], wanted); };
    const std::string negated = node.negated ? " NOT" : "";
    switch (node.kind) {
      case Kind::literal:
        return literal(node);
      case Kind::column:
        return options_.column ? options_.column(node.text) : spark_name(node.text);
      // A number behind the sign would become a part of it, and a second sign a comment.
      case Kind::negate:
        return "-" + bracketed_number(*node.children[0]);
      case Kind::arithmetic: {
        const int level = strength_of(node);
        const std::string sign = node.text == "div" ? "DIV" : node.text;
        return child(0, level) + " " + sign + " " + child(1, level + 1);
      }
      case Kind::joined:
        return child(0, kSum) + " || " + child(1, kProduct);
      case Kind::compare:
        return child(0, kSum) + " " + node.text + " " + child(1, kSum);
      case Kind::logic: {
        const int level = strength_of(node);
        return child(0, level) + (node.text == "or" ? " OR " : " AND ") + child(1, level + 1);
      }
      case Kind::negation:
        return "NOT " + child(0, kNot);
      case Kind::is_null:
        return child(0, kSum) + " IS" + negated + " NULL";
      case Kind::in:
        return child(0, kSum) + negated + " IN (" + list(node, 1) + ")";
      case Kind::between:
        return child(0, kSum) + negated + " BETWEEN " + child(1, kSum) + " AND " + child(2, kSum);
      case Kind::like:
        return child(0, kSum) + negated + " LIKE " + child(1, kSum) +
               (node.text == "\\" ? "" : " ESCAPE " + spark_quote(node.text));
      case Kind::rlike:
        return child(0, kSum) + negated + " RLIKE " + child(1, kSum);
      case Kind::case_of:
        return case_of(node);
      case Kind::cast:
        return base::ascii_upper(node.text) + "(" + child(0, kAny) + " AS " +
               base::ascii_upper(print_type(node.type)) + ")";
      case Kind::call:
        return call(node);
      case Kind::item:
        return child(0, kPrimary) + "[" + child(1, kAny) + "]";
    }
    return {};
  }

  std::string bracketed_number(const Node& node) const {
    const bool is_number = node.kind == Kind::literal && is_numeric(node.type);
    return is_number ? "(" + bare(node) + ")" : print(node, kPrimary);
  }

  std::string list(const Node& node, std::size_t first) const {
    std::vector<std::string> parts;
    for (std::size_t i = first; i < node.children.size(); ++i) parts.push_back(print(*node.children[i]));
    return base::join(parts, ", ");
  }

  std::string case_of(const Node& node) const {
    std::string text = "CASE";
    std::size_t at = 0;
    if (node.has_operand) text += " " + print(*node.children[at++]);
    const std::size_t end = node.children.size() - (node.has_otherwise ? 1 : 0);
    for (; at + 1 < end + 1 && at < end; at += 2)
      text += " WHEN " + print(*node.children[at]) + " THEN " + print(*node.children[at + 1]);
    if (node.has_otherwise) text += " ELSE " + print(*node.children.back());
    return text + " END";
  }

  std::string call(const Node& node) const {
    const FunctionId id = node.function->id;
    const bool is_trim = id == FunctionId::trim || id == FunctionId::ltrim || id == FunctionId::rtrim;
    if (!is_trim || node.children.size() < 2) return node.text + "(" + list(node, 0) + ")";
    const std::string side = id == FunctionId::trim    ? "BOTH"
                             : id == FunctionId::ltrim ? "LEADING"
                                                       : "TRAILING";
    return "trim(" + side + " " + print(*node.children[0]) + " FROM " + print(*node.children[1]) + ")";
  }

  std::string literal(const Node& node) const {
    using Of = Type::Kind;
    const std::string& text = node.text;
    switch (node.type.kind) {
      case Of::null:
        return "NULL";
      case Of::boolean:
        return base::ascii_upper(text);
      case Of::tinyint:
        return options_.plain_numbers ? text : text + "Y";
      case Of::smallint:
        return options_.plain_numbers ? text : text + "S";
      case Of::bigint:
        return options_.plain_numbers || text.size() > 11 ? text : long_literal(text);
      case Of::float32:
        return text + "F";
      case Of::decimal:
        if (options_.as_double && options_.as_double(node)) return text + "e0";
        if (options_.decimals_as_casts)
          return "CAST(" + spark_quote(text) + " AS " + base::ascii_upper(print_type(node.type)) + ")";
        return text.find('.') != std::string::npos ? text : text + "BD";
      case Of::string:
        return spark_quote(text);
      case Of::date:
        return "DATE " + spark_quote(text);
      case Of::timestamp:
        return "TIMESTAMP " + spark_quote(text);
      case Of::binary:
        return "X" + spark_quote(text);
      case Of::integer:
      case Of::float64:
        return text;
    }
    return text;
  }

  // The letter is only needed where the digits alone would make an int.
  static std::string long_literal(const std::string& text) {
    std::int64_t value = INT64_MAX;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value >= INT32_MIN && value <= INT32_MAX ? text + "L" : text;
  }

  const PrintOptions& options_;
};

// Words that Spark or another reader takes for its own when they stand alone.
bool is_reserved(std::string_view lower) {
  static constexpr std::array<std::string_view, 84> kWords = {
      "all",     "alter",     "analyze",  "and",     "anti",   "any",       "array",    "as",
      "asc",     "at",        "between",  "by",      "case",   "cast",      "check",    "cluster",
      "collate", "column",    "create",   "cross",   "cube",   "current",   "date",     "delete",
      "desc",    "describe",  "distinct", "div",     "drop",   "else",      "end",      "escape",
      "except",  "exists",    "extract",  "false",   "fetch",  "for",       "from",     "full",
      "group",   "grouping",  "having",   "in",      "inner",  "insert",    "interval", "intersect",
      "into",    "is",        "join",     "lateral", "left",   "like",      "limit",    "minus",
      "natural", "not",       "null",     "offset",  "on",     "or",        "order",    "outer",
      "over",    "partition", "position", "qualify", "regexp", "right",     "rlike",    "select",
      "set",     "struct",    "table",    "then",    "time",   "timestamp", "to",       "true",
      "union",   "update",    "using",    "values"};
  static constexpr std::array<std::string_view, 13> kMore = {"user",
                                                             "view",
                                                             "when",
                                                             "where",
                                                             "window",
                                                             "with",
                                                             "try_cast",
                                                             "current_date",
                                                             "unique",
                                                             "current_time",
                                                             "current_timestamp",
                                                             "current_user",
                                                             "session_user"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end() ||
         std::find(kMore.begin(), kMore.end(), lower) != kMore.end();
}

}  // namespace

std::string print_tree(const Node& node, const PrintOptions& options) {
  return Printer(options).print(node);
}

void walk(const Node& node, const std::function<void(const Node&)>& visit) {
  visit(node);
  for (const NodePtr& child : node.children) walk(*child, visit);
}

std::string spark_quote(std::string_view text) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_like_escape =
        c == '\\' && i + 1 < text.size() && (text[i + 1] == '%' || text[i + 1] == '_');
    if (c == '\'' || (c == '\\' && !is_like_escape)) out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string spark_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), is_plain) &&
                     !(name[0] >= '0' && name[0] <= '9') && !is_reserved(base::ascii_lower(name));
  return plain ? std::string(name) : "`" + base::replace_all(std::string(name), "`", "``") + "`";
}

// -- Expression ---------------------------------------------------------------------------------

base::Result<Expression> Expression::parse(std::string_view text) {
  TRY(NodePtr root, parse_tree(text));
  return Expression(std::make_shared<const std::string>(text), std::move(root));
}

std::vector<std::string> Expression::columns() const {
  std::vector<std::string> names;
  walk(*root_, [&](const Node& node) {
    if (node.kind != Kind::column) return;
    const bool known = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return base::equal_ignoring_case(name, node.text);
    });
    if (!known) names.push_back(node.text);
  });
  return names;
}

std::string print_spark(const Expression& expression) {
  return print_tree(expression.root(), PrintOptions{});
}

bool uses_clock(const Expression& expression) {
  bool found = false;
  walk(expression.root(), [&](const Node& node) {
    if (node.kind != Kind::call) return;
    const FunctionId id = node.function->id;
    found = found || id == FunctionId::current_date || id == FunctionId::current_timestamp;
  });
  return found;
}

}  // namespace sql
