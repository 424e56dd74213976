// The functions: their argument types, results and literal arguments.
#include <base/text.h>
#include <sql/date_pattern.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analyzer.h"
#include "coerce.h"
#include "java_regex.h"

namespace sql {

namespace {

using Of = Type::Kind;
using Kind = TypedNode::Kind;
using Id = FunctionId;

constexpr Type kString{Of::string};
constexpr Type kDouble{Of::float64};
constexpr Type kInt{Of::integer};
constexpr Type kBigint{Of::bigint};
constexpr Type kDate{Of::date};
constexpr Type kTimestamp{Of::timestamp};

TypedPtr make_call(Id id, const Type& type, std::vector<TypedPtr> children) {
  TypedNode node;
  node.kind = Kind::call;
  node.type = type;
  node.function = id;
  node.children = std::move(children);
  return std::make_shared<const TypedNode>(std::move(node));
}

TypedPtr text_node(std::string text) {
  return make_typed(Kind::literal, kString, std::move(text));
}
TypedPtr int_node(int value) {
  return make_typed(Kind::literal, kInt, std::to_string(value));
}

struct Unit {
  std::string_view name;
  std::string_view unit;
};

constexpr std::array<Unit, 14> kUnits = {{{"year", "year"},
                                          {"yyyy", "year"},
                                          {"yy", "year"},
                                          {"quarter", "quarter"},
                                          {"month", "month"},
                                          {"mon", "month"},
                                          {"mm", "month"},
                                          {"week", "week"},
                                          {"day", "day"},
                                          {"dd", "day"},
                                          {"hour", "hour"},
                                          {"minute", "minute"},
                                          {"second", "second"},
                                          {"millisecond", "millisecond"}}};

// A replacement of Java ($1, \$) as one of RE2 (\1, $); the error says what is wrong and where.
std::expected<std::string, RegexError> translate_replacement(std::string_view text, int groups) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (++i == text.size())
        return std::unexpected(RegexError{i - 1, "the replacement ends in a backslash"});
      out += text[i] == '\\' ? "\\\\" : std::string(1, text[i]);
    } else if (text[i] == '$') {
      const char next = i + 1 < text.size() ? text[i + 1] : '\0';
      if (next < '0' || next > '9')
        return std::unexpected(RegexError{i, "behind '$' stands no group number; write \\$ for the sign"});
      if (next - '0' > groups) return std::unexpected(RegexError{i, "the pattern has no such group"});
      const char behind = i + 2 < text.size() ? text[i + 2] : '\0';
      if (behind >= '0' && behind <= '9' && (next - '0') * 10 + (behind - '0') <= groups)
        return std::unexpected(RegexError{i, "groups above 9 cannot be used here"});
      out += '\\';
      out += next;
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

base::Result<TypedPtr> Analyzer::call(const Node& node) {
  switch (node.function->id) {
    case Id::abs:
      return absolute(node);
    case Id::ceil:
    case Id::floor:
      return whole(node);
    case Id::coalesce:
      return coalesce(node);
    case Id::nullif:
      return null_if(node);
    case Id::round:
      return round(node);
    case Id::length:
      return length(node);
    case Id::current_date:
      return call_of(node, kDate, {});
    case Id::current_timestamp:
      return call_of(node, kTimestamp, {});
    case Id::concat:
    case Id::concat_ws:
    case Id::trim:
    case Id::ltrim:
    case Id::rtrim:
    case Id::upper:
    case Id::lower:
    case Id::replace:
      return call_of(node, kString, std::vector<Type>(node.children.size(), kString));
    case Id::substring:
      return call_of(node, kString, {kString, kInt, kInt});
    case Id::day:
    case Id::dayofweek:
    case Id::dayofyear:
    case Id::month:
    case Id::quarter:
    case Id::weekofyear:
    case Id::year:
      return call_of(node, kInt, {kDate});
    case Id::hour:
    case Id::minute:
    case Id::second:
      return call_of(node, kInt, {kTimestamp});
    case Id::date_add:
    case Id::date_sub:
      return call_of(node, kDate, {kDate, kInt});
    case Id::datediff:
      return call_of(node, kInt, {kDate, kDate});
    case Id::date_trunc:
      return truncate(node);
    case Id::to_date:
      return parse_time(node, kDate);
    case Id::to_timestamp:
      return parse_time(node, kTimestamp);
    case Id::regexp_extract:
      return regexp_extract(node);
    case Id::regexp_replace:
      return regexp_replace(node);
    case Id::split:
      return base::fail(error_at(expression_.text(), node.offset, "sql.not_built",
                                 "a list as a value is not built yet", "take one part: split(x, ',')[0]",
                                 base::Kind::unsupported));
  }
  return base::fail(error(node, "sql.unknown_function", "there is no function '" + node.text + "'"));
}

base::Result<TypedPtr> Analyzer::call_of(const Node& node, const Type& result,
                                         const std::vector<Type>& arguments) {
  std::vector<TypedPtr> children;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    TRY(TypedPtr child, visit_as(*node.children[i], arguments[i], node.text));
    children.push_back(child);
  }
  return make_call(node.function->id, result, std::move(children));
}

base::Result<TypedPtr> Analyzer::coalesce(const Node& node) {
  std::vector<TypedPtr> values;
  for (const NodePtr& child : node.children) {
    TRY(TypedPtr value, visit(*child));
    values.push_back(value);
  }
  TRY(const Type type, unify(node, "the arguments of coalesce", values));
  return make_typed(Kind::coalesce, type, "", std::move(values));
}

base::Result<TypedPtr> Analyzer::null_if(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  TRY(TypedPtr other, visit(*node.children[1]));
  TRY(TypedPtr equal, compare(node, "=", value, other));
  TypedNode result;
  result.kind = Kind::case_of;
  result.type = value->type;
  result.has_otherwise = true;
  result.children = {equal, make_null(value->type), value};
  return std::make_shared<const TypedNode>(std::move(result));
}

base::Result<TypedPtr> Analyzer::length(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  if (value->type.kind != Of::binary) value = cast_to(value, kString);
  return make_call(Id::length, kInt, {value});
}

base::Result<int> Analyzer::whole_literal(const Node& node, const std::string& what) {
  int value = 0;
  const bool is_int = node.kind == Node::Kind::literal && node.type.kind == Of::integer;
  if (is_int) std::from_chars(node.text.data(), node.text.data() + node.text.size(), value);
  if (!is_int) return base::fail(error(node, "sql.arguments", what + " must be a whole-number literal"));
  if (types_ != nullptr) types_->emplace(&node, kInt);
  return value;
}

base::Result<TypedPtr> Analyzer::round(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  int digits = 0;
  if (node.children.size() == 2) {
    TRY(digits, whole_literal(*node.children[1], "the number of digits of round"));
  }
  if (value->type.kind == Of::string || value->type.kind == Of::null) value = cast_to(value, kDouble);
  if (!is_numeric(value->type))
    return base::fail(error(node, "sql.type_mismatch", "round does not take " + print_type(value->type)));
  Type type = value->type;
  if (type.kind == Of::decimal) {
    const int whole = type.precision - type.scale + 1;
    const int scale = std::clamp(digits, 0, type.scale);
    const int needed = digits < 0 ? std::max(whole, -std::max(digits, -100) + 1) : whole + scale;
    type = Type::decimal(std::min(needed, 38), scale);
  }
  return make_call(Id::round, type, {value, int_node(digits)});
}

base::Result<TypedPtr> Analyzer::whole(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  const Type type = value->type;
  if (is_integral(type)) return cast_to(value, kBigint);
  if (type.kind == Of::decimal)
    return make_call(node.function->id, bounded_decimal(type.precision - type.scale + 1, 0), {value});
  if (type.kind != Of::float32 && type.kind != Of::float64 && type.kind != Of::string &&
      type.kind != Of::null)
    return base::fail(error(node, "sql.type_mismatch", node.text + " does not take " + print_type(type)));
  return make_call(node.function->id, kBigint, {cast_to(value, kDouble)});
}

base::Result<TypedPtr> Analyzer::absolute(const Node& node) {
  TRY(TypedPtr value, visit(*node.children[0]));
  if (value->type.kind == Of::string || value->type.kind == Of::null) value = cast_to(value, kDouble);
  if (!is_numeric(value->type))
    return base::fail(error(node, "sql.type_mismatch", "abs does not take " + print_type(value->type)));
  return make_call(Id::abs, value->type, {value});
}

base::Result<TypedPtr> Analyzer::truncate(const Node& node) {
  TRY(const std::string name, text_literal(*node.children[0], "the unit of date_trunc"));
  std::string lower = base::ascii_lower(name);
  const auto* unit =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& known) { return known.name == lower; });
  if (unit == kUnits.end() && lower != "microsecond")
    return base::fail(error(*node.children[0], "sql.arguments", "'" + name + "' is no unit of date_trunc",
                            "units are year quarter month week day hour minute second"));
  if (unit != kUnits.end()) lower = unit->unit;
  TRY(TypedPtr value, visit_as(*node.children[1], kTimestamp, "date_trunc"));
  return make_call(Id::date_trunc, kTimestamp, {text_node(lower), value});
}

base::Result<TypedPtr> Analyzer::parse_time(const Node& node, const Type& type) {
  TRY(TypedPtr value, visit(*node.children[0]));
  if (node.children.size() == 2) {
    const Node& literal = *node.children[1];
    TRY(const std::string pattern, text_literal(literal, "the date pattern"));
    const base::Result<DatePattern> parsed = DatePattern::parse(pattern);
    if (!parsed)
      return base::fail(pattern_error(literal, static_cast<std::size_t>(parsed.error().place.column) - 1,
                                      parsed.error().message, parsed.error().hint));
    if (value->type.kind == Of::string)
      return make_call(node.function->id, type, {value, text_node(pattern)});
  }
  const bool from_text = is_numeric(value->type) && type.kind == Of::date;
  if (from_text) value = cast_to(value, kString);
  if (value->type.kind != Of::null && !can_cast(value->type, type, false))
    return base::fail(
        error(node, "sql.type_mismatch", node.text + " does not take " + print_type(value->type)));
  return cast_to(value, type);
}

base::Result<TypedPtr> Analyzer::regexp_extract(const Node& node) {
  TRY(TypedPtr value, visit_as(*node.children[0], kString, node.text));
  TRY(TypedPtr pattern, regex(*node.children[1], false));
  int group = 1;
  if (node.children.size() == 3) {
    TRY(group, whole_literal(*node.children[2], "the group of regexp_extract"));
  }
  const int groups = count_groups(pattern->text);
  if (group < 0 || group > groups)
    return base::fail(
        error(node.children.size() == 3 ? *node.children[2] : node, "sql.arguments",
              "the pattern has " + std::to_string(groups) + " groups, not " + std::to_string(group),
              "group 0 is the whole match"));
  return make_call(Id::regexp_extract, kString, {value, pattern, int_node(group)});
}

base::Result<TypedPtr> Analyzer::regexp_replace(const Node& node) {
  TRY(TypedPtr value, visit_as(*node.children[0], kString, node.text));
  TRY(TypedPtr pattern, regex(*node.children[1], false));
  const Node& literal = *node.children[2];
  TRY(const std::string replacement, text_literal(literal, "the replacement"));
  const auto translated = translate_replacement(replacement, count_groups(pattern->text));
  if (!translated)
    return base::fail(pattern_error(literal, translated.error().at, translated.error().message));
  int position = 1;
  if (node.children.size() == 4) {
    TRY(position, whole_literal(*node.children[3], "the position of regexp_replace"));
    if (position < 1)
      return base::fail(
          error(*node.children[3], "sql.arguments", "the position of regexp_replace counts from 1"));
  }
  return make_call(Id::regexp_replace, kString, {value, pattern, text_node(*translated), int_node(position)});
}

base::Result<TypedPtr> Analyzer::split_part(const Node& node) {
  const Node& split = *node.children[0];
  TRY(TypedPtr value, visit_as(*split.children[0], kString, "split"));
  TRY(TypedPtr pattern, regex(*split.children[1], false));
  int limit = -1;
  if (split.children.size() == 3) {
    TRY(limit, whole_literal(*split.children[2], "the limit of split"));
  }
  TRY(TypedPtr index, visit(*node.children[1]));
  if (!is_integral(index->type))
    return base::fail(
        error(*node.children[1], "sql.type_mismatch", "the number of a part is a whole number"));
  return make_typed(Kind::split_part, kString, "",
                    {value, pattern, int_node(limit), cast_to(index, kBigint)});
}

}  // namespace sql
