// The home folder: tables under onelake/, a format number, an optional clock of its own, and notes of
// failed tries in control.db, which is only a cache: deleting it changes no answer but that a failed
// batch shows as pending.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <contract/model.h>
#include <world/world.h>

namespace project {

inline constexpr int kHomeFormat = 1;

// A table found in the home.
struct HomeTable {
  std::string workspace;
  std::string item;         // "Shop"
  std::string tables_root;  // the folder that holds <schema>/<table>
  contract::TableName name;
  std::string path;
};

struct FailedTry {
  std::string batch;
  std::string code;  // of the gate
  std::string message;
  std::int64_t at_us = 0;
};

class Home {
 public:
  // Makes the folder (existing homes are kept as they are). With `test_clock_us` the home's clock stands
  // in the home and advances one second per command.
  static base::Result<Home> create(const world::World& world, const std::string& path,
                                   std::optional<std::int64_t> test_clock_us);
  // Codes: "home.not_found", "home.newer_format", "home.corrupt".
  static base::Result<Home> open(const world::World& world, const std::string& path);

  const std::string& path() const { return path_; }
  bool has_test_clock() const { return has_test_clock_; }
  // The command's one instant: the machine's clock, or the home's own, moved on by a second.
  base::Result<std::int64_t> begin_command(const world::World& world);

  base::Result<std::vector<HomeTable>> tables(const world::World& world) const;
  // Codes: "home.table_unknown", "home.table_ambiguous".
  base::Result<HomeTable> find(const world::World& world, const contract::TableName& name) const;

  // Notes of failed tries, by "schema.object" in an item's tables_root. A missing or unreadable
  // control.db holds none; a note that cannot be written is an error for the caller to warn of.
  base::Status note_failure(const HomeTable& table, const FailedTry& failed) const;
  base::Status forget_failure(const world::World& world, const HomeTable& table,
                              const std::string& batch) const;
  // Takes the right to tell of a noted failure; false when somebody took it before. It comes back when the
  // failure is forgotten.
  base::Result<bool> claim_telling(const HomeTable& table, const std::string& batch,
                                   std::int64_t at_us) const;
  std::vector<FailedTry> failures(const world::World& world, const HomeTable& table) const;

 private:
  std::string path_;
  bool has_test_clock_ = false;
};

}  // namespace project
