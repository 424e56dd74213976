// The state of a table after replaying its log (Delta protocol, "Action Reconciliation").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/actions.h>

namespace delta {

struct State {
  std::int64_t version = -1;
  std::optional<Protocol> protocol;
  std::optional<Metadata> metadata;
  std::map<std::string, Add> files;       // live, by path (unique per path while vectors are refused)
  std::map<std::string, Remove> removed;  // tombstones
  std::map<std::string, Txn> txns;        // by app id
  std::map<std::string, base::Json> domains;

  // Applies one log entry; versions must follow one another once one was applied.
  // Code "delta.replay" when the entry contradicts the state.
  base::Status apply(std::int64_t entry_version, const std::vector<Action>& actions);
};

// ---- log file names (Delta protocol, "Delta Log Entries", "Checkpoints") --------------------------

std::string entry_name(std::int64_t version);       // 00000000000000000012.json
std::string checkpoint_name(std::int64_t version);  // 00000000000000000010.checkpoint.parquet

struct LogName {
  enum class Kind { entry, checkpoint, checkpoint_part, checkpoint_v2, compacted, other };
  Kind kind = Kind::other;
  std::int64_t version = -1;
  int part = 0, parts = 0;  // of a multi-part checkpoint
};
LogName parse_log_name(std::string_view name);

// Which files to read for a version: the newest usable checkpoint at or below it, then entries.
struct LogPlan {
  std::int64_t version = -1;
  std::optional<std::int64_t> checkpoint;  // version of a single-part checkpoint
  std::vector<std::int64_t> entries;       // after it, in order
};
// `names`: the listing of _delta_log. Codes: "delta.no_table", "delta.version_missing" (asked for
// and not there any more, or not yet), "delta.log_gap", "delta.feature_unsupported".
base::Result<LogPlan> plan_log(const std::vector<std::string>& names, std::optional<std::int64_t> version);

// ---- protocol and features -------------------------------------------------------------------------

// Refuse, by name, what is not built: code "delta.feature_unsupported".
base::Status check_readable(const State& state);
base::Status check_writable(const State& state);

// The lowest protocol that carries the metadata's constraints (1/2, or 1/3 with CHECK; 3/7 and features by
// name with column mapping), but never below what the table has.
Protocol protocol_for(const Metadata& metadata, const std::optional<Protocol>& current);

// CHECK constraints of the table: lower-case name -> expression text.
std::map<std::string, std::string> check_constraints(const Metadata& metadata);

// ---- conflicts (Delta protocol, "Conflict resolution") ---------------------------------------------

// What a transaction read and does, for judging it against entries that were committed meanwhile.
struct Intent {
  bool reads_whole_table = false;    // any added, removed or changed data conflicts
  std::vector<std::string> removes;  // paths
  std::vector<std::string> app_ids;  // of its txn actions
  bool changes_metadata = false;
  bool changes_protocol = false;
};
// Nothing when the transaction still holds on top of `winner`; else kind conflict with a code of
// "delta.conflict_{metadata,protocol,append,delete,txn}".
base::Status check_conflict(const Intent& intent, std::int64_t winner_version,
                            const std::vector<Action>& winner);

}  // namespace delta
