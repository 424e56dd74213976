// The tree with Spark's types: columns found, every implicit cast written out, sugar removed
// (between, nullif, case with an operand), patterns checked and translated.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sql/expression.h>

#include "node.h"

namespace sql {

using TypedPtr = std::shared_ptr<const TypedNode>;

struct TypedNode {
  enum class Kind {
    literal,     // text
    column,      // text: the declared name
    cast,        // child to type; is_try
    arithmetic,  // text: + - * / % div; children of one type (decimals may differ)
    negate,
    joined,   // strings
    compare,  // text; children of one type
    logic,    // text: and, or
    negation,
    is_null,    // negated
    in,         // children of one type; negated
    case_of,    // (when, then)…, [otherwise]
    coalesce,   // children of one type
    like,       // x, pattern; text: the escape character; negated
    rlike,      // x, pattern in RE2's language; negated
    call,       // function
    split_part  // x, pattern, limit, index
  };
  Kind kind = Kind::literal;
  Type type;
  std::string text;
  std::vector<TypedPtr> children;
  FunctionId function = FunctionId::abs;
  bool negated = false;
  bool is_try = false;
  bool has_otherwise = false;
  bool is_absent = false;  // literals: NULL
};

TypedPtr make_null(const Type& type);
TypedPtr make_typed(TypedNode::Kind kind, Type type, std::string text, std::vector<TypedPtr> children = {});
// The node itself when it has the type; NULL literals take any type.
TypedPtr cast_to(const TypedPtr& node, const Type& type, bool is_try = false);

// The type of each part as written, before implicit casts.
using TypeMap = std::map<const Node*, Type>;
base::Result<TypedPtr> analyze_tree(const Expression& expression, const std::vector<Column>& columns,
                                    TypeMap* types);

}  // namespace sql
