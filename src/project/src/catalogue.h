// Written contracts that no longer say what the documents say.
#pragma once

#include <vector>

#include <project/project.h>

namespace project {

std::vector<base::Error> stale_docs(const world::World& world, const Project& project);

}  // namespace project
