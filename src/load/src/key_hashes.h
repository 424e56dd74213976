// (key hash, row) of accepted rows, from which repeated keys are found without sorting or grouping in the
// engine: 12 bytes a row, in partitions by the hash's first bits and in blocks that never move. Blocks that
// exceed the room in memory go to a temporary file.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <base/result.h>
#include <world/scratch.h>

namespace load {

// What the hashes of one judgement may take, all threads together. Safe to share.
class KeyRoom {
 public:
  // `directory`: of the temporary file.
  KeyRoom(std::uint64_t bytes_max, std::string directory)
      : bytes_max_(bytes_max), directory_(std::move(directory)) {}

  bool take(std::uint64_t bytes) { return taken_.fetch_add(bytes) + bytes <= bytes_max_; }
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }
  base::Result<world::ScratchFile*> file();

 private:
  const std::uint64_t bytes_max_;
  const std::string directory_;
  std::atomic<std::uint64_t> taken_{0};
  std::mutex mutex_;
  std::unique_ptr<world::ScratchFile> file_;
};

class KeyHashes {
 public:
  explicit KeyHashes(std::shared_ptr<KeyRoom> room) : room_(std::move(room)) {}

  // `row` below 2^40.
  base::Status add(std::uint64_t hash, std::uint64_t row);
  // Takes what `other` holds, of the same room, which is empty then.
  void take(KeyHashes& other);
  // Marks every row whose hash another row has too. Empty afterwards.
  base::Result<std::vector<bool>> mark_repeated(std::uint64_t rows);

 private:
  static constexpr std::size_t kPartitionBits = 8;
  static constexpr std::size_t kPartitions = std::size_t{1} << kPartitionBits;
  static constexpr std::size_t kBlockEntries = 1024;
  // 56 bits of the hash (the partition has the others), 40 of the row.
  struct Entry {
    std::uint32_t words[3];
    std::uint64_t hash() const { return std::uint64_t{words[0]} << 24 | words[1] >> 8; }
    std::uint64_t row() const { return std::uint64_t{words[1] & 255} << 32 | words[2]; }
  };
  struct Block {
    std::size_t size = 0;
    std::array<Entry, kBlockEntries> entries;
  };
  struct Partition {
    std::vector<std::unique_ptr<Block>> blocks;  // the last one is not full
    std::vector<std::uint64_t> spilled;          // full ones, by their offsets
    std::size_t entries() const;
  };

  base::Status next_block(Partition& partition);
  base::Status mark_partition(const Partition& partition, std::vector<bool>& marks) const;

  std::shared_ptr<KeyRoom> room_;
  std::array<Partition, kPartitions> partitions_;
};

}  // namespace load
