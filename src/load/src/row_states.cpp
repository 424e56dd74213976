#include "row_states.h"

#include <algorithm>
#include <bit>

namespace load {

std::string is_rejected(const std::string& state) {
  return "(" + state + " IN (" + std::to_string(static_cast<int>(RowState::rejected)) + ", " +
         std::to_string(static_cast<int>(RowState::repeated)) + ") OR " + state +
         " >= " + std::to_string(static_cast<int>(RowState::repeated_unique)) + ")";
}

RowNumbers::RowNumbers(const std::vector<std::int64_t>& rows_per_file) {
  for (const std::int64_t rows : rows_per_file) {
    first_.push_back(total_);
    total_ += static_cast<std::uint64_t>(rows);
  }
}

std::int64_t RowStates::count(RowState state) const {
  return std::count(states_.begin(), states_.end(), static_cast<std::uint8_t>(state));
}

std::int64_t RowStates::count_rejected() const {
  return std::count_if(states_.begin(), states_.end(), [](std::uint8_t byte) {
    const auto state = static_cast<RowState>(byte);
    return state == RowState::rejected || state == RowState::repeated || state >= RowState::repeated_unique;
  });
}

JudgeTap::JudgeTap(const RowNumbers& numbers, RowStates& states, std::size_t words, std::size_t warning_words,
                   bool has_claims)
    : numbers_(numbers),
      states_(states),
      words_(words),
      warning_words_(warning_words),
      has_claims_(has_claims),
      counts_((words + warning_words) * kBits, 0) {}

base::Status JudgeTap::call(const engine::Input& input, std::span<std::int64_t> out) {
  const std::int64_t* files = input.int64s(0);
  const std::int64_t* rows = input.int64s(1);
  const std::int64_t* hashes = input.int64s(2);
  std::array<std::vector<Entry>, kPartitions> entries;
  std::vector<std::int64_t> counts(counts_.size(), 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    const std::uint64_t row = numbers_.of(files[i], rows[i]);
    bool rejected = false;
    for (std::size_t word = 0; word < words_ + warning_words_; ++word) {
      if (word >= words_ && rejected) break;
      auto bits = static_cast<std::uint64_t>(input.int64s(3 + word)[i]);
      rejected = rejected || (word < words_ && bits != 0);
      for (; bits != 0; bits &= bits - 1)
        ++counts[word * kBits + static_cast<std::size_t>(std::countr_zero(bits))];
    }
    const bool is_claim = has_claims_ && input.int64s(3 + words_ + warning_words_)[i] != 0;
    states_.set(row, rejected ? RowState::rejected : is_claim ? RowState::claim : RowState::accepted);
    if (!rejected) {
      const auto hash = static_cast<std::uint64_t>(hashes[i]);
      entries[hash >> 58].push_back(Entry{hash, row});
    }
  }
  keep(std::move(entries), counts);
  return {};
}

void JudgeTap::keep(std::array<std::vector<Entry>, kPartitions>&& entries,
                    const std::vector<std::int64_t>& counts) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    auto& blocks = entries_[partition];
    for (const Entry& entry : entries[partition]) {
      // Fixed blocks: growing one large vector would need twice its memory while it moves.
      if (blocks.empty() || blocks.back().size() == blocks.back().capacity())
        blocks.emplace_back().reserve(4096);
      blocks.back().push_back(entry);
    }
  }
}

std::vector<bool> JudgeTap::candidates(std::uint64_t rows) const {
  std::vector<bool> marks(rows, false);
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t row_plus_one = 0;  // 0: empty
  };
  std::vector<Slot> slots;
  for (const auto& blocks : entries_) {
    std::size_t count = 0;
    for (const auto& block : blocks) count += block.size();
    if (count == 0) continue;
    const std::size_t capacity = std::bit_ceil(count * 2);
    slots.assign(capacity, Slot{});
    for (const auto& block : blocks) {
      for (const Entry& entry : block) {
        // The partition took the top bits; mix so that the low bits are spread as well.
        std::size_t at = (entry.hash * 0x9E3779B97F4A7C15ULL >> 20) & (capacity - 1);
        while (slots[at].row_plus_one != 0 && slots[at].hash != entry.hash) at = (at + 1) & (capacity - 1);
        if (slots[at].row_plus_one == 0) {
          slots[at] = Slot{entry.hash, entry.row + 1};
        } else {
          marks[slots[at].row_plus_one - 1] = true;
          marks[entry.row] = true;
        }
      }
    }
  }
  return marks;
}

base::Status StateLookup::call(const engine::Input& input, std::span<std::int64_t> out) {
  const std::int64_t* files = input.int64s(0);
  const std::int64_t* rows = input.int64s(1);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::int64_t>(states_.at(numbers_.of(files[i], rows[i])));
  return {};
}

base::Status MarkLookup::call(const engine::Input& input, std::span<std::int64_t> out) {
  const std::int64_t* files = input.int64s(0);
  const std::int64_t* rows = input.int64s(1);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = marks_[numbers_.of(files[i], rows[i])] ? 1 : 0;
  return {};
}

}  // namespace load
