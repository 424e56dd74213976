#include <world/world.h>

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include <world/simulation.h>

namespace world {

World machine_world() {
  World world;
  world.files = machine_files();
  world.clock = machine_clock();
  world.random = machine_random();
  world.outside = machine_outside();
  world.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
  world.login_name = [] {
    const passwd* entry = ::getpwuid(::getuid());
    return std::string(entry != nullptr ? entry->pw_name : "unknown");
  };
  const unsigned processors = std::thread::hardware_concurrency();
  world.processors = processors > 0 ? static_cast<int>(processors) : 1;
  return world;
}

World memory_world(std::uint64_t seed) {
  constexpr std::int64_t kNoon_us = 1'772'366'400'000'000;  // 2026-03-01T12:00:00Z
  World world;
  world.files = memory_files();
  world.clock = fixed_clock(kNoon_us);
  world.random = seeded_random(seed);
  world.outside = simulated_outside();
  world.variable = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
  world.login_name = [] { return std::string("tester"); };
  return world;
}

}  // namespace world
