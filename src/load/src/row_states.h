// What became of each bronze row of a batch: one byte a row, filled by taps inside the engine's
// passes. Row numbers are dense over the files of the pass. The judge tap also keeps (key hash,
// row) of accepted rows (src/key_hashes.h), from which repeated keys are found without sorting or grouping in
// the engine: a hash that occurs twice makes candidates, so that a collision costs time, never truth.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <engine/engine.h>

#include "key_hashes.h"

namespace load {

enum class RowState : std::uint8_t {
  absent = 0,  // not a row of this batch
  accepted = 1,
  rejected = 2,  // by its own values
  repeated = 3,  // rejected: its key stands in the batch already
  superseded = 4,
  duplicate = 5,
  claim = 6,  // accepted: it deletes its key
  // 16 + k, rejected: its values of unique key k stand in the batch already
  repeated_unique = 16,
};

inline RowState repeated_unique(std::size_t key) {
  return static_cast<RowState>(static_cast<std::size_t>(RowState::repeated_unique) + key);
}
// SQL: whether a state is one of a rejected row.
std::string is_rejected(const std::string& state);

// Maps (file index, row in file) to a dense number.
class RowNumbers {
 public:
  explicit RowNumbers(const std::vector<std::int64_t>& rows_per_file);
  std::uint64_t of(std::int64_t file, std::int64_t row) const {
    return first_[static_cast<std::size_t>(file)] + static_cast<std::uint64_t>(row);
  }
  std::uint64_t size() const { return total_; }

 private:
  std::vector<std::uint64_t> first_;
  std::uint64_t total_ = 0;
};

class RowStates {
 public:
  explicit RowStates(std::uint64_t rows) : states_(rows, 0) {}
  RowState at(std::uint64_t row) const { return static_cast<RowState>(states_[row]); }
  void set(std::uint64_t row, RowState state) { states_[row] = static_cast<std::uint8_t>(state); }
  std::int64_t count(RowState state) const;
  std::int64_t count_rejected() const;

 private:
  std::vector<std::uint8_t> states_;
};

// tenter_call(id, file, row, key hash, reason words…, warning words…[, is claim]) -> 0
// Warnings are counted of rows that no reason rejects.
class JudgeTap final : public engine::RowFunction {
 public:
  // What the rules of a batch look like to the tap.
  struct Shape {
    std::size_t words = 1;
    std::size_t warning_words = 0;
    bool has_claims = false;
  };
  JudgeTap(const RowNumbers& numbers, RowStates& states, const Shape& shape, std::shared_ptr<KeyRoom> room);
  ~JudgeTap() override;
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override;

  // When every row has passed.
  std::int64_t rows() const;
  std::int64_t count(std::size_t word, std::size_t bit) const;
  // Rows whose key hash occurs more than once among accepted rows, marked in a bitmap. Forgets the hashes.
  base::Result<std::vector<bool>> take_candidates(std::uint64_t rows);

  static constexpr std::size_t kBits = 62;  // of a word that are used

 private:
  // Of one thread at a time.
  struct Local;
  std::unique_ptr<Local> borrow();
  base::Status see(const engine::Input& input, std::span<std::int64_t> out, Local& local);

  const RowNumbers& numbers_;
  RowStates& states_;
  const Shape shape_;
  const std::shared_ptr<KeyRoom> room_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Local>> idle_;
};

// tenter_call(id, file, row) -> the row's state (0–5).
class StateLookup final : public engine::RowFunction {
 public:
  StateLookup(const RowNumbers& numbers, const RowStates& states) : numbers_(numbers), states_(states) {}
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override;

 private:
  const RowNumbers& numbers_;
  const RowStates& states_;
};

// tenter_call(id, file, row) -> 1 when the row is marked.
class MarkLookup final : public engine::RowFunction {
 public:
  MarkLookup(const RowNumbers& numbers, std::vector<bool> marks)
      : numbers_(numbers), marks_(std::move(marks)) {}
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override;
  void mark(std::int64_t file, std::int64_t row) { marks_[numbers_.of(file, row)] = true; }

 private:
  const RowNumbers& numbers_;
  std::vector<bool> marks_;
};

}  // namespace load
