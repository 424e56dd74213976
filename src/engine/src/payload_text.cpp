#include "payload_text.h"

#include <base/hash.h>
#include <base/time.h>

#include <charconv>
#include <cstring>

namespace engine {

namespace {

constexpr char kAbsent = '~';
constexpr std::size_t kLengthBytesMax = 24;  // "<digits>:"

template <typename T>
std::string_view digits_of(T value, PayloadColumn::Room& room) {
  const auto end = std::to_chars(room.digits, room.digits + sizeof(room.digits), value).ptr;
  return {room.digits, static_cast<std::size_t>(end - room.digits)};
}

void two_digits(int value, char* at) {
  at[0] = static_cast<char>('0' + value / 10);
  at[1] = static_cast<char>('0' + value % 10);
}

std::string_view print_day(std::int32_t days, PayloadColumn::Room& room) {
  const base::Civil civil = base::civil_from_days(days);
  if (civil.year < 0 || civil.year > 9999) return room.large = base::print_date(days);
  const int year = static_cast<int>(civil.year);
  two_digits(year / 100, room.digits);
  two_digits(year % 100, room.digits + 2);
  room.digits[4] = room.digits[7] = '-';
  two_digits(civil.month, room.digits + 5);
  two_digits(civil.day, room.digits + 8);
  return {room.digits, 10};
}

}  // namespace

PayloadColumn::PayloadColumn(duckdb_vector vector)
    : type_(duckdb_vector_get_column_type(vector)), id_(type_.id()), column_(vector) {
  if (id_ != DUCKDB_TYPE_DECIMAL) return;
  decimal_storage_ = duckdb_decimal_internal_type(type_.get());
  scale_ = duckdb_decimal_scale(type_.get());
}

std::string PayloadColumn::unknown_type() const {
  switch (id_) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_DECIMAL:
    case DUCKDB_TYPE_DATE:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB:
    case DUCKDB_TYPE_SQLNULL:
      return {};
    default:
      return type_name(type_.get()) + " has no payload text; cast it to a type of a Delta column";
  }
}

std::string_view PayloadColumn::print(idx_t row, Room& room) const {
  switch (id_) {
    case DUCKDB_TYPE_BOOLEAN:
      return column_.at<bool>(row) ? "1" : "0";
    case DUCKDB_TYPE_TINYINT:
      return digits_of(column_.at<std::int8_t>(row), room);
    case DUCKDB_TYPE_SMALLINT:
      return digits_of(column_.at<std::int16_t>(row), room);
    case DUCKDB_TYPE_INTEGER:
      return digits_of(column_.at<std::int32_t>(row), room);
    case DUCKDB_TYPE_FLOAT:
      return room.large = print_floating(column_.at<float>(row));
    case DUCKDB_TYPE_DOUBLE:
      return room.large = print_floating(column_.at<double>(row));
    case DUCKDB_TYPE_DECIMAL:
      if (decimal_storage_ == DUCKDB_TYPE_BIGINT)
        return print_small_decimal(column_.at<std::int64_t>(row), room);
      return room.large = print_decimal(column_.data, row, type_.get());
    case DUCKDB_TYPE_DATE:
      return print_day(column_.at<std::int32_t>(row), room);
    case DUCKDB_TYPE_BLOB: {
      const std::string_view bytes = column_.text(row);
      return room.large = base::hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    default:
      return digits_of(column_.at<std::int64_t>(row), room);  // BIGINT and timestamps
  }
}

// All digits of the scale behind the point, at least one before it.
std::string_view PayloadColumn::print_small_decimal(std::int64_t value, Room& room) const {
  char* at = room.digits;
  auto rest = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *at++ = '-';
    rest = 0 - rest;
  }
  char reversed[24];
  std::size_t count = 0;
  for (; rest != 0 || count <= scale_; rest /= 10) reversed[count++] = static_cast<char>('0' + rest % 10);
  for (std::size_t i = count; i-- > 0;) {
    *at++ = reversed[i];
    if (i == scale_ && scale_ > 0) *at++ = '.';
  }
  return {room.digits, static_cast<std::size_t>(at - room.digits)};
}

PayloadRows::PayloadRows(duckdb_data_chunk chunk, idx_t first) {
  const idx_t count = duckdb_data_chunk_get_column_count(chunk);
  for (idx_t i = first; i < count; ++i)
    columns_.push_back(std::make_unique<PayloadColumn>(duckdb_data_chunk_get_vector(chunk, i)));
}

std::string PayloadRows::unknown_type() const {
  for (const auto& column : columns_)
    if (std::string fault = column->unknown_type(); !fault.empty()) return fault;
  return {};
}

char* PayloadRows::room_for(std::size_t bytes) {
  if (bytes_.size() - size_ < bytes) bytes_.resize(2 * (size_ + bytes));
  return bytes_.data() + size_;
}

std::string_view PayloadRows::payload(idx_t row) {
  size_ = 0;
  for (const auto& column : columns_) {
    if (column->is_null(row)) {
      *room_for(1) = kAbsent;
      ++size_;
      continue;
    }
    const std::string_view text = column->text(row, room_);
    char* const begin = room_for(kLengthBytesMax + text.size());
    char* at = std::to_chars(begin, begin + kLengthBytesMax, text.size()).ptr;
    *at++ = ':';
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    size_ += static_cast<std::size_t>(at - begin) + text.size();
  }
  return {bytes_.data(), size_};
}

}  // namespace engine
