// A Delta table in a folder: read a version, stage data files, commit. Rows move through the
// engine; the log is our own. Unpartitioned tables; what is not built is refused by name.
// Objects are values; safe to use from one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <delta/actions.h>
#include <delta/replay.h>
#include <delta/schema.h>
#include <engine/engine.h>
#include <world/world.h>

namespace table {

// What a table needs from outside; borrowed, must outlive the calls.
struct Access {
  world::World* world = nullptr;
  engine::LazyEngine* engine = nullptr;
};

// One version of a table, as its log tells.
class Snapshot {
 public:
  std::string path;  // the table's folder
  delta::State state;
  delta::Schema schema;
  std::vector<std::string> warnings;  // "the checkpoint hint is unreadable, …"

  std::int64_t version() const { return state.version; }
  const std::string& id() const { return state.metadata->id; }
  const delta::Properties& properties() const { return state.metadata->configuration; }
  std::optional<std::int64_t> txn(const std::string& app_id) const;
  std::int64_t rows() const;  // by the files' statistics; -1 when a file has none

  // Live files in a fixed order (by path); their place in it is the file index used below.
  std::vector<delta::Add> files() const;
  // SELECT over the live rows (or over the files given by index): all columns in schema order with
  // their declared engine types; missing columns null. With `row_ids` two more columns:
  // _file_index BIGINT, _file_row BIGINT. Works without files too. Refuses nested types by name.
  base::Result<std::string> scan(bool row_ids = false,
                                 const std::optional<std::vector<std::size_t>>& only = std::nullopt) const;
};

bool exists(const Access& access, const std::string& path);
// Codes: "delta.no_table" (kind not_found) and those of room delta.
base::Result<Snapshot> open(const Access& access, const std::string& path,
                            std::optional<std::int64_t> version = std::nullopt);
// Bytes of one log entry and its commitInfo; not_found when cleaned away.
base::Result<std::string> read_entry(const Access& access, const std::string& path, std::int64_t version);
// commitInfo of the versions still in the log, newest first, at most `limit`.
struct HistoryEntry {
  std::int64_t version;
  base::Json commit_info;
};
base::Result<std::vector<HistoryEntry>> history(const Access& access, const std::string& path,
                                                std::size_t limit = SIZE_MAX);

// ---- writing ------------------------------------------------------------------------------------------

struct DataFile {
  delta::Add add;
  std::string absolute_path;
  std::int64_t rows = 0;
};

// Writes the rows of `select` (columns by name, any order; missing nullable ones become null) as one
// new data file with exact size and statistics, synced, and checks what was written against NOT NULL
// and every CHECK of `metadata`: code "table.not_null_violated" / "table.check_violated" names the
// rule and the count, and says when the expression was null; the file is removed then. Columns that
// the schema does not know, or whose type does not fit: "table.schema_mismatch".
// No rows: nothing written, an empty result.
base::Result<std::optional<DataFile>> write_data_file(const Access& access, const std::string& path,
                                                      const delta::Metadata& metadata,
                                                      const std::string& select);
// Removes data files that no commit came to name; one that the log names after all stays.
void discard(const Access& access, const std::vector<DataFile>& files);

struct Commit {
  std::string operation;  // Spark's word: "WRITE", "MERGE", …
  base::Json parameters = base::Json::object();
  base::Json metrics = base::Json::object();
  std::string user_metadata;              // the receipt's text; empty: none
  std::vector<base::Json::Member> extra;  // further commitInfo members
  std::vector<DataFile> adds;
  std::vector<std::string> removes;  // paths of live files
  std::vector<delta::Txn> txns;
  std::optional<delta::Metadata> metadata;  // when it changes; the protocol follows by itself
  bool data_change = true;
  // False: a blind append, which may be rebased on top of other commits. True: what we write
  // depends on everything we read, so any other data commit is a conflict.
  bool depends_on_table = true;
};

struct Committed {
  std::int64_t version = -1;
  std::int64_t timestamp_ms = 0;
  std::string previous_sha256;  // of the previous entry's bytes; empty for version 0
};

// The text of user_metadata may depend on the previous entry's hash ("previous_sha256" of the
// receipt); it is asked for again on every try.
using UserMetadata = std::function<std::string(const std::string& previous_sha256)>;

// Puts the next log entry, rebasing a blind append as the protocol's conflict rules allow. Writes a
// checkpoint at every tenth version; a failing checkpoint never fails the commit. Kind conflict: code of
// delta::check_conflict, nothing was committed. A new table (`base` empty) needs `metadata`.
base::Result<Committed> commit(const Access& access, const std::string& path, const Snapshot* base,
                               Commit change, const UserMetadata& user_metadata = nullptr);

// A new table's metadata: fresh id, creation time of the clock.
delta::Metadata new_metadata(const Access& access, const delta::Schema& schema,
                             const delta::Properties& properties);

// Turns column mapping by name on: gives every field that has none yet a number and a name of its own in the
// data files, so that the table's names may hold any character. For new tables, and for columns added later.
void map_columns(const Access& access, delta::Schema& schema, delta::Properties& properties);

// Counts rows that break a rule: for adding constraints. Spark SQL text.
struct Violations {
  std::int64_t count = 0;
  std::int64_t null_count = 0;        // of them, those where the expression was null
  std::vector<std::string> examples;  // up to five, the values of `shown`, least first
};
struct Rule {
  std::string text;
  std::vector<std::string> shown = {};  // columns that name a row to people
  std::string time_zone = "UTC";
  std::int64_t now_us = 0;
};
base::Result<Violations> count_violations(const Access& access, const Snapshot& snapshot, const Rule& rule);

// Adds a CHECK (checked against the rows first; the commit fails if rows arrived since).
base::Result<Committed> add_constraint(const Access& access, const std::string& path, const std::string& name,
                                       const std::string& check);

// ---- whole operations, for callers without a receipt -----------------------------------------------------

base::Result<Committed> append(const Access& access, const std::string& path, const std::string& select);
base::Result<Committed> overwrite(const Access& access, const std::string& path, const std::string& select);
// Updates matched rows (all columns) and inserts the others; `select` must hold each key once
// ("table.multiple_matches"); equal rows are not touched; nothing to change commits nothing (version
// unchanged). Only files with a changed row are rewritten.
base::Result<Committed> merge(const Access& access, const std::string& path, const std::string& select,
                              const std::vector<std::string>& key);
base::Status write_checkpoint(const Access& access, const Snapshot& snapshot);

}  // namespace table
