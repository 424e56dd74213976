// The hash of a table: the sum modulo 2^128 over its rows of the first 16 bytes of SHA-256 of the row's
// payload (docs/signature.md), so that it follows from the rows alone, in any order, and can be carried
// from commit to commit by adding new rows and taking old ones away.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <delta/schema.h>
#include <table/table.h>

#include "receipt.h"

namespace load {

// (a + b) and (a - b) modulo 2^128, as 32 hex digits.
std::string hash_sum(const std::string& a, const std::string& b);
std::string hash_difference(const std::string& a, const std::string& b);
inline const std::string kEmptyHash = std::string(32, '0');

// A sum that grows by one row's payload at a time.
class HashSum {
 public:
  void add(std::string_view payload);
  void add(const HashSum& other) { add(other.high_, other.low_); }
  std::string text() const;

 private:
  void add(std::uint64_t high, std::uint64_t low);

  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

// tenter_call(id, columns…) -> 0: adds up the hashes of the rows that pass, by the payload of the columns.
class HashTap final : public engine::RowFunction {
 public:
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override;
  std::size_t first_payload() const override { return 0; }
  // When every row has passed.
  std::string sum() const { return sum_.text(); }
  std::int64_t rows() const { return rows_; }

 private:
  std::mutex mutex_;
  HashSum sum_;
  std::int64_t rows_ = 0;
};

// The sum of the hashes of some rows.
struct Hashed {
  std::string sum = kEmptyHash;
  std::int64_t rows = 0;
};

// SQL of the payload over named columns of a relation.
std::string payload_of(const std::vector<std::string>& columns);
std::string payload_of(const contract::Contract& contract);  // its declared columns

// What the newest commit's receipt states for this version, if it is of ours and states a hash.
base::Result<std::optional<ReceiptHash>> stated_hash(const table::Access& access,
                                                     const table::Snapshot& snapshot);
// Stated, else recomputed over the declared columns; `before` and `after` are alike.
base::Result<ReceiptHash> table_hash(const table::Access& access, const table::Snapshot& snapshot,
                                     const contract::Contract& contract);

// The receipt hash of a commit that adds one file and removes some, over all columns of `schema`, the
// schema that the commit leaves behind. Reads what was written back from disk, but for rows that were
// hashed on their way there.
struct FileChange {
  const table::Snapshot* before = nullptr;  // null: the table is new
  delta::Schema schema;
  std::optional<table::DataFile> added;
  std::vector<std::string> removed;             // paths
  std::optional<Hashed> hashed = std::nullopt;  // of `added`
};
base::Result<ReceiptHash> hash_of_change(const table::Access& access, const FileChange& change);

}  // namespace load
