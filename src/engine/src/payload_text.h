// The payload rule of docs/signature.md over the engine's vectors.
#pragma once

#include <duckdb.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vectors.h"

namespace engine {

// The texts of one column's values. Made once per chunk and argument.
class PayloadColumn {
 public:
  explicit PayloadColumn(duckdb_vector vector);

  // Why values of the column's type have no payload text; empty when they have one.
  std::string unknown_type() const;
  bool is_null(idx_t row) const { return id_ == DUCKDB_TYPE_SQLNULL || column_.is_null(row); }

  // Where texts that are not in the column itself are written.
  struct Room {
    char digits[64];
    std::string large;
  };
  // Borrowed from the column or from `room`.
  std::string_view text(idx_t row, Room& room) const {
    return id_ == DUCKDB_TYPE_VARCHAR ? column_.text(row) : print(row, room);
  }

 private:
  std::string_view print(idx_t row, Room& room) const;
  std::string_view print_small_decimal(std::int64_t value, Room& room) const;

  Type type_;
  duckdb_type id_;
  duckdb_type decimal_storage_ = DUCKDB_TYPE_INVALID;
  std::size_t scale_ = 0;
  Column column_;
};

// The payloads of the rows of a chunk, from column `first` on.
class PayloadRows {
 public:
  PayloadRows(duckdb_data_chunk chunk, idx_t first);

  std::string unknown_type() const;  // of the first column that has no text; else empty
  // Good until the next call.
  std::string_view payload(idx_t row);

 private:
  char* room_for(std::size_t bytes);

  std::vector<std::unique_ptr<PayloadColumn>> columns_;
  PayloadColumn::Room room_;
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace engine
