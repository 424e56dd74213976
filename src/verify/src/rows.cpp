#include "rows.h"

#include <charconv>
#include <cmath>
#include <mutex>
#include <span>
#include <string_view>

#include <base/hash.h>
#include <base/text.h>
#include <base/time.h>

namespace verify {

namespace {

using Kind = sql::Type::Kind;

std::uint64_t big_endian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

template <typename Number>
Number number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <typename Floating>
std::string shortest(Floating value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (value == 0) return "0.0";
  char room[64];
  const auto end = std::to_chars(room, room + sizeof(room), value, std::chars_format::scientific).ptr;
  const std::string text(room, end);
  const std::size_t mark = text.find('e');
  const int exponent = number_of<int>(std::string_view(text).substr(mark + 1));
  if (exponent < -4 || exponent > 15) return text;
  std::string digits = base::replace_all(text.substr(0, mark), ".", "");
  const std::size_t sign = digits.front() == '-' ? 1 : 0;
  if (exponent < 0)
    return digits.insert(sign, "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0'));
  const std::size_t whole = sign + 1 + static_cast<std::size_t>(exponent);
  if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
  return digits.insert(whole, ".");
}

// The payload text of a value that reached us as `given` (see argument()).
std::string text_of(Kind kind, std::string_view given) {
  const std::string text(given);
  if (kind == Kind::float32) return shortest(number_of<float>(given));
  if (kind == Kind::float64) return shortest(number_of<double>(given));
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(given.data());
  if (kind == Kind::binary) return base::hex({bytes, given.size()});
  if (kind != Kind::decimal) return text;
  // The engine leaves out the zero before the point: .25, -.25.
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.substr(sign, 1) == "." ? text.substr(0, sign) + "0" + text.substr(sign) : text;
}

std::string text_of(Kind kind, std::int64_t given) {
  return kind == Kind::date ? base::print_date(given) : std::to_string(given);
}

bool is_integer(Kind kind) {
  switch (kind) {
    case Kind::boolean:
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::integer:
    case Kind::bigint:
    case Kind::date:
    case Kind::timestamp:
      return true;
    default:
      return false;
  }
}

// How a column is handed to RowHasher: whole numbers as BIGINT, the rest as text or bytes.
std::string argument(const Field& field) {
  const std::string name = base::sql_name(field.name);
  switch (field.type.kind) {
    case Kind::date:
      return "CAST(" + name + " - DATE '1970-01-01' AS BIGINT)";
    case Kind::timestamp:
      return "epoch_us(" + name + ")";
    case Kind::string:
    case Kind::binary:
      return name;
    default:
      return "CAST(" + name + " AS " + (is_integer(field.type.kind) ? "BIGINT)" : "VARCHAR)");
  }
}

class RowHasher final : public engine::RowFunction {
 public:
  explicit RowHasher(const std::vector<Field>& fields) {
    for (const Field& field : fields) kinds_.push_back(field.type.kind);
  }

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    RowsHash part;
    std::string payload;
    for (std::size_t row = 0; row < input.rows(); ++row) {
      payload.clear();
      for (std::size_t column = 0; column < kinds_.size(); ++column) append(input, column, row, payload);
      const base::Digest digest = base::sha256(payload);
      part.add({big_endian(digest.data()), big_endian(digest.data() + 8), 1});
      out[row] = 0;
    }
    const std::lock_guard lock(mutex_);
    sum_.add(part);
    return {};
  }

  RowsHash sum() const { return sum_; }

 private:
  void append(const engine::Input& input, std::size_t column, std::size_t row, std::string& payload) const {
    if (input.is_null(column, row)) {
      payload += '~';
      return;
    }
    const Kind kind = kinds_[column];
    const std::string text =
        is_integer(kind) ? text_of(kind, input.int64s(column)[row]) : text_of(kind, input.text(column, row));
    payload += std::to_string(text.size());
    payload += ':';
    payload += text;
  }

  std::vector<Kind> kinds_;
  std::mutex mutex_;
  RowsHash sum_;
};

std::string select_list(const std::vector<Field>& fields, const std::vector<std::string>& present) {
  std::vector<std::string> parts;
  for (const Field& field : fields) {
    std::string source = "NULL";
    for (const std::string& name : present)
      if (base::equal_ignoring_case(name, field.stored())) source = base::sql_name(name);
    parts.push_back("CAST(" + source + " AS " + sql::engine_type(field.type) + ") AS " +
                    base::sql_name(field.name));
  }
  return base::join(parts, ", ");
}

}  // namespace

void RowsHash::add(const RowsHash& other) {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
  rows += other.rows;
}

std::string RowsHash::text() const {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    bytes[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
  return base::hex(bytes);
}

std::vector<LiveFile> live_files(const State& state) {
  std::vector<LiveFile> files;
  for (const auto& [path, file] : state.files) files.push_back(file);
  return files;
}

std::string describe(const std::vector<Field>& fields) {
  std::vector<std::string> parts;
  for (const Field& field : fields) parts.push_back(field.name + " " + sql::print_type(field.type));
  return base::join(parts, ", ");
}

base::Result<engine::Rows> Scanner::query(const std::string& sql) {
  TRY(engine::Connection * connection, engine_.connection());
  return connection->query(sql);
}

base::Status Scanner::execute(const std::string& sql) {
  TRY(engine::Connection * connection, engine_.connection());
  return connection->execute(sql);
}

std::string Scanner::missing(const std::vector<LiveFile>& files) const {
  for (const LiveFile& file : files)
    if (!exists(file)) return file.path;
  return {};
}

base::Result<engine::Rows> Scanner::query_file(const LiveFile& file, const std::string& sql) {
  auto rows = query(sql);
  if (rows || rows.error().code != "engine.query") return rows;
  base::Error error = rows.error();
  error.kind = base::Kind::corrupt;
  error.code = "verify.file_unreadable";
  error.message = file.path + ": " + error.message;
  unreadable_[file.absolute] = error;
  return base::fail(std::move(error));
}

base::Result<std::vector<std::string>> Scanner::columns_of(const LiveFile& file) {
  if (const auto found = columns_.find(file.absolute); found != columns_.end()) return found->second;
  TRY(const engine::Rows shape,
      query_file(file, "SELECT * FROM read_parquet(" + base::sql_quote(file.absolute) + ") LIMIT 0"));
  columns_[file.absolute] = shape.names_;
  return shape.names_;
}

base::Result<std::string> Scanner::relation(const std::vector<LiveFile>& files,
                                            const std::vector<Field>& fields) {
  std::map<std::vector<std::string>, std::vector<std::string>> groups;  // columns present -> quoted paths
  for (const LiveFile& file : files) {
    if (const auto bad = unreadable_.find(file.absolute); bad != unreadable_.end())
      return base::fail(bad->second);
    TRY(std::vector<std::string> present, columns_of(file));
    groups[std::move(present)].push_back(base::sql_quote(file.absolute));
  }
  if (groups.empty()) return "SELECT " + select_list(fields, {}) + " WHERE false";
  std::vector<std::string> parts;
  for (const auto& [present, paths] : groups)
    parts.push_back("SELECT " + select_list(fields, present) + " FROM read_parquet([" +
                    base::join(paths, ", ") + "])");
  return base::join(parts, " UNION ALL ");
}

base::Result<RowsHash> Scanner::hash(const LiveFile& file, const std::vector<Field>& fields) {
  const std::string name = file.absolute + "\n" + describe(fields);
  if (const auto found = hashes_.find(name); found != hashes_.end()) return found->second;
  TRY(const std::string rows, relation({file}, fields));
  TRY(engine::Engine * engine, engine_.engine());
  const auto hasher = std::make_shared<RowHasher>(fields);
  const std::uint64_t id = engine->add(std::shared_ptr<engine::RowFunction>(hasher));
  std::vector<std::string> arguments = {std::to_string(id)};
  for (const Field& field : fields) arguments.push_back(argument(field));
  const auto result =
      query_file(file, "SELECT sum(tenter_call(" + base::join(arguments, ", ") + ")) FROM (" + rows + ")");
  engine->forget(id);
  if (!result) return base::fail(result.error());
  hashes_[name] = hasher->sum();
  return hasher->sum();
}

base::Result<RowsHash> Scanner::hash(const std::vector<LiveFile>& files, const std::vector<Field>& fields) {
  RowsHash sum;
  for (const LiveFile& file : files) {
    TRY(const RowsHash part, hash(file, fields));
    sum.add(part);
  }
  return sum;
}

}  // namespace verify
