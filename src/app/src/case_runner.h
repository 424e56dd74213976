// Runs one case of a project through the command line, in a folder and a home of its own.
#pragma once

#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <project/case_file.h>
#include <project/project.h>
#include <world/world.h>

namespace app {

struct CaseFailure {
  std::int64_t line = 0;
  std::string step;  // the line of the case
  std::string message;
  std::vector<std::string> missing;     // rows that were expected and are not there
  std::vector<std::string> unexpected;  // rows that are there and were not expected
};

struct CaseResult {
  std::string file;
  std::vector<CaseFailure> failures;
};

// Whatever the case runs, nothing outside the throwaway folder is written and nobody outside is told. Codes:
// "case.syntax", "case.escape", "case.document", "case.run", "case.path".
base::Result<CaseResult> run_case(const world::World& world, const project::Project& project,
                                  const project::FoundCase& one);

}  // namespace app
