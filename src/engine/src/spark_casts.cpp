// Casts to everything but DECIMAL. Those of many sources take any type and look at what came.
#include <base/text.h>

#include <type_traits>

#include "spark_rows.h"

namespace engine {

namespace {

constexpr std::int64_t kSecond_us = 1'000'000;

std::int64_t seconds_of(std::int64_t us) {
  return us / kSecond_us - (us % kSecond_us < 0 ? 1 : 0);
}

void to_boolean(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<bool>([&](idx_t row) { return sql::text_to_boolean(call.column(0).text(row)); });
}

template <typename T, typename Compute>
void each_whole(SparkCall& call, const Compute& compute) {
  call.each<T>([&](idx_t row) -> std::optional<T> {
    const std::optional<std::int64_t> value = compute(row);
    if (!value) return std::nullopt;
    return static_cast<T>(*value);
  });
}

template <typename T, bool kStrict>
void to_integer(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  constexpr int kBits = sizeof(T) * 8;
  SparkCall call(info, input, output);
  const Column& column = call.column(0);
  const auto whole = [&](const auto& compute) { each_whole<T>(call, compute); };
  const auto narrow = [](std::int64_t value) { return sql::integer_to_integer(value, kBits, kStrict); };
  switch (type_of(call.vector(0)).id()) {
    case DUCKDB_TYPE_VARCHAR:
      return whole([&](idx_t row) { return sql::text_to_integer(column.text(row), kBits, kStrict); });
    case DUCKDB_TYPE_TINYINT:
      return whole([&](idx_t row) { return narrow(column.at<std::int8_t>(row)); });
    case DUCKDB_TYPE_SMALLINT:
      return whole([&](idx_t row) { return narrow(column.at<std::int16_t>(row)); });
    case DUCKDB_TYPE_INTEGER:
      return whole([&](idx_t row) { return narrow(column.at<std::int32_t>(row)); });
    case DUCKDB_TYPE_BIGINT:
      return whole([&](idx_t row) { return narrow(column.at<std::int64_t>(row)); });
    case DUCKDB_TYPE_FLOAT:
      return whole([&](idx_t row) {
        return sql::double_to_integer(static_cast<double>(column.at<float>(row)), kBits, kStrict);
      });
    case DUCKDB_TYPE_DOUBLE:
      return whole([&](idx_t row) { return sql::double_to_integer(column.at<double>(row), kBits, kStrict); });
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return whole([&](idx_t row) { return narrow(seconds_of(column.at<std::int64_t>(row))); });
    case DUCKDB_TYPE_DECIMAL: {
      const DecimalColumn decimal(call.vector(0));
      return whole([&](idx_t row) {
        return sql::decimal_to_integer(decimal.at(row), decimal.scale(), kBits, kStrict);
      });
    }
    default:
      call.refuse_type("a whole number");
  }
}

template <typename T>
std::optional<T> floating_of_text(std::string_view text) {
  if constexpr (std::is_same_v<T, float>) return sql::text_to_float(text);
  return static_cast<std::optional<T>>(sql::text_to_double(text));
}

template <typename T>
void to_floating(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const Column& column = call.column(0);
  switch (type_of(call.vector(0)).id()) {
    case DUCKDB_TYPE_VARCHAR:
      return call.each<T>([&](idx_t row) { return floating_of_text<T>(column.text(row)); });
    case DUCKDB_TYPE_DOUBLE:
      return call.each<T>(
          [&](idx_t row) { return std::optional<T>(static_cast<T>(column.at<double>(row))); });
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return call.each<T>([&](idx_t row) {
        return std::optional<T>(static_cast<T>(static_cast<double>(column.at<std::int64_t>(row)) / 1e6));
      });
    case DUCKDB_TYPE_DECIMAL: {
      const DecimalColumn decimal(call.vector(0));
      return call.each<T>([&](idx_t row) {
        return floating_of_text<T>(sql::print_decimal(decimal.at(row), decimal.scale(), true));
      });
    }
    default:
      call.refuse_type("a floating number");
  }
}

template <bool kPlain>
void to_string(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const Column& column = call.column(0);
  const auto texts = [&](const auto& print) {
    call.each_text([&](idx_t row) { return std::optional<std::string>(print(row)); });
  };
  switch (type_of(call.vector(0)).id()) {
    case DUCKDB_TYPE_FLOAT:
      return texts([&](idx_t row) { return sql::print_float(column.at<float>(row)); });
    case DUCKDB_TYPE_DOUBLE:
      return texts([&](idx_t row) { return sql::print_double(column.at<double>(row)); });
    case DUCKDB_TYPE_DATE:
      return texts([&](idx_t row) { return sql::print_date_text(column.at<std::int32_t>(row)); });
    case DUCKDB_TYPE_DECIMAL: {
      const DecimalColumn decimal(call.vector(0));
      return texts([&](idx_t row) { return sql::print_decimal(decimal.at(row), decimal.scale(), kPlain); });
    }
    case DUCKDB_TYPE_BLOB:
      // Bytes that are no text have no text; Spark would keep them as they are.
      return call.each_text([&](idx_t row) -> std::optional<std::string_view> {
        const std::string_view bytes = column.text(row);
        if (!base::is_utf8(bytes)) return std::nullopt;
        return bytes;
      });
    default:
      call.refuse_type("text");
  }
}

void timestamp_to_string(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(1);
  if (!zone) return;
  call.each_text([&](idx_t row) {
    return std::optional<std::string>(sql::print_timestamp_text(call.column(0).at<std::int64_t>(row), *zone));
  });
}

void to_binary(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) { return std::optional<std::string_view>(call.column(0).text(row)); });
}

template <typename T>
void add_integer(SparkRegistrar& registrar, const std::string& name, duckdb_type type) {
  registrar.add("spark_" + name, {DUCKDB_TYPE_ANY}, type, to_integer<T, false>);
  registrar.add("spark_try_" + name, {DUCKDB_TYPE_ANY}, type, to_integer<T, true>);
}

}  // namespace

void add_spark_casts(SparkRegistrar& registrar) {
  registrar.add("spark_boolean", {DUCKDB_TYPE_VARCHAR}, DUCKDB_TYPE_BOOLEAN, to_boolean);
  add_integer<std::int8_t>(registrar, "tinyint", DUCKDB_TYPE_TINYINT);
  add_integer<std::int16_t>(registrar, "smallint", DUCKDB_TYPE_SMALLINT);
  add_integer<std::int32_t>(registrar, "integer", DUCKDB_TYPE_INTEGER);
  add_integer<std::int64_t>(registrar, "bigint", DUCKDB_TYPE_BIGINT);
  registrar.add("spark_float", {DUCKDB_TYPE_ANY}, DUCKDB_TYPE_FLOAT, to_floating<float>);
  registrar.add("spark_double", {DUCKDB_TYPE_ANY}, DUCKDB_TYPE_DOUBLE, to_floating<double>);
  registrar.add("spark_string", {DUCKDB_TYPE_ANY}, DUCKDB_TYPE_VARCHAR, to_string<false>);
  registrar.add("spark_try_string", {DUCKDB_TYPE_ANY}, DUCKDB_TYPE_VARCHAR, to_string<true>);
  registrar.add("spark_string", {DUCKDB_TYPE_TIMESTAMP_TZ, DUCKDB_TYPE_VARCHAR}, DUCKDB_TYPE_VARCHAR,
                timestamp_to_string);
  registrar.add("spark_binary", {DUCKDB_TYPE_VARCHAR}, DUCKDB_TYPE_BLOB, to_binary);
}

}  // namespace engine
