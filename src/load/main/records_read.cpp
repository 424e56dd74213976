// records_read FILE THREADS: reads every cell of a CSV file as landing does and prints what it saw,
// for the reader's bench.
#include <atomic>
#include <charconv>
#include <ctime>
#include <iostream>
#include <thread>

#include <base/json.h>
#include <load/records.h>
#include <world/world.h>

namespace {

using base::Json;

struct Seen {
  std::atomic<std::int64_t> rows{0};
  std::atomic<std::int64_t> bytes{0};
  std::atomic<bool> failed{false};
};

void read_blocks(const load::CsvFile& file, std::atomic<std::size_t>& next, Seen& seen) {
  std::vector<std::size_t> columns(file.header().size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  load::RecordBatch batch;
  std::int64_t rows = 0;
  std::int64_t bytes = 0;
  for (std::size_t block = next++; block < file.block_count(); block = next++) {
    load::CsvScan scan = file.scan(block, block + 1, columns);
    for (;;) {
      const auto more = scan.read(2048, batch);
      if (!more) seen.failed = true;
      if (!more || !*more) break;
      rows += static_cast<std::int64_t>(batch.rows());
      for (const std::string_view cell : batch.cells) bytes += static_cast<std::int64_t>(cell.size());
    }
  }
  seen.rows += rows;
  seen.bytes += bytes;
}

std::int64_t cpu_us() {
  return static_cast<std::int64_t>(std::clock()) * (1'000'000 / CLOCKS_PER_SEC);
}

}  // namespace

int main(int count, char** arguments) {
  int threads_wanted = 0;
  const std::string_view text(count == 3 ? arguments[2] : "");
  std::from_chars(text.data(), text.data() + text.size(), threads_wanted);
  if (threads_wanted < 1) {
    std::cerr << "usage: records_read FILE THREADS\n";
    return 2;
  }
  const world::World world = world::machine_world();
  const std::int64_t begin_us = world.clock->now_us();
  auto opened = world.files->open(arguments[1]);
  if (!opened) {
    std::cerr << base::print(opened.error()) << "\n";
    return 3;
  }
  const auto file = load::CsvFile::open(std::move(*opened), arguments[1], contract::CsvFormat{});
  if (!file) {
    std::cerr << base::print(file.error()) << "\n";
    return 1;
  }
  const std::int64_t split_us = world.clock->now_us();
  const std::int64_t split_cpu_us = cpu_us();
  Seen seen;
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < threads_wanted; ++i) threads.emplace_back([&] { read_blocks(**file, next, seen); });
  for (std::thread& thread : threads) thread.join();
  const Json result = Json::object({{"rows", seen.rows.load()},
                                    {"bytes", seen.bytes.load()},
                                    {"open_ms", (split_us - begin_us) / 1000},
                                    {"open_cpu_ms", split_cpu_us / 1000},
                                    {"read_ms", (world.clock->now_us() - split_us) / 1000},
                                    {"read_cpu_ms", (cpu_us() - split_cpu_us) / 1000}});
  std::cout << result.print() << "\n";
  return seen.failed ? 1 : 0;
}
