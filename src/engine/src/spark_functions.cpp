#include "spark_functions.h"

#include <base/text.h>

#include <algorithm>
#include <array>
#include <optional>

#include "spark_rows.h"

namespace engine {

namespace {

constexpr std::array<std::string_view, 9> kDecimalOperations = {
    "decimal", "add", "subtract", "multiply", "divide", "remainder", "round", "floor", "ceil"};

void drop_zones(void* zones) {
  delete static_cast<std::shared_ptr<const Zones>*>(zones);
}

// Up to two digits at `at`, which moves behind them; -1 when there are none.
int read_digits(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  int value = 0;
  for (; at < text.size() && at - start < 2 && text[at] >= '0' && text[at] <= '9'; ++at)
    value = value * 10 + (text[at] - '0');
  return at == start ? -1 : value;
}

struct DecimalName {
  std::string_view operation;
  int precision = 0;
  int scale = 0;
  std::string_view whole;
};

// "spark_decimal_18_2" at the start of the text.
std::optional<DecimalName> read_decimal_name(std::string_view text) {
  constexpr std::string_view kPrefix = "spark_";
  for (const std::string_view operation : kDecimalOperations) {
    std::size_t at = kPrefix.size();
    if (!text.substr(at).starts_with(operation)) continue;
    at += operation.size();
    DecimalName name{operation, 0, 0, {}};
    if (at >= text.size() || text[at] != '_') continue;
    name.precision = read_digits(text, ++at);
    if (name.precision < 1 || at >= text.size() || text[at] != '_') continue;
    name.scale = read_digits(text, ++at);
    if (name.scale < 0) continue;
    if (name.precision > 38 || name.scale > name.precision) return std::nullopt;
    name.whole = text.substr(0, at);
    return name;
  }
  return std::nullopt;
}

}  // namespace

SparkCall::SparkCall(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
    : info_(info),
      input_(input),
      output_(output),
      data_(duckdb_vector_get_data(output)),
      rows_(duckdb_data_chunk_get_size(input)) {
  const idx_t count = duckdb_data_chunk_get_column_count(input);
  columns_.reserve(count);
  for (idx_t i = 0; i < count; ++i) columns_.emplace_back(duckdb_data_chunk_get_vector(input, i));
  const auto* zones = static_cast<std::shared_ptr<const Zones>*>(duckdb_scalar_function_get_extra_info(info));
  finder_ = [zones = zones->get()](std::string_view name) { return zones->find(name); };
}

std::shared_ptr<const base::Zone> SparkCall::zone(std::size_t i) {
  idx_t row = 0;
  while (row < rows_ && columns_[i].is_null(row)) ++row;
  if (row == rows_) return std::make_shared<const base::Zone>(base::Zone::utc());
  const std::string_view name = columns_[i].text(row);
  std::shared_ptr<const base::Zone> zone = sql::zone_of_text(name, finder_);
  if (!zone) error("the rules of the time zone '" + std::string(name) + "' are not known to the engine");
  return zone;
}

void SparkCall::refuse_type(std::string_view target) {
  const Type type = type_of(vector(0));
  if (type.id() != DUCKDB_TYPE_SQLNULL)
    return error("there is no cast from " + type_name(type.get()) + " to " + std::string(target));
  for (idx_t row = 0; row < rows_; ++row) null(row);
}

sql::Int128 DecimalColumn::at(idx_t row) const {
  switch (storage_) {
    case DUCKDB_TYPE_SMALLINT:
      return static_cast<const std::int16_t*>(data_)[row];
    case DUCKDB_TYPE_INTEGER:
      return static_cast<const std::int32_t*>(data_)[row];
    case DUCKDB_TYPE_BIGINT:
      return static_cast<const std::int64_t*>(data_)[row];
    default: {
      const duckdb_hugeint value = static_cast<const duckdb_hugeint*>(data_)[row];
      return static_cast<sql::Int128>(value.upper) * (static_cast<sql::Int128>(1) << 64) + value.lower;
    }
  }
}

SparkRegistrar::~SparkRegistrar() {
  for (Overloads& overloads : all_)
    for (duckdb_scalar_function& function : overloads.functions) duckdb_destroy_scalar_function(&function);
}

void SparkRegistrar::add(const std::string& name, std::span<const duckdb_type> arguments, const Type& result,
                         duckdb_scalar_function_t function) {
  duckdb_scalar_function scalar = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(scalar, name.c_str());
  for (const duckdb_type argument : arguments) {
    const Type type(argument);
    duckdb_scalar_function_add_parameter(scalar, type.get());
  }
  duckdb_scalar_function_set_return_type(scalar, result.get());
  // NULLs reach the function, which looks at each argument itself.
  duckdb_scalar_function_set_special_handling(scalar);
  duckdb_scalar_function_set_extra_info(scalar, new std::shared_ptr<const Zones>(zones_), drop_zones);
  duckdb_scalar_function_set_function(scalar, function);
  auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Overloads& known) { return known.name == name; });
  if (found == all_.end()) found = all_.insert(all_.end(), Overloads{name, {}});
  found->functions.push_back(scalar);
}

base::Status SparkRegistrar::finish() {
  for (Overloads& overloads : all_) {
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(overloads.name.c_str());
    for (const duckdb_scalar_function function : overloads.functions)
      duckdb_add_scalar_function_to_set(set, function);
    const duckdb_state state = duckdb_register_scalar_function_set(connection_, set);
    duckdb_destroy_scalar_function_set(&set);
    if (state != DuckDBSuccess)
      return base::fail(base::Kind::internal, "engine.register",
                        "the function " + overloads.name + " cannot be registered");
  }
  return {};
}

base::Status SparkFunctions::register_all(duckdb_connection connection) {
  SparkRegistrar registrar(connection, zones_);
  add_spark_numbers(registrar);
  add_spark_casts(registrar);
  add_spark_texts(registrar);
  add_spark_patterns(registrar);
  add_spark_times(registrar);
  return registrar.finish();
}

base::Status SparkFunctions::ensure_decimals(duckdb_connection connection, std::string_view sql) {
  // A transaction that ends may take its registrations with it; registering again does no harm.
  const std::string first_word = base::ascii_lower(base::trim(sql).substr(0, 6));
  if (first_word == "rollba" || first_word == "abort" || first_word == "commit") {
    const std::lock_guard lock(mutex_);
    decimals_.clear();
  }
  for (std::size_t at = sql.find("spark_"); at != std::string_view::npos; at = sql.find("spark_", at + 1)) {
    const std::optional<DecimalName> name = read_decimal_name(sql.substr(at));
    if (!name) continue;
    const std::lock_guard lock(mutex_);
    if (decimals_.contains(name->whole)) continue;
    SparkRegistrar registrar(connection, zones_);
    add_spark_decimal(registrar, name->operation, name->precision, name->scale);
    TRY_STATUS(registrar.finish());
    decimals_.emplace(name->whole);
  }
  return {};
}

}  // namespace engine
