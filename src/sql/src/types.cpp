#include <sql/types.h>

#include <base/text.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "tokens.h"

namespace sql {

namespace {

using Kind = Type::Kind;

struct Name {
  Kind kind;
  std::string_view spark;  // simple name
  std::string_view delta;  // in a schema string
  std::string_view engine;
  std::string_view alias;  // a second name in SQL, or empty
};

constexpr std::array<Name, 13> kNames = {{
    {Kind::null, "void", "void", "INTEGER", ""},
    {Kind::boolean, "boolean", "boolean", "BOOLEAN", ""},
    {Kind::tinyint, "tinyint", "byte", "TINYINT", "byte"},
    {Kind::smallint, "smallint", "short", "SMALLINT", "short"},
    {Kind::integer, "int", "integer", "INTEGER", "integer"},
    {Kind::bigint, "bigint", "long", "BIGINT", "long"},
    {Kind::float32, "float", "float", "FLOAT", "real"},
    {Kind::float64, "double", "double", "DOUBLE", ""},
    {Kind::decimal, "decimal", "decimal", "DECIMAL", ""},
    {Kind::string, "string", "string", "VARCHAR", ""},
    {Kind::binary, "binary", "binary", "BLOB", ""},
    {Kind::date, "date", "date", "DATE", ""},
    {Kind::timestamp, "timestamp", "timestamp", "TIMESTAMPTZ", "timestamp_ltz"},
}};

const Name& name_of(const Type& type) {
  return *std::find_if(kNames.begin(), kNames.end(),
                       [&](const Name& name) { return name.kind == type.kind; });
}

std::string with_digits(std::string_view name, const Type& type) {
  std::string out(name);
  if (type.kind == Kind::decimal)
    out += "(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
  return out;
}

base::Error type_error(std::string_view text, std::size_t offset, std::string message,
                       std::string hint = {}) {
  return error_at(text, offset, "sql.type", std::move(message), std::move(hint));
}

bool is_not_built(std::string_view lower) {
  static constexpr std::array<std::string_view, 11> kLater = {"array",     "map",     "struct",        "char",
                                                              "character", "varchar", "timestamp_ntz", "void",
                                                              "interval",  "variant", "object"};
  return std::find(kLater.begin(), kLater.end(), lower) != kLater.end();
}

std::optional<int> small_number(const Token& token) {
  if (token.kind != Token::Kind::number || token.text.size() > 3) return std::nullopt;
  int value = 0;
  for (const char c : token.text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

// `(p)` or `(p,s)` after decimal; nothing is decimal(10,0).
base::Result<Type> decimal_digits(std::string_view text, const std::vector<Token>& tokens, std::size_t& at) {
  if (tokens[at].text != "(") return Type::decimal(10, 0);
  const auto bad = [&](std::size_t i) {
    return base::fail(type_error(text, tokens[i].offset,
                                 "decimal wants a precision of 1 to 38 and a scale up to it",
                                 "write it as decimal(18,2)"));
  };
  const std::optional<int> precision = small_number(tokens[at + 1]);
  if (!precision || *precision < 1 || *precision > 38) return bad(at + 1);
  std::optional<int> scale = 0;
  std::size_t close = at + 2;
  if (tokens[close].text == ",") {
    scale = small_number(tokens[at + 3]);
    if (!scale || *scale > *precision) return bad(at + 3);
    close = at + 4;
  }
  if (tokens[close].text != ")") return bad(close);
  at = close + 1;
  return Type::decimal(*precision, *scale);
}

}  // namespace

bool is_integral(const Type& type) {
  return type.kind == Kind::tinyint || type.kind == Kind::smallint || type.kind == Kind::integer ||
         type.kind == Kind::bigint;
}

bool is_numeric(const Type& type) {
  return is_integral(type) || type.kind == Kind::float32 || type.kind == Kind::float64 ||
         type.kind == Kind::decimal;
}

base::Result<Type> read_type(std::string_view text, const std::vector<Token>& tokens, std::size_t& at) {
  const Token& token = tokens[at];
  if (token.kind != Token::Kind::word)
    return base::fail(type_error(text, token.offset, "a type name is expected here"));
  if (is_not_built(token.lower))
    return base::fail(
        error_at(text, token.offset, "sql.type_not_built", "the type " + token.lower + " is not built yet",
                 token.lower.find("char") != std::string::npos ? "use string" : "use a simple type",
                 base::Kind::unsupported));
  ++at;
  if (token.lower == "decimal" || token.lower == "dec" || token.lower == "numeric")
    return decimal_digits(text, tokens, at);
  std::vector<std::string> known;
  for (const Name& name : kNames) {
    if (token.lower == name.spark || (!name.alias.empty() && token.lower == name.alias))
      return Type{name.kind};
    known.emplace_back(name.spark);
  }
  // What other databases call them.
  static const std::map<std::string, std::string> kElsewhere = {{"text", "string"},
                                                                {"nvarchar", "string"},
                                                                {"nchar", "string"},
                                                                {"uuid", "string"},
                                                                {"uniqueidentifier", "string"},
                                                                {"datetime", "timestamp"},
                                                                {"datetime2", "timestamp"},
                                                                {"timestamptz", "timestamp"},
                                                                {"bit", "boolean"},
                                                                {"bool", "boolean"},
                                                                {"money", "decimal(19,4)"},
                                                                {"number", "decimal(38,0)"},
                                                                {"int4", "int"},
                                                                {"int8", "bigint"},
                                                                {"varbinary", "binary"},
                                                                {"blob", "binary"}};
  const auto elsewhere = kElsewhere.find(token.lower);
  const std::string near =
      elsewhere != kElsewhere.end() ? elsewhere->second : base::closest(token.lower, known);
  return base::fail(type_error(text, token.offset, "'" + token.text + "' is no type",
                               near.empty()
                                   ? "types are string, int, bigint, decimal(p,s), date, timestamp, …"
                                   : "did you mean " + near + "?"));
}

base::Result<Type> parse_type(std::string_view text) {
  TRY(const std::vector<Token> tokens, read_tokens(text));
  std::size_t at = 0;
  TRY(const Type type, read_type(text, tokens, at));
  if (tokens[at].kind != Token::Kind::end)
    return base::fail(
        type_error(text, tokens[at].offset, "'" + tokens[at].text + "' does not belong to a type"));
  return type;
}

std::string print_type(const Type& type) {
  return with_digits(name_of(type).spark, type);
}

base::Result<Type> parse_delta_type(std::string_view name) {
  for (const Name& known : kNames)
    if (name == known.delta && known.kind != Kind::decimal && known.kind != Kind::null)
      return Type{known.kind};
  if (name.starts_with("decimal")) return parse_type(name);
  if (is_not_built(base::ascii_lower(name)))
    return base::fail(base::Kind::unsupported, "sql.type_not_built",
                      "the type " + std::string(name) + " is not built yet");
  return base::fail(base::Kind::invalid, "sql.type",
                    "'" + std::string(name) + "' is no type of a Delta schema");
}

std::string delta_type(const Type& type) {
  return with_digits(name_of(type).delta, type);
}

std::string engine_type(const Type& type) {
  return with_digits(name_of(type).engine, type);
}

}  // namespace sql
