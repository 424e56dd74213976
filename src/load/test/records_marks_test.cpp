// Every way of marking bytes gives the same marks, and plain records split by them are the splitter's.
#include "records_marks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace {

using load::Marker;
using load::Marks;
using load::Vectors;

std::uint64_t seed_of_run() {
  std::uint64_t seed = std::random_device{}();
  if (const char* given = std::getenv("TENTER_SEED")) seed = std::strtoull(given, nullptr, 10);
  std::cout << "seed " << seed << " (TENTER_SEED repeats it)\n";
  return seed;
}

std::string random_bytes(std::mt19937_64& random, std::string_view alphabet, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += alphabet[random() % alphabet.size()];
  return bytes;
}

TEST(records_marks, are_alike_whatever_instructions_make_them) {
  std::mt19937_64 random(seed_of_run());
  for (int i = 0; i < 2'000; ++i) {
    const std::string bytes =
        random_bytes(random, std::string_view(",;\"'\n\rab\0\x80\xFF\x7F|", 14), 64 * 5);
    const char delimiter = ",;|"[random() % 3];
    Marks wanted[5];
    Marker(delimiter, '"', Vectors::bytes).mark(bytes.data(), 5, wanted);
    for (const Vectors vectors : {Vectors::best, Vectors::narrow}) {
      Marks given[5];
      Marker(delimiter, '"', vectors).mark(bytes.data(), 5, given);
      for (int piece = 0; piece < 5; ++piece) {
        ASSERT_EQ(given[piece].ends, wanted[piece].ends);
        ASSERT_EQ(given[piece].wide, wanted[piece].wide);
      }
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const char c = bytes[at];
      const bool is_end = c == delimiter || c == '"' || c == '\n' || c == '\r';
      ASSERT_EQ((wanted[at / 64].ends >> at % 64 & 1) != 0, is_end);
      ASSERT_EQ((wanted[at / 64].wide >> at % 64 & 1) != 0, static_cast<unsigned char>(c) >= 0x80);
    }
  }
}

// Long texts, so that records cross pieces and runs of pieces.
TEST(records_marks, split_plain_records_as_the_splitter_does) {
  std::mt19937_64 random(seed_of_run());
  std::size_t taken = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = 1 + random() % 9'000;
    const std::string text = random_bytes(random, "aaaaaaaaabcdefghijk,,,\r\n\n\"", size);
    const std::string bytes = text + std::string(64, '\0');
    const contract::CsvFormat format;
    load::CsvLimits limits;
    limits.record_bytes_max = 40;
    limits.vectors = static_cast<Vectors>(random() % 3);
    load::PlainRecords plain(format, limits, 3);
    const load::Splitter splitter(format, limits.record_bytes_max);
    std::vector<load::Span> spans;
    for (std::size_t at = 0; at < size;) {
      const std::string_view rest = std::string_view(bytes).substr(at, size - at);
      load::Extent wanted;
      ASSERT_TRUE(splitter.split(rest, true, 3, wanted, spans));
      load::Extent given;
      if (random() % 8 != 0 && plain.split(rest, at, given)) {
        ++taken;
        ASSERT_EQ(given.size, wanted.size) << at;
        ASSERT_EQ(given.next, wanted.next) << at;
        ASSERT_EQ(given.fields, wanted.fields) << at;
        ASSERT_EQ(given.line_ends, wanted.line_ends) << at;
        ASSERT_FALSE(wanted.cause.has_value());
        for (std::size_t field = 0; given.fields > 0 && field < spans.size(); ++field)
          ASSERT_EQ(plain.ends()[field], spans[field].begin + spans[field].size) << at;
      }
      at += wanted.next;
    }
  }
  EXPECT_GT(taken, 10'000U);
}

}  // namespace
