#include "vectors.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace engine {

namespace {

__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

std::string take_text(char* text) {
  std::string copy = text ? text : "";
  duckdb_free(text);
  return copy;
}

const char* simple_name(duckdb_type id) {
  switch (id) {
    case DUCKDB_TYPE_BOOLEAN:
      return "BOOLEAN";
    case DUCKDB_TYPE_TINYINT:
      return "TINYINT";
    case DUCKDB_TYPE_SMALLINT:
      return "SMALLINT";
    case DUCKDB_TYPE_INTEGER:
      return "INTEGER";
    case DUCKDB_TYPE_BIGINT:
      return "BIGINT";
    case DUCKDB_TYPE_UTINYINT:
      return "UTINYINT";
    case DUCKDB_TYPE_USMALLINT:
      return "USMALLINT";
    case DUCKDB_TYPE_UINTEGER:
      return "UINTEGER";
    case DUCKDB_TYPE_UBIGINT:
      return "UBIGINT";
    case DUCKDB_TYPE_FLOAT:
      return "FLOAT";
    case DUCKDB_TYPE_DOUBLE:
      return "DOUBLE";
    case DUCKDB_TYPE_TIMESTAMP:
      return "TIMESTAMP";
    case DUCKDB_TYPE_DATE:
      return "DATE";
    case DUCKDB_TYPE_TIME:
      return "TIME";
    case DUCKDB_TYPE_INTERVAL:
      return "INTERVAL";
    case DUCKDB_TYPE_HUGEINT:
      return "HUGEINT";
    case DUCKDB_TYPE_UHUGEINT:
      return "UHUGEINT";
    case DUCKDB_TYPE_VARCHAR:
      return "VARCHAR";
    case DUCKDB_TYPE_BLOB:
      return "BLOB";
    case DUCKDB_TYPE_TIMESTAMP_S:
      return "TIMESTAMP_S";
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return "TIMESTAMP_MS";
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return "TIMESTAMP_NS";
    case DUCKDB_TYPE_ENUM:
      return "ENUM";
    case DUCKDB_TYPE_UUID:
      return "UUID";
    case DUCKDB_TYPE_UNION:
      return "UNION";
    case DUCKDB_TYPE_BIT:
      return "BIT";
    case DUCKDB_TYPE_TIME_TZ:
      return "TIME WITH TIME ZONE";
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return "TIMESTAMP WITH TIME ZONE";
    case DUCKDB_TYPE_BIGNUM:
      return "BIGNUM";
    case DUCKDB_TYPE_SQLNULL:
      return "NULL";
    default:
      return "UNKNOWN";
  }
}

std::string struct_name(duckdb_logical_type type) {
  std::string name = "STRUCT(";
  const idx_t count = duckdb_struct_type_child_count(type);
  for (idx_t i = 0; i < count; ++i) {
    const Type child(duckdb_struct_type_child_type(type, i));
    if (i > 0) name += ", ";
    name += take_text(duckdb_struct_type_child_name(type, i)) + " " + type_name(child.get());
  }
  return name + ")";
}

std::string print_magnitude(Uint128 value, bool negative, int scale) {
  std::string reversed;
  for (int digits = 0; value != 0 || digits <= scale; ++digits) {
    if (scale > 0 && digits == scale) reversed += '.';
    reversed += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  }
  if (negative) reversed += '-';
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::string print_signed(Int128 value, int scale) {
  const bool negative = value < 0;
  const Uint128 bits = static_cast<Uint128>(value);
  return print_magnitude(negative ? ~bits + 1 : bits, negative, scale);
}

// Digits and decimal exponent, from "-1.2345e+06".
template <typename T>
std::string print_shortest(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return "0.0";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific).ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  std::string out;
  if (text.front() == '-') {
    out += '-';
    text.remove_prefix(1);
  }
  const std::size_t mark = text.find('e');
  std::string digits(text.substr(0, 1));
  if (mark > 2) digits += text.substr(2, mark - 2);
  const std::string_view exponent_text = text.substr(mark + (text[mark + 1] == '+' ? 2 : 1));
  int exponent = 0;
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (exponent < -4 || exponent >= 16) {
    out += digits.substr(0, 1);
    if (digits.size() > 1) out += "." + digits.substr(1);
    return out + std::string(text.substr(mark));
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace

std::string type_name(duckdb_logical_type type) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_DECIMAL)
    return "DECIMAL(" + std::to_string(duckdb_decimal_width(type)) + "," +
           std::to_string(duckdb_decimal_scale(type)) + ")";
  if (id == DUCKDB_TYPE_LIST) return type_name(Type(duckdb_list_type_child_type(type)).get()) + "[]";
  if (id == DUCKDB_TYPE_ARRAY)
    return type_name(Type(duckdb_array_type_child_type(type)).get()) + "[" +
           std::to_string(duckdb_array_type_array_size(type)) + "]";
  if (id == DUCKDB_TYPE_MAP)
    return "MAP(" + type_name(Type(duckdb_map_type_key_type(type)).get()) + ", " +
           type_name(Type(duckdb_map_type_value_type(type)).get()) + ")";
  if (id == DUCKDB_TYPE_STRUCT) return struct_name(type);
  return simple_name(id);
}

std::string print_int128(duckdb_hugeint value, int scale) {
  const Uint128 bits = (static_cast<Uint128>(static_cast<std::uint64_t>(value.upper)) << 64) | value.lower;
  return print_signed(static_cast<Int128>(bits), scale);
}

std::string print_uint128(duckdb_uhugeint value) {
  return print_magnitude((static_cast<Uint128>(value.upper) << 64) | value.lower, false, 0);
}

std::string print_decimal(const void* data, idx_t row, duckdb_logical_type type) {
  const int scale = duckdb_decimal_scale(type);
  switch (duckdb_decimal_internal_type(type)) {
    case DUCKDB_TYPE_SMALLINT:
      return print_signed(static_cast<const std::int16_t*>(data)[row], scale);
    case DUCKDB_TYPE_INTEGER:
      return print_signed(static_cast<const std::int32_t*>(data)[row], scale);
    case DUCKDB_TYPE_BIGINT:
      return print_signed(static_cast<const std::int64_t*>(data)[row], scale);
    default:
      return print_int128(static_cast<const duckdb_hugeint*>(data)[row], scale);
  }
}

std::string print_floating(double value) {
  return print_shortest(value);
}

std::string print_floating(float value) {
  return print_shortest(value);
}

}  // namespace engine
