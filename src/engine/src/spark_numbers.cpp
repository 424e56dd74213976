// Arithmetic of whole numbers (wrapping, as Java's) and of floating numbers, and rounding.
#include <cmath>
#include <limits>
#include <type_traits>

#include "spark_rows.h"

namespace engine {

namespace {

template <typename T>
constexpr duckdb_type kTypeOf = std::is_same_v<T, std::int8_t>    ? DUCKDB_TYPE_TINYINT
                                : std::is_same_v<T, std::int16_t> ? DUCKDB_TYPE_SMALLINT
                                : std::is_same_v<T, std::int32_t> ? DUCKDB_TYPE_INTEGER
                                : std::is_same_v<T, std::int64_t> ? DUCKDB_TYPE_BIGINT
                                : std::is_same_v<T, float>        ? DUCKDB_TYPE_FLOAT
                                                                  : DUCKDB_TYPE_DOUBLE;

enum class Operation { add, subtract, multiply, remainder };

template <Operation kOperation, typename T>
std::optional<T> apply(T left, T right) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (kOperation == Operation::add) return left + right;
    if constexpr (kOperation == Operation::subtract) return left - right;
    if constexpr (kOperation == Operation::multiply) return left * right;
    if (right == 0) return std::nullopt;
    return std::fmod(left, right);
  } else {
    // In unsigned 64 bits, so that what does not fit wraps around.
    const auto a = static_cast<std::uint64_t>(static_cast<std::int64_t>(left));
    const auto b = static_cast<std::uint64_t>(static_cast<std::int64_t>(right));
    if constexpr (kOperation == Operation::add) return static_cast<T>(a + b);
    if constexpr (kOperation == Operation::subtract) return static_cast<T>(a - b);
    if constexpr (kOperation == Operation::multiply) return static_cast<T>(a * b);
    if (right == 0) return std::nullopt;
    return right == -1 ? T{0} : static_cast<T>(left % right);
  }
}

template <Operation kOperation, typename T>
void binary(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<T>(
      [&](idx_t row) { return apply<kOperation>(call.column(0).at<T>(row), call.column(1).at<T>(row)); });
}

template <typename T>
T negated(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return -value;
  } else {
    return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
}

template <typename T>
void negate(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<T>([&](idx_t row) { return std::optional<T>(negated(call.column(0).at<T>(row))); });
}

template <typename T>
void absolute(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<T>([&](idx_t row) {
    const T value = call.column(0).at<T>(row);
    if constexpr (std::is_floating_point_v<T>) return std::optional<T>(std::fabs(value));
    return std::optional<T>(value < 0 ? negated(value) : value);
  });
}

void divide(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<double>([&](idx_t row) -> std::optional<double> {
    const double divisor = call.column(1).at<double>(row);
    if (divisor == 0) return std::nullopt;
    return call.column(0).at<double>(row) / divisor;
  });
}

void whole_division(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int64_t>([&](idx_t row) -> std::optional<std::int64_t> {
    const std::int64_t left = call.column(0).at<std::int64_t>(row);
    const std::int64_t right = call.column(1).at<std::int64_t>(row);
    if (right == 0) return std::nullopt;
    return right == -1 ? negated(left) : left / right;
  });
}

template <bool kUp>
void to_whole(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int64_t>([&](idx_t row) {
    const double value = call.column(0).at<double>(row);
    return sql::double_to_integer(kUp ? std::ceil(value) : std::floor(value), 64, false);
  });
}

template <typename T>
T rounded(T value, int digits) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(sql::round_double(static_cast<double>(value), digits));
  } else {
    if (digits >= 0) return value;
    if (digits < -19) return 0;
    const auto result = sql::round_decimal(value, 0, digits, sql::Type::decimal(38, 0));
    return static_cast<T>(static_cast<std::int64_t>(result.value_or(0)));
  }
}

template <typename T>
void round(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<T>([&](idx_t row) {
    return std::optional<T>(rounded(call.column(0).at<T>(row), call.column(1).at<std::int32_t>(row)));
  });
}

template <typename T>
void add_of_type(SparkRegistrar& registrar) {
  constexpr duckdb_type kType = kTypeOf<T>;
  registrar.add("spark_add", {kType, kType}, kType, binary<Operation::add, T>);
  registrar.add("spark_subtract", {kType, kType}, kType, binary<Operation::subtract, T>);
  registrar.add("spark_multiply", {kType, kType}, kType, binary<Operation::multiply, T>);
  registrar.add("spark_remainder", {kType, kType}, kType, binary<Operation::remainder, T>);
  registrar.add("spark_negate", {kType}, kType, negate<T>);
  registrar.add("spark_abs", {kType}, kType, absolute<T>);
  registrar.add("spark_round", {kType, DUCKDB_TYPE_INTEGER}, kType, round<T>);
}

}  // namespace

void add_spark_numbers(SparkRegistrar& registrar) {
  add_of_type<std::int8_t>(registrar);
  add_of_type<std::int16_t>(registrar);
  add_of_type<std::int32_t>(registrar);
  add_of_type<std::int64_t>(registrar);
  add_of_type<float>(registrar);
  add_of_type<double>(registrar);
  registrar.add("spark_divide", {DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DOUBLE}, DUCKDB_TYPE_DOUBLE, divide);
  registrar.add("spark_div", {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_BIGINT}, DUCKDB_TYPE_BIGINT, whole_division);
  registrar.add("spark_floor", {DUCKDB_TYPE_DOUBLE}, DUCKDB_TYPE_BIGINT, to_whole<false>);
  registrar.add("spark_ceil", {DUCKDB_TYPE_DOUBLE}, DUCKDB_TYPE_BIGINT, to_whole<true>);
}

}  // namespace engine
