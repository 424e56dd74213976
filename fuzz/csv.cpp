// The record reader gives what its slow twin gives, in one scan and in blocks of any size. The first bytes
// choose the format and the limits.
#include "../src/load/test/slow_records.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  if (count < 3) return 0;
  contract::CsvFormat format;
  format.header = (bytes[0] & 1) != 0;
  format.delimiter = (bytes[0] & 2) != 0 ? ';' : ',';
  format.escape = (bytes[0] & 4) != 0 ? '\\' : '"';
  const load::CsvLimits limits{1 + std::size_t{bytes[1]} % 40, 4 + std::size_t{bytes[2]}};
  const std::string text(fuzz::text_of(bytes + 3, count - 3));
  const slow_records::Answer slow = slow_records::SlowReader(text, format, limits.record_bytes_max).read();
  for (const bool in_blocks : {false, true})
    fuzz::must(slow_records::ours(text, format, limits, in_blocks) == slow, "both readers agree");
  return 0;
}
