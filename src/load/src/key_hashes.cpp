#include "key_hashes.h"

#include <bit>

namespace load {

namespace {

// Open addressing over the hashes of one partition.
class Repeats {
 public:
  Repeats(std::size_t entries, std::vector<bool>& marks)
      : slots_(std::bit_ceil(entries * 2)), mask_(slots_.size() - 1), marks_(marks) {}

  void see(std::uint64_t hash, std::uint64_t row) {
    std::size_t at = (hash * 0x9E3779B97F4A7C15ULL >> 20) & mask_;
    while (slots_[at].row_plus_one != 0 && slots_[at].hash != hash) at = (at + 1) & mask_;
    if (slots_[at].row_plus_one == 0) {
      slots_[at] = Slot{hash, row + 1};
    } else {
      marks_[slots_[at].row_plus_one - 1] = true;
      marks_[row] = true;
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t row_plus_one = 0;  // 0: empty
  };
  std::vector<Slot> slots_;
  std::size_t mask_;
  std::vector<bool>& marks_;
};

}  // namespace

base::Result<world::ScratchFile*> KeyRoom::file() {
  const std::lock_guard lock(mutex_);
  if (!file_) {
    TRY(file_, world::scratch_file(directory_));
  }
  return file_.get();
}

std::size_t KeyHashes::Partition::entries() const {
  std::size_t count = spilled.size() * kBlockEntries;
  for (const auto& block : blocks) count += block->size;
  return count;
}

base::Status KeyHashes::add(std::uint64_t hash, std::uint64_t row) {
  Partition& partition = partitions_[hash >> (64 - kPartitionBits)];
  if (partition.blocks.empty() || partition.blocks.back()->size == kBlockEntries)
    TRY_STATUS(next_block(partition));
  Block& block = *partition.blocks.back();
  Entry& entry = block.entries[block.size++];
  entry.words[0] = static_cast<std::uint32_t>(hash >> 24);
  entry.words[1] = static_cast<std::uint32_t>(hash << 8) | static_cast<std::uint32_t>(row >> 32);
  entry.words[2] = static_cast<std::uint32_t>(row);
  return {};
}

// A new block, or the last one again when there is no room for more.
base::Status KeyHashes::next_block(Partition& partition) {
  if (partition.blocks.empty() || room_->take(sizeof(Block))) {
    // Not made zero: every entry is written before it is read.
    partition.blocks.push_back(std::unique_ptr<Block>(new Block));
    return {};
  }
  room_->give_back(sizeof(Block));
  Block& block = *partition.blocks.back();
  TRY(world::ScratchFile* const file, room_->file());
  TRY(const std::uint64_t offset,
      file->append({reinterpret_cast<const char*>(block.entries.data()), sizeof(block.entries)}));
  partition.spilled.push_back(offset);
  block.size = 0;
  return {};
}

void KeyHashes::take(KeyHashes& other) {
  for (std::size_t i = 0; i < kPartitions; ++i) {
    Partition& from = other.partitions_[i];
    for (auto& block : from.blocks) partitions_[i].blocks.push_back(std::move(block));
    partitions_[i].spilled.insert(partitions_[i].spilled.end(), from.spilled.begin(), from.spilled.end());
    from = Partition{};
  }
}

base::Result<std::vector<bool>> KeyHashes::mark_repeated(std::uint64_t rows) {
  std::vector<bool> marks(rows, false);
  for (Partition& partition : partitions_) {
    TRY_STATUS(mark_partition(partition, marks));
    partition = Partition{};
  }
  return marks;
}

base::Status KeyHashes::mark_partition(const Partition& partition, std::vector<bool>& marks) const {
  const std::size_t count = partition.entries();
  if (count == 0) return {};
  Repeats repeats(count, marks);
  for (const auto& block : partition.blocks)
    for (std::size_t i = 0; i < block->size; ++i)
      repeats.see(block->entries[i].hash(), block->entries[i].row());
  if (partition.spilled.empty()) return {};
  TRY(const world::ScratchFile* const file, room_->file());
  const auto block = std::make_unique<Block>();
  for (const std::uint64_t offset : partition.spilled) {
    TRY_STATUS(file->read(offset, reinterpret_cast<char*>(block->entries.data()), sizeof(block->entries)));
    for (const Entry& entry : block->entries) repeats.see(entry.hash(), entry.row());
  }
  return {};
}

}  // namespace load
