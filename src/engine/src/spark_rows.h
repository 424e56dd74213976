// What the files of Spark's functions share: registering one, and walking the rows of a call.
#pragma once

#include <duckdb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <base/zone.h>
#include <sql/decimal.h>
#include <sql/values.h>

#include "vectors.h"
#include "zones.h"

namespace engine {

// One call over a chunk of rows.
class SparkCall {
 public:
  SparkCall(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

  idx_t rows() const { return rows_; }
  const Column& column(std::size_t i) const { return columns_[i]; }
  duckdb_vector vector(std::size_t i) const { return duckdb_data_chunk_get_vector(input_, i); }
  std::size_t columns() const { return columns_.size(); }
  bool any_null(idx_t row) const {
    for (const Column& column : columns_)
      if (column.is_null(row)) return true;
    return false;
  }

  duckdb_vector output() const { return output_; }
  void null(idx_t row) { set_null(output_, row); }
  template <typename T>
  void set(idx_t row, T value) {
    static_cast<T*>(data_)[row] = value;
  }
  void set_text(idx_t row, std::string_view text) {
    if (text.size() <= kInlineBytes)
      set(row, borrowed_string(text));
    else
      duckdb_vector_assign_string_element_len(output_, row, text.data(), text.size());
  }

  // `compute(row)` gives an optional value for every row without a NULL argument.
  template <typename T, typename Compute>
  void each(const Compute& compute) {
    for (idx_t row = 0; row < rows_; ++row) {
      if (any_null(row)) {
        null(row);
      } else if (const std::optional<T> value = compute(row)) {
        set<T>(row, *value);
      } else {
        null(row);
      }
    }
  }
  // The same for texts: std::optional<std::string> or std::optional<std::string_view>.
  template <typename Compute>
  void each_text(const Compute& compute) {
    for (idx_t row = 0; row < rows_; ++row) {
      if (any_null(row)) {
        null(row);
      } else if (const auto value = compute(row)) {
        set_text(row, *value);
      } else {
        null(row);
      }
    }
  }

  // The zone named in a column: the rows of a call name one. Null, with the error set, when unknown.
  std::shared_ptr<const base::Zone> zone(std::size_t i);
  const sql::ZoneFinder& zones() const { return finder_; }
  // For a first argument of a type that the function does not take: an error, but a bare NULL is NULL.
  void refuse_type(std::string_view target);
  void error(const std::string& message) { duckdb_scalar_function_set_error(info_, message.c_str()); }

 private:
  duckdb_function_info info_;
  duckdb_data_chunk input_;
  duckdb_vector output_;
  void* data_;
  idx_t rows_;
  std::vector<Column> columns_;
  sql::ZoneFinder finder_;
};

// Collects functions and registers them, overloads of one name together.
class SparkRegistrar {
 public:
  SparkRegistrar(duckdb_connection connection, std::shared_ptr<const Zones> zones)
      : connection_(connection), zones_(std::move(zones)) {}
  ~SparkRegistrar();
  SparkRegistrar(const SparkRegistrar&) = delete;
  SparkRegistrar& operator=(const SparkRegistrar&) = delete;

  void add(const std::string& name, std::span<const duckdb_type> arguments, const Type& result,
           duckdb_scalar_function_t function);
  void add(const std::string& name, std::initializer_list<duckdb_type> arguments, duckdb_type result,
           duckdb_scalar_function_t function) {
    add(name, std::span(arguments.begin(), arguments.size()), Type(result), function);
  }
  base::Status finish();

 private:
  struct Overloads {
    std::string name;
    std::vector<duckdb_scalar_function> functions;
  };
  duckdb_connection connection_;
  std::shared_ptr<const Zones> zones_;
  std::vector<Overloads> all_;
};

// Reads decimals of any width out of a vector.
class DecimalColumn {
 public:
  explicit DecimalColumn(duckdb_vector vector)
      : type_(duckdb_vector_get_column_type(vector)),
        storage_(duckdb_decimal_internal_type(type_.get())),
        scale_(duckdb_decimal_scale(type_.get())),
        data_(duckdb_vector_get_data(vector)) {}
  int scale() const { return scale_; }
  sql::Int128 at(idx_t row) const;

 private:
  Type type_;
  duckdb_type storage_;
  int scale_;
  const void* data_;
};

void add_spark_numbers(SparkRegistrar& registrar);
void add_spark_casts(SparkRegistrar& registrar);
void add_spark_texts(SparkRegistrar& registrar);
void add_spark_patterns(SparkRegistrar& registrar);
void add_spark_times(SparkRegistrar& registrar);
// `operation`: decimal add subtract multiply divide remainder round floor ceil.
void add_spark_decimal(SparkRegistrar& registrar, std::string_view operation, int precision, int scale);

}  // namespace engine
