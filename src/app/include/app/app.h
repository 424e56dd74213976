// The command line as a function: arguments in, text and an exit code out.
// Exit codes: 0 ok, 1 data or project at fault, 2 usage, 3 machine at fault.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <world/world.h>

namespace app {

struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool is_terminal = false;  // progress and colours make sense on err
};

// `arguments` without the program's name. One call at a time.
int run(const std::vector<std::string>& arguments, const Terminal& terminal, world::World& world);

}  // namespace app
