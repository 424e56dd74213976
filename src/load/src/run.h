// What the steps of one load share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <engine/engine.h>
#include <load/load.h>
#include <table/table.h>

#include "batch_rows.h"
#include "judge.h"
#include "receipt.h"
#include "row_states.h"
#include "table_hash.h"

namespace load {

// Registers a row function while it lives; sql() is the call's opening text: "tenter_call(7, ".
class Registered {
 public:
  Registered(engine::Engine& engine, std::shared_ptr<engine::RowFunction> function)
      : engine_(engine), id_(engine.add(std::move(function))) {}
  ~Registered() { engine_.forget(id_); }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  std::string call(const std::string& arguments) const {
    return "tenter_call(" + std::to_string(id_) + "::BIGINT, " + arguments + ")";
  }

 private:
  engine::Engine& engine_;
  std::uint64_t id_;
};

// What sets a run apart that is no plain load of a batch.
struct Manner {
  bool is_retry = false;  // of open rejects, which is what `rows` gives then
  bool is_apply = false;  // the batch is a file of corrected rows: gates and limit do not apply
  // Rows that landed before this instant stand for an earlier delivery: they update only what is older than
  // they are, not what is as old.
  std::optional<std::int64_t> strict_before_us;
  // When a later full snapshot landed that is loaded: earlier rows do not bring back what it lacks.
  std::optional<std::int64_t> snapshot_at_us;
  std::optional<std::string> reason;  // of a retry: only rejects with this code
  // The version of the target after which the next run must mark what this one resolved; 0: nothing is due.
  // Set where it is resolving_app_id() that asks for it.
  std::string resolving_app_id;
  std::optional<std::int64_t> resolving;  // what the target said of it when this run began
};

struct Run {
  const Place& place;
  table::Access access;
  engine::Engine& engine;
  engine::Connection& connection;
  const contract::Contract& contract;
  std::string contract_hash;
  const Batch& batch;
  const table::Snapshot& bronze;
  const Judge& judge;
  const BatchRows& rows;
  RowStates& states;
  LoadReport& report;
  EarlyJudgement* early = nullptr;        // made while the batch was landed
  std::vector<ReceiptSource> references;  // tables that allowed values were read from
  // The quarantine's version that holds this batch's rejects; the receipt names it.
  std::optional<ReceiptSource> quarantined;
  Manner manner;
};

// The batch's rows for which a condition over _file_index and _file_row holds. Filtering comes before
// typing, so that a pass types only the rows it is about.
std::string rows_where(const Run& run, const std::string& condition);
// Arguments of a lookup in such a condition.
inline constexpr const char* kRowOfFile = "_file_index, _file_row";

// Copies the values of the tables that checks refer to into the engine (`reference_table`). Codes:
// "load.reference_table", "load.reference_column".
// With `at` the versions that an earlier run read, as its receipt names them.
base::Result<std::vector<ReceiptSource>> read_references(const Place& place, engine::Connection& connection,
                                                         const contract::Contract& contract,
                                                         const std::vector<ReceiptSource>& at = {});

JudgeTap::Shape tap_shape(const Judge& judge);
std::shared_ptr<KeyRoom> key_room(const Place& place);

// Judges every row of the batch: fills the states and the report's reject counts, and gives the number
// of non-null values of each bronze column.
struct Judged {
  std::int64_t rows = 0;
  std::int64_t no_claims = 0;          // rows that are no delete claims
  std::vector<std::int64_t> not_null;  // per bronze column, of those
};
base::Result<Judged> judge_rows(Run& run);

// Key reasons among accepted rows: repeated keys become superseded, duplicate or repeated.
base::Status judge_keys(Run& run, const std::vector<bool>& candidates);

// Then each unique key in declared order, among the rows that are still accepted.
base::Status judge_unique_keys(Run& run);

// Replaces the batch's open rejects in the quarantine, in one commit or none.
base::Status quarantine_rows(Run& run);
// A few rejected rows for the report.
base::Status pick_examples(Run& run);
// A few rows that a check of severity warn is about, likewise.
base::Status pick_warned(Run& run);
// Adds a JSON list of {reason, file, line, shown} to the report's examples.
base::Status add_examples(Run& run, const std::string& code, const std::string& json);

// The table property that names the contract in force.
inline constexpr std::string_view kContractHash = "tenter.contractHash";
// The code of an error after which the batch is judged anew, by the contract that a build installed
// meanwhile.
inline constexpr const char* kContractChanged = "load.contract_changed";

// Asked before each commit: whether the rows that were read are those that were landed.
base::Status check_rows_stayed(const Run& run);

// Settles the accepted rows against the target and commits; fills the report.
struct Settling {
  std::string txn_app_id;
  std::optional<std::int64_t> txn;  // what the target's log said of the batch when this run began
  bool over_limit = false;          // the rejects exceed the limit and were accepted
  std::optional<ReceiptDecision> decision;

  bool first_load() const { return !txn || *txn > 2; }
  // The batch's state after the commit; one that was accepted stays so.
  std::int64_t txn_version() const { return over_limit || (txn && *txn == 2) ? 2 : 1; }
};
// When another run loaded the batch meanwhile this one becomes a replay (`settling.txn` says so afterwards).
base::Status settle(Run& run, Settling& settling);

// SQL: whether the staged row s is new enough for the stored row t.
std::string is_newer(const Run& run);

// Fails with "gate.unique_key" when a key would stand in two rows of `rows`, the table as it would be.
base::Status prove_unique(const Run& run, const std::string& rows);

// Fails with "gate.stability" when the batch would change more of the table's `rows` than it may.
base::Status check_stability(const Run& run, std::int64_t rows);

// Fails with "gate.older_snapshot" when a batch that landed after this one is loaded in `target`.
base::Status refuse_older_snapshot(const Place& place, const contract::Contract& contract,
                                   const table::Snapshot& target, const std::string& landing_id,
                                   const Batch& batch);

std::string txn_app_id(const std::string& landing_id, const std::string& batch);
// The schema that docs/storage.md fixes for a contract table.
delta::Schema target_schema(const contract::Contract& contract);
void report_progress(const Place& place, std::string_view what);

}  // namespace load
