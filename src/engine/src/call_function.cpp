// tenter_call(id, arguments…): hands a chunk of rows to a RowFunction.
#include "functions.h"
#include "payload_text.h"

namespace engine {

namespace {

using base::Kind;

constexpr std::size_t kArgumentsMax = 1'000'000;

struct Argument {
  duckdb_type type;
  Column column;
};

bool is_int64(duckdb_type type) {
  return type == DUCKDB_TYPE_BIGINT || type == DUCKDB_TYPE_UBIGINT || type == DUCKDB_TYPE_TIMESTAMP ||
         type == DUCKDB_TYPE_TIMESTAMP_TZ;
}

bool is_text(duckdb_type type) {
  return type == DUCKDB_TYPE_VARCHAR || type == DUCKDB_TYPE_BLOB;
}

class ChunkInput final : public Input {
 public:
  ChunkInput(std::size_t rows, std::vector<Argument> arguments, PayloadRows& payloads)
      : rows_(rows), arguments_(std::move(arguments)), payloads_(payloads) {}

  std::size_t rows() const override { return rows_; }
  std::size_t columns() const override { return arguments_.size(); }
  bool is_null(std::size_t column, std::size_t row) const override {
    return arguments_[column].type == DUCKDB_TYPE_SQLNULL || arguments_[column].column.is_null(row);
  }
  const std::int64_t* int64s(std::size_t column) const override {
    const Argument& argument = arguments_[column];
    return is_int64(argument.type) ? static_cast<const std::int64_t*>(argument.column.data) : nullptr;
  }
  std::string_view text(std::size_t column, std::size_t row) const override {
    const Argument& argument = arguments_[column];
    return is_text(argument.type) ? argument.column.text(row) : std::string_view();
  }
  std::string_view payload(std::size_t row) const override { return payloads_.payload(row); }

 private:
  std::size_t rows_;
  std::vector<Argument> arguments_;
  PayloadRows& payloads_;
};

// Those before the payload, which are given as they are.
base::Result<std::vector<Argument>> read_arguments(duckdb_data_chunk chunk, std::size_t first_payload) {
  std::vector<Argument> arguments;
  const idx_t count = duckdb_data_chunk_get_column_count(chunk);
  arguments.reserve(count);
  for (idx_t i = 1; i < count && i - 1 < first_payload; ++i) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, i);
    const Type type = type_of(vector);
    if (!is_int64(type.id()) && !is_text(type.id()) && type.id() != DUCKDB_TYPE_SQLNULL)
      return base::fail(Kind::internal, "engine.argument_type",
                        "argument " + std::to_string(i) + " of tenter_call is " + type_name(type.get()) +
                            "; expected BIGINT, UBIGINT, TIMESTAMP, TIMESTAMPTZ, VARCHAR or BLOB",
                        "cast it in the query");
    arguments.push_back({type.id(), Column(vector)});
  }
  return arguments;
}

base::Status call(Registry& registry, duckdb_data_chunk chunk, duckdb_vector output) {
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  if (rows == 0) return {};
  const Column ids(duckdb_data_chunk_get_vector(chunk, 0));
  const std::int64_t id = ids.is_null(0) ? -1 : ids.at<std::int64_t>(0);
  const auto function = registry.function(static_cast<std::uint64_t>(id));
  if (!function)
    return base::fail(Kind::internal, "engine.unknown_function",
                      "tenter_call has no function with id " + std::to_string(id));
  const std::size_t first_payload = std::min<std::size_t>(function->first_payload(), kArgumentsMax);
  TRY(auto arguments, read_arguments(chunk, first_payload));
  PayloadRows payloads(chunk, first_payload + 1);
  if (const std::string fault = payloads.unknown_type(); !fault.empty())
    return base::fail(Kind::internal, "engine.argument_type", fault, "cast it in the query");
  const ChunkInput input(rows, std::move(arguments), payloads);
  return function->call(input, {static_cast<std::int64_t*>(duckdb_vector_get_data(output)), rows});
}

void on_call(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const auto& registry = *static_cast<RegistryHandle*>(duckdb_scalar_function_get_extra_info(info));
  if (const auto status = call(*registry, chunk, output); !status)
    duckdb_scalar_function_set_error(info, registry->keep(status.error()).c_str());
}

}  // namespace

base::Status register_call(duckdb_connection connection, const RegistryHandle& registry) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, "tenter_call");
  const Type bigint(DUCKDB_TYPE_BIGINT);
  const Type any(DUCKDB_TYPE_ANY);
  duckdb_scalar_function_add_parameter(function, bigint.get());
  duckdb_scalar_function_set_varargs(function, any.get());
  duckdb_scalar_function_set_return_type(function, bigint.get());
  duckdb_scalar_function_set_special_handling(function);
  duckdb_scalar_function_set_volatile(function);
  duckdb_scalar_function_set_extra_info(function, new_handle(registry), delete_handle);
  duckdb_scalar_function_set_function(function, on_call);
  const duckdb_state state = duckdb_register_scalar_function(connection, function);
  duckdb_destroy_scalar_function(&function);
  if (state != DuckDBSuccess) return base::fail(Kind::internal, "engine.open", "cannot register tenter_call");
  return {};
}

}  // namespace engine
