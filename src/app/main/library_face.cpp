// The commands as library calls in one long-lived process: a JSON array of arguments a line in, an
// object with exit, stdout and stderr a line out. The text cases run through it as through the binary.
#include <app/app.h>
#include <base/json.h>

#include <iostream>
#include <sstream>

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const auto parsed = base::Json::parse(line);
    if (!parsed || !parsed->is_array()) {
      std::cerr << "a line must be a JSON array of arguments\n";
      return 2;
    }
    std::vector<std::string> arguments;
    for (const base::Json& item : parsed->items()) arguments.emplace_back(item.as_string().value_or(""));
    std::ostringstream out;
    std::ostringstream err;
    // A fresh world for each command: a home's own clock must not leak into the next one.
    world::World world = world::machine_world();
    const int code = app::run(arguments, app::Terminal{out, err, false}, world);
    std::cout << base::Json::object({{"exit", code}, {"stdout", out.str()}, {"stderr", err.str()}}).print()
              << '\n'
              << std::flush;
  }
  return 0;
}
