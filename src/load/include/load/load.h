// The keyed load of one contract table from its landing table: gates, reasons, quarantine,
// settling, one commit with its receipt. `docs/` of the product and this room's README say the rules.
//
// Everything here works on the installed contract, which lives in the target table's properties.
// Functions are for one thread; two processes may load at once (commits decide).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <contract/model.h>
#include <engine/engine.h>
#include <world/world.h>

namespace load {

// Where tables are and who asks. Borrowed; must outlive the calls.
struct Place {
  world::World* world = nullptr;
  engine::LazyEngine* engine = nullptr;
  std::string tables_root;     // the folder that holds <schema>/<table>
  std::int64_t run_at_us = 0;  // the run's one instant
  std::string user;
  std::function<void(std::string_view)> progress;  // what is being done; may be empty
  // Tables whose double is to be used instead (load/scratch.h), by their folder in the home.
  std::map<std::string, std::string> elsewhere;
  std::uint64_t memory_bytes = 0;  // that the run may take; 0: no bound
  std::string temporary_folder;    // for what does not fit; empty: nowhere

  std::string table_path(const contract::TableName& name) const;
  std::string path_in_home(const contract::TableName& name) const;
};

// ---- building ------------------------------------------------------------------------------------

struct BuildReport {
  enum class Outcome { created, changed, unchanged };
  Outcome outcome = Outcome::unchanged;
  std::int64_t version = -1;
  std::vector<std::string> changes;  // one line each
};

// Creates the table or brings it to the document's contract: additive changes in place, a new check
// only when the rows pass. Codes: "build.breaking_change", "build.rows_break_check", "build.foreign_table".
base::Result<BuildReport> build(const Place& place, const contract::Contract& contract);

struct Installed {
  contract::Contract contract;
  std::string hash;
  std::int64_t version = -1;  // of the table
};
// Nothing when the table does not exist; code "load.no_contract" when it carries none.
base::Result<std::optional<Installed>> installed(const Place& place, const contract::TableName& name);

// ---- batches ---------------------------------------------------------------------------------------

enum class BatchState { pending, loaded, loaded_with_rejects, skipped, superseded };
std::string_view state_name(BatchState state);

struct BatchFile {
  std::string path;
  std::int64_t rows = 0;
  std::int64_t malformed = 0;
  std::vector<std::string> columns;  // bronze names in its header
};

struct Batch {
  std::string id;
  std::int64_t version = -1;  // of the landing table's commit
  std::int64_t landed_at_us = 0;
  std::vector<BatchFile> files;
  std::string ledger_hash;
  bool has_ledger = true;            // false: a foreign clean-up took the commit
  std::int64_t listed_version = -1;  // of the landing table when this was read
  std::string superseded_by;         // the batch that was put in this one's place; empty: none
  std::string stands_for;            // the batch in whose place this one stands; empty: none
  // The batch is a file of corrected rows, landed by this decision.
  bool applied = false;
  std::string because;
  std::string decided_by;
  std::int64_t decided_at_us = 0;
  std::int64_t rows() const;
  std::int64_t malformed() const;
};

// Batches of a landing table in landing order, one that stands in another's place right behind that one;
// none when the table does not exist yet.
base::Result<std::vector<Batch>> landed_batches(const Place& place, const contract::TableName& landing);

// The batch whose id is `prefix` or begins with it. Codes: "batch.unknown", "batch.ambiguous".
base::Result<Batch> find_batch(const std::vector<Batch>& batches, const std::string& prefix);

// State of each batch for a contract table (pending when the table does not exist).
base::Result<std::vector<BatchState>> batch_states(const Place& place, const contract::TableName& target,
                                                   const contract::TableName& landing,
                                                   const std::vector<Batch>& batches);

// ---- loading -----------------------------------------------------------------------------------------

struct Counts {
  std::int64_t read = 0, inserted = 0, updated = 0, unchanged = 0, older = 0, superseded = 0, duplicates = 0,
               deleted_claims = 0, quarantined = 0, malformed = 0;
  std::int64_t deleted = 0;  // rows taken out of the target; no term of the balance
  bool balanced() const {
    return read ==
           inserted + updated + unchanged + older + superseded + duplicates + deleted_claims + quarantined;
  }
};
base::Json print_counts(const Counts& counts);

// A row that was rejected, for people to look at.
struct Example {
  std::string code;
  std::string reason;
  std::string source_file;
  std::int64_t source_line = 0;
  std::string values;  // the raw columns that the reason is about: "currency=XXX"
};

// What landing found of the rows of a batch under one contract, for the load that follows it.
class EarlyJudgement;

struct Options {
  bool accept_rejects = false;
  std::string because;                              // with accept_rejects
  std::optional<contract::RejectLimit> max_reject;  // instead of the contract's; for trying out
  // Spares a load of the same batch the reading of its rows; anything else leaves it alone.
  std::shared_ptr<EarlyJudgement> early = nullptr;
};

struct LoadReport {
  std::string batch;
  bool replay = false;
  bool committed = false;     // a new version of the target exists
  std::int64_t version = -1;  // of the target afterwards
  BatchState state = BatchState::pending;
  Counts counts;
  std::map<std::string, std::int64_t> rejects;  // by code
  std::map<std::string, std::int64_t> warned;   // rows not rejected that break a check of severity warn
  std::int64_t conflicting = 0;
  std::vector<std::string> conflicting_keys;  // up to five
  std::vector<Example> examples;              // up to three for each of the top five codes
  std::optional<base::Error> stopped;         // the gate that stopped the batch; target unchanged
  std::vector<std::string> warnings;
  std::int64_t resolved = 0;  // rejects that an applied batch resolved
  std::string table_hash;
  std::int64_t table_rows = 0;
};

// Loads, or replays, one batch. A batch stopped by a gate is a report with `stopped`; an Error is
// the machine's fault or a table that cannot be loaded at all. A batch that was skipped is loaded only by
// a decision (`accept_rejects`): code "batch.skipped"; a superseded one never: "batch.superseded".
base::Result<LoadReport> load_batch(const Place& place, const contract::TableName& target, const Batch& batch,
                                    const Options& options);

// What a recomputation of a whole table gave.
struct Recomputed {
  std::vector<LoadReport> batches;     // each as it was loaded anew, in landing order
  std::optional<base::Error> stopped;  // the gate that stopped the last of them; target unchanged
  bool committed = false;              // false without `stopped`: the table is what its batches give
  std::int64_t version = -1;           // of the target afterwards
  Counts counts;                       // of all batches together
  std::map<std::string, std::int64_t> rejects;
  std::string table_hash;
  std::int64_t table_rows = 0;
};
// Recomputes the table from every batch that is loaded in it, in landing order, under the installed contract
// and with the decisions that belong to the batches, in one commit. Rejects of each batch are replaced as by
// a replay. Code "load.race" when others kept committing.
base::Result<Recomputed> recompute(const Place& place, const contract::TableName& target);

// Passes a batch over: a row-less commit with the reason. Codes: "batch.already_loaded",
// "batch.superseded".
base::Result<std::int64_t> skip_batch(const Place& place, const contract::TableName& target,
                                      const Batch& batch, const std::string& because);

struct Superseded {
  bool before = false;                // it was decided already, with the reason given then
  std::int64_t landing_version = -1;  // of the landing table
  std::vector<std::pair<contract::TableName, std::int64_t>> targets;  // and the version of each
};
// Puts `by` in the place of `old` for all tables that load from `landing`: row-less commits with the reason,
// the pair in the landing table's log first, then one in each of `readers`. Neither may be loaded anywhere.
// Run again after a cut it adds what is missing. Codes: "batch.already_loaded", "batch.skipped",
// "batch.superseded", "batch.supersede_order".
base::Result<Superseded> supersede_batch(const Place& place, const contract::TableName& landing,
                                         const std::vector<contract::TableName>& readers, const Batch& old,
                                         const Batch& by, const std::string& because);

}  // namespace load
