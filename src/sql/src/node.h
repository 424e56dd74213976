// The tree of an expression as it was written.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sql/expression.h>

#include "tokens.h"

namespace sql {

enum class FunctionId {
  abs,
  ceil,
  coalesce,
  concat,
  concat_ws,
  current_date,
  current_timestamp,
  date_add,
  date_sub,
  date_trunc,
  datediff,
  day,
  dayofweek,
  dayofyear,
  floor,
  hour,
  length,
  lower,
  ltrim,
  minute,
  month,
  nullif,
  quarter,
  regexp_extract,
  regexp_replace,
  replace,
  round,
  rtrim,
  second,
  split,
  substring,
  to_date,
  to_timestamp,
  trim,
  upper,
  weekofyear,
  year,
};

struct Function {
  std::string_view name;
  FunctionId id;
  int arguments_min;
  int arguments_max;  // -1: any number
};

// Null when there is no such function; the name is in lower case.
const Function* find_function(std::string_view lower);
std::vector<std::string> function_names();
// The first name of a function that has several.
std::string_view name_of(FunctionId id);

using NodePtr = std::shared_ptr<const Node>;

struct Node {
  enum class Kind {
    literal,     // type, text: digits, characters, 'true'; date and timestamp as written
    column,      // text: the name
    negate,      // -x
    arithmetic,  // text: + - * / % div
    joined,      // x || y
    compare,     // text: = <> < <= > >= <=>
    logic,       // text: and, or
    negation,    // not x
    is_null,     // negated: is not null
    in,          // children: x, choices…; negated
    between,     // children: x, low, high; negated
    like,        // children: x, pattern; text: the escape character; negated
    rlike,       // children: x, pattern; negated
    case_of,     // children: [operand], (when, then)…, [otherwise]; has_operand, has_otherwise
    cast,        // type; text: cast or try_cast
    call,        // function; text: the name in lower case
    item,        // children: list, index
  };
  Kind kind = Kind::literal;
  std::size_t offset = 0;
  std::string text;
  Type type;
  std::vector<NodePtr> children;
  const Function* function = nullptr;
  bool negated = false;
  bool has_operand = false;
  bool has_otherwise = false;
  std::vector<std::size_t> offsets;  // text literals: where each byte of `text` was written
};

base::Result<NodePtr> parse_tree(std::string_view text);
// A type inside a token list, moving `at` behind it.
base::Result<Type> read_type(std::string_view text, const std::vector<Token>& tokens, std::size_t& at);

}  // namespace sql
