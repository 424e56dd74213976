// What may stand in a Delta CHECK. Every reader evaluates it: Spark, delta-rs (DataFusion) and others.
// A form is let in only where they agree, so types count as much as words.
#include <base/text.h>
#include <sql/expression.h>

#include <algorithm>
#include <set>

#include "printer.h"
#include "typed.h"

namespace sql {

namespace {

using Of = Type::Kind;
using Kind = Node::Kind;
using Id = FunctionId;

class TableCheck {
 public:
  TableCheck(const Expression& expression, const TypeMap& types) : expression_(expression), types_(types) {}

  // Decimal literals that are stored as doubles.
  const std::set<const Node*>& as_doubles() const { return as_doubles_; }

  base::Status visit(const Node& node) {
    TRY_STATUS(allowed(node));
    for (const NodePtr& child : node.children) TRY_STATUS(visit(*child));
    return {};
  }

 private:
  base::Status refuse(const Node& node, const std::string& what) const {
    return base::fail(error_at(expression_.text(), node.offset, "sql.not_on_table",
                               what + " cannot be a rule on the table: not every reader evaluates it alike",
                               "set `on table: false` to keep it as a rule of the load"));
  }

  bool is_double(const Node& node) const {
    return type_of(node).kind == Of::float64 || type_of(node).kind == Of::float32;
  }

  bool any_double(const std::vector<const Node*>& parts) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Node* part) { return is_double(*part); });
  }

  // Where a double stands beside a decimal, Spark makes both doubles, other readers both decimals, which not
  // every double fits. A literal is stored as the double that Spark makes of it.
  base::Status doubles(const std::vector<const Node*>& parts) {
    if (!any_double(parts)) return {};
    for (const Node* part : parts) {
      const Type& type = type_of(*part);
      if (type.kind != Of::decimal) continue;
      if (part->kind != Kind::literal) return refuse(*part, print_type(type) + " beside a double");
      as_doubles_.insert(part);
    }
    return {};
  }

  const Type& type_of(const Node& node) const { return types_.at(&node); }

  base::Status allowed(const Node& node) {
    switch (node.kind) {
      case Kind::literal:
        return literal(node);
      case Kind::column:
        return {};
      case Kind::negate:
        return negate(node);
      case Kind::arithmetic:
        return arithmetic(node);
      case Kind::compare:
        if (node.text == "<=>") return refuse(node, "<=>");
        return alike(node);
      case Kind::in:
        if (any_double(parts_of(node)))
          return refuse(node, "IN with doubles, where 0.0 and -0.0 are two values to some,");
        return alike(node);
      case Kind::between:
        return alike(node);
      case Kind::case_of:
        return case_of(node);
      case Kind::like:
        if (node.text != "\\") return refuse(node, "LIKE with ESCAPE");
        return text(*node.children[0]);
      case Kind::logic:
      case Kind::negation:
      case Kind::is_null:
        return {};
      case Kind::joined:
        return refuse(node, "||");
      case Kind::rlike:
        return refuse(node, "RLIKE");
      case Kind::item:
        return refuse(node, "split");
      case Kind::cast:
        return cast(node);
      case Kind::call:
        return call(node);
    }
    return {};
  }

  base::Status literal(const Node& node) const {
    if (node.type.kind == Of::timestamp) return refuse(node, "a timestamp literal");
    if (node.type.kind == Of::binary) return refuse(node, "a binary literal");
    if (node.type.kind == Of::float32) return refuse(node, "a number with the letter F");
    if (node.type.kind == Of::decimal && node.text.find('.') == std::string::npos)
      return refuse(node, "a number with the letters BD, or beyond a bigint");
    if (node.type.kind == Of::date && !is_canonical_date(node.text))
      return refuse(node, "a date that is not written yyyy-MM-dd");
    if (node.type.kind != Of::string) return {};
    const bool plain = std::none_of(node.text.begin(), node.text.end(), [](char c) {
      return c == '\'' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
    return plain ? base::Status{} : refuse(node, "a text with a quote, a backslash or a control character");
  }

  static bool is_canonical_date(const std::string& text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
    return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) == 8;
  }

  // The children are compared with each other: no cast between kinds of values, but
  // for a date as text, which all readers take for a date.
  base::Status alike(const Node& node) { return alike_parts(parts_of(node)); }

  static std::vector<const Node*> parts_of(const Node& node) {
    std::vector<const Node*> parts;
    for (const NodePtr& child : node.children) parts.push_back(child.get());
    return parts;
  }

  base::Status alike_parts(const std::vector<const Node*>& parts) {
    TRY_STATUS(doubles(parts));
    const Node* known = nullptr;
    for (const Node* part : parts) {
      const Of kind = type_of(*part).kind;
      if (kind == Of::null || is_date_text(*part)) continue;
      if (known != nullptr && family(type_of(*known)) != family(type_of(*part)))
        return refuse(*part, print_type(type_of(*part)) + " beside " + print_type(type_of(*known)));
      known = part;
    }
    if (known == nullptr) return {};
    for (const Node* part : parts) {
      const Of kind = type_of(*known).kind;
      if (is_date_text(*part) && kind != Of::date && kind != Of::string)
        return refuse(*part, "a text beside " + print_type(type_of(*known)));
    }
    return {};
  }

  static bool is_date_text(const Node& node) {
    return node.kind == Kind::literal && node.type.kind == Of::string && is_canonical_date(node.text);
  }

  // Values of one family compare alike everywhere.
  static Of family(const Type& type) { return is_numeric(type) ? Of::decimal : type.kind; }

  base::Status case_of(const Node& node) {
    std::vector<const Node*> values;
    std::vector<const Node*> choices;
    std::size_t at = node.has_operand ? 1 : 0;
    if (node.has_operand) choices.push_back(node.children[0].get());
    const std::size_t end = node.children.size() - (node.has_otherwise ? 1 : 0);
    for (; at < end; at += 2) {
      choices.push_back(node.children[at].get());
      values.push_back(node.children[at + 1].get());
    }
    if (node.has_otherwise) values.push_back(node.children.back().get());
    if (node.has_operand && any_double(choices))
      return refuse(node, "CASE of a double, where 0.0 and -0.0 are two values to some,");
    TRY_STATUS(alike_parts(choices));
    return alike_parts(values);
  }

  base::Status number(const Node& node, const Node& value) const {
    if (is_numeric(type_of(value))) return {};
    return refuse(node, "arithmetic with " + print_type(type_of(value)));
  }

  base::Status negate(const Node& node) const {
    TRY_STATUS(number(node, *node.children[0]));
    if (node.children[0]->kind == Kind::literal) return {};
    if (is_double(node)) return refuse(node, "the negative of a double, which turns NaN's sign");
    return is_integral(type_of(node)) ? in_range(node) : base::Status{};
  }

  base::Status text(const Node& node) const {
    if (type_of(node).kind == Of::string) return {};
    return refuse(node, print_type(type_of(node)) + " taken as text");
  }

  static bool is_nonzero_number(const Node& node) {
    return node.kind == Kind::literal && is_numeric(node.type) &&
           node.text.find_first_of("123456789") != std::string::npos;
  }

  base::Status arithmetic(const Node& node) {
    TRY_STATUS(number(node, *node.children[0]));
    TRY_STATUS(number(node, *node.children[1]));
    TRY_STATUS(doubles(parts_of(node)));
    TRY_STATUS(no_new_nan(node));
    if (node.text == "div") return refuse(node, "div");
    if (node.text == "+" || node.text == "-" || node.text == "*") return in_range(node);
    // Whole numbers divide to a fraction here and to a whole number there; by zero gives null or an error.
    if (!is_nonzero_number(*node.children[1]))
      return refuse(node, "division by anything but a number other than 0");
    const Type& left = type_of(*node.children[0]);
    const Type& right = type_of(*node.children[1]);
    if (node.text == "/" && left.kind != Of::float64)
      return refuse(node, "division of anything but a double");
    if (node.text == "%" && (!is_integral(left) || !is_integral(right)))
      return refuse(node, "the remainder of anything but whole numbers");
    return {};
  }

  // Infinity less infinity, and infinity times 0, give a NaN that some readers order below everything.
  base::Status no_new_nan(const Node& node) {
    if (!any_double(parts_of(node))) return {};
    for (const NodePtr& child : node.children)
      if (is_nonzero_number(*child)) return {};
    return refuse(node, "arithmetic of a double with anything but a number other than 0");
  }

  // What leaves the type's range wraps, widens, becomes null or fails, by reader.
  base::Status in_range(const Node& node) const {
    const Type& type = type_of(node);
    if (is_integral(type))
      return refuse(node, "arithmetic of whole numbers alone (cast one side to decimal: it can overflow)");
    if (type.kind == Of::decimal && type.precision == 38)
      return refuse(node, "arithmetic that may need more than 38 digits");
    return {};
  }

  static int whole_digits(const Type& type) {
    switch (type.kind) {
      case Of::tinyint:
        return 3;
      case Of::smallint:
        return 5;
      case Of::integer:
        return 10;
      case Of::bigint:
        return 20;
      default:
        return type.precision - type.scale;
    }
  }

  // Only a cast that keeps every value: readers round, cut, refuse or lose the others.
  base::Status decimal_cast(const Node& node, const Type& from) const {
    const bool is_exact = is_integral(from) || from.kind == Of::decimal;
    if (is_exact && whole_digits(node.type) >= whole_digits(from) && node.type.scale >= from.scale) return {};
    return refuse(node, "a cast of " + print_type(from) + " to " + print_type(node.type) +
                            ", which does not keep every value,");
  }

  // CAST('1.50' AS DECIMAL(3,2)), the form in which a decimal literal is stored.
  base::Status written_decimal(const Node& node) const {
    const Node& child = *node.children[0];
    if (child.kind == Kind::literal)
      if (const auto number = Expression::parse(child.text); number && number->root().kind == Kind::literal) {
        const Type& type = number->root().type;
        if (type.kind == Of::decimal && type.precision == node.type.precision &&
            type.scale == node.type.scale)
          return {};
      }
    return refuse(node, "a cast of text to " + print_type(node.type));
  }

  base::Status cast(const Node& node) const {
    const Type& from = type_of(*node.children[0]);
    if (node.text == "try_cast") return refuse(node, "try_cast");
    if (node.type.kind != Of::date && node.type.kind != Of::decimal)
      return refuse(node, "a cast to " + print_type(node.type));
    if (from.kind == Of::timestamp)
      return refuse(node, "a cast of a timestamp, which depends on the time zone,");
    if (node.type.kind == Of::date && from.kind == Of::string && !is_date_text(*node.children[0]))
      return refuse(node, "a cast of text to date, which fails elsewhere where it gives null here,");
    if (node.type.kind == Of::decimal && from.kind == Of::string) return written_decimal(node);
    if (node.type.kind == Of::decimal && from.kind != Of::null) return decimal_cast(node, from);
    return {};
  }

  base::Status call(const Node& node) {
    const auto literal_at_least = [&](std::size_t i, const std::string& least) {
      const Node& child = *node.children[i];
      const bool is_whole = child.kind == Kind::literal && child.type.kind == Of::integer;
      return is_whole && !child.text.starts_with('-') && (least == "0" || child.text != "0");
    };
    switch (node.function->id) {
      case Id::coalesce:
        return alike(node);
      case Id::trim:
      case Id::upper:
      case Id::lower:
      case Id::length:
        if (node.children.size() > 1) return refuse(node, "trim of other characters than blanks");
        return text(*node.children[0]);
      case Id::substring:
        for (std::size_t i = 1; i < node.children.size(); ++i)
          if (!literal_at_least(i, i == 1 ? "1" : "0"))
            return refuse(*node.children[i], "substring with a place that is no literal from 1 on");
        return text(*node.children[0]);
      case Id::current_date:
      case Id::current_timestamp:
        return refuse(node, node.text + ", which changes with the clock,");
      default:
        return refuse(node, "the function " + node.text);
    }
  }

  const Expression& expression_;
  const TypeMap& types_;
  std::set<const Node*> as_doubles_;
};

}  // namespace

base::Result<std::string> print_table_check(const Expression& expression,
                                            const std::vector<Column>& declared) {
  TypeMap types;
  TRY(TypedPtr root, analyze_tree(expression, declared, &types));
  if (root->type.kind != Of::boolean)
    return base::fail(error_at(expression.text(), expression.root().offset, "sql.type_mismatch",
                               "the check gives " + print_type(root->type) + " where true or false is wanted",
                               "write a comparison"));
  TableCheck check(expression, types);
  TRY_STATUS(check.visit(expression.root()));
  PrintOptions options;
  options.plain_numbers = true;
  options.decimals_as_casts = true;
  options.as_double = [&](const Node& node) { return check.as_doubles().contains(&node); };
  options.column = [&](const std::string& name) {
    const auto found = std::find_if(declared.begin(), declared.end(), [&](const Column& column) {
      return base::equal_ignoring_case(column.name, name);
    });
    return spark_name(found == declared.end() ? name : found->name);
  };
  std::string text = print_tree(expression.root(), options);
  const auto forbidden = [&](std::string_view sign) { return text.find(sign) != std::string::npos; };
  if (forbidden("\"") || forbidden("::") || forbidden("~"))
    return base::fail(error_at(expression.text(), 0, "sql.not_on_table",
                               "a rule on the table holds no double quote, '::' or '~'",
                               "set `on table: false` to keep it as a rule of the load"));
  return text;
}

}  // namespace sql
