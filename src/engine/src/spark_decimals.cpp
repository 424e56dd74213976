// Functions that give a DECIMAL. Their arguments may be of any type; each call looks at what came.
#include <string>

#include "spark_rows.h"

namespace engine {

namespace {

// Writes decimals of the output's own width.
class DecimalOutput {
 public:
  explicit DecimalOutput(SparkCall& call)
      : call_(call), logical_(duckdb_vector_get_column_type(call.output())) {
    to_ = sql::Type::decimal(duckdb_decimal_width(logical_.get()), duckdb_decimal_scale(logical_.get()));
    storage_ = duckdb_decimal_internal_type(logical_.get());
  }
  const sql::Type& type() const { return to_; }

  void set(idx_t row, const std::optional<sql::Int128>& value) {
    if (!value) return call_.null(row);
    switch (storage_) {
      case DUCKDB_TYPE_SMALLINT:
        return call_.set(row, static_cast<std::int16_t>(*value));
      case DUCKDB_TYPE_INTEGER:
        return call_.set(row, static_cast<std::int32_t>(*value));
      case DUCKDB_TYPE_BIGINT:
        return call_.set(row, static_cast<std::int64_t>(*value));
      default: {
        duckdb_hugeint wide;
        wide.lower = static_cast<std::uint64_t>(*value);
        wide.upper = static_cast<std::int64_t>(*value >> 64);
        call_.set(row, wide);
      }
    }
  }
  template <typename Compute>
  void each(const Compute& compute) {
    for (idx_t row = 0; row < call_.rows(); ++row) {
      if (call_.any_null(row)) {
        call_.null(row);
      } else {
        set(row, compute(row));
      }
    }
  }

 private:
  SparkCall& call_;
  Type logical_;
  sql::Type to_;
  duckdb_type storage_ = DUCKDB_TYPE_INVALID;
};

// "-123.45" with at most 18 digits and no more behind the point than the scale; else the slow path decides.
std::optional<sql::Int128> plain_decimal(std::string_view text, const sql::Type& to) {
  const bool negative = text.starts_with('-');
  std::size_t at = negative ? 1 : 0;
  if (text.size() == at || text.size() - at > 18) return sql::text_to_decimal(text, to);
  std::int64_t value = 0;
  int scale = -1;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      value = value * 10 + (c - '0');
      if (scale >= 0) ++scale;
    } else if (c == '.' && scale < 0) {
      scale = 0;
    } else {
      return sql::text_to_decimal(text, to);
    }
  }
  if (scale > to.scale || text.back() == '.') return sql::text_to_decimal(text, to);
  return sql::rescale(negative ? -value : value, scale < 0 ? 0 : scale, to);
}

std::int64_t whole_at(const Column& column, duckdb_type type, idx_t row) {
  switch (type) {
    case DUCKDB_TYPE_TINYINT:
      return column.at<std::int8_t>(row);
    case DUCKDB_TYPE_SMALLINT:
      return column.at<std::int16_t>(row);
    case DUCKDB_TYPE_INTEGER:
      return column.at<std::int32_t>(row);
    default:
      return column.at<std::int64_t>(row);
  }
}

void to_decimal(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  DecimalOutput out(call);
  const Column& column = call.column(0);
  const duckdb_type type = type_of(call.vector(0)).id();
  const sql::Type to = out.type();
  switch (type) {
    case DUCKDB_TYPE_VARCHAR:
      return out.each([&](idx_t row) { return plain_decimal(column.text(row), to); });
    case DUCKDB_TYPE_DECIMAL: {
      const DecimalColumn from(call.vector(0));
      return out.each([&](idx_t row) { return sql::rescale(from.at(row), from.scale(), to); });
    }
    case DUCKDB_TYPE_FLOAT:
      return out.each(
          [&](idx_t row) { return sql::double_to_decimal(static_cast<double>(column.at<float>(row)), to); });
    case DUCKDB_TYPE_DOUBLE:
      return out.each([&](idx_t row) { return sql::double_to_decimal(column.at<double>(row), to); });
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return out.each([&](idx_t row) {
        return sql::double_to_decimal(static_cast<double>(column.at<std::int64_t>(row)) / 1e6, to);
      });
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
      return out.each([&](idx_t row) { return sql::rescale(whole_at(column, type, row), 0, to); });
    default:
      call.refuse_type("decimal");
  }
}

using Operation = std::optional<sql::Int128> (*)(sql::Int128, int, sql::Int128, int, const sql::Type&);

template <Operation kOperation>
void binary(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  DecimalOutput out(call);
  const DecimalColumn left(call.vector(0));
  const DecimalColumn right(call.vector(1));
  out.each([&](idx_t row) {
    return kOperation(left.at(row), left.scale(), right.at(row), right.scale(), out.type());
  });
}

void round(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  DecimalOutput out(call);
  const DecimalColumn from(call.vector(0));
  out.each([&](idx_t row) {
    return sql::round_decimal(from.at(row), from.scale(), call.column(1).at<std::int32_t>(row), out.type());
  });
}

template <bool kUp>
void to_whole(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  DecimalOutput out(call);
  const DecimalColumn from(call.vector(0));
  out.each([&](idx_t row) {
    return kUp ? sql::ceil_decimal(from.at(row), from.scale(), out.type())
               : sql::floor_decimal(from.at(row), from.scale(), out.type());
  });
}

}  // namespace

void add_spark_decimal(SparkRegistrar& registrar, std::string_view operation, int precision, int scale) {
  const std::string name =
      "spark_" + std::string(operation) + "_" + std::to_string(precision) + "_" + std::to_string(scale);
  const Type result(
      duckdb_create_decimal_type(static_cast<std::uint8_t>(precision), static_cast<std::uint8_t>(scale)));
  const auto add = [&](std::initializer_list<duckdb_type> arguments, duckdb_scalar_function_t function) {
    registrar.add(name, std::span(arguments.begin(), arguments.size()), result, function);
  };
  if (operation == "decimal") add({DUCKDB_TYPE_ANY}, to_decimal);
  if (operation == "round") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_INTEGER}, round);
  if (operation == "floor") add({DUCKDB_TYPE_ANY}, to_whole<false>);
  if (operation == "ceil") add({DUCKDB_TYPE_ANY}, to_whole<true>);
  if (operation == "add") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY}, binary<sql::add_decimals>);
  if (operation == "subtract") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY}, binary<sql::subtract_decimals>);
  if (operation == "multiply") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY}, binary<sql::multiply_decimals>);
  if (operation == "divide") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY}, binary<sql::divide_decimals>);
  if (operation == "remainder") add({DUCKDB_TYPE_ANY, DUCKDB_TYPE_ANY}, binary<sql::remainder_decimals>);
}

}  // namespace engine
