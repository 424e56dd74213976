// One Spark SQL expression: parsed by our own grammar, given Spark 3.5's types (ANSI off), printed
// as text for the engine, for a Delta CHECK, or for people. What is not recognised is refused by its
// name and position; places are inside the expression's own text (line and column from 1).
// Everything here is an immutable value: copy and share freely.
//
// Codes: sql.syntax, sql.unknown_function, sql.unknown_column, sql.type_mismatch, sql.arguments,
// sql.pattern (regular expressions and date patterns), sql.not_built (Spark has it, Tenter not yet),
// sql.not_on_table, and those of parse_type.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <sql/types.h>

namespace sql {

struct Node;       // the tree as written
struct TypedNode;  // the tree with types and every implicit cast made explicit

class Expression {
 public:
  static base::Result<Expression> parse(std::string_view text);

  const std::string& text() const { return *text_; }
  const Node& root() const { return *root_; }
  // Columns named, as first written (without back-ticks), in order, distinct ignoring case.
  std::vector<std::string> columns() const;

 private:
  Expression(std::shared_ptr<const std::string> text, std::shared_ptr<const Node> root)
      : text_(std::move(text)), root_(std::move(root)) {}
  std::shared_ptr<const std::string> text_;
  std::shared_ptr<const Node> root_;
};

struct Column {
  std::string name;
  Type type;
};

// What an expression may take from the run it is part of.
struct Context {
  std::string time_zone = "UTC";  // an IANA name or an offset; text without an offset is read in it
  std::int64_t now_us = 0;        // current_timestamp: one instant for the whole run
};

class TypedExpression {
 public:
  explicit TypedExpression(std::shared_ptr<const TypedNode> root) : root_(std::move(root)) {}
  const TypedNode& root() const { return *root_; }
  std::shared_ptr<const TypedNode> shared_root() const { return root_; }
  Type type() const;
  // Columns used, in the spelling of the columns given to analyze, distinct, in order.
  std::vector<std::string> columns() const;

 private:
  std::shared_ptr<const TypedNode> root_;
};

// Finds the columns (ignoring case; `columns` must hold no two names alike but for case) and types
// every part as Spark does, implicit casts included.
base::Result<TypedExpression> analyze(const Expression& expression, const std::vector<Column>& columns);
// The same, and the result must be a boolean (a null literal is one): code "sql.type_mismatch".
base::Result<TypedExpression> analyze_condition(const Expression& expression,
                                                const std::vector<Column>& columns);
// A column by itself, as if its name had been written.
TypedExpression column_expression(const Column& column);
// try_cast (or cast) around an expression. Error "sql.type_mismatch" when Spark has no such cast.
base::Result<TypedExpression> cast_expression(const TypedExpression& expression, const Type& to,
                                              bool try_cast);

// How a column of the analyzed list is written in the engine's text: t."Order Id".
using ColumnPrinter = std::function<std::string(std::string_view name)>;

// The engine's text of Spark's meaning. It uses functions named spark_… that the engine room
// registers, always stands in parentheses or is a call, and never raises an error for any row:
// overflow wraps or gives null as in Spark with ANSI off.
std::string print_engine(const TypedExpression& expression, const ColumnPrinter& column,
                         const Context& context);

// A cast of any engine text holding `from` to `to`, as Spark's try_cast (or cast with ANSI off).
// Both null kinds and casts that Spark does not have print NULL of the wanted type: refuse those
// before with can_cast.
std::string print_cast(std::string_view engine_text, const Type& from, const Type& to, const Context& context,
                       bool try_cast);
bool can_cast(const Type& from, const Type& to, bool try_cast);

// The text of a Delta CHECK (documents: checks on the table): columns in declared spelling, back-ticks
// only where needed, function names lower-case, none of what only some readers understand.
// Printing is a fixed point: parsed and printed again it is the same text.
base::Result<std::string> print_table_check(const Expression& expression,
                                            const std::vector<Column>& declared);

// Canonical Spark text: key words upper-case, functions lower-case, columns as written.
std::string print_spark(const Expression& expression);
// True when current_date or current_timestamp is named.
bool uses_clock(const Expression& expression);

// 'it\'s': a string literal of Spark.
std::string spark_quote(std::string_view text);
// A column name for Spark: back-ticks only where needed.
std::string spark_name(std::string_view name);

}  // namespace sql
