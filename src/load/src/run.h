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
};

// The batch's rows for which a condition over _file_index and _file_row holds. Filtering comes before
// typing, so that a pass types only the rows it is about.
std::string rows_where(const Run& run, const std::string& condition);
// Arguments of a lookup in such a condition.
inline constexpr const char* kRowOfFile = "_file_index, _file_row";

// Copies the values of the tables that checks refer to into the engine (`reference_table`). Codes:
// "load.reference_table", "load.reference_column".
base::Result<std::vector<ReceiptSource>> read_references(const Place& place, engine::Connection& connection,
                                                         const contract::Contract& contract);

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
