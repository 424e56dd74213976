#include "values.h"

#include <cstdio>

#include "vectors.h"

namespace engine {

namespace {

using base::Kind;

constexpr std::int64_t kMicro = 1'000'000;

Value nested_value(duckdb_vector vector, duckdb_logical_type type, idx_t row);

// Text inside a list, struct or map: quoted when it could be taken for their own signs.
std::string nested_text(std::string_view text) {
  const bool plain = !text.empty() && text.front() != ' ' && text.back() != ' ' &&
                     text.find_first_of("[](){},=:'\"\\") == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string print_value(const Value& value, duckdb_logical_type type) {
  if (std::holds_alternative<std::monostate>(value)) return "NULL";
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return print_floating(*number);
  if (const auto* text = std::get_if<std::string>(&value))
    return duckdb_get_type_id(type) == DUCKDB_TYPE_VARCHAR ? nested_text(*text) : *text;
  return std::to_string(std::get<std::int64_t>(value));
}

Value floor_divided(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

Value uuid_value(duckdb_hugeint value) {
  // The engine flips the top bit so that unsigned order is kept.
  const std::uint64_t high = static_cast<std::uint64_t>(value.upper) ^ (std::uint64_t{1} << 63);
  char text[40];
  std::snprintf(text, sizeof(text), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
                static_cast<unsigned>(value.lower >> 48),
                static_cast<unsigned long long>(value.lower & 0xffff'ffff'ffff));
  return std::string(text);
}

Value time_value(std::int64_t us) {
  char text[40];
  std::snprintf(text, sizeof(text), "%02d:%02d:%02d.%06d", static_cast<int>(us / (3600 * kMicro)),
                static_cast<int>(us / (60 * kMicro) % 60), static_cast<int>(us / kMicro % 60),
                static_cast<int>(us % kMicro));
  return std::string(text);
}

Value interval_value(const duckdb_interval& interval) {
  return std::to_string(interval.months) + " months " + std::to_string(interval.days) + " days " +
         std::to_string(interval.micros) + " microseconds";
}

Value enum_value(const void* data, idx_t row, duckdb_logical_type type) {
  idx_t index = 0;
  switch (duckdb_enum_internal_type(type)) {
    case DUCKDB_TYPE_UTINYINT:
      index = static_cast<const std::uint8_t*>(data)[row];
      break;
    case DUCKDB_TYPE_USMALLINT:
      index = static_cast<const std::uint16_t*>(data)[row];
      break;
    default:
      index = static_cast<const std::uint32_t*>(data)[row];
      break;
  }
  char* text = duckdb_enum_dictionary_value(type, index);
  Value value = std::string(text);
  duckdb_free(text);
  return value;
}

Value unsigned_value(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::to_string(value);
  return static_cast<std::int64_t>(value);
}

Value value_at(duckdb_vector vector, duckdb_logical_type type, idx_t row) {
  const Column column(vector);
  const duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_SQLNULL || column.is_null(row)) return {};
  switch (id) {
    case DUCKDB_TYPE_BOOLEAN:
      return column.at<bool>(row);
    case DUCKDB_TYPE_TINYINT:
      return std::int64_t{column.at<std::int8_t>(row)};
    case DUCKDB_TYPE_SMALLINT:
      return std::int64_t{column.at<std::int16_t>(row)};
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE:
      return std::int64_t{column.at<std::int32_t>(row)};
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return column.at<std::int64_t>(row);
    case DUCKDB_TYPE_TIMESTAMP_S:
      return column.at<std::int64_t>(row) * kMicro;
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return column.at<std::int64_t>(row) * 1'000;
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return floor_divided(column.at<std::int64_t>(row), 1'000);
    case DUCKDB_TYPE_TIME:
      return time_value(column.at<std::int64_t>(row));
    case DUCKDB_TYPE_UTINYINT:
      return std::int64_t{column.at<std::uint8_t>(row)};
    case DUCKDB_TYPE_USMALLINT:
      return std::int64_t{column.at<std::uint16_t>(row)};
    case DUCKDB_TYPE_UINTEGER:
      return std::int64_t{column.at<std::uint32_t>(row)};
    case DUCKDB_TYPE_UBIGINT:
      return unsigned_value(column.at<std::uint64_t>(row));
    case DUCKDB_TYPE_FLOAT:
      return double{column.at<float>(row)};
    case DUCKDB_TYPE_DOUBLE:
      return column.at<double>(row);
    case DUCKDB_TYPE_HUGEINT:
      return print_int128(column.at<duckdb_hugeint>(row), 0);
    case DUCKDB_TYPE_UHUGEINT:
      return print_uint128(column.at<duckdb_uhugeint>(row));
    case DUCKDB_TYPE_DECIMAL:
      return print_decimal(column.data, row, type);
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB:
      return std::string(column.text(row));
    case DUCKDB_TYPE_UUID:
      return uuid_value(column.at<duckdb_hugeint>(row));
    case DUCKDB_TYPE_INTERVAL:
      return interval_value(column.at<duckdb_interval>(row));
    case DUCKDB_TYPE_ENUM:
      return enum_value(column.data, row, type);
    default:
      return nested_value(vector, type, row);
  }
}

std::string list_text(duckdb_vector child, duckdb_logical_type type, idx_t first, idx_t count) {
  std::string text = "[";
  for (idx_t i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + print_value(value_at(child, type, first + i), type);
  return text + "]";
}

std::string struct_text(duckdb_vector vector, duckdb_logical_type type, idx_t row) {
  std::string text = "{";
  const idx_t count = duckdb_struct_type_child_count(type);
  for (idx_t i = 0; i < count; ++i) {
    const Type child_type(duckdb_struct_type_child_type(type, i));
    char* name = duckdb_struct_type_child_name(type, i);
    const duckdb_vector child = duckdb_struct_vector_get_child(vector, i);
    text += (i > 0 ? ", '" : "'") + std::string(name) + "': ";
    text += print_value(value_at(child, child_type.get(), row), child_type.get());
    duckdb_free(name);
  }
  return text + "}";
}

std::string map_text(duckdb_vector vector, duckdb_logical_type type, const duckdb_list_entry& entry) {
  const duckdb_vector pairs = duckdb_list_vector_get_child(vector);
  const duckdb_vector keys = duckdb_struct_vector_get_child(pairs, 0);
  const duckdb_vector values = duckdb_struct_vector_get_child(pairs, 1);
  const Type key_type(duckdb_map_type_key_type(type));
  const Type value_type(duckdb_map_type_value_type(type));
  std::string text = "{";
  for (idx_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    if (i > entry.offset) text += ", ";
    text += print_value(value_at(keys, key_type.get(), i), key_type.get()) + "=" +
            print_value(value_at(values, value_type.get(), i), value_type.get());
  }
  return text + "}";
}

Value nested_value(duckdb_vector vector, duckdb_logical_type type, idx_t row) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_LIST: {
      const auto& entry = Column(vector).at<duckdb_list_entry>(row);
      const Type child(duckdb_list_type_child_type(type));
      return list_text(duckdb_list_vector_get_child(vector), child.get(), entry.offset, entry.length);
    }
    case DUCKDB_TYPE_ARRAY: {
      const Type child(duckdb_array_type_child_type(type));
      const idx_t length = duckdb_array_type_array_size(type);
      return list_text(duckdb_array_vector_get_child(vector), child.get(), row * length, length);
    }
    case DUCKDB_TYPE_MAP:
      return map_text(vector, type, Column(vector).at<duckdb_list_entry>(row));
    case DUCKDB_TYPE_STRUCT:
      return struct_text(vector, type, row);
    default:
      return {};
  }
}

bool has_value_form(duckdb_logical_type type) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_UNION:
    case DUCKDB_TYPE_BIT:
    case DUCKDB_TYPE_TIME_TZ:
    case DUCKDB_TYPE_BIGNUM:
    case DUCKDB_TYPE_TIME_NS:
      return false;
    case DUCKDB_TYPE_LIST:
      return has_value_form(Type(duckdb_list_type_child_type(type)).get());
    case DUCKDB_TYPE_ARRAY:
      return has_value_form(Type(duckdb_array_type_child_type(type)).get());
    case DUCKDB_TYPE_MAP:
      return has_value_form(Type(duckdb_map_type_key_type(type)).get()) &&
             has_value_form(Type(duckdb_map_type_value_type(type)).get());
    case DUCKDB_TYPE_STRUCT: {
      for (idx_t i = 0; i < duckdb_struct_type_child_count(type); ++i)
        if (!has_value_form(Type(duckdb_struct_type_child_type(type, i)).get())) return false;
      return true;
    }
    default:
      return true;
  }
}

}  // namespace

Rows describe(duckdb_result& result) {
  Rows rows;
  const idx_t count = duckdb_column_count(&result);
  for (idx_t i = 0; i < count; ++i) {
    rows.names_.emplace_back(duckdb_column_name(&result, i));
    rows.types_.push_back(type_name(Type(duckdb_column_logical_type(&result, i)).get()));
  }
  return rows;
}

base::Status append_rows(duckdb_data_chunk chunk, Rows& rows) {
  const idx_t count = duckdb_data_chunk_get_size(chunk);
  const std::size_t first = rows.rows_.size();
  rows.rows_.resize(first + count, std::vector<Value>(rows.columns()));
  for (idx_t column = 0; column < rows.columns(); ++column) {
    const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
    const Type type = type_of(vector);
    if (!has_value_form(type.get()))
      return base::fail(
          Kind::unsupported, "engine.type_unsupported",
          "column " + rows.name(column) + " is " + rows.type(column) + ", which has no text form",
          "cast it to VARCHAR in the query");
    for (idx_t row = 0; row < count; ++row)
      rows.rows_[first + row][column] = value_at(vector, type.get(), row);
  }
  return {};
}

std::int64_t Rows::int64(std::size_t row, std::size_t column) const {
  const auto* value = std::get_if<std::int64_t>(&at(row, column));
  return value ? *value : 0;
}

const std::string& Rows::text(std::size_t row, std::size_t column) const {
  static const std::string none;
  const auto* value = std::get_if<std::string>(&at(row, column));
  return value ? *value : none;
}

}  // namespace engine
