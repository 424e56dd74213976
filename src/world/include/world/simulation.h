// A disk, a clock and their faults, for tests: what a power loss takes back, calls that fail, and calls that
// were done but whose answer is lost. Files live in memory. Safe to use from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <world/clock.h>
#include <world/files.h>
#include <world/outside.h>

namespace world {

// What happens at the k-th step. A step is the smallest thing that a disk does: bytes written, a name given,
// a file or folder synced; one call of `Files` takes several.
enum class DiskFault {
  none,
  fails,           // not done, reported as failed
  answer_is_lost,  // done, reported as failed
  dies,            // the process ends before the step: it and all later ones fail until `restart`
  dies_after,      // the same with the step done
  runs_other,      // `other` runs to its end first, then the step goes on
};

// What a power loss does to what was not synced.
enum class PowerLoss {
  none,       // only the process ended: everything that was done is there
  all_lost,   // names as they were synced; bytes that were not synced are gone with their name
  torn,       // names are kept, bytes that were not synced are cut in half
  by_chance,  // each name and each file goes its own way, by `seed`
};

class SimulatedFiles : public Files {
 public:
  // Fault at step `at`, counted from 1; forgets earlier plans and counts anew.
  virtual void plan(DiskFault fault, std::int64_t at, std::function<void()> other = nullptr) = 0;
  virtual std::int64_t steps() const = 0;  // done since the last plan
  virtual void restart(PowerLoss loss, std::uint64_t seed = 1) = 0;

  // What something that is not `Files` writes, as an engine does: one step, name and bytes unsynced.
  virtual base::Status write_unsynced(const std::string& path, std::string_view bytes) = 0;
  // A disk that takes folder syncs for done: tests of power loss must notice it.
  virtual void forget_folder_syncs() = 0;
};

std::shared_ptr<SimulatedFiles> simulated_files();

// A clock that tests move, also back.
class SimulatedClock : public Clock {
 public:
  virtual void set(std::int64_t now_us) = 0;
};

std::shared_ptr<SimulatedClock> simulated_clock(std::int64_t now_us);

// Nobody outside: calls are kept, in order, and answered as told.
class SimulatedOutside : public Outside {
 public:
  virtual std::vector<Process> processes() const = 0;
  virtual std::vector<HttpPost> posts() const = 0;
  // What later calls are answered with; at first exit code 0 and status 204.
  virtual void answer_run(base::Result<ProcessEnd> end) = 0;
  virtual void answer_post(base::Result<int> status) = 0;
};

std::shared_ptr<SimulatedOutside> simulated_outside();

}  // namespace world
