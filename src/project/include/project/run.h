// Building and loading a project's tables in a home, in dependency order. One run, one instant.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <engine/engine.h>
#include <load/land.h>
#include <load/load.h>
#include <project/home.h>
#include <project/project.h>
#include <world/world.h>

namespace project {

// Who runs what, where. Borrowed; must outlive the calls.
struct Session {
  world::World* world = nullptr;
  engine::LazyEngine* engine = nullptr;
  const Home* home = nullptr;
  std::int64_t run_at_us = 0;
  std::string user;
  std::function<void(std::string_view)> progress;
  std::map<std::string, std::string> elsewhere;  // as in load::Place
  std::uint64_t memory_bytes = 0;                // that the run may take; 0: no bound
  std::string temporary_folder;                  // for what does not fit; empty: nowhere

  load::Place place(const std::string& tables_root) const;
};

// ---- build ----------------------------------------------------------------------------------------

struct Built {
  contract::TableName name;
  bool at_first_landing = false;  // a landing table, made when its first file lands
  load::BuildReport report;
  std::optional<base::Error> error;
};
// Builds the named tables, or all.
base::Result<std::vector<Built>> build(const Session& session, const Project& project,
                                       const std::vector<contract::TableName>& only);

// ---- load -----------------------------------------------------------------------------------------

struct Selection {
  std::optional<contract::TableName> table;  // none: everything, in order
  bool with_sources = false;                 // "+S.O"
  std::optional<std::string> batch;
  std::vector<std::string> except;  // files that are not landed, as in _source_file
  load::Options options;
  bool from_bronze = false;  // recompute the table instead of loading what is pending
  bool dry_run = false;      // all of it in a scratch folder; nothing of the home changes
};

struct TableRun {
  contract::TableName name;
  std::optional<load::LandReport> landed;      // of a landing table
  std::vector<load::LoadReport> batches;       // of a contract table, in the order they were tried
  std::optional<load::Recomputed> recomputed;  // of a contract table, with from_bronze; its batches are above
  std::vector<std::string> waiting;            // batches behind a stopped one
  std::vector<std::string> warnings;
  bool built = false;                // the load made the table first
  std::optional<base::Error> error;  // the machine's fault, or a table that cannot be loaded
  bool ok() const;
};
// Codes: "usage.batch_without_table", "usage.except_unknown", "usage.because_missing",
// "usage.from_bronze", "usage.max_reject", "project.table_unknown".
base::Result<std::vector<TableRun>> load(const Session& session, const Project& project,
                                         const Selection& selection);

// ---- batches ----------------------------------------------------------------------------------------

struct BatchLine {
  contract::TableName table;  // the contract table
  load::Batch batch;
  load::BatchState state = load::BatchState::pending;
  std::optional<FailedTry> failed;  // a pending batch whose last try failed
};
// Batches of each contract table of the home, or of one table (a contract table, or a landing table with
// all that load from it).
base::Result<std::vector<BatchLine>> batches(const Session& session,
                                             const std::optional<contract::TableName>& only);

struct Skipped {
  contract::TableName table;
  std::string batch;
  std::int64_t version = -1;
  bool before = false;  // it was skipped already, with the reason given then
};
// Skips a batch in the named contract tables, or in every one whose landing table holds it.
base::Result<std::vector<Skipped>> skip(const Session& session, const std::string& batch,
                                        const std::vector<contract::TableName>& tables,
                                        const std::string& because);

struct SupersededBatch {
  std::string old;
  std::string by;
  contract::TableName landing;
  load::Superseded done;
};
// Puts batch `by` in the place of `old` in every table that loads from their landing table. `table`, one of
// those tables or the landing table, is needed only where two landing tables have batches of these names.
// Codes: "usage.same_batch", "batch.ambiguous", "batch.unknown" and those of load::supersede_batch.
base::Result<SupersededBatch> supersede(const Session& session, const std::string& old, const std::string& by,
                                        const std::optional<contract::TableName>& table,
                                        const std::string& because);

}  // namespace project
