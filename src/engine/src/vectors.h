// Small views over the engine's column vectors, shared by every function that we register.
#pragma once

#include <duckdb.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace engine {

inline constexpr std::size_t kInlineBytes = 12;  // that fit into a string's own slot

// Borrowed from the string's slot or from what it points to.
inline std::string_view view_of(const duckdb_string_t& string) {
  const std::uint32_t length = string.value.inlined.length;
  return {length <= sizeof(string.value.inlined.inlined) ? string.value.inlined.inlined
                                                         : string.value.pointer.ptr,
          length};
}

// Up to kInlineBytes bytes, without a call: this is done for every short text there is.
inline void copy_short(char* to, const char* from, std::size_t count) {
  if (count >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + count - 8, from + count - 8, 8);
  } else if (count >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + count - 4, from + count - 4, 4);
  } else if (count > 0) {
    to[0] = from[0];
    to[count / 2] = from[count / 2];
    to[count - 1] = from[count - 1];
  }
}

// A string slot that points to bytes kept alive elsewhere (short ones are copied into the slot).
inline duckdb_string_t borrowed_string(std::string_view text) {
  duckdb_string_t string{};
  string.value.inlined.length = static_cast<std::uint32_t>(text.size());
  if (text.size() <= sizeof(string.value.inlined.inlined)) {
    copy_short(string.value.inlined.inlined, text.data(), text.size());
  } else {
    std::memcpy(string.value.pointer.prefix, text.data(), sizeof(string.value.pointer.prefix));
    string.value.pointer.ptr = const_cast<char*>(text.data());
  }
  return string;
}

inline bool is_valid(const std::uint64_t* validity, idx_t row) {
  return validity == nullptr || (validity[row >> 6] >> (row & 63) & 1) != 0;
}

// A vector that is being read.
struct Column {
  explicit Column(duckdb_vector vector)
      : data(duckdb_vector_get_data(vector)), validity(duckdb_vector_get_validity(vector)) {}

  bool is_null(idx_t row) const { return !is_valid(validity, row); }
  template <typename T>
  const T& at(idx_t row) const {
    return static_cast<const T*>(data)[row];
  }
  std::string_view text(idx_t row) const { return view_of(at<duckdb_string_t>(row)); }

  const void* data;
  const std::uint64_t* validity;
};

inline void set_null(duckdb_vector vector, idx_t row) {
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

// Owns a logical type.
class Type {
 public:
  explicit Type(duckdb_logical_type type) : type_(type) {}
  explicit Type(duckdb_type id) : type_(duckdb_create_logical_type(id)) {}
  ~Type() { duckdb_destroy_logical_type(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

  duckdb_logical_type get() const { return type_; }
  duckdb_type id() const { return duckdb_get_type_id(type_); }

 private:
  duckdb_logical_type type_;
};

inline Type type_of(duckdb_vector vector) {
  return Type(duckdb_vector_get_column_type(vector));
}

// "DECIMAL(18,2)", "STRUCT(a BIGINT, b VARCHAR[])": as SQL writes the type.
std::string type_name(duckdb_logical_type type);

// The digits of a 128-bit integer with the decimal point `scale` digits from the right.
std::string print_int128(duckdb_hugeint value, int scale);
std::string print_uint128(duckdb_uhugeint value);
// A DECIMAL of any width, with all digits of its scale.
std::string print_decimal(const void* data, idx_t row, duckdb_logical_type type);
// The shortest digits that read back as the same value, in the form of docs/signature.md.
std::string print_floating(double value);
std::string print_floating(float value);

}  // namespace engine
