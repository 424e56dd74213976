// Retry: the raw values that the quarantine kept are judged under today's contract, settle like rows that
// were late, and are resolved.
#include <load/rejects.h>

#include <algorithm>

#include <base/text.h>

#include "bronze.h"
#include "quarantine_shape.h"
#include "rejected.h"
#include "rejects.h"

namespace load {

using base::Kind;

namespace {

constexpr int kTries = 5;

std::string has_code(const std::string& code) {
  return "list_contains(string_split(_reject_codes, ';'), " + base::sql_quote(code) + ")";
}

// What was landed, as the quarantine kept it.
base::Result<std::string> raw_value(const Run& run, const delta::Schema& kept,
                                    const std::string& bronze_name) {
  TRY(const sql::Type type, sql::parse_delta_type(run.bronze.schema.find(bronze_name)->type));
  const delta::Field* field = kept.find("raw_" + bronze_name);
  const std::string name = base::sql_name(bronze_name);
  if (field == nullptr) return "NULL::" + sql::engine_type(type) + " AS " + name;
  const std::string raw = base::sql_name(field->name);
  if (field->type == run.bronze.schema.find(bronze_name)->type) return raw + " AS " + name;
  return "TRY_CAST(" + raw + " AS " + sql::engine_type(type) + ") AS " + name;
}

}  // namespace

base::Result<BatchRows> open_rejects(const Run& run, const table::Snapshot& quarantine) {
  TRY(std::vector<std::int64_t> counts, rows_per_file(run.access, quarantine));
  TRY(const std::string scan,
      quarantine.scan(true, files_that_may_hold(quarantine, "_batch_id", run.batch.id)));
  std::string select = "SELECT ";
  for (const std::string& name : run.judge.bronze_columns()) {
    TRY(const std::string value, raw_value(run, quarantine.schema, name));
    select += value + ", ";
  }
  select += "_source_file, _source_line, _loaded_at, _batch_id, _reject_id, _file_index, _file_row FROM (" +
            scan + ") WHERE _resolved_at IS NULL AND _batch_id = " + base::sql_quote(run.batch.id) +
            " AND NOT " + has_code("duplicate_primary_key");
  if (run.manner.reason) select += " AND " + has_code(*run.manner.reason);
  return BatchRows{select, RowNumbers(counts)};
}

base::Result<std::int64_t> judge_open(Run& run, const table::Snapshot& target) {
  report_progress(run.place, "judging rejects of batch " + run.batch.id);
  TRY(const Judged judged, judge_rows(run));
  TRY(run.manner.snapshot_at_us, newest_snapshot(run, target));
  Counts& counts = run.report.counts;
  counts.read = judged.rows;
  counts.superseded = run.states.count(RowState::superseded);
  counts.duplicates = run.states.count(RowState::duplicate);
  counts.quarantined = run.states.count_rejected();
  return judged.rows;
}

base::Result<std::int64_t> resolve_retried(Run& run, const table::Snapshot& target) {
  const Registered states(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
  const std::string state = states.call(kRowOfFile);
  const Rejected rejected(run);
  Resolution resolution;
  resolution.passed = "SELECT _reject_id FROM (" + run.rows.select + ") WHERE NOT " + is_rejected(state);
  std::string declared;
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i)
    declared += ", t" + std::to_string(i) + " AS " + base::sql_name(run.contract.columns[i].name);
  resolution.failed = "SELECT r._reject_id AS id, " + run.judge.reason_text("state") +
                      " AS _reject_reason, " + run.judge.reason_codes("state") + " AS _reject_codes" +
                      declared + " FROM (" + rejected.select() +
                      ") j JOIN (SELECT _reject_id, _file_index, _file_row FROM (" + run.rows.select +
                      ")) r ON r._file_index = j.fi AND r._file_row = j.fr";
  resolution.by = "retry";
  if (run.report.committed) {
    resolution.target_id = target.id();
    resolution.target_version = run.report.version;
  }
  return write_resolution(run, resolution);
}

namespace {

// One row would stand beside another in a key that is to be unique, unless it is older than what is there.
std::string colliding_rows(const Run& run, const std::string& accepted, const std::string& scan,
                           const std::vector<std::string>& key) {
  const auto equal = [&](const std::vector<std::string>& columns) {
    std::vector<std::string> parts;
    for (const std::string& name : columns)
      parts.push_back("t." + base::sql_name(name) + " = s.t" + std::to_string(run.judge.index_of(name)));
    return "(" + base::join(parts, " AND ") + ")";
  };
  std::string other = equal(key);
  std::string rows = "SELECT s.fi, s.fr FROM (" + accepted + ") s";
  std::string older;
  if (!run.contract.append) {
    other += " AND NOT " + equal(run.contract.primary_key);
    older = " AND NOT EXISTS (SELECT 1 FROM (" + scan + ") t WHERE " + equal(run.contract.primary_key) +
            " AND NOT " + is_newer(run) + ")";
  }
  return rows + " WHERE EXISTS (SELECT 1 FROM (" + scan + ") t WHERE " + other + ")" + older;
}

base::Status reject_colliding(Run& run, const std::string& scan, const std::vector<std::string>& key,
                              RowState state, const std::string& code) {
  const Registered lookup(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
  const std::string accepted = run.judge.typed(rows_where(
      run, lookup.call(kRowOfFile) + " = " + std::to_string(static_cast<int>(RowState::accepted))));
  // Found first and told after: the tap must not change what the filter above still reads.
  TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE colliding AS " +
                                    colliding_rows(run, accepted, scan, key)));
  const Registered tap(run.engine, std::make_shared<StateTap>(run.rows.numbers, run.states, state));
  TRY(const engine::Rows told,
      run.connection.query("SELECT coalesce(sum(" + tap.call("fi, fr") + "), 0)::BIGINT FROM colliding"));
  TRY_STATUS(run.connection.execute("DROP TABLE colliding"));
  if (const std::int64_t count = told.int64(0, 0); count > 0) {
    run.report.rejects[code] += count;
    run.report.counts.quarantined += count;
  }
  return {};
}

}  // namespace

base::Status reject_collisions(Run& run, const table::Snapshot& target) {
  TRY(const std::string scan, target.scan());
  if (run.contract.append && !run.contract.primary_key.empty())
    TRY_STATUS(
        reject_colliding(run, scan, run.contract.primary_key, RowState::repeated, "duplicate_primary_key"));
  for (std::size_t k = 0; k < run.contract.unique_keys.size(); ++k)
    TRY_STATUS(reject_colliding(run, scan, run.contract.unique_keys[k], repeated_unique(k),
                                unique_key_code(run.contract.unique_keys[k])));
  return {};
}

base::Result<std::optional<std::int64_t>> newest_snapshot(const Run& run, const table::Snapshot& target) {
  TRY(const std::optional<Installed> current, installed(run.place, run.contract.name));
  if (!current || !current->contract.delete_absent) return std::optional<std::int64_t>();
  TRY(const std::vector<Batch> landed, landed_batches(run.place, run.contract.from));
  const Batch* newest = nullptr;
  for (const Batch& batch : landed) {
    const auto state = target.txn(txn_app_id(run.bronze.id(), batch.id));
    if (!batch.applied && state && *state <= 2) newest = &batch;
  }
  if (newest == nullptr) return std::optional<std::int64_t>();
  TRY(const BatchRows rows, batch_rows(run.access, run.bronze, newest->id));
  TRY(const engine::Rows found,
      run.connection.query("SELECT epoch_us(max(_loaded_at)) FROM (" + rows.select + ")"));
  if (found.is_null(0, 0)) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(found.int64(0, 0));
}

namespace {

struct Open {
  std::string batch;
  std::int64_t may_pass = 0;
  std::int64_t never = 0;
};

// Batches with open rejects, in the order in which their rows landed.
base::Result<std::vector<Open>> open_batches(const Place& place, const table::Snapshot& quarantine,
                                             const RetryOptions& options) {
  TRY(engine::Connection * connection, place.engine->connection());
  TRY(const std::string scan, quarantine.scan());
  const std::string never = has_code("duplicate_primary_key");
  std::string where = " WHERE _resolved_at IS NULL";
  if (options.batch) where += " AND _batch_id = " + base::sql_quote(*options.batch);
  if (options.reason) where += " AND " + has_code(*options.reason);
  TRY(const engine::Rows found, connection->query("SELECT _batch_id, count(*) FILTER (WHERE NOT " + never +
                                                  "), count(*) FILTER (WHERE " + never + ") FROM (" + scan +
                                                  ")" + where + " GROUP BY 1 ORDER BY min(_loaded_at), 1"));
  std::vector<Open> batches;
  for (std::size_t i = 0; i < found.size(); ++i)
    batches.push_back(Open{found.text(i, 0), found.int64(i, 1), found.int64(i, 2)});
  return batches;
}

base::Result<Batch> batch_of(const Place& place, const contract::Contract& contract, const std::string& id) {
  TRY(const std::vector<Batch> landed, landed_batches(place, contract.from));
  for (const Batch& batch : landed)
    if (batch.id == id) return batch;
  Batch batch;  // of a table that does not land
  batch.id = id;
  return batch;
}

base::Error not_loaded(const contract::TableName& target, const std::string& batch, BatchState state) {
  const std::string load = "tenter load " + target.text() + " --batch " + batch;
  return base::Error{Kind::denied,
                     "rejects.batch_not_loaded",
                     "batch " + batch + " is " + std::string(state_name(state)) + " in " + target.text() +
                         ", so none of its rows are there; its rejects are judged anew when it is loaded",
                     state == BatchState::superseded
                         ? "the batch that stands in its place has its own rejects"
                     : state == BatchState::skipped ? load + " --accept-rejects --because …"
                                                    : load,
                     {}};
}

base::Result<std::optional<Retried>> retry_once(const Place& place, const contract::TableName& target_name,
                                                const RetryOptions& options, const std::string& batch) {
  TRY_STATUS(finish_resolving(place, target_name));
  const table::Access access{place.world, place.engine};
  TRY(const std::optional<Installed> current, installed(place, target_name));
  TRY(const table::Snapshot target, table::open(access, place.table_path(target_name)));
  RunInput input{place, current->contract, current->hash, {}, {}};
  input.contract.delete_absent = false;
  TRY(input.bronze, open_bronze(access, place.table_path(current->contract.from)));
  TRY(input.batch, batch_of(place, current->contract, batch));
  TRY(const table::Snapshot quarantine, table::open(access, place.table_path(current->contract.quarantine)));
  TRY(const std::unique_ptr<BatchRun> owner, BatchRun::prepare(std::move(input)));
  Run& run = owner->run();
  run.report.batch = batch;
  run.report.version = target.version();
  run.manner.is_retry = true;
  run.manner.strict_before_us = INT64_MAX;
  run.manner.reason = options.reason;
  run.manner.resolving_app_id = resolving_app_id(quarantine.id());
  run.manner.resolving = target.txn(run.manner.resolving_app_id);
  run.quarantined = ReceiptSource{current->contract.quarantine.text(), quarantine.id(), quarantine.version()};
  TRY(BatchRows rows, open_rejects(run, quarantine));
  owner->set_rows(std::move(rows));
  TRY(run.references, read_references(place, run.connection, current->contract));
  TRY(const std::int64_t read, judge_open(run, target));
  if (read == 0) return std::optional<Retried>();
  Settling settling;
  settling.txn_app_id = txn_app_id(run.bronze.id(), batch);
  settling.txn = target.txn(settling.txn_app_id);
  report_progress(place, "settling rejects of batch " + batch);
  if (const auto settled = settle(run, settling); !settled) {
    if (!settled.error().code.starts_with("gate.")) return base::fail(settled.error());
    run.report.stopped = settled.error();
    return std::optional<Retried>(Retried{run.report, 0});
  }
  run.report.state = settling.txn ? static_cast<BatchState>(*settling.txn) : BatchState::pending;
  Retried retried;
  TRY(retried.resolved, resolve_retried(run, target));
  retried.load = run.report;
  return std::optional<Retried>(std::move(retried));
}

base::Result<std::optional<Retried>> retry_batch(const Place& place, const contract::TableName& target,
                                                 const RetryOptions& options, const std::string& batch) {
  for (int i = 1;; ++i) {
    auto retried = retry_once(place, target, options, batch);
    if (retried || i == kTries) return retried;
    const base::Error& error = retried.error();
    if (error.kind != Kind::conflict && error.code != kContractChanged) return retried;
  }
}

}  // namespace

base::Result<RetryReport> retry_rejects(const Place& place, const contract::TableName& target_name,
                                        const RetryOptions& options) {
  const table::Access access{place.world, place.engine};
  TRY(const std::optional<Installed> current, installed(place, target_name));
  if (!current)
    return base::fail(Kind::not_found, "load.not_built", target_name.text() + " is not built",
                      "run: tenter build " + target_name.text());
  TRY_STATUS(finish_resolving(place, target_name));
  RetryReport report;
  const std::string path = place.table_path(current->contract.quarantine);
  const std::string bronze_path = place.table_path(current->contract.from);
  if (!table::exists(access, path) || !table::exists(access, bronze_path)) return report;
  TRY(const table::Snapshot quarantine, table::open(access, path));
  TRY(const table::Snapshot bronze, open_bronze(access, bronze_path));
  TRY(const table::Snapshot target, table::open(access, place.table_path(target_name)));
  TRY(const std::vector<Open> batches, open_batches(place, quarantine, options));
  for (const Open& open : batches) {
    const auto txn = target.txn(txn_app_id(bronze.id(), open.batch));
    const BatchState state = txn ? static_cast<BatchState>(*txn) : BatchState::pending;
    if (state != BatchState::loaded && state != BatchState::loaded_with_rejects) {
      if (options.batch) return base::fail(not_loaded(target_name, open.batch, state));
      report.passed_over.push_back({open.batch, state});
      continue;
    }
    report.never_retried += open.never;
    if (open.may_pass == 0) continue;
    TRY(std::optional<Retried> retried, retry_batch(place, target_name, options, open.batch));
    if (retried) report.batches.push_back(std::move(*retried));
  }
  return report;
}

}  // namespace load
