#include <gtest/gtest.h>
#include <project/case_file.h>

namespace project {
namespace {

using Word = CaseStep::Word;

std::string error_of(std::string_view text) {
  const auto steps = parse_case(text, "a.case");
  if (steps) return "none";
  return steps.error().code + " " + std::to_string(steps.error().place.line);
}

TEST(CaseFile, ReadsWordsAndTheirBlocks) {
  const auto steps = parse_case(
      "# Why.\n# More.\ngiven in/a.csv\n  id\n\n  1\n\nrun load --batch x\r\nexpect rows select 1\n  one\n  "
      "1\n",
      "a.case");
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 5U);
  EXPECT_EQ((*steps)[2].word, Word::given);
  EXPECT_EQ((*steps)[2].argument, "in/a.csv");
  EXPECT_EQ((*steps)[2].block, (std::vector<std::string>{"id", "", "1"}));
  EXPECT_EQ((*steps)[3].word, Word::run);
  EXPECT_EQ((*steps)[3].argument, "load --batch x");
  EXPECT_EQ((*steps)[3].line, 8);
  EXPECT_EQ((*steps)[4].text, "expect rows select 1");
  EXPECT_TRUE((*steps)[4].is_expectation());
  EXPECT_FALSE((*steps)[3].is_expectation());
}

TEST(CaseFile, RefusesWhatProvesNothing) {
  EXPECT_EQ(error_of(""), "case.syntax 1");
  EXPECT_EQ(error_of("run load\nexpect exit 0\n"), "case.syntax 1");
  EXPECT_EQ(error_of("# Why.\nrun load\n"), "case.syntax 1");
  EXPECT_EQ(error_of("# Why.\nexpect exit 0\nrun load\n"), "case.syntax 2");
  EXPECT_EQ(error_of("# Why.\nrun load\nexpect exit 0\nexpekt exit 0\n"), "case.syntax 4");
  EXPECT_EQ(error_of("# Why.\n  indented\nrun load\nexpect exit 0\n"), "case.syntax 2");
}

TEST(CaseFile, GivesBytes) {
  CaseStep step;
  step.block = {"a", "", "b"};
  EXPECT_EQ(given_bytes(step, "a.case").value(), "a\n\nb\n");
  step.word = Word::given_escaped;
  step.block = {R"(a\r\n\x41)", R"(\\\t\xfF)"};
  EXPECT_EQ(given_bytes(step, "a.case").value(), "a\r\nA\\\t\xFF");
  for (const char* wrong : {R"(\q)", R"(\x4)", R"(\xg0)", "\\"}) {
    step.block = {wrong};
    EXPECT_EQ(given_bytes(step, "a.case").error().code, "case.escape") << wrong;
  }
}

}  // namespace
}  // namespace project
