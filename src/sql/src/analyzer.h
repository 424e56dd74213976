// One walk over one expression; analyze.cpp has the operators, analyze_calls.cpp the functions.
#pragma once

#include <string>
#include <vector>

#include <sql/expression.h>
#include <sql/values.h>

#include "typed.h"

namespace sql {

class Analyzer {
 public:
  Analyzer(const Expression& expression, const std::vector<Column>& columns, TypeMap* types)
      : expression_(expression), columns_(columns), types_(types) {}

  base::Result<TypedPtr> visit(const Node& node);

 private:
  // The part, cast to `type` where Spark casts by itself; `what` names who wants it.
  base::Result<TypedPtr> visit_as(const Node& node, const Type& type, const std::string& what);
  base::Result<TypedPtr> dispatch(const Node& node);
  base::Result<TypedPtr> literal(const Node& node);
  base::Result<TypedPtr> column(const Node& node);
  base::Result<TypedPtr> negate(const Node& node);
  base::Result<TypedPtr> arithmetic(const Node& node);
  base::Result<TypedPtr> integral_division(const Node& node, const TypedPtr& left, const TypedPtr& right);
  base::Result<TypedPtr> date_call(FunctionId id, const TypedPtr& date, const TypedPtr& days);
  base::Result<TypedPtr> compare(const Node& node, const std::string& operation, TypedPtr left,
                                 TypedPtr right);
  base::Result<TypedPtr> in_list(const Node& node);
  base::Result<TypedPtr> between(const Node& node);
  base::Result<TypedPtr> like(const Node& node);
  base::Result<TypedPtr> rlike(const Node& node);
  base::Result<TypedPtr> case_of(const Node& node);
  base::Result<TypedPtr> call(const Node& node);
  base::Result<TypedPtr> split_part(const Node& node);

  base::Result<TypedPtr> call_of(const Node& node, const Type& result, const std::vector<Type>& arguments);
  base::Result<TypedPtr> coalesce(const Node& node);
  base::Result<TypedPtr> null_if(const Node& node);
  base::Result<TypedPtr> length(const Node& node);
  base::Result<TypedPtr> round(const Node& node);
  base::Result<TypedPtr> whole(const Node& node);
  base::Result<TypedPtr> absolute(const Node& node);
  base::Result<TypedPtr> truncate(const Node& node);
  base::Result<TypedPtr> parse_time(const Node& node, const Type& type);
  base::Result<TypedPtr> regexp_extract(const Node& node);
  base::Result<TypedPtr> regexp_replace(const Node& node);
  base::Result<int> whole_literal(const Node& node, const std::string& what);

  TypedPtr arithmetic_in(const std::string& operation, const Type& type, const TypedPtr& left,
                         const TypedPtr& right);
  TypedPtr as_decimal(const TypedPtr& node);
  static TypedPtr with_negation(const TypedPtr& node, bool negated);
  base::Result<Type> unify(const Node& node, const std::string& what, std::vector<TypedPtr>& values);
  base::Result<std::string> text_literal(const Node& node, const std::string& what);
  base::Result<TypedPtr> regex(const Node& node, bool is_test);

  base::Error error(const Node& node, std::string code, std::string message, std::string hint = {}) const;
  base::Error mismatch(const Node& node, const std::string& what, const Type& left, const Type& right) const;
  base::Error pattern_error(const Node& literal, std::size_t at, std::string message,
                            std::string hint = {}) const;

  const Expression& expression_;
  const std::vector<Column>& columns_;
  TypeMap* types_;
};

}  // namespace sql
