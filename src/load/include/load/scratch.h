// Doubles of tables in a folder outside the home: whatever is done to them leaves the tables as they are.
// A dry run loads into doubles; a recomputation loads into one before its single commit.
#pragma once

#include <memory>
#include <string>

#include <base/result.h>
#include <load/load.h>
#include <world/world.h>

namespace load {

// A folder that goes with the object, below TMPDIR (else /tmp). For one thread; `world` is borrowed.
class Scratch {
 public:
  static base::Result<Scratch> make(const world::World& world);
  Scratch(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  // Makes `place` use a double of the table: of its version, with its rows (read from the table's own
  // files). A table that is not there is not there either, until something makes it. With `history` the
  // double's log holds what the commits of the original said, such as a landing table's ledgers.
  base::Status add_double(Place& place, const contract::TableName& name, bool history) const;
  // The same without any row, batch or history: the table as it was when it was made, at version 0.
  base::Status add_empty_double(Place& place, const contract::TableName& name) const;

 private:
  Scratch(std::shared_ptr<world::Files> files, std::string folder)
      : files_(std::move(files)), folder_(std::move(folder)) {}
  std::string path_of(const Place& place, const contract::TableName& name) const;

  std::shared_ptr<world::Files> files_;  // null: moved from
  std::string folder_;
};

}  // namespace load
