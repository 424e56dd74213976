#include <app/app.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

int main(int count, char** values) {
  std::ios::sync_with_stdio(false);
  // A file beyond the size limit is an error of that write, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  world::World world = world::machine_world();
  const std::vector<std::string> arguments(values + 1, values + count);
  const app::Terminal terminal{std::cout, std::cerr, ::isatty(STDERR_FILENO) != 0};
  return app::run(arguments, terminal, world);
}
