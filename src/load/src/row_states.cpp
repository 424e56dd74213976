#include "row_states.h"

#include <algorithm>
#include <bit>

#include "key_hashes.h"

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

struct JudgeTap::Local {
  KeyHashes hashes;
  std::vector<std::int64_t> counts;
  std::int64_t rows = 0;
};

JudgeTap::JudgeTap(const RowNumbers& numbers, RowStates& states, std::size_t words, std::size_t warning_words,
                   bool has_claims)
    : numbers_(numbers),
      states_(states),
      words_(words),
      warning_words_(warning_words),
      has_claims_(has_claims) {}

JudgeTap::~JudgeTap() = default;

std::unique_ptr<JudgeTap::Local> JudgeTap::borrow() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    auto local = std::make_unique<Local>();
    local->counts.assign((words_ + warning_words_) * kBits, 0);
    return local;
  }
  auto local = std::move(idle_.back());
  idle_.pop_back();
  return local;
}

base::Status JudgeTap::call(const engine::Input& input, std::span<std::int64_t> out) {
  const std::int64_t* files = input.int64s(0);
  const std::int64_t* rows = input.int64s(1);
  const std::int64_t* hashes = input.int64s(2);
  std::unique_ptr<Local> local = borrow();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    const std::uint64_t row = numbers_.of(files[i], rows[i]);
    bool rejected = false;
    for (std::size_t word = 0; word < words_ + warning_words_; ++word) {
      if (word >= words_ && rejected) break;
      auto bits = static_cast<std::uint64_t>(input.int64s(3 + word)[i]);
      rejected = rejected || (word < words_ && bits != 0);
      for (; bits != 0; bits &= bits - 1)
        ++local->counts[word * kBits + static_cast<std::size_t>(std::countr_zero(bits))];
    }
    const bool is_claim = has_claims_ && input.int64s(3 + words_ + warning_words_)[i] != 0;
    states_.set(row, rejected ? RowState::rejected : is_claim ? RowState::claim : RowState::accepted);
    if (!rejected) local->hashes.add(static_cast<std::uint64_t>(hashes[i]), row);
  }
  local->rows += static_cast<std::int64_t>(out.size());
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(local));
  return {};
}

std::int64_t JudgeTap::rows() const {
  std::int64_t sum = 0;
  for (const auto& local : idle_) sum += local->rows;
  return sum;
}

std::int64_t JudgeTap::count(std::size_t word, std::size_t bit) const {
  std::int64_t sum = 0;
  for (const auto& local : idle_) sum += local->counts[word * kBits + bit];
  return sum;
}

std::vector<bool> JudgeTap::take_candidates(std::uint64_t rows) {
  KeyHashes all;
  for (const auto& local : idle_) all.take(local->hashes);
  return all.mark_repeated(rows);
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
