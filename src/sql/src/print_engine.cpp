// The engine's text of a typed tree. Functions named spark_… are registered by the engine room; those
// that give a decimal carry its digits in their names.
#include <base/text.h>
#include <sql/expression.h>

#include <algorithm>
#include <array>

#include "typed.h"

namespace sql {

namespace {

using Of = Type::Kind;
using Kind = TypedNode::Kind;
using Id = FunctionId;

std::string with_digits(std::string_view name, const Type& decimal) {
  return std::string(name) + "_" + std::to_string(decimal.precision) + "_" + std::to_string(decimal.scale);
}

std::string native_cast(std::string_view text, const Type& to) {
  return "CAST(" + std::string(text) + " AS " + engine_type(to) + ")";
}

bool is_floating(const Type& type) {
  return type.kind == Of::float32 || type.kind == Of::float64;
}

// Whether the engine's own cast gives every value and cannot fail.
bool is_plain_widening(const Type& from, const Type& to) {
  if (is_integral(from) && (is_integral(to) || is_floating(to)))
    return from.kind <= to.kind || is_floating(to);
  if (from.kind == Of::boolean) return is_integral(to) || is_floating(to) || to.kind == Of::string;
  if (is_integral(from) && to.kind == Of::string) return true;
  if (from.kind == Of::decimal && to.kind == Of::decimal)
    return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;
  return from.kind == Of::float32 && to.kind == Of::float64;
}

// Of the functions whose instants are read or shown on a wall clock.
bool takes_zone(Id id) {
  return id == Id::hour || id == Id::minute || id == Id::second || id == Id::date_trunc ||
         id == Id::to_timestamp;
}

class CastPrinter {
 public:
  CastPrinter(std::string_view text, const Type& from, const Context& context, bool is_try)
      : text_(text), from_(from), zone_(base::sql_quote(context.time_zone)), is_try_(is_try) {}

  std::string to(const Type& type) const {
    if (from_ == type) return text_;
    if (from_.kind == Of::null || !can_cast(from_, type, is_try_)) return native_cast("NULL", type);
    if (is_plain_widening(from_, type)) return native_cast(text_, type);
    switch (type.kind) {
      case Of::boolean:
        return from_.kind == Of::string ? call("spark_boolean") : "(" + text_ + " <> 0)";
      case Of::tinyint:
        return whole("tinyint");
      case Of::smallint:
        return whole("smallint");
      case Of::integer:
        return whole("integer");
      case Of::bigint:
        return whole("bigint");
      case Of::float32:
        return call("spark_float");
      case Of::float64:
        return call("spark_double");
      case Of::decimal:
        return decimal(type);
      case Of::string:
        return string();
      case Of::binary:
        return call("spark_binary");
      case Of::date:
        return from_.kind == Of::string ? call("spark_date") : call("spark_date", zone_);
      case Of::timestamp:
        return call(is_try_ ? "spark_try_timestamp" : "spark_timestamp", zone_);
      case Of::null:
        break;
    }
    return "NULL";
  }

 private:
  std::string call(std::string_view name, std::string_view more = {}) const {
    return std::string(name) + "(" + text_ + (more.empty() ? "" : ", " + std::string(more)) + ")";
  }
  std::string whole(std::string_view target) const {
    return call((is_try_ ? "spark_try_" : "spark_") + std::string(target));
  }
  std::string decimal(const Type& type) const {
    if (from_.kind != Of::boolean) return call(with_digits("spark_decimal", type));
    return with_digits("spark_decimal", type) + "(" + native_cast(text_, Type{Of::integer}) + ")";
  }
  std::string string() const {
    if (from_.kind == Of::timestamp) return call("spark_string", zone_);
    // The engine leaves out the zero before the point of a decimal without whole digits.
    const bool has_whole = from_.precision > from_.scale;
    if (from_.kind == Of::decimal && has_whole && (is_try_ || from_.scale <= 6))
      return native_cast(text_, Type{Of::string});
    if (from_.kind == Of::decimal && is_try_) return call("spark_try_string");
    return call("spark_string");
  }

  std::string text_;
  Type from_;
  std::string zone_;
  bool is_try_;
};

class EnginePrinter {
 public:
  EnginePrinter(const ColumnPrinter& column, const Context& context)
      : column_(column), context_(context), zone_(base::sql_quote(context.time_zone)) {}

  std::string print(const TypedNode& node) const {
    const auto child = [&](std::size_t i) { return print(*node.children[i]); };
    const std::string negated = node.negated ? " NOT" : "";
    switch (node.kind) {
      case Kind::literal:
        return literal(node);
      case Kind::column:
        return column_(node.text);
      case Kind::cast:
        return CastPrinter(child(0), node.children[0]->type, context_, node.is_try).to(node.type);
      case Kind::arithmetic:
        return arithmetic(node);
      case Kind::negate:
        return node.type.kind == Of::decimal ? "(-" + child(0) + ")" : "spark_negate(" + child(0) + ")";
      case Kind::joined:
        return joined(node);
      case Kind::compare:
        return "(" + child(0) + (node.text == "<=>" ? " IS NOT DISTINCT FROM " : " " + node.text + " ") +
               child(1) + ")";
      case Kind::logic:
        return "(" + child(0) + (node.text == "or" ? " OR " : " AND ") + child(1) + ")";
      case Kind::negation:
        return "(NOT " + child(0) + ")";
      case Kind::is_null:
        return "(" + child(0) + " IS" + negated + " NULL)";
      case Kind::in:
        return "(" + child(0) + negated + " IN (" + list(node, 1) + "))";
      case Kind::case_of:
        return case_of(node);
      case Kind::coalesce:
        return "coalesce(" + list(node, 0) + ")";
      case Kind::like:
        return "(" + child(0) + negated + " LIKE " + child(1) + " ESCAPE " + base::sql_quote(node.text) + ")";
      case Kind::rlike:
        return "(" + std::string(node.negated ? "NOT " : "") + "spark_rlike(" + list(node, 0) + "))";
      case Kind::call:
        return call(node);
      case Kind::split_part:
        return "spark_split_part(" + list(node, 0) + ")";
    }
    return "NULL";
  }

 private:
  std::string list(const TypedNode& node, std::size_t first) const {
    std::vector<std::string> parts;
    for (std::size_t i = first; i < node.children.size(); ++i) parts.push_back(print(*node.children[i]));
    return base::join(parts, ", ");
  }

  // The engine makes an integer of text joined with a NULL that it can see.
  std::string joined(const TypedNode& node) const {
    std::vector<std::string> parts;
    for (const TypedPtr& part : node.children) parts.push_back(print(*part));
    return native_cast(base::join(parts, " || "), Type{Of::string});
  }

  std::string literal(const TypedNode& node) const {
    const std::string quoted = base::sql_quote(node.text);
    if (node.type.kind == Of::null) return "NULL";
    if (node.is_absent) return native_cast("NULL", node.type);
    switch (node.type.kind) {
      case Of::string:
        return quoted;
      case Of::boolean:
        return node.text;
      case Of::integer:
        return node.text.starts_with('-') ? "(" + node.text + ")" : node.text;
      case Of::float32:
      case Of::float64:
        return native_cast(quoted, node.type);
      case Of::date:
        return "spark_date(" + quoted + ")";
      case Of::timestamp:
        return "spark_timestamp(" + quoted + ", " + zone_ + ")";
      case Of::binary:
        return "unhex(" + quoted + ")";
      default:
        return native_cast(quoted, node.type);
    }
  }

  std::string arithmetic(const TypedNode& node) const {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames = {
        {{"+", "spark_add"},
         {"-", "spark_subtract"},
         {"*", "spark_multiply"},
         {"/", "spark_divide"},
         {"%", "spark_remainder"},
         {"div", "spark_div"}}};
    const auto* found =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto& name) { return name.first == node.text; });
    const std::string name =
        node.type.kind == Of::decimal ? with_digits(found->second, node.type) : std::string(found->second);
    return name + "(" + list(node, 0) + ")";
  }

  std::string case_of(const TypedNode& node) const {
    std::string text = "(CASE";
    const std::size_t end = node.children.size() - (node.has_otherwise ? 1 : 0);
    for (std::size_t i = 0; i < end; i += 2)
      text += " WHEN " + print(*node.children[i]) + " THEN " + print(*node.children[i + 1]);
    if (node.has_otherwise) text += " ELSE " + print(*node.children.back());
    return text + " END)";
  }

  std::string call(const TypedNode& node) const {
    const std::string arguments = list(node, 0);
    switch (node.function) {
      case Id::concat:
        return node.children.empty() ? "''" : joined(node);
      case Id::concat_ws:
        return concat_ws(node);
      case Id::trim:
      case Id::ltrim:
      case Id::rtrim:
        return trim("spark_" + std::string(name_of(node.function)), node);
      case Id::replace:
        return "replace(" + arguments + (node.children.size() == 2 ? ", ''" : "") + ")";
      case Id::current_timestamp:
        return now();
      case Id::current_date:
        return "spark_date(" + now() + ", " + zone_ + ")";
      default:
        break;
    }
    const bool is_decimal = node.type.kind == Of::decimal;
    // The engine's own abs is right for decimals.
    if (node.function == Id::abs && is_decimal) return "abs(" + arguments + ")";
    const std::string name = "spark_" + std::string(name_of(node.function));
    return (is_decimal ? with_digits(name, node.type) : name) + "(" + arguments +
           (takes_zone(node.function) ? ", " + zone_ : "") + ")";
  }

  std::string now() const {
    return "spark_instant(" + native_cast(std::to_string(context_.now_us), Type{Of::bigint}) + ")";
  }

  std::string concat_ws(const TypedNode& node) const {
    if (node.children.size() > 1) return "concat_ws(" + list(node, 0) + ")";
    return "(CASE WHEN " + print(*node.children[0]) + " IS NULL THEN NULL ELSE '' END)";
  }

  // Written as trim(characters, text), called as spark_trim(text, characters).
  std::string trim(const std::string& name, const TypedNode& node) const {
    if (node.children.size() == 1) return name + "(" + print(*node.children[0]) + ")";
    return name + "(" + print(*node.children[1]) + ", " + print(*node.children[0]) + ")";
  }

  const ColumnPrinter& column_;
  const Context& context_;
  std::string zone_;
};

}  // namespace

bool can_cast(const Type& from, const Type& to, bool /*try_cast*/) {
  if (from == to) return true;
  if (from.kind == Of::null || to.kind == Of::null) return false;
  const bool is_time = from.kind == Of::date || from.kind == Of::timestamp;
  switch (to.kind) {
    case Of::string:
      return true;
    case Of::binary:
      return from.kind == Of::string;
    case Of::boolean:
      return from.kind == Of::string || is_numeric(from);
    case Of::date:
      return from.kind == Of::string || from.kind == Of::timestamp;
    case Of::timestamp:
      return from.kind == Of::string || from.kind == Of::date || is_numeric(from);
    // Spark's other cast also makes a number of a timestamp; try_cast and cast agree on that.
    default:
      return from.kind == Of::timestamp || (!is_time && from.kind != Of::binary);
  }
}

std::string print_engine(const TypedExpression& expression, const ColumnPrinter& column,
                         const Context& context) {
  return EnginePrinter(column, context).print(expression.root());
}

std::string print_cast(std::string_view engine_text, const Type& from, const Type& to, const Context& context,
                       bool try_cast) {
  return CastPrinter(engine_text, from, context, try_cast).to(to);
}

}  // namespace sql
