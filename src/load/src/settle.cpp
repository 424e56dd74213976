// The accepted rows meet the target: inserted, updated, unchanged or older, then one commit.
#include <algorithm>

#include <base/text.h>

#include "rejects.h"
#include "settle_taps.h"

namespace load {

namespace {

constexpr std::int64_t kInstantMax_us = 253'402'300'799'999'999;  // the year 9999

std::string declared_list(const Run& run, const std::string& hash_call) {
  std::string text;
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i)
    text += "t" + std::to_string(i) + " AS " + base::sql_name(run.contract.columns[i].name) + ", ";
  // The hash tap rides on a managed column, so that the row is hashed in the pass that writes it.
  return text + "CASE WHEN " + hash_call + " = 0 THEN sf END AS _source_file, la AS _loaded_at";
}

std::string declared_columns(const Run& run) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i)
    parts.push_back("t" + std::to_string(i) + " AS " + base::sql_name(run.contract.columns[i].name));
  return base::join(parts, ", ");
}

std::string declared_columns_of(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const contract::Column& column : contract.columns) names.push_back(base::sql_name(column.name));
  return base::join(names, ", ");
}

// The declared columns of the target's rows, for the hash of those that go.
std::string stored_columns(const contract::Contract& contract) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < contract.columns.size(); ++i)
    columns.push_back("t." + base::sql_name(contract.columns[i].name) + " AS old" + std::to_string(i));
  return base::join(columns, ", ");
}

std::string stored_names(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contract.columns.size(); ++i) names.push_back("old" + std::to_string(i));
  return base::join(names, ", ");
}

std::string accepted_rows(const Run& run, const std::string& state_call) {
  std::string columns = "fi, fr, sf, la, " + run.judge.claim() + " AS dl";
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i) columns += ", t" + std::to_string(i);
  return "SELECT " + columns + " FROM (" +
         run.judge.typed(rows_where(run, state_call + " IN (" +
                                             std::to_string(static_cast<int>(RowState::accepted)) + ", " +
                                             std::to_string(static_cast<int>(RowState::claim)) + ")")) +
         ")";
}

}  // namespace

std::string is_newer(const Run& run) {
  // What stands for an earlier delivery gives way to what is as old as itself.
  const std::string as_new =
      run.manner.strict_before_us
          ? "(s.la > t._loaded_at OR (s.la = t._loaded_at AND s.la >= make_timestamptz(" +
                std::to_string(std::min(*run.manner.strict_before_us, kInstantMax_us)) + "::BIGINT)))"
          : "s.la >= t._loaded_at";
  std::string newer = as_new;
  if (run.contract.version_column) {
    const std::size_t index = run.judge.index_of(*run.contract.version_column);
    const std::string incoming = "s.t" + std::to_string(index);
    const std::string stored = "t." + base::sql_name(run.contract.columns[index].name);
    newer = "(" + incoming + " > " + stored + " OR (" + incoming + " = " + stored + " AND " + as_new + "))";
  }
  // A stored row without a load time (a foreign writer's) is older than everything.
  return "coalesce(" + newer + ", t._loaded_at IS NULL)";
}

namespace {

// SELECT fi, fr, target file, target row, fate of staged rows that have a match.
std::string matches(const Run& run, const std::string& target_scan) {
  const contract::Contract& contract = run.contract;
  std::vector<std::string> join;
  std::vector<std::string> same;
  for (std::size_t i = 0; i < contract.columns.size(); ++i) {
    const contract::Column& column = contract.columns[i];
    const std::string pair =
        "s.t" + std::to_string(i) + " IS NOT DISTINCT FROM t." + base::sql_name(column.name);
    const bool is_key =
        std::any_of(contract.primary_key.begin(), contract.primary_key.end(),
                    [&](const std::string& name) { return base::equal_ignoring_case(name, column.name); });
    if (is_key)
      join.push_back("s.t" + std::to_string(i) + " = t." + base::sql_name(column.name));
    else
      same.push_back(pair);
  }
  const std::string equal = same.empty() ? "true" : "(" + base::join(same, " AND ") + ")";
  return "SELECT s.fi, s.fr, t._file_index AS target_file, t._file_row AS target_row, " +
         stored_columns(contract) + ", CASE WHEN NOT " + is_newer(run) +
         " THEN CASE WHEN s.dl THEN 5 ELSE 3 END WHEN s.dl THEN 4 WHEN " + equal +
         " THEN 2 ELSE 1 END AS fate FROM (" + target_scan + ") t JOIN stage s ON " +
         base::join(join, " AND ");
}

struct Plan {
  std::string select;  // rows to write; empty: none
  std::string fresh;   // of them, those of the batch, declared columns only
  std::string kept;    // rows of the target that stay, wherever they are
  std::vector<std::string> removes;
  std::string subtracted = kEmptyHash;  // hash of replaced rows
  std::int64_t moved = 0;               // rows that stay, in files that are written anew
};

Receipt load_receipt(const Run& run, const Settling& settling, const ReceiptHash& hash) {
  Receipt receipt;
  receipt.kind = settling.first_load() ? (run.manner.is_apply ? "apply" : "load") : "replay";
  if (run.manner.is_retry) receipt.kind = "retry";
  receipt.table = run.contract.name.text();
  receipt.contract_hash = run.contract_hash;
  receipt.batch = run.batch.id;
  receipt.stands_for = run.batch.stands_for;
  receipt.sources.push_back(ReceiptSource{run.contract.from.text(), run.bronze.id(), run.bronze.version()});
  if (run.quarantined) receipt.sources.push_back(*run.quarantined);
  receipt.sources.insert(receipt.sources.end(), run.references.begin(), run.references.end());
  receipt.ledger_hash = run.batch.ledger_hash;
  receipt.counts = run.report.counts;
  receipt.rejects = run.report.rejects;
  receipt.warnings = run.report.warned;
  receipt.conflicting = run.report.conflicting;
  receipt.hash = hash;
  receipt.decision = settling.decision;
  receipt.run_at_us = run.place.run_at_us;
  return receipt;
}

base::Status check_balance(const Run& run) {
  if (run.report.counts.balanced()) return {};
  return base::fail(base::Kind::internal, "load.balance",
                    "the counts of batch " + run.batch.id +
                        " do not balance: " + print_counts(run.report.counts).print() +
                        "; nothing was written to " + run.contract.name.text(),
                    "this is a fault of Tenter, please report it");
}

// What the writer says it wrote is what was counted, and what was hashed.
base::Status check_written(const Run& run, const HashTap& tap, std::int64_t written, std::int64_t moved) {
  const Counts& counts = run.report.counts;
  const std::int64_t fresh = counts.inserted + counts.updated;
  if (tap.rows() == fresh && written == fresh + moved) return {};
  return base::fail(base::Kind::internal, "load.written_rows",
                    std::to_string(fresh) + " new rows and " + std::to_string(moved) +
                        " kept ones were to be written, " + std::to_string(tap.rows()) + " were hashed and " +
                        std::to_string(written) + " written; " + run.contract.name.text() +
                        " was not changed",
                    "this is a fault of Tenter, please report it");
}

base::Result<Plan> plan_first_rows(Run& run, const std::string& hash_call, const std::string& state_call) {
  Counts& counts = run.report.counts;
  counts.inserted = run.states.count(RowState::accepted);
  counts.updated = counts.unchanged = counts.older = counts.deleted = 0;
  Plan plan;
  if (counts.inserted == 0) return plan;
  plan.select = "SELECT " + declared_list(run, hash_call) + " FROM (" + accepted_rows(run, state_call) + ")";
  plan.fresh = "SELECT " + declared_columns(run) + " FROM (" + accepted_rows(run, state_call) + ")";
  return plan;
}

// Whether rejects are to be marked after the commit, by this run or by the next one.
bool resolves_rejects(const Run& run) {
  return !run.manner.resolving_app_id.empty() && run.report.counts.quarantined < run.report.counts.read;
}

base::Status commit_plan(Run& run, const Settling& settling, const table::Snapshot& target, const Plan& plan,
                         const HashTap& tap, const ReceiptHash& before) {
  const std::string path = run.place.table_path(run.contract.name);
  const Counts& counts = run.report.counts;
  std::optional<table::DataFile> file;
  if (!plan.select.empty()) {
    TRY(file, table::write_data_file(run.access, path, *target.state.metadata, plan.select));
  }
  ReceiptHash hash;
  hash.before = before.after;
  hash.after = hash_difference(hash_sum(before.after, tap.sum()), plan.subtracted);
  hash.rows = before.rows + counts.inserted - counts.deleted;
  base::Status sound = check_written(run, tap, file ? file->rows : 0, plan.moved);
  if (sound) sound = check_rows_stayed(run);
  if (!sound) {
    if (file) table::discard(run.access, {*file});
    return sound;
  }
  table::Commit change;
  change.operation = "MERGE";
  change.parameters = base::Json::object({{"batch", run.batch.id}});
  if (run.manner.reason) change.parameters.set("reason", *run.manner.reason);
  change.metrics = base::Json::object({{"numTargetRowsInserted", std::to_string(counts.inserted)},
                                       {"numTargetRowsUpdated", std::to_string(counts.updated)},
                                       {"numTargetRowsDeleted", std::to_string(counts.deleted)}});
  if (file) change.adds.push_back(*file);
  change.removes = plan.removes;
  if (settling.txn != settling.txn_version())
    change.txns.push_back(delta::Txn{settling.txn_app_id, settling.txn_version(), {}});
  if (resolves_rejects(run))
    change.txns.push_back(delta::Txn{run.manner.resolving_app_id, target.version() + 1, {}});
  const Receipt receipt = load_receipt(run, settling, hash);
  const auto committed = table::commit(run.access, path, &target, change, [&](const std::string& previous) {
    return print_receipt(receipt, previous);
  });
  if (!committed) {
    if (file) table::discard(run.access, {*file});
    return base::fail(committed.error());
  }
  run.report.committed = true;
  run.report.version = committed->version;
  run.report.table_hash = hash.after;
  run.report.table_rows = hash.rows;
  return {};
}

// The keys that a snapshot holds: of its accepted rows, and of its rejected ones where those keep.
std::string held_keys(const Run& run, const Registered& states) {
  const std::string keys = run.judge.key_list("");
  const std::string held = "SELECT " + keys + " FROM stage";
  if (run.contract.delete_rejected) return held;
  return held + " UNION ALL SELECT " + keys + " FROM (" +
         run.judge.typed(rows_where(run, is_rejected(states.call(kRowOfFile)))) + ")";
}

// Marks the rows of the target whose keys the snapshot does not hold.
base::Status delete_absent(Run& run, const std::string& scan, const RowNumbers& target_numbers,
                           FateTap& fates) {
  const Registered states(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
  const Registered deleting(
      run.engine, std::make_shared<DeleteTap>(target_numbers, fates.replaced, fates.touched, fates.gone));
  std::vector<std::string> same;
  for (const std::string& key : run.contract.primary_key)
    same.push_back("h.t" + std::to_string(run.judge.index_of(key)) + " = t." + base::sql_name(key));
  TRY(const engine::Rows deleted,
      run.connection.query(
          "SELECT coalesce(sum(" + deleting.call("target_file, target_row, " + stored_names(run.contract)) +
          "), 0)::BIGINT FROM (SELECT t._file_index AS target_file, t._file_row AS target_row, " +
          stored_columns(run.contract) + " FROM (" + scan + ") t ANTI JOIN (" + held_keys(run, states) +
          ") h ON " + base::join(same, " AND ") + ")"));
  run.report.counts.deleted += deleted.int64(0, 0);
  return {};
}

// The target's live files.
struct Stored {
  std::vector<std::int64_t> rows_per_file;
  RowNumbers numbers;
};

// Matches staged rows with the target and plans which files are rewritten.
base::Result<Plan> plan_merge(Run& run, const table::Snapshot& target, const std::string& hash_call,
                              const std::string& state_call, const Stored& stored,
                              std::vector<std::unique_ptr<Registered>>& registered) {
  TRY_STATUS(
      run.connection.execute("CREATE OR REPLACE TEMP TABLE stage AS " + accepted_rows(run, state_call)));
  const auto fates = std::make_shared<FateTap>(run.rows.numbers, stored.numbers);
  registered.push_back(std::make_unique<Registered>(run.engine, fates));
  TRY(const std::string scan, target.scan(true));
  const std::string tapped =
      registered.back()->call("fi, fr, target_file, target_row, fate::BIGINT, " + stored_names(run.contract));
  TRY_STATUS(run.connection.query("SELECT sum(" + tapped + ") FROM (" + matches(run, scan) + ")"));
  Counts& counts = run.report.counts;
  counts.updated = fates->count(Fate::update);
  counts.unchanged = fates->count(Fate::unchanged);
  if (run.judge.has_claims()) TRY_STATUS(yield_to_claims(run, target, fates));
  if (run.manner.snapshot_at_us) TRY_STATUS(yield_to_snapshot(run, fates));
  counts.older = fates->count(Fate::older) + fates->count(Fate::older_claim);
  counts.inserted =
      run.states.count(RowState::accepted) - counts.updated - counts.unchanged - fates->count(Fate::older);
  counts.deleted_claims = run.states.count(RowState::claim) - fates->count(Fate::older_claim);
  counts.deleted = fates->count(Fate::remove);
  if (run.contract.delete_absent) TRY_STATUS(delete_absent(run, scan, stored.numbers, *fates));

  Plan plan;
  if (counts.inserted + counts.updated + counts.deleted == 0) return plan;
  registered.push_back(std::make_unique<Registered>(
      run.engine, std::make_shared<StateLookup>(run.rows.numbers, fates->fates)));
  const std::string fresh =
      "SELECT * FROM stage WHERE " + registered.back()->call("fi, fr") + " <= 1 AND NOT dl";
  plan.select = "SELECT " + declared_list(run, hash_call) + " FROM (" + fresh + ")";
  plan.fresh = "SELECT " + declared_columns(run) + " FROM (" + fresh + ")";
  if (fates->touched.empty()) return plan;
  const std::vector<std::size_t> touched(fates->touched.begin(), fates->touched.end());
  const auto files = target.files();
  for (const std::size_t index : touched) {
    plan.removes.push_back(files[index].path);
    plan.moved += stored.rows_per_file[index];
  }
  plan.moved -= counts.updated + counts.deleted;
  registered.push_back(std::make_unique<Registered>(
      run.engine, std::make_shared<StateLookup>(stored.numbers, fates->replaced)));
  const std::string replaced = registered.back()->call("_file_index, _file_row");
  plan.kept = "SELECT * FROM (" + scan + ") WHERE " + replaced + " = 0";
  TRY(const std::string rewritten, target.scan(true, touched));
  plan.select += " UNION ALL BY NAME SELECT * EXCLUDE (_file_index, _file_row) FROM (" + rewritten +
                 ") WHERE " + replaced + " = 0";
  plan.subtracted = fates->gone.text();
  return plan;
}

// The keys hold in the table as the plan would leave it.
base::Status prove_plan(const Run& run, const table::Snapshot& target, const Plan& plan) {
  if (run.contract.unique_keys.empty() && !run.contract.append) return {};
  std::string kept = plan.kept;
  if (kept.empty()) {
    TRY(kept, target.scan());
  }
  const std::string columns = declared_columns_of(run.contract);
  return prove_unique(run, plan.fresh + " UNION ALL BY NAME SELECT " + columns + " FROM (" + kept + ")");
}

// A batch that was appended is there, whatever is run again.
void keep_appended(Run& run) {
  Counts& counts = run.report.counts;
  counts.unchanged = run.states.count(RowState::accepted);
  counts.inserted = counts.updated = counts.older = counts.deleted = 0;
}

// The contract in force, and whether the batch is loaded already, are told by the version that the
// commit will stand on.
base::Status see_others(const Run& run, const table::Snapshot& target, Settling& settling) {
  const auto hash = target.properties().find(std::string(kContractHash));
  if (hash == target.properties().end() || hash->second != run.contract_hash)
    return base::fail(base::Kind::denied, kContractChanged,
                      "the contract of " + run.contract.name.text() + " was changed while batch " +
                          run.batch.id + " was being loaded",
                      "nothing was changed; load again");
  // Another run resolved rejects, perhaps the ones that were judged here: they are judged anew.
  if (!run.manner.resolving_app_id.empty() && target.txn(run.manner.resolving_app_id) != run.manner.resolving)
    return base::fail(base::Kind::conflict, "rejects.race",
                      "rejects of " + run.contract.name.text() + " were taken up by another run meanwhile",
                      "nothing was changed; run again");
  const auto now = target.txn(settling.txn_app_id);
  if (now == settling.txn) return {};
  if (now && *now > 2)
    return base::fail(base::Kind::denied, "batch.decided_meanwhile",
                      "batch " + run.batch.id + " became " +
                          std::string(state_name(static_cast<BatchState>(*now))) + " in " +
                          run.contract.name.text() + " while it was being loaded",
                      "nothing was changed; tenter batches shows what was decided");
  settling.txn = now;
  return {};
}

base::Status settle_once(Run& run, Settling& settling) {
  const std::string path = run.place.table_path(run.contract.name);
  TRY(const table::Snapshot target, table::open(run.access, path));
  TRY_STATUS(see_others(run, target, settling));
  TRY(const ReceiptHash before, table_hash(run.access, target, run.contract));
  const auto tap = std::make_shared<HashTap>();
  const auto lookup = std::make_shared<StateLookup>(run.rows.numbers, run.states);
  const Registered hashing(run.engine, tap);
  const Registered stating(run.engine, lookup);
  std::vector<std::unique_ptr<Registered>> registered;
  if (run.contract.delete_absent)
    TRY_STATUS(refuse_older_snapshot(run.place, run.contract, target, run.bronze.id(), run.batch));
  TRY(const std::vector<std::int64_t> target_rows, rows_per_file(run.access, target));
  const Stored stored{target_rows, RowNumbers(target_rows)};
  // What is tapped is the new rows; rows that only move to a new file are hashed already.
  const std::string hash_call = hashing.call(run.judge.value_list());
  const std::string state_call = stating.call(kRowOfFile);
  Plan plan;
  // Claims may concern rows that are not there: then the batch is staged even for an empty table.
  const bool merges = !run.contract.append &&
                      (stored.numbers.size() != 0 || run.judge.has_claims() || run.manner.snapshot_at_us);
  if (run.manner.is_retry) TRY_STATUS(reject_collisions(run, target));
  if (run.contract.append && !settling.first_load() && !run.manner.is_retry) {
    keep_appended(run);
  } else if (!merges) {
    TRY(plan, plan_first_rows(run, hash_call, state_call));
  } else {
    TRY(plan, plan_merge(run, target, hash_call, state_call, stored, registered));
  }
  TRY_STATUS(check_balance(run));
  run.report.version = target.version();
  run.report.table_hash = before.after;
  run.report.table_rows = before.rows;
  const Counts& counts = run.report.counts;
  const bool nothing_changes = counts.inserted + counts.updated + counts.deleted == 0;
  base::Status status;
  if (!nothing_changes) status = prove_plan(run, target, plan);
  const bool is_free = run.manner.is_retry || run.manner.is_apply;
  if (status && !is_free) status = check_stability(run, before.rows);
  const bool commits =
      !nothing_changes || (run.manner.is_retry ? resolves_rejects(run) : settling.first_load());
  if (status && commits) status = commit_plan(run, settling, target, plan, *tap, before);
  if (merges) TRY_STATUS(run.connection.execute("DROP TABLE IF EXISTS stage"));
  return status;
}

}  // namespace

base::Status settle(Run& run, Settling& settling) {
  constexpr int kTries = 5;
  base::Status status;
  for (int i = 0; i < kTries; ++i) {
    status = settle_once(run, settling);
    // What a retry judged depends on the target: it begins anew.
    const bool is_over = status || status.error().kind != base::Kind::conflict;
    if (is_over || run.manner.is_retry || status.error().code == "rejects.race") return status;
  }
  return status;
}

}  // namespace load
