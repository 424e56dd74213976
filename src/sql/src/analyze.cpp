// Gives every part of an expression Spark's type and writes its implicit casts out.
#include <base/text.h>
#include <sql/date_pattern.h>

#include <algorithm>
#include <utility>

#include "analyzer.h"
#include "coerce.h"
#include "java_regex.h"

namespace sql {

namespace {

using Of = Type::Kind;
using Kind = TypedNode::Kind;

constexpr Type kBoolean{Of::boolean};
constexpr Type kString{Of::string};
constexpr Type kDouble{Of::float64};
constexpr Type kInt{Of::integer};
constexpr Type kBigint{Of::bigint};
constexpr Type kDate{Of::date};

}  // namespace

TypedPtr make_typed(Kind kind, Type type, std::string text, std::vector<TypedPtr> children) {
  TypedNode node;
  node.kind = kind;
  node.type = type;
  node.text = std::move(text);
  node.children = std::move(children);
  return std::make_shared<const TypedNode>(std::move(node));
}

TypedPtr make_null(const Type& type) {
  TypedNode node;
  node.type = type;
  node.is_absent = true;
  return std::make_shared<const TypedNode>(std::move(node));
}

TypedPtr cast_to(const TypedPtr& node, const Type& type, bool is_try) {
  if (node->type == type) return node;
  if (node->type.kind == Of::null) return make_null(type);
  TypedNode cast;
  cast.kind = Kind::cast;
  cast.type = type;
  cast.is_try = is_try;
  cast.children = {node};
  return std::make_shared<const TypedNode>(std::move(cast));
}

base::Error Analyzer::error(const Node& node, std::string code, std::string message, std::string hint) const {
  return error_at(expression_.text(), node.offset, std::move(code), std::move(message), std::move(hint));
}

base::Error Analyzer::mismatch(const Node& node, const std::string& what, const Type& left,
                               const Type& right) const {
  return error(node, "sql.type_mismatch",
               what + " does not take " + print_type(left) + " and " + print_type(right),
               "cast one side to the other's type");
}

base::Result<TypedPtr> Analyzer::visit(const Node& node) {
  TRY(TypedPtr typed, dispatch(node));
  if (types_ != nullptr) types_->emplace(&node, typed->type);
  return typed;
}

base::Result<TypedPtr> Analyzer::visit_as(const Node& node, const Type& type, const std::string& what) {
  TRY(TypedPtr typed, visit(node));
  if (typed->type == type || typed->type.kind == Of::null) return cast_to(typed, type);
  const bool fits = type.kind == Of::string    ? typed->type.kind != Of::binary
                    : type.kind == Of::boolean ? false
                    : is_numeric(type)         ? is_numeric(typed->type) || typed->type.kind == Of::string
                    : type.kind == Of::date || type.kind == Of::timestamp
                        ? typed->type.kind == Of::string || typed->type.kind == Of::date ||
                              typed->type.kind == Of::timestamp
                        : false;
  if (!fits)
    return base::fail(error(node, "sql.type_mismatch",
                            what + " wants " + print_type(type) + ", not " + print_type(typed->type),
                            "cast it"));
  return cast_to(typed, type);
}

base::Result<TypedPtr> Analyzer::dispatch(const Node& node) {
  switch (node.kind) {
    case Node::Kind::literal:
      return literal(node);
    case Node::Kind::column:
      return column(node);
    case Node::Kind::negate:
      return negate(node);
    case Node::Kind::arithmetic:
      return arithmetic(node);
    case Node::Kind::joined: {
      TRY(TypedPtr left, visit_as(*node.children[0], kString, "||"));
      TRY(TypedPtr right, visit_as(*node.children[1], kString, "||"));
      return make_typed(Kind::joined, kString, "", {left, right});
    }
    case Node::Kind::compare: {
      TRY(TypedPtr left, visit(*node.children[0]));
      TRY(TypedPtr right, visit(*node.children[1]));
      return compare(node, node.text, left, right);
    }
    case Node::Kind::logic: {
      TRY(TypedPtr left, visit_as(*node.children[0], kBoolean, base::ascii_upper(node.text)));
      TRY(TypedPtr right, visit_as(*node.children[1], kBoolean, base::ascii_upper(node.text)));
      return make_typed(Kind::logic, kBoolean, node.text, {left, right});
    }
    case Node::Kind::negation: {
      TRY(TypedPtr inner, visit_as(*node.children[0], kBoolean, "NOT"));
      return make_typed(Kind::negation, kBoolean, "", {inner});
    }
    case Node::Kind::is_null: {
      TRY(TypedPtr value, visit(*node.children[0]));
      return with_negation(make_typed(Kind::is_null, kBoolean, "", {value}), node.negated);
    }
    case Node::Kind::in:
      return in_list(node);
    case Node::Kind::between:
      return between(node);
    case Node::Kind::like:
      return like(node);
    case Node::Kind::rlike:
      return rlike(node);
    case Node::Kind::case_of:
      return case_of(node);
    case Node::Kind::cast: {
      TRY(TypedPtr value, visit(*node.children[0]));
      const bool is_try = node.text == "try_cast";
      if (value->type.kind != Of::null && !can_cast(value->type, node.type, is_try))
        return base::fail(error(node, "sql.type_mismatch",
                                "there is no " + node.text + " from " + print_type(value->type) + " to " +
                                    print_type(node.type)));
      return cast_to(value, node.type, is_try);
    }
    case Node::Kind::call:
      return call(node);
    case Node::Kind::item:
      return split_part(node);
  }
  return base::fail(error(node, "sql.syntax", "this part is not understood"));
}

TypedPtr Analyzer::with_negation(const TypedPtr& node, bool negated) {
  if (!negated) return node;
  TypedNode copy = *node;
  copy.negated = true;
  return std::make_shared<const TypedNode>(std::move(copy));
}

base::Result<TypedPtr> Analyzer::literal(const Node& node) {
  const auto must_read = [&](const Type& type, bool readable) -> base::Result<TypedPtr> {
    if (!readable)
      return base::fail(error(node, "sql.syntax", "'" + node.text + "' is no " + print_type(type)));
    return make_typed(Kind::literal, type, node.text);
  };
  if (node.type.kind == Of::null) return make_null(node.type);
  if (node.type.kind == Of::date) return must_read(node.type, text_to_date(node.text).has_value());
  if (node.type.kind == Of::timestamp) {
    const auto any_zone = [](std::string_view) {
      return std::make_shared<const base::Zone>(base::Zone::utc());
    };
    return must_read(node.type, text_to_timestamp(node.text, base::Zone::utc(), any_zone).has_value());
  }
  return make_typed(Kind::literal, node.type, node.text);
}

base::Result<TypedPtr> Analyzer::column(const Node& node) {
  std::vector<std::string> names;
  for (const Column& column : columns_) {
    if (base::equal_ignoring_case(column.name, node.text))
      return make_typed(Kind::column, column.type, column.name);
    names.push_back(column.name);
  }
  const std::string near = base::closest(node.text, names);
  return base::fail(
      error(node, "sql.unknown_column", "there is no column '" + node.text + "'",
            near.empty() ? "columns are " + base::join(names, ", ") : "did you mean " + near + "?"));
}

base::Result<TypedPtr> Analyzer::negate(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  if (value->type.kind == Of::string || value->type.kind == Of::null) value = cast_to(value, kDouble);
  if (!is_numeric(value->type))
    return base::fail(error(node, "sql.type_mismatch", "- does not take " + print_type(value->type)));
  return make_typed(Kind::negate, value->type, "", {value});
}

base::Result<TypedPtr> Analyzer::arithmetic(const Node& node) {
  TRY(TypedPtr left, visit(*node.children[0]));
  TRY(TypedPtr right, visit(*node.children[1]));
  const Type a = left->type, b = right->type;
  if (a.kind == Of::date && is_integral(b) && b.kind != Of::bigint && (node.text == "+" || node.text == "-"))
    return date_call(node.text == "+" ? FunctionId::date_add : FunctionId::date_sub, left, right);
  if (b.kind == Of::date && is_integral(a) && a.kind != Of::bigint && node.text == "+")
    return date_call(FunctionId::date_add, right, left);
  const auto takes = [](const Type& type) {
    return is_numeric(type) || type.kind == Of::string || type.kind == Of::null;
  };
  if (!takes(a) || !takes(b)) return base::fail(mismatch(node, "'" + node.text + "'", a, b));
  if (node.text == "div") return integral_division(node, left, right);
  if (a.kind == Of::string || b.kind == Of::string) return arithmetic_in(node.text, kDouble, left, right);
  if (a.kind == Of::null && b.kind == Of::null) return arithmetic_in(node.text, kDouble, left, right);
  if (a.kind == Of::null || b.kind == Of::null) {
    const Type& known = a.kind == Of::null ? b : a;
    return arithmetic_in(node.text, node.text == "/" && known.kind != Of::decimal ? kDouble : known, left,
                         right);
  }
  const bool decimals = a.kind == Of::decimal || b.kind == Of::decimal;
  const Type wider = wider_number(a, b);
  if (decimals && (a.kind == b.kind || is_integral(a) || is_integral(b))) {
    left = as_decimal(left);
    right = as_decimal(right);
    const Type result = decimal_result(node.text, left->type, right->type);
    return make_typed(Kind::arithmetic, result, node.text, {left, right});
  }
  return arithmetic_in(node.text, node.text == "/" ? kDouble : wider, left, right);
}

base::Result<TypedPtr> Analyzer::date_call(FunctionId id, const TypedPtr& date, const TypedPtr& days) {
  TypedNode node;
  node.kind = Kind::call;
  node.type = kDate;
  node.function = id;
  node.children = {date, cast_to(days, kInt)};
  return std::make_shared<const TypedNode>(std::move(node));
}

base::Result<TypedPtr> Analyzer::integral_division(const Node& node, const TypedPtr& left,
                                                   const TypedPtr& right) {
  const auto takes = [](const Type& type) { return is_integral(type) || type.kind == Of::null; };
  if (!takes(left->type) || !takes(right->type))
    return base::fail(error_at(expression_.text(), node.offset, "sql.not_built",
                               "div of anything but whole numbers is not built yet", "use floor(a / b)",
                               base::Kind::unsupported));
  return arithmetic_in("div", kBigint, left, right);
}

TypedPtr Analyzer::arithmetic_in(const std::string& operation, const Type& type, const TypedPtr& left,
                                 const TypedPtr& right) {
  const Type result = type.kind == Of::decimal ? decimal_result(operation, type, type) : type;
  return make_typed(Kind::arithmetic, result, operation, {cast_to(left, type), cast_to(right, type)});
}

// A whole-number literal becomes the narrowest decimal, a column the decimal of its type.
TypedPtr Analyzer::as_decimal(const TypedPtr& node) {
  if (node->type.kind == Of::decimal) return node;
  if (node->kind != Kind::literal) return cast_to(node, decimal_of(node->type));
  const std::size_t digits = node->text.size() - (node->text.starts_with('-') ? 1 : 0);
  return cast_to(node, Type::decimal(static_cast<int>(digits), 0));
}

base::Result<TypedPtr> Analyzer::compare(const Node& node, const std::string& operation, TypedPtr left,
                                         TypedPtr right) {
  const bool is_equality = operation == "=" || operation == "<>" || operation == "<=>";
  if (left->type.kind == Of::decimal && is_integral(right->type)) right = as_decimal(right);
  if (right->type.kind == Of::decimal && is_integral(left->type)) left = as_decimal(left);
  const std::optional<Type> type = comparison_type(left->type, right->type, is_equality);
  if (!type) return base::fail(mismatch(node, "'" + operation + "'", left->type, right->type));
  return make_typed(Kind::compare, kBoolean, operation, {cast_to(left, *type), cast_to(right, *type)});
}

base::Result<TypedPtr> Analyzer::in_list(const Node& node) {
  std::vector<TypedPtr> parts;
  std::vector<Type> types;
  for (const NodePtr& child : node.children) {
    TRY(TypedPtr part, visit(*child));
    types.push_back(part->type);
    parts.push_back(part);
  }
  const std::optional<Type> type = common_type(types);
  if (!type)
    return base::fail(error(node, "sql.type_mismatch", "the choices of IN have no common type with the value",
                            "cast them"));
  for (TypedPtr& part : parts) part = cast_to(part, *type);
  return with_negation(make_typed(Kind::in, kBoolean, "", std::move(parts)), node.negated);
}

base::Result<TypedPtr> Analyzer::between(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  TRY(TypedPtr low, visit(*node.children[1]));
  TRY(TypedPtr high, visit(*node.children[2]));
  TRY(TypedPtr above, compare(node, ">=", value, low));
  TRY(TypedPtr below, compare(node, "<=", value, high));
  TypedPtr both = make_typed(Kind::logic, kBoolean, "and", {above, below});
  return node.negated ? make_typed(Kind::negation, kBoolean, "", {both}) : both;
}

base::Result<std::string> Analyzer::text_literal(const Node& node, const std::string& what) {
  if (node.kind != Node::Kind::literal || node.type.kind != Of::string)
    return base::fail(error(node, "sql.pattern", what + " must be a text literal"));
  if (types_ != nullptr) types_->emplace(&node, kString);
  return node.text;
}

// The error of a pattern at its place inside the literal.
base::Error Analyzer::pattern_error(const Node& literal, std::size_t at, std::string message,
                                    std::string hint) const {
  Node place = literal;
  if (at < literal.offsets.size()) place.offset = literal.offsets[at];
  return error(place, "sql.pattern", std::move(message), std::move(hint));
}

base::Result<TypedPtr> Analyzer::like(const Node& node) {
  TRY(TypedPtr value, visit_as(*node.children[0], kString, "LIKE"));
  const Node& literal = *node.children[1];
  TRY(const std::string pattern, text_literal(literal, "the pattern of LIKE"));
  const char escape = node.text[0];
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != escape) continue;
    if (i + 1 == pattern.size())
      return base::fail(pattern_error(literal, i, "the pattern ends in its escape character"));
    const char next = pattern[++i];
    if (next != '%' && next != '_' && next != escape)
      return base::fail(
          pattern_error(literal, i - 1, "the escape character only stands before %, _ and itself"));
  }
  return with_negation(
      make_typed(Kind::like, kBoolean, node.text, {value, make_typed(Kind::literal, kString, pattern)}),
      node.negated);
}

base::Result<TypedPtr> Analyzer::regex(const Node& node, bool is_test) {
  TRY(const std::string pattern, text_literal(node, "a regular expression"));
  const auto translated = translate_regex(pattern, is_test);
  if (!translated) return base::fail(pattern_error(node, translated.error().at, translated.error().message));
  return make_typed(Kind::literal, kString, *translated);
}

base::Result<TypedPtr> Analyzer::rlike(const Node& node) {
  TRY(TypedPtr value, visit_as(*node.children[0], kString, "RLIKE"));
  TRY(TypedPtr pattern, regex(*node.children[1], true));
  return with_negation(make_typed(Kind::rlike, kBoolean, "", {value, pattern}), node.negated);
}

base::Result<TypedPtr> Analyzer::case_of(const Node& node) {
  std::vector<TypedPtr> whens;
  std::vector<TypedPtr> values;
  std::size_t at = 0;
  TypedPtr operand;
  if (node.has_operand) {
    TRY(operand, visit(*node.children[at++]));
  }
  const std::size_t pairs_end = node.children.size() - (node.has_otherwise ? 1 : 0);
  for (; at < pairs_end; at += 2) {
    TypedPtr when;
    if (operand) {
      TRY(TypedPtr choice, visit(*node.children[at]));
      TRY(when, compare(*node.children[at], "=", operand, choice));
    } else {
      TRY(when, visit_as(*node.children[at], kBoolean, "WHEN"));
      if (when->is_absent)
        return base::fail(error(*node.children[at], "sql.type_mismatch", "WHEN wants boolean, not NULL"));
    }
    TRY(TypedPtr value, visit(*node.children[at + 1]));
    whens.push_back(when);
    values.push_back(value);
  }
  if (node.has_otherwise) {
    TRY(TypedPtr otherwise, visit(*node.children.back()));
    values.push_back(otherwise);
  }
  TRY(const Type type, unify(node, "the branches of CASE", values));
  TypedNode result;
  result.kind = Kind::case_of;
  result.type = type;
  result.has_otherwise = node.has_otherwise;
  for (std::size_t i = 0; i < whens.size(); ++i) {
    result.children.push_back(whens[i]);
    result.children.push_back(values[i]);
  }
  if (node.has_otherwise) result.children.push_back(values.back());
  return std::make_shared<const TypedNode>(std::move(result));
}

base::Result<Type> Analyzer::unify(const Node& node, const std::string& what, std::vector<TypedPtr>& values) {
  std::vector<Type> types;
  for (const TypedPtr& value : values) types.push_back(value->type);
  const std::optional<Type> type = common_type(types);
  if (!type) return base::fail(error(node, "sql.type_mismatch", what + " have no common type", "cast them"));
  for (TypedPtr& value : values) value = cast_to(value, *type);
  return *type;
}

// -- the face -----------------------------------------------------------------------------------

base::Result<TypedPtr> analyze_tree(const Expression& expression, const std::vector<Column>& columns,
                                    TypeMap* types) {
  return Analyzer(expression, columns, types).visit(expression.root());
}

base::Result<TypedExpression> analyze(const Expression& expression, const std::vector<Column>& columns) {
  TRY(TypedPtr root, analyze_tree(expression, columns, nullptr));
  return TypedExpression(std::move(root));
}

base::Result<TypedExpression> analyze_condition(const Expression& expression,
                                                const std::vector<Column>& columns) {
  TRY(TypedPtr root, analyze_tree(expression, columns, nullptr));
  if (root->type.kind != Of::boolean && root->type.kind != Of::null)
    return base::fail(
        error_at(expression.text(), expression.root().offset, "sql.type_mismatch",
                 "the expression gives " + print_type(root->type) + " where true or false is wanted",
                 "write a comparison"));
  return TypedExpression(cast_to(root, kBoolean));
}

TypedExpression column_expression(const Column& column) {
  return TypedExpression(make_typed(Kind::column, column.type, column.name));
}

base::Result<TypedExpression> cast_expression(const TypedExpression& expression, const Type& to,
                                              bool try_cast) {
  if (expression.type().kind != Of::null && !can_cast(expression.type(), to, try_cast))
    return base::fail(base::Kind::invalid, "sql.type_mismatch",
                      "there is no cast from " + print_type(expression.type()) + " to " + print_type(to));
  return TypedExpression(cast_to(expression.shared_root(), to, try_cast));
}

Type TypedExpression::type() const {
  return root_->type;
}

std::vector<std::string> TypedExpression::columns() const {
  std::vector<std::string> names;
  const auto visit = [&](const auto& self, const TypedNode& node) -> void {
    if (node.kind == Kind::column && std::find(names.begin(), names.end(), node.text) == names.end())
      names.push_back(node.text);
    for (const TypedPtr& child : node.children) self(self, *child);
  };
  visit(visit, *root_);
  return names;
}

}  // namespace sql
