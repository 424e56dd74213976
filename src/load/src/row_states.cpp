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

struct JudgeTap::Local {
  explicit Local(std::shared_ptr<KeyRoom> room, std::size_t bits)
      : hashes(std::move(room)), counts(bits, 0) {}
  KeyHashes hashes;
  std::vector<std::int64_t> counts;
  std::int64_t rows = 0;
};

JudgeTap::JudgeTap(const RowNumbers& numbers, RowStates& states, const Shape& shape,
                   std::shared_ptr<KeyRoom> room)
    : numbers_(numbers), states_(states), shape_(shape), room_(std::move(room)) {}

JudgeTap::~JudgeTap() = default;

std::unique_ptr<JudgeTap::Local> JudgeTap::borrow() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Local>(room_, (shape_.words + shape_.warning_words) * kBits);
  auto local = std::move(idle_.back());
  idle_.pop_back();
  return local;
}

base::Status JudgeTap::call(const engine::Input& input, std::span<std::int64_t> out) {
  std::unique_ptr<Local> local = borrow();
  const base::Status status = see(input, out, *local);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(local));
  return status;
}

base::Status JudgeTap::see(const engine::Input& input, std::span<std::int64_t> out, Local& local) {
  const std::int64_t* files = input.int64s(0);
  const std::int64_t* rows = input.int64s(1);
  const std::int64_t* hashes = input.int64s(2);
  const std::size_t words = shape_.words;
  const std::size_t all_words = words + shape_.warning_words;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = 0;
    const std::uint64_t row = numbers_.of(files[i], rows[i]);
    bool rejected = false;
    for (std::size_t word = 0; word < all_words; ++word) {
      if (word >= words && rejected) break;
      auto bits = static_cast<std::uint64_t>(input.int64s(3 + word)[i]);
      rejected = rejected || (word < words && bits != 0);
      for (; bits != 0; bits &= bits - 1)
        ++local.counts[word * kBits + static_cast<std::size_t>(std::countr_zero(bits))];
    }
    const bool is_claim = shape_.has_claims && input.int64s(3 + all_words)[i] != 0;
    states_.set(row, rejected ? RowState::rejected : is_claim ? RowState::claim : RowState::accepted);
    if (!rejected) TRY_STATUS(local.hashes.add(static_cast<std::uint64_t>(hashes[i]), row));
  }
  local.rows += static_cast<std::int64_t>(out.size());
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

base::Result<std::vector<bool>> JudgeTap::take_candidates(std::uint64_t rows) {
  KeyHashes all(room_);
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
