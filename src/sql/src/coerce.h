// Which type Spark 3.5 (ANSI off) gives where two types meet.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <sql/types.h>

namespace sql {

// Both sides of a comparison; `is_equality` for = <> and <=>, where booleans also meet numbers.
std::optional<Type> comparison_type(const Type& left, const Type& right, bool is_equality);
// Branches of case and coalesce, choices of in.
std::optional<Type> common_type(const std::vector<Type>& types);
// Decimal result of an operator (+ - * / %) over two decimals, cut to 38 digits as Spark cuts it.
Type decimal_result(std::string_view operation, const Type& left, const Type& right);
// The decimal that holds every value of an integral type.
Type decimal_of(const Type& integral);
// A decimal of at most 38 digits.
Type bounded_decimal(int precision, int scale);
// The wider of two numeric types that are not both decimals; double where a decimal meets a float.
Type wider_number(const Type& left, const Type& right);

}  // namespace sql
