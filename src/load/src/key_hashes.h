// (key hash, row) of accepted rows, from which repeated keys are found without sorting or grouping in the
// engine: 12 bytes a row, in partitions by the hash's first bits and in blocks that never move.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace load {

class KeyHashes {
 public:
  // `row` below 2^38.
  void add(std::uint64_t hash, std::uint64_t row);
  // Takes what `other` holds, which is empty then.
  void take(KeyHashes& other);
  // Marks every row whose hash another row has too. Empty afterwards.
  std::vector<bool> mark_repeated(std::uint64_t rows);

 private:
  static constexpr std::size_t kPartitionBits = 6;
  static constexpr std::size_t kPartitions = std::size_t{1} << kPartitionBits;
  static constexpr std::size_t kBlockEntries = 4096;
  // 58 bits of the hash (the partition has the others), 38 of the row.
  struct Entry {
    std::uint32_t words[3];
    std::uint64_t hash() const { return std::uint64_t{words[0]} << 26 | words[1] >> 6; }
    std::uint64_t row() const { return std::uint64_t{words[1] & 63} << 32 | words[2]; }
  };
  struct Block {
    std::size_t size = 0;
    std::array<Entry, kBlockEntries> entries;
  };
  using Blocks = std::vector<std::unique_ptr<Block>>;

  static void mark_partition(const Blocks& blocks, std::vector<bool>& marks);

  std::array<Blocks, kPartitions> partitions_;
};

}  // namespace load
