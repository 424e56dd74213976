// The record reader against its rules, and against a slow twin that looks at the whole text byte
// by byte.
#include <load/records.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <random>

#include <base/text.h>
#include <world/world.h>

#include "slow_records.h"

namespace {

using contract::CsvFormat;
using load::CsvFile;
using load::CsvLimits;
using load::RecordBatch;
using slow_records::Answer;
using slow_records::file_of;
using slow_records::ours;
using slow_records::Row;
using slow_records::show;
using slow_records::SlowReader;

using Rows = std::vector<Row>;
using Texts = std::vector<std::string>;

TEST(records, byte_order_mark_before_a_quoted_header_is_dropped) {  // B01
  for (const std::string bytes :
       {"\xEF\xBB\xBF\"order_id\",\"total\"\n\"1\",\"2\"\n", "\xEF\xBB\xBForder_id,total\n1,2\n",
        "\xEF\xBB\xBForder_id,total\r\n1,2\r\n"}) {
    const Answer answer = ours(bytes);
    EXPECT_EQ(answer.header, (Texts{"order_id", "total"}));
    EXPECT_EQ(answer.rows, (Rows{{2, {"1", "2"}}}));
  }
}

TEST(records, line_break_inside_quotes_is_text_and_a_physical_line) {  // B02
  const Answer answer = ours("id,note,amt\n1,\"first\nsecond\",5.00\n2,\"x\",6.00\n");
  EXPECT_EQ(answer.rows, (Rows{{2, {"1", "first\nsecond", "5.00"}}, {4, {"2", "x", "6.00"}}}));
  EXPECT_TRUE(answer.malformed.empty());
}

TEST(records, line_ends_may_be_mixed_and_leave_no_trace) {  // B03
  const Answer answer = ours("ID,TEXT\r\n7,abc\r8,d\n9,\"e\"\r\n");
  EXPECT_EQ(answer.header, (Texts{"ID", "TEXT"}));
  EXPECT_EQ(answer.rows, (Rows{{2, {"7", "abc"}}, {3, {"8", "d"}}, {4, {"9", "e"}}}));
}

TEST(records, ragged_rows_are_malformed_with_what_is_missing_or_extra) {  // B06
  const Answer answer = ours("a,b\n5\n6,7,8\n9,\n1,2,3,4\n");
  EXPECT_EQ(answer.rows, (Rows{{4, {"9", std::nullopt}}}));
  EXPECT_EQ(answer.malformed, (Texts{"2 malformed.missing_field (missing field b) 5",
                                     "3 malformed.extra_field (1 extra field) 6,7,8",
                                     "5 malformed.extra_field (2 extra fields) 1,2,3,4"}));
  EXPECT_EQ(ours("a,b,c\n5\n").malformed, (Texts{"2 malformed.missing_field (missing fields b, c) 5"}));
}

TEST(records, open_quote_spoils_its_first_line_only) {
  const Answer answer = ours("a,b\n1,\"x\n2,y\n3,z\n");
  EXPECT_EQ(answer.rows, (Rows{{3, {"2", "y"}}, {4, {"3", "z"}}}));
  EXPECT_EQ(answer.malformed, (Texts{"2 malformed.open_quote (quote never closed) 1,\"x"}));
}

TEST(records, text_after_a_closing_quote_spoils_its_record_only) {
  const Answer answer = ours("a,b\n1,\"x\"y\n2,\"p\nq\" \n3,z\n");
  EXPECT_EQ(answer.rows, (Rows{{5, {"3", "z"}}}));
  EXPECT_EQ(answer.malformed,
            (Texts{"2 malformed.text_after_quote (text after a closing quote) 1,\"x\"y",
                   "3 malformed.text_after_quote (text after a closing quote) 2,\"p\nq\" "}));
}

TEST(records, quotes_open_only_at_the_start_of_a_field) {
  EXPECT_EQ(ours("a,b\n x\"y\", \"z\n").rows, (Rows{{2, {" x\"y\"", " \"z"}}}));
}

TEST(records, doubled_quotes_are_one_character) {
  EXPECT_EQ(ours("a,b\n\"x\"\"y\",\"\"\"\"\n").rows, (Rows{{2, {"x\"y", "\""}}}));
}

TEST(records, unquoted_empty_is_null_and_quoted_empty_is_text) {
  EXPECT_EQ(ours("a,b\n,\"\"\n").rows, (Rows{{2, {std::nullopt, ""}}}));
}

TEST(records, blank_lines_are_no_records_but_count_as_lines) {
  EXPECT_EQ(ours("\n\r\na,b\n\n\r1,2\n\n").rows, (Rows{{6, {"1", "2"}}}));
  EXPECT_EQ(ours("a\n\"\"\n \n").rows, (Rows{{2, {""}}, {3, {" "}}}));
}

TEST(records, escape_that_differs_from_the_quote) {
  const CsvFormat format{true, ',', '"', '\\'};
  const Answer answer = ours("a,b\n\"x\\\"y\\\\\",\\n\n\"p\\q\",\"r\"\"s\"\n", format);
  EXPECT_EQ(answer.rows, (Rows{{2, {"x\"y\\", "\\n"}}}));
  EXPECT_EQ(answer.malformed,
            (Texts{"3 malformed.text_after_quote (text after a closing quote) \"p\\q\",\"r\"\"s\""}));
}

TEST(records, delimiter_and_quote_can_be_chosen) {
  const CsvFormat format{true, ';', '\'', '\''};
  EXPECT_EQ(ours("a;b\n'x;y';\"z\"\n", format).rows, (Rows{{2, {"x;y", "\"z\""}}}));
}

TEST(records, bytes_that_are_no_text_are_malformed_and_kept) {
  const Answer answer = ours("a,b\n1,caf\xE9\n2,caf\xC3\xA9\n");
  EXPECT_EQ(answer.rows, (Rows{{3, {"2", "caf\xC3\xA9"}}}));
  EXPECT_EQ(answer.malformed, (Texts{"2 malformed.encoding (not UTF-8) 1,caf\xE9"}));
}

TEST(records, a_file_without_header_names_its_columns_by_place) {
  const CsvFormat format{false, ',', '"', '"'};
  const Answer answer = ours("\xEF\xBB\xBF\"1\n1,2\n3\n", format);
  EXPECT_EQ(answer.header, (Texts{"_c0", "_c1"}));
  EXPECT_EQ(answer.rows, (Rows{{2, {"1", "2"}}}));
  EXPECT_EQ(answer.malformed, (Texts{"1 malformed.open_quote (quote never closed) \"1",
                                     "3 malformed.missing_field (missing field _c1) 3"}));
}

TEST(records, a_file_without_records_has_no_header) {
  for (const std::string bytes : {"", "\xEF\xBB\xBF", "\n\r\n"}) {
    const Answer answer = ours(bytes);
    EXPECT_TRUE(answer.refused.empty());
    EXPECT_TRUE(answer.header.empty());
    EXPECT_TRUE(answer.rows.empty());
  }
}

TEST(records, a_header_that_cannot_be_read_refuses_the_file_with_its_line) {
  EXPECT_EQ(ours("a,,b\n").refused, "land.empty_header");
  EXPECT_EQ(ours("a,\"\"\n").refused, "land.empty_header");
  EXPECT_EQ(ours("a,\"b\nc\n").refused, "land.header_malformed");
  EXPECT_EQ(ours("a,\"b\"c\n").refused, "land.header_malformed");
  EXPECT_EQ(ours("a,\xFF\n").refused, "land.header_malformed");
  const auto refused = CsvFile::open(file_of("\na,,b,\n"), "x/y.csv", CsvFormat{});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "the header has no name at position 2, 4 of 4");
  EXPECT_EQ(refused.error().place, (base::Place{"x/y.csv", 2, 0}));
}

TEST(records, a_record_over_the_limit_is_cut_to_its_first_line) {
  const CsvLimits limits{4, 10};
  EXPECT_EQ(ours("a,b\n12345,7890\n123456,8901\n1,2\n", CsvFormat{}, limits).malformed,
            (Texts{"3 malformed.too_long (too long) 123456,8901"}));
  const Answer answer = ours("a,b\n1,\"x\n2,y\n3,z\n4,w\n", CsvFormat{}, limits);
  EXPECT_EQ(answer.malformed, (Texts{"2 malformed.too_long (too long) 1,\"x"}));
  EXPECT_EQ(answer.rows, (Rows{{3, {"2", "y"}}, {4, {"3", "z"}}, {5, {"4", "w"}}}));
}

TEST(records, the_limit_is_sixteen_mebibytes) {
  const std::size_t limit = std::size_t{16} << 20;
  const std::string fits = "a\n" + std::string(limit, 'x') + "\n";
  EXPECT_EQ(ours(fits).rows.size(), 1U);
  const Answer answer = ours("a\n" + std::string(limit + 1, 'x') + "\ny\n");
  EXPECT_EQ(answer.malformed.size(), 1U);
  EXPECT_EQ(answer.rows, (Rows{{3, {"y"}}}));
}

TEST(records, only_the_columns_asked_for_are_given_in_the_order_asked) {
  const auto file = CsvFile::open(file_of("a,b,c\n1,2,3\n4,\"5\"\"\",6\n"), "given.csv", CsvFormat{});
  ASSERT_TRUE(file.has_value());
  load::CsvScan scan = (*file)->scan(0, (*file)->block_count(), {2, 1});
  RecordBatch batch;
  Answer answer;
  ASSERT_TRUE(*scan.read(100, batch));
  take(batch, answer);
  EXPECT_EQ(answer.rows, (Rows{{2, {"3", "2"}}, {3, {"6", "5\""}}}));
}

TEST(records, a_file_that_shrinks_between_opening_and_reading_is_said_to_have_changed) {
  class Shrinking final : public world::ReadFile {
   public:
    base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const override {
      const std::string_view bytes = std::string_view("a\n1\n2\n3\n").substr(0, shrunk ? 4 : 8);
      if (offset >= bytes.size()) return std::size_t{0};
      return bytes.copy(into, count, offset);
    }
    base::Result<world::FileInfo> info() const override { return world::FileInfo{"x", false, false, 8, 0}; }
    bool shrunk = false;
  };
  const auto shrinking = std::make_shared<Shrinking>();
  const auto file = CsvFile::open(shrinking, "x.csv", CsvFormat{});
  ASSERT_TRUE(file.has_value());
  shrinking->shrunk = true;
  load::CsvScan scan = (*file)->scan_all();
  RecordBatch batch;
  base::Result<bool> more = true;
  while (more.has_value() && *more) more = scan.read(10, batch);
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().code, "land.changed");
}

// ---- Differential ----

std::string random_text(std::mt19937_64& random) {
  static const std::vector<std::string> kAlphabet = {",", "\"", "\n", "\r",           "a",    "b",
                                                     "é", "\\", " ",  "\xEF\xBB\xBF", "\xFF", "\"\""};
  // Some letters are left out of each text, so that clean ones occur too.
  std::vector<std::string> letters;
  for (const std::string& letter : kAlphabet)
    if (letter == "a" || random() % 3 != 0) letters.push_back(letter);
  std::string text = random() % 4 == 0 ? "" : (random() % 2 == 0 ? "a,b\n" : "a\n");
  const std::size_t length = random() % 40;
  for (std::size_t i = 0; i < length; ++i) text += letters[random() % letters.size()];
  return text;
}

TEST(records, agree_with_the_slow_twin_on_random_texts_at_every_block_size) {
  std::uint64_t seed = std::random_device{}();
  if (const char* given = std::getenv("TENTER_SEED")) seed = std::strtoull(given, nullptr, 10);
  std::cout << "seed " << seed << " (TENTER_SEED repeats it)\n";
  std::mt19937_64 random(seed);
  std::map<std::string, int> seen;
  for (int i = 0; i < 10'000; ++i) {
    const std::string text = random_text(random);
    const CsvFormat format{random() % 4 != 0, ',', '"', random() % 3 == 0 ? '\\' : '"'};
    const std::size_t limit = random() % 3 == 0 ? 6 : 1000;
    const Answer slow = SlowReader(text, format, limit).read();
    for (const std::size_t block : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
      for (const bool in_blocks : {false, true}) {
        const auto vectors = static_cast<load::Vectors>(random() % 4);
        ASSERT_EQ(ours(text, format, CsvLimits{block, limit, vectors}, in_blocks, 1 + random() % 4), slow)
            << "vectors " << static_cast<int>(vectors) << "seed " << seed << " text " << show(text)
            << " block " << block << " limit " << limit << " header " << format.header << " escape "
            << format.escape << " blocks " << in_blocks;
      }
    }
    for (const std::string& record : slow.malformed) ++seen[record.substr(record.find(' ') + 1, 15)];
    if (!slow.refused.empty()) ++seen[slow.refused];
  }
  for (const auto& [what, count] : seen) std::cout << what << " " << count << "\n";
  EXPECT_EQ(seen.size(), 8U);
}

}  // namespace
