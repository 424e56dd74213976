#include "key_hashes.h"

#include <bit>

namespace load {

void KeyHashes::add(std::uint64_t hash, std::uint64_t row) {
  Blocks& blocks = partitions_[hash >> (64 - kPartitionBits)];
  // Not made zero: every entry is written before it is read.
  if (blocks.empty() || blocks.back()->size == kBlockEntries)
    blocks.push_back(std::unique_ptr<Block>(new Block));
  Block& block = *blocks.back();
  Entry& entry = block.entries[block.size++];
  entry.words[0] = static_cast<std::uint32_t>(hash >> 26);
  entry.words[1] = static_cast<std::uint32_t>(hash << 6) | static_cast<std::uint32_t>(row >> 32);
  entry.words[2] = static_cast<std::uint32_t>(row);
}

void KeyHashes::take(KeyHashes& other) {
  for (std::size_t i = 0; i < kPartitions; ++i) {
    for (auto& block : other.partitions_[i]) partitions_[i].push_back(std::move(block));
    other.partitions_[i].clear();
  }
}

std::vector<bool> KeyHashes::mark_repeated(std::uint64_t rows) {
  std::vector<bool> marks(rows, false);
  for (Blocks& blocks : partitions_) {
    mark_partition(blocks, marks);
    blocks.clear();
  }
  return marks;
}

void KeyHashes::mark_partition(const Blocks& blocks, std::vector<bool>& marks) {
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t row_plus_one = 0;  // 0: empty
  };
  std::size_t count = 0;
  for (const auto& block : blocks) count += block->size;
  if (count == 0) return;
  const std::size_t capacity = std::bit_ceil(count * 2);
  std::vector<Slot> slots(capacity);
  for (const auto& block : blocks) {
    for (std::size_t i = 0; i < block->size; ++i) {
      const std::uint64_t hash = block->entries[i].hash();
      const std::uint64_t row = block->entries[i].row();
      std::size_t at = (hash * 0x9E3779B97F4A7C15ULL >> 20) & (capacity - 1);
      while (slots[at].row_plus_one != 0 && slots[at].hash != hash) at = (at + 1) & (capacity - 1);
      if (slots[at].row_plus_one == 0) {
        slots[at] = Slot{hash, row + 1};
      } else {
        marks[slots[at].row_plus_one - 1] = true;
        marks[row] = true;
      }
    }
  }
}

}  // namespace load
