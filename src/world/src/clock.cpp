#include <world/clock.h>

#include <chrono>
#include <mutex>
#include <random>

#include <base/text.h>

namespace world {

namespace {

class MachineClock final : public Clock {
 public:
  std::int64_t now_us() const override {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
};

class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::int64_t now_us) : now_us_(now_us) {}
  std::int64_t now_us() const override { return now_us_; }

 private:
  std::int64_t now_us_;
};

class MachineRandom final : public Random {
 public:
  void fill(std::uint8_t* into, std::size_t count) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<std::uint8_t>(device_());
  }

 private:
  std::mutex mutex_;
  std::random_device device_;
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : engine_(seed) {}
  void fill(std::uint8_t* into, std::size_t count) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<std::uint8_t>(engine_() >> 32);
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 engine_;
};

}  // namespace

std::unique_ptr<Clock> machine_clock() {
  return std::make_unique<MachineClock>();
}
std::unique_ptr<Clock> fixed_clock(std::int64_t now_us) {
  return std::make_unique<FixedClock>(now_us);
}

double stopwatch_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string Random::uuid() {
  std::uint8_t bytes[16];
  fill(bytes, sizeof bytes);
  return base::uuid_text(bytes);
}

std::unique_ptr<Random> machine_random() {
  return std::make_unique<MachineRandom>();
}
std::unique_ptr<Random> seeded_random(std::uint64_t seed) {
  return std::make_unique<SeededRandom>(seed);
}

}  // namespace world
