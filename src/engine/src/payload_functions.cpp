// The texts and hashes that docs/signature.md fixes.
#include <base/hash.h>

#include <array>

#include "functions.h"
#include "payload_text.h"

namespace engine {

namespace {

using base::Kind;

void assign(duckdb_vector output, idx_t row, std::string_view text) {
  duckdb_vector_assign_string_element_len(output, row, text.data(), text.size());
}

void on_text(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const PayloadColumn column(duckdb_data_chunk_get_vector(chunk, 0));
  if (const std::string fault = column.unknown_type(); !fault.empty())
    return duckdb_scalar_function_set_error(info, fault.c_str());
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  PayloadColumn::Room room;
  for (idx_t row = 0; row < rows; ++row) {
    if (column.is_null(row))
      set_null(output, row);
    else
      assign(output, row, column.text(row, room));
  }
}

void on_payload(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  PayloadRows payloads(chunk, 0);
  if (const std::string fault = payloads.unknown_type(); !fault.empty())
    return duckdb_scalar_function_set_error(info, fault.c_str());
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) assign(output, row, payloads.payload(row));
}

// Null, or nothing but spaces, tabs, CR, LF.
void on_blank(duckdb_function_info, duckdb_data_chunk chunk, duckdb_vector output) {
  const Column column(duckdb_data_chunk_get_vector(chunk, 0));
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  auto* const blank = static_cast<bool*>(duckdb_vector_get_data(output));
  for (idx_t row = 0; row < rows; ++row)
    blank[row] =
        column.is_null(row) || column.text(row).find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void on_sha256(duckdb_function_info, duckdb_data_chunk chunk, duckdb_vector output) {
  const Column column(duckdb_data_chunk_get_vector(chunk, 0));
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (column.is_null(row)) {
      set_null(output, row);
      continue;
    }
    const base::Digest digest = base::sha256(column.text(row));
    assign(output, row, {reinterpret_cast<const char*>(digest.data()), digest.size()});
  }
}

// ---- tenter_table_hash: a sum modulo 2^128 -------------------------------------------------

struct Sum {
  std::uint64_t high;
  std::uint64_t low;

  void add(std::uint64_t other_high, std::uint64_t other_low) {
    low += other_low;
    high += other_high + (low < other_low ? 1 : 0);
  }
};

Sum& sum_of(duckdb_aggregate_state state) {
  return *reinterpret_cast<Sum*>(state);
}

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

idx_t on_sum_size(duckdb_function_info) {
  return sizeof(Sum);
}

void on_sum_init(duckdb_function_info, duckdb_aggregate_state state) {
  sum_of(state) = Sum{0, 0};
}

void on_sum_update(duckdb_function_info, duckdb_data_chunk chunk, duckdb_aggregate_state* states) {
  const Column column(duckdb_data_chunk_get_vector(chunk, 0));
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    if (column.is_null(row)) continue;
    const base::Digest digest = base::sha256(column.text(row));
    sum_of(states[row]).add(big_endian(digest.data()), big_endian(digest.data() + 8));
  }
}

void on_sum_combine(duckdb_function_info, duckdb_aggregate_state* sources, duckdb_aggregate_state* targets,
                    idx_t count) {
  for (idx_t i = 0; i < count; ++i) sum_of(targets[i]).add(sum_of(sources[i]).high, sum_of(sources[i]).low);
}

void on_sum_finish(duckdb_function_info, duckdb_aggregate_state* sources, duckdb_vector result, idx_t count,
                   idx_t offset) {
  for (idx_t i = 0; i < count; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t byte = 0; byte < 8; ++byte) {
      bytes[7 - byte] = static_cast<std::uint8_t>(sum_of(sources[i]).high >> (8 * byte));
      bytes[15 - byte] = static_cast<std::uint8_t>(sum_of(sources[i]).low >> (8 * byte));
    }
    assign(result, offset + i, base::hex(bytes));
  }
}

// ---- registration -----------------------------------------------------------------------------

struct Scalar {
  const char* name;
  std::vector<duckdb_type> parameters;
  bool varargs = false;  // any number of further arguments of any type
  duckdb_type result;
  duckdb_scalar_function_t function;
};

duckdb_scalar_function make(const Scalar& scalar) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, scalar.name);
  for (const duckdb_type parameter : scalar.parameters)
    duckdb_scalar_function_add_parameter(function, Type(parameter).get());
  if (scalar.varargs) duckdb_scalar_function_set_varargs(function, Type(DUCKDB_TYPE_ANY).get());
  duckdb_scalar_function_set_return_type(function, Type(scalar.result).get());
  duckdb_scalar_function_set_special_handling(function);
  duckdb_scalar_function_set_function(function, scalar.function);
  return function;
}

bool register_scalars(duckdb_connection connection, const std::vector<Scalar>& overloads) {
  duckdb_scalar_function_set set = duckdb_create_scalar_function_set(overloads.front().name);
  bool ok = true;
  for (const Scalar& overload : overloads) {
    duckdb_scalar_function function = make(overload);
    ok = duckdb_add_scalar_function_to_set(set, function) == DuckDBSuccess && ok;
    duckdb_destroy_scalar_function(&function);
  }
  ok = duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess && ok;
  duckdb_destroy_scalar_function_set(&set);
  return ok;
}

bool register_table_hash(duckdb_connection connection) {
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  const Type varchar(DUCKDB_TYPE_VARCHAR);
  duckdb_aggregate_function_set_name(function, "tenter_table_hash");
  duckdb_aggregate_function_add_parameter(function, varchar.get());
  duckdb_aggregate_function_set_return_type(function, varchar.get());
  duckdb_aggregate_function_set_special_handling(function);
  duckdb_aggregate_function_set_functions(function, on_sum_size, on_sum_init, on_sum_update, on_sum_combine,
                                          on_sum_finish);
  const duckdb_state state = duckdb_register_aggregate_function(connection, function);
  duckdb_destroy_aggregate_function(&function);
  return state == DuckDBSuccess;
}

}  // namespace

base::Status register_payload(duckdb_connection connection) {
  const bool ok =
      register_scalars(connection,
                       {{"tenter_text", {DUCKDB_TYPE_ANY}, false, DUCKDB_TYPE_VARCHAR, on_text}}) &&
      register_scalars(connection, {{"tenter_payload", {}, true, DUCKDB_TYPE_VARCHAR, on_payload}}) &&
      register_scalars(connection,
                       {{"tenter_blank", {DUCKDB_TYPE_VARCHAR}, false, DUCKDB_TYPE_BOOLEAN, on_blank}}) &&
      register_scalars(connection,
                       {{"tenter_sha256", {DUCKDB_TYPE_VARCHAR}, false, DUCKDB_TYPE_BLOB, on_sha256},
                        {"tenter_sha256", {DUCKDB_TYPE_BLOB}, false, DUCKDB_TYPE_BLOB, on_sha256}}) &&
      register_table_hash(connection);
  if (!ok) return base::fail(Kind::internal, "engine.open", "cannot register the payload functions");
  return {};
}

}  // namespace engine
