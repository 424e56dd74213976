// Time and chance, handed in so that tests can choose them. Safe to use from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <base/result.h>
#include <world/files.h>

namespace world {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_us() const = 0;  // microseconds since 1970 UTC
};

std::unique_ptr<Clock> machine_clock();
std::unique_ptr<Clock> fixed_clock(std::int64_t now_us);
// Elapsed wall time for people's eyes only; never part of a result.
double stopwatch_seconds();

class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::uint8_t* into, std::size_t count) = 0;
  std::string uuid();  // version 4
};

std::unique_ptr<Random> machine_random();
std::unique_ptr<Random> seeded_random(std::uint64_t seed);

}  // namespace world
