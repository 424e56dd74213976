#include <base/hash.h>
#include <base/text.h>
#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Counted, names_one_and_many) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(2, "batch"), "2 batches");
}

TEST(Text, utf8_is_judged_by_rfc_3629) {
  for (const char* good : {"", "a", "é", "€", "\xF0\x9F\x98\x80", "\xEF\xBF\xBD"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad :
       {"\x80", "\xC0\xAF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xFF"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(Text, prefix_counts_code_points) {
  EXPECT_EQ(code_points("aé€"), 3U);
  EXPECT_EQ(prefix_code_points("aé€x", 3), "aé€");
  EXPECT_EQ(prefix_code_points("aé", 9), "aé");
  EXPECT_EQ(prefix_code_points("aé", 0), "");
}

TEST(Text, closest_finds_a_slip_of_the_pen_only) {
  EXPECT_EQ(closest("Primry key", {"Primary key", "Unique keys"}), "Primary key");
  EXPECT_EQ(closest("zebra", {"Primary key", "Unique keys"}), "");
}

TEST(Text, names_are_equal_ignoring_the_case_of_any_alphabet) {
  EXPECT_TRUE(equal_ignoring_case("Order_ID", "order_id"));
  EXPECT_TRUE(equal_ignoring_case("Ünï", "üNÏ"));
  EXPECT_TRUE(equal_ignoring_case("ΣΑΣ", "σας"));
  EXPECT_FALSE(equal_ignoring_case("Ünï", "Uni"));
  EXPECT_FALSE(equal_ignoring_case("a", "ab"));
}

TEST(Text, sql_texts_are_quoted) {
  EXPECT_EQ(sql_quote("it's"), "'it''s'");
  EXPECT_EQ(sql_quote(std::string_view("a\0b", 3)), "('a' || chr(0) || 'b')");
  EXPECT_EQ(sql_name("a\"b"), "\"a\"\"b\"");
}

TEST(Text, trim_takes_spaces_tabs_and_line_ends) {
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
}

TEST(Hash, sha256_agrees_with_the_published_vectors) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 hasher;
  hasher.update("a");
  hasher.update("bc");
  EXPECT_EQ(hex(hasher.finish()), sha256_hex("abc"));
  hasher.update("abc");
  EXPECT_EQ(hex(hasher.finish()), sha256_hex("abc"));
}

TEST(Text, uuids_carry_their_version) {
  std::uint8_t bytes[16] = {};
  EXPECT_EQ(uuid_text(bytes), "00000000-0000-4000-8000-000000000000");
}

}  // namespace
}  // namespace base
