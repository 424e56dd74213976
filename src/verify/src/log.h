// A Delta log replayed for verifying: every version still reachable, with the state before and after
// it. Unpartitioned tables of reader version 1 (or 2 without column mapping, or 3 without features);
// anything else is refused by its name. Values; read-only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <engine/engine.h>
#include <sql/types.h>
#include <world/world.h>

namespace verify {

struct Field {
  std::string name;
  sql::Type type;
  bool nullable = true;
  std::string mapped = {};  // its name in the data files, where column mapping gives it one

  const std::string& stored() const { return mapped.empty() ? name : mapped; }
  friend bool operator==(const Field&, const Field&) = default;
};

struct LiveFile {
  std::string path;      // as in the log, decoded
  std::string absolute;  // where its bytes are
  std::int64_t size = 0;
  std::optional<std::string> stats;  // JSON text
};

struct State {
  std::int64_t version = -1;
  std::string id;
  std::vector<Field> fields;
  std::map<std::string, std::string> properties;
  std::map<std::string, LiveFile> files;
  std::map<std::string, std::int64_t> txns;

  const Field* find(std::string_view name) const;  // ignoring case
  std::string property(const std::string& name) const;
};

struct Entry {
  std::int64_t version = -1;
  std::string sha256;           // of the entry's bytes, hex
  std::string previous_sha256;  // empty: the previous entry is not there
  bool changes_rows = false;    // an add or remove that is not marked as the same rows
  std::vector<LiveFile> adds;
  std::vector<LiveFile> removes;  // as they were added
  std::map<std::string, std::int64_t> txns;
  base::Json commit_info;
  std::shared_ptr<const State> before;  // an empty state for version 0
  std::shared_ptr<const State> after;
};

// A checkpoint held against the entries that it stands for.
struct CheckpointCheck {
  std::int64_t version = -1;
  std::string difference;  // empty: it tells what the entries tell
};

struct Log {
  std::string path;                    // the table's folder
  std::int64_t newest = -1;            // version replayed to
  std::int64_t first = 0;              // oldest version in `entries`; older ones are not covered
  std::vector<Entry> entries;          // without gaps, ending with `newest`; may be empty after a checkpoint
  std::shared_ptr<const State> state;  // at `newest`
  std::vector<CheckpointCheck> checkpoints;  // those whose entries are in the log

  const Entry* entry(std::int64_t version) const;
};

// Codes: "verify.no_table", "verify.version_missing", "verify.log", "verify.unsupported".
base::Result<Log> read_log(const world::Files& files, engine::LazyEngine& engine, const std::string& path,
                           std::optional<std::int64_t> version);
bool has_log(const world::Files& files, const std::string& path);

}  // namespace verify
