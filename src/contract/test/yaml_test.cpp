#include "yaml.h"

#include <gtest/gtest.h>

namespace contract {
namespace {

Node read(const Source& source) {
  auto root = read_yaml(source);
  if (!root) ADD_FAILURE() << base::print(root.error());
  return root ? *root : Node();
}

std::string place_text(const base::Place& place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string fault_of(std::string_view text) {
  const auto root = read_yaml(Source(text, "a.yml"));
  return root ? "none" : root.error().code + " " + place_text(root.error().place);
}

std::string hint_of(std::string_view text) {
  const auto root = read_yaml(Source(text, "a.yml"));
  return root ? "none" : root.error().hint;
}

TEST(Yaml, KeepsScalarsAsTextWhateverTheyLookLike) {
  const Source source("a: [NO, SE, 1.50, 0x1F, yes, 2026-03-01]\n", "a.yml");
  const Node root = read(source);
  std::vector<std::string> texts;
  for (const Node& item : root.members.at(0).value.items) texts.push_back(item.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"NO", "SE", "1.50", "0x1F", "yes", "2026-03-01"}));
}

TEST(Yaml, TellsAWrittenNullFromAMissingValue) {
  const Source source("a:\nb: null\nc: ~\nd: 'null'\n", "a.yml");
  const Node root = read(source);
  EXPECT_TRUE(root.members.at(0).value.is_null());
  EXPECT_FALSE(root.members.at(0).value.is_written_null());
  EXPECT_TRUE(root.members.at(1).value.is_written_null());
  EXPECT_TRUE(root.members.at(2).value.is_written_null());
  EXPECT_TRUE(root.members.at(3).value.is_text());
}

TEST(Yaml, CountsColumnsInCodePointsAndDropsAByteOrderMark) {
  const Source source("\xEF\xBB\xBF\xC3\xA9\xC3\xA9: x\n", "a.yml");
  const Node root = read(source);
  EXPECT_EQ(place_text(source.place(root.members.at(0).key.begin)), "1:1");
  EXPECT_EQ(place_text(source.place(root.members.at(0).value.begin)), "1:5");
}

TEST(Yaml, PlacesWhatIsInsideAPlainScalar) {
  const Source source("rule: a >= bad(x)\n", "a.yml");
  const Node root = read(source);
  EXPECT_EQ(place_text(source.place_in(root.members.at(0).value, 5)), "1:12");
}

TEST(Yaml, PlacesWhatIsInsideQuotes) {
  const Source source("a: 'it''s x'\nb: \"q\\\"s\\t x\"\n", "a.yml");
  const Node root = read(source);
  EXPECT_EQ(root.members.at(0).value.text, "it's x");
  EXPECT_EQ(place_text(source.place_in(root.members.at(0).value, 5)), "1:11");
  EXPECT_EQ(root.members.at(1).value.text, "q\"s\t x");
  EXPECT_EQ(place_text(source.place_in(root.members.at(1).value, 5)), "2:12");
}

TEST(Yaml, PlacesWhatFollowsAnEscape) {
  const Source source("a: \"\\x41\\u0042 c\"\n", "a.yml");
  const Node root = read(source);
  EXPECT_EQ(root.members.at(0).value.text, "AB c");
  EXPECT_EQ(place_text(source.place_in(root.members.at(0).value, 1)), "1:9");
  EXPECT_EQ(place_text(source.place_in(root.members.at(0).value, 3)), "1:16");
}

TEST(Yaml, PlacesWhatIsInsideBlocks) {
  const Source source("a: |\n  one\n    two x\nb: >-\n  q\n  r s\n", "a.yml");
  const Node root = read(source);
  const Node& literal = root.members.at(0).value;
  EXPECT_EQ(place_text(source.place_in(literal, literal.text.find('x'))), "3:9");
  const Node& folded = root.members.at(1).value;
  EXPECT_EQ(folded.text, "q r s");
  EXPECT_EQ(place_text(source.place_in(folded, 4)), "6:5");
}

TEST(Yaml, PlacesTheEndOfATextAfterItsLastCharacter) {
  const Source source("a: b + # why\nc: d\n", "a.yml");
  const Node root = read(source);
  EXPECT_EQ(place_text(source.place_in(root.members.at(0).value, 99)), "1:7");
  EXPECT_TRUE(source.comment_follows(root.members.at(0).value));
  EXPECT_FALSE(source.comment_follows(root.members.at(1).value));
}

TEST(Yaml, RefusesARepeatedKeyAtItsSecondPlace) {
  EXPECT_EQ(fault_of("a: 1\nb: {c: 1, c: 2}\n"), "document.repeated_key 2:11");
}

TEST(Yaml, RefusesWhatDocumentsDoNotUse) {
  EXPECT_EQ(fault_of("a: &x 1\n"), "document.yaml 1:4");
  EXPECT_EQ(fault_of("a: !x 1\n"), "document.yaml 1:4");
  EXPECT_EQ(fault_of("a: 1\n---\nb: 2\n"), "document.yaml 3:1");
  EXPECT_EQ(fault_of("[a]: 1\n"), "document.yaml 1:1");
  EXPECT_EQ(fault_of("# nothing\n"), "document.empty 1:1");
}

TEST(Yaml, RefusesBytesThatAreNoText) {
  EXPECT_EQ(fault_of("a: 1\nb: \xFF\n"), "document.yaml 2:1");
  EXPECT_EQ(fault_of("a: \x04\n"), "document.yaml 1:4");
  EXPECT_EQ(fault_of(std::string((1U << 20) + 1, 'a')), "document.yaml 1:1");
}

TEST(Yaml, NamesATabInTheIndentation) {
  const auto root = read_yaml(Source("a:\n\tb: c\n", "a.yml"));
  ASSERT_FALSE(root.has_value());
  EXPECT_EQ(place_text(root.error().place), "2:1");
  EXPECT_NE(root.error().message.find("tab"), std::string::npos);
}

TEST(Yaml, ShowsHowToQuoteAnExpressionThatYamlCannotRead) {
  EXPECT_EQ(hint_of("a: {type: date, clean: to_date(x, 'd/M')}\n"),
            "write: a: {type: date, clean: \"to_date(x, 'd/M')\"}");
  EXPECT_EQ(hint_of("a: {clean: f(\"it's\", x), type: 'd,e' z}\n"),
            "write: a: {clean: 'f(\"it''s\", x)', type: \"'d,e' z\"}");
  EXPECT_EQ(hint_of("a: 'x' = y\nb: 1\n"), "write: a: \"'x' = y\"");
  EXPECT_EQ(hint_of("a: `order id` > 0\n"), "write: a: \"`order id` > 0\"");
  EXPECT_EQ(hint_of("a: x like 'a: b'\n"), "write: a: \"x like 'a: b'\"");
  EXPECT_EQ(hint_of("a: *x\n"), "write: a: \"*x\"");
}

TEST(Yaml, QuotesSoThatTheTextComesBack) {
  for (const std::string text :
       {"a", "it's", "say \"x\"", "both ' and \"", "back\\slash", "two\nlines", ""}) {
    const Source source("a: " + yaml_quote(text) + "\n", "a.yml");
    EXPECT_EQ(read(source).members.at(0).value.text, text);
  }
}

}  // namespace
}  // namespace contract
