// What becomes of staged rows and of the rows of the target that they meet, collected inside the engine.
#pragma once

#include <array>
#include <mutex>
#include <set>

#include "run.h"

namespace load {

enum class Fate : std::uint8_t {
  insert = 0,
  update = 1,
  unchanged = 2,
  older = 3,
  remove = 4,       // a claim that deletes its match
  older_claim = 5,  // a claim below the stored row
};

// tenter_call(id, target file, target row, columns…): rows of the target that no row takes the place of.
class DeleteTap final : public engine::RowFunction {
 public:
  DeleteTap(const RowNumbers& target, RowStates& replaced, std::set<std::size_t>& touched, HashSum& gone)
      : target_(target), replaced_(replaced), touched_(touched), gone_(gone) {}
  std::size_t first_payload() const override { return 2; }

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 1;
      replaced_.set(target_.of(input.int64s(0)[i], input.int64s(1)[i]), RowState::accepted);
      touched_.insert(static_cast<std::size_t>(input.int64s(0)[i]));
      gone_.add(input.payload(i));
    }
    return {};
  }

 private:
  const RowNumbers& target_;
  RowStates& replaced_;
  std::set<std::size_t>& touched_;
  HashSum& gone_;
  std::mutex mutex_;
};

// tenter_call(id, fi, fr, target file, target row, fate, columns of the target…): one call a matched row.
class FateTap final : public engine::RowFunction {
 public:
  FateTap(const RowNumbers& staged, const RowNumbers& target)
      : staged_(staged), target_(target), fates(staged.size()), replaced(target.size()) {}
  std::size_t first_payload() const override { return 5; }

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    std::array<std::int64_t, 6> counts{};
    std::set<std::size_t> files;
    HashSum sum;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 0;
      const auto fate = static_cast<std::uint8_t>(input.int64s(4)[i]);
      fates.set(staged_.of(input.int64s(0)[i], input.int64s(1)[i]), static_cast<RowState>(fate));
      ++counts[fate];
      if (static_cast<Fate>(fate) == Fate::update || static_cast<Fate>(fate) == Fate::remove) {
        replaced.set(target_.of(input.int64s(2)[i], input.int64s(3)[i]), RowState::accepted);
        files.insert(static_cast<std::size_t>(input.int64s(2)[i]));
        sum.add(input.payload(i));
      }
    }
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < counts.size(); ++i) counts_[i] += counts[i];
    touched.insert(files.begin(), files.end());
    gone.add(sum);
    return {};
  }
  std::int64_t count(Fate fate) const { return counts_[static_cast<std::size_t>(fate)]; }

 private:
  const RowNumbers& staged_;
  const RowNumbers& target_;
  std::mutex mutex_;
  std::array<std::int64_t, 6> counts_{};

 public:
  RowStates fates;     // by staged row
  RowStates replaced;  // by target row: 1 when it goes, replaced by an update or deleted
  HashSum gone;        // of those rows
  std::set<std::size_t> touched;
};

// Rows that would be inserted, though a loaded batch (this one included) holds a claim for their key that
// is as new as they are or newer: they count as older. Looks the claims up in the landing table.
base::Status yield_to_claims(Run& run, const table::Snapshot& target, const std::shared_ptr<FateTap>& fates);

// Rows that would be inserted, though a later full snapshot is loaded that does not have their key: likewise.
base::Status yield_to_snapshot(Run& run, const std::shared_ptr<FateTap>& fates);

}  // namespace load
