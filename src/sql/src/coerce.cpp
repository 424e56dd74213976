#include "coerce.h"

#include <algorithm>

namespace sql {

namespace {

using Kind = Type::Kind;
constexpr int kDigitsMax = 38;
constexpr int kKeptScale = 6;  // fraction digits that Spark keeps when a result is too wide

bool is_decimal(const Type& type) {
  return type.kind == Kind::decimal;
}
bool is_time(const Type& type) {
  return type.kind == Kind::date || type.kind == Kind::timestamp;
}

Type wider_decimal(const Type& left, const Type& right) {
  const int scale = std::max(left.scale, right.scale);
  const int whole = std::max(left.precision - left.scale, right.precision - right.scale);
  return bounded_decimal(whole + scale, scale);
}

// Two numbers, decimals included.
Type number_type(const Type& left, const Type& right) {
  if (is_decimal(left) && is_decimal(right)) return wider_decimal(left, right);
  if (is_decimal(left) && is_integral(right)) return wider_decimal(left, decimal_of(right));
  if (is_integral(left) && is_decimal(right)) return wider_decimal(decimal_of(left), right);
  return wider_number(left, right);
}

std::optional<Type> wider_type(const Type& left, const Type& right) {
  if (left == right || right.kind == Kind::null) return left;
  if (left.kind == Kind::null) return right;
  if (is_numeric(left) && is_numeric(right)) return number_type(left, right);
  if (is_time(left) && is_time(right)) return Type{Kind::timestamp};
  const auto becomes_text = [](const Type& a, const Type& b) {
    return a.kind == Kind::string && b.kind != Kind::binary && b.kind != Kind::boolean;
  };
  if (becomes_text(left, right) || becomes_text(right, left)) return Type{Kind::string};
  return std::nullopt;
}

}  // namespace

Type bounded_decimal(int precision, int scale) {
  return Type::decimal(std::min(precision, kDigitsMax), std::min(scale, kDigitsMax));
}

Type decimal_of(const Type& integral) {
  switch (integral.kind) {
    case Kind::tinyint:
      return Type::decimal(3, 0);
    case Kind::smallint:
      return Type::decimal(5, 0);
    case Kind::integer:
      return Type::decimal(10, 0);
    default:
      return Type::decimal(20, 0);
  }
}

Type wider_number(const Type& left, const Type& right) {
  if (is_decimal(left) || is_decimal(right)) return Type{Kind::float64};
  return Type{std::max(left.kind, right.kind)};
}

std::optional<Type> comparison_type(const Type& left, const Type& right, bool is_equality) {
  if (left == right || right.kind == Kind::null) return left;
  if (left.kind == Kind::null) return right;
  if (left.kind == Kind::string) return is_decimal(right) ? Type{Kind::float64} : right;
  if (right.kind == Kind::string) return is_decimal(left) ? Type{Kind::float64} : left;
  if (is_numeric(left) && is_numeric(right)) return number_type(left, right);
  if (is_time(left) && is_time(right)) return Type{Kind::timestamp};
  if (is_equality && left.kind == Kind::boolean && is_numeric(right)) return right;
  if (is_equality && right.kind == Kind::boolean && is_numeric(left)) return left;
  return std::nullopt;
}

std::optional<Type> common_type(const std::vector<Type>& types) {
  // Texts first, as Spark does: a text among numbers makes every one a text.
  std::vector<Type> ordered = types;
  std::stable_partition(ordered.begin(), ordered.end(),
                        [](const Type& type) { return type.kind == Kind::string; });
  Type result;
  for (const Type& type : ordered) {
    const std::optional<Type> wider = wider_type(result, type);
    if (!wider) return std::nullopt;
    result = *wider;
  }
  return result;
}

Type decimal_result(std::string_view operation, const Type& left, const Type& right) {
  const int p1 = left.precision, s1 = left.scale, p2 = right.precision, s2 = right.scale;
  int precision = 0;
  int scale = 0;
  if (operation == "*") {
    scale = s1 + s2;
    precision = p1 + p2 + 1;
  } else if (operation == "/") {
    scale = std::max(kKeptScale, s1 + p2 + 1);
    precision = p1 - s1 + s2 + scale;
  } else if (operation == "%") {
    scale = std::max(s1, s2);
    precision = std::min(p1 - s1, p2 - s2) + scale;
  } else {
    scale = std::max(s1, s2);
    precision = std::max(p1 - s1, p2 - s2) + scale + 1;
  }
  if (precision <= kDigitsMax) return Type::decimal(std::max(precision, 1), scale);
  const int whole = precision - scale;
  return Type::decimal(kDigitsMax, std::max(kDigitsMax - whole, std::min(scale, kKeptScale)));
}

}  // namespace sql
