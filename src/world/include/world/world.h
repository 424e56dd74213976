// Everything outside the process, as one value that is handed down.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <world/clock.h>
#include <world/files.h>
#include <world/outside.h>

namespace world {

struct World {
  std::shared_ptr<Files> files;
  std::shared_ptr<Clock> clock;
  std::shared_ptr<Random> random;
  std::shared_ptr<Outside> outside;
  std::function<std::optional<std::string>(const std::string&)> variable;  // environment variables
  std::function<std::string()> login_name;
  int processors = 1;
};

World machine_world();
// Files in memory, a fixed clock (2026-03-01T12:00:00Z), seeded chance, no variables, nobody outside.
World memory_world(std::uint64_t seed = 1);

}  // namespace world
