#include "table_hash.h"

#include <algorithm>

#include <base/hash.h>
#include <base/text.h>

namespace load {

namespace {

__extension__ typedef unsigned __int128 U128;

U128 parse_hash(const std::string& text) {
  U128 value = 0;
  for (const char c : text) value = (value << 4) | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  return value;
}

std::string print_hash(U128 value) {
  std::string text(32, '0');
  for (std::size_t i = 32; i-- > 0; value >>= 4)
    text[i] = "0123456789abcdef"[static_cast<unsigned>(value & 15)];
  return text;
}

base::Result<Hashed> hash_rows(const table::Access& access, const std::string& scan,
                               const std::string& payload) {
  TRY(engine::Connection * connection, access.engine->connection());
  TRY(const engine::Rows found,
      connection->query("SELECT tenter_table_hash(" + payload + "), count(*) FROM (" + scan + ")"));
  return Hashed{found.text(0, 0), found.int64(0, 1)};
}

std::vector<std::string> names_of(const delta::Schema& schema) {
  std::vector<std::string> names;
  for (const delta::Field& field : schema.fields) names.push_back(field.name);
  return names;
}

// The rows of some files, as if they were the whole table under `schema`.
base::Result<Hashed> hash_files(const table::Access& access, const std::string& path,
                                const delta::Schema& schema, const std::vector<delta::Add>& files) {
  if (files.empty()) return Hashed{};
  table::Snapshot part;
  part.path = path;
  part.schema = schema;
  for (const delta::Add& file : files) part.state.files.emplace(file.path, file);
  TRY(const std::string scan, part.scan());
  return hash_rows(access, scan, payload_of(names_of(schema)));
}

// A commit that only adds columns, or none, leaves the meaning of a stated hash only if the payload has
// the same columns.
bool same_columns(const delta::Schema& a, const delta::Schema& b) {
  return names_of(a) == names_of(b);
}

}  // namespace

void HashSum::add(std::uint64_t high, std::uint64_t low) {
  low_ += low;
  high_ += high + (low_ < low ? 1 : 0);
}

void HashSum::add(std::string_view payload) {
  const base::Digest digest = base::sha256(payload);
  std::uint64_t high = 0, low = 0;
  for (std::size_t b = 0; b < 8; ++b) {
    high = high << 8 | digest[b];
    low = low << 8 | digest[b + 8];
  }
  add(high, low);
}

std::string HashSum::text() const {
  return print_hash(static_cast<U128>(high_) << 64 | low_);
}

base::Status HashTap::call(const engine::Input& input, std::span<std::int64_t> out) {
  HashSum sum;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    sum.add(input.payload(i));
  }
  const std::lock_guard lock(mutex_);
  sum_.add(sum);
  rows_ += static_cast<std::int64_t>(out.size());
  return {};
}

std::string hash_sum(const std::string& a, const std::string& b) {
  return print_hash(parse_hash(a) + parse_hash(b));
}

std::string hash_difference(const std::string& a, const std::string& b) {
  return print_hash(parse_hash(a) - parse_hash(b));
}

std::string payload_of(const std::vector<std::string>& columns) {
  std::vector<std::string> parts;
  for (const std::string& column : columns) parts.push_back(base::sql_name(column));
  return "tenter_payload(" + base::join(parts, ", ") + ")";
}

std::string payload_of(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const contract::Column& column : contract.columns) names.push_back(column.name);
  return payload_of(names);
}

base::Result<std::optional<ReceiptHash>> stated_hash(const table::Access& access,
                                                     const table::Snapshot& snapshot) {
  TRY(const std::vector<table::HistoryEntry> newest, table::history(access, snapshot.path, 1));
  if (newest.empty() || newest.front().version != snapshot.version()) return std::optional<ReceiptHash>();
  const auto receipt = receipt_of(newest.front().commit_info);
  const base::Json* stated = receipt ? receipt->find("hash") : nullptr;
  if (stated == nullptr || !stated->string("after") || !stated->int64("rows"))
    return std::optional<ReceiptHash>();
  ReceiptHash hash;
  hash.before = hash.after = *stated->string("after");
  hash.rows = *stated->int64("rows");
  return std::optional<ReceiptHash>(hash);
}

base::Result<ReceiptHash> table_hash(const table::Access& access, const table::Snapshot& snapshot,
                                     const contract::Contract& contract) {
  TRY(const std::optional<ReceiptHash> stated, stated_hash(access, snapshot));
  if (stated) return *stated;
  TRY(const std::string scan, snapshot.scan());
  TRY(const Hashed hashed, hash_rows(access, scan, payload_of(contract)));
  return ReceiptHash{hashed.sum, hashed.sum, hashed.rows};
}

base::Result<ReceiptHash> hash_of_change(const table::Access& access, const FileChange& change) {
  ReceiptHash hash{kEmptyHash, kEmptyHash, 0};
  std::string path;
  std::vector<delta::Add> removed;
  if (change.before != nullptr) {
    path = change.before->path;
    for (const std::string& name : change.removed) removed.push_back(change.before->state.files.at(name));
    std::optional<ReceiptHash> stated;
    if (same_columns(change.before->schema, change.schema)) {
      TRY(stated, stated_hash(access, *change.before));
    }
    if (stated) {
      hash = *stated;
    } else {
      TRY(const Hashed whole, hash_files(access, path, change.schema, change.before->files()));
      hash = ReceiptHash{whole.sum, whole.sum, whole.rows};
    }
  }
  TRY(const Hashed gone, hash_files(access, path, change.schema, removed));
  Hashed come;
  if (change.added && change.hashed) {
    come = *change.hashed;
  } else if (change.added) {
    const std::string& file = change.added->absolute_path;
    path = file.substr(0, file.size() - std::min(file.size(), change.added->add.path.size() + 1));
    TRY(come, hash_files(access, path, change.schema, {change.added->add}));
  }
  hash.after = hash_difference(hash_sum(hash.before, come.sum), gone.sum);
  hash.rows += come.rows - gone.rows;
  return hash;
}

}  // namespace load
