// Telling somebody that a batch failed: "on failure" of tenter.yml.
#pragma once

#include <string>
#include <vector>

#include <load/load.h>
#include <project/home.h>
#include <project/project.h>
#include <project/run.h>

namespace project {

// Tells of the first failure of a batch that was noted in the home; of later ones nothing. What goes wrong
// with it is a warning.
void tell_failure(const Session& session, const Project& project, const HomeTable& table,
                  const std::string& owner, const load::LoadReport& report,
                  std::vector<std::string>& warnings);

}  // namespace project
