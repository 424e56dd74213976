// Case files: what is given, what is run and what must be there afterwards (docs/cases.md of the product).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <project/project.h>
#include <world/world.h>

namespace project {

struct CaseStep {
  enum class Word {
    why,
    document,
    given,
    given_escaped,
    run,
    expect_exit,
    expect_error,
    expect_rows,
    expect_receipt,
    expect_version
  };
  Word word = Word::why;
  std::int64_t line = 0;
  std::string text;  // the line as written
  std::string argument;
  std::vector<std::string> block;  // without its indentation

  bool is_expectation() const { return word >= Word::expect_exit; }
};

// Codes: "case.syntax", at its line.
base::Result<std::vector<CaseStep>> parse_case(std::string_view text, const std::string& file);
// What a given step writes. Code "case.escape".
base::Result<std::string> given_bytes(const CaseStep& step, const std::string& file);

// A case of the project, by its place: Lakehouse/<item>/cases/<schema>.<table>[.<words>].case
struct FoundCase {
  std::string file;       // relative to the project's root
  std::string item_name;  // of its lakehouse in the home
  contract::TableName table;
};
// By file. Code "case.file_name" for one that is named after no table.
base::Result<std::vector<FoundCase>> find_cases(const world::World& world, const Project& project);

}  // namespace project
