#include "row_states.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace load {
namespace {

// Columns of integers, as the engine would hand them over.
class Columns final : public engine::Input {
 public:
  explicit Columns(std::vector<std::vector<std::int64_t>> columns) : columns_(std::move(columns)) {}
  std::size_t rows() const override { return columns_.front().size(); }
  std::size_t columns() const override { return columns_.size(); }
  bool is_null(std::size_t, std::size_t) const override { return false; }
  const std::int64_t* int64s(std::size_t column) const override { return columns_[column].data(); }
  std::string_view text(std::size_t, std::size_t) const override { return {}; }
  std::string_view payload(std::size_t) const override { return {}; }

 private:
  std::vector<std::vector<std::int64_t>> columns_;
};

TEST(RowNumbers, are_dense_over_files) {
  const RowNumbers numbers({3, 0, 2});
  EXPECT_EQ(numbers.of(0, 2), 2U);
  EXPECT_EQ(numbers.of(2, 0), 3U);
  EXPECT_EQ(numbers.size(), 5U);
}

TEST(JudgeTap, counts_each_reason_and_keeps_the_state) {
  const RowNumbers numbers({4});
  RowStates states(numbers.size());
  JudgeTap tap(numbers, states, {2, 0, false}, std::make_shared<KeyRoom>(1 << 20, testing::TempDir()));
  std::vector<std::int64_t> out(3);
  ASSERT_TRUE(tap.call(Columns({{0, 0, 0}, {0, 1, 3}, {9, 9, 9}, {0, 5, 0}, {0, 0, 2}}), out));
  EXPECT_EQ(states.at(0), RowState::accepted);
  EXPECT_EQ(states.at(1), RowState::rejected);
  EXPECT_EQ(states.at(2), RowState::absent);
  EXPECT_EQ(states.at(3), RowState::rejected);
  EXPECT_EQ(tap.count(0, 0), 1);
  EXPECT_EQ(tap.count(0, 2), 1);
  EXPECT_EQ(tap.count(1, 1), 1);
  EXPECT_EQ(tap.count(1, 0), 0);
}

// The obvious twin: count every hash in a map.
TEST(JudgeTap, candidates_are_the_rows_whose_hash_repeats) {
  const std::uint64_t seed = 20260301;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 1 + random() % 5'000;
    const RowNumbers numbers({static_cast<std::int64_t>(rows)});
    RowStates states(rows);
    // Every second round has no room in memory.
    const std::uint64_t room = round % 2 == 0 ? 1 << 30 : 0;
    JudgeTap tap(numbers, states, {1, 0, false}, std::make_shared<KeyRoom>(room, testing::TempDir()));
    std::vector<std::int64_t> files(rows, 0), places(rows), hashes(rows), words(rows), out(rows);
    std::map<std::int64_t, int> counts;
    // Few distinct values in the upper and in the lower bits, so that partitions and slots collide.
    for (std::size_t i = 0; i < rows; ++i) {
      places[i] = static_cast<std::int64_t>(i);
      hashes[i] = static_cast<std::int64_t>((random() % 4) << 60 | (random() % rows));
      words[i] = random() % 10 == 0 ? 1 : 0;
      if (words[i] == 0) ++counts[hashes[i]];
    }
    ASSERT_TRUE(tap.call(Columns({files, places, hashes, words}), out));
    const auto marked = tap.take_candidates(rows);
    ASSERT_TRUE(marked) << base::print(marked.error());
    const std::vector<bool>& candidates = *marked;
    for (std::size_t i = 0; i < rows; ++i)
      ASSERT_EQ(candidates[i], words[i] == 0 && counts[hashes[i]] > 1) << "round " << round << " row " << i;
  }
}

TEST(StateLookup, gives_what_was_set) {
  const RowNumbers numbers({2, 2});
  RowStates states(numbers.size());
  states.set(numbers.of(1, 0), RowState::superseded);
  StateLookup lookup(numbers, states);
  std::vector<std::int64_t> out(2);
  ASSERT_TRUE(lookup.call(Columns({{0, 1}, {1, 0}}), out));
  EXPECT_EQ(out, (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(states.count(RowState::superseded), 1);
}

}  // namespace
}  // namespace load
