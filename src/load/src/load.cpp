// The order of a batch: batch gates, row reasons, key reasons, one quarantine commit, reject threshold,
// settling, one commit. A batch stopped anywhere leaves the target's version number unchanged.
#include <load/load.h>

#include <algorithm>

#include <base/text.h>
#include <base/time.h>
#include <load/rejects.h>
#include <world/zones.h>

#include "bronze.h"
#include "decisions.h"
#include "early_judgement.h"
#include "rejects.h"
#include "standing.h"

namespace load {

using base::Kind;

namespace {

base::Error gate(std::string code, std::string message, std::string hint) {
  return base::Error{Kind::denied, std::move(code), std::move(message), std::move(hint), {}};
}

bool holds_ignoring_case(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& other) { return base::equal_ignoring_case(other, name); });
}

std::string missing_hint(const std::string& missing, const std::vector<std::string>& carried,
                         bool is_required) {
  const std::string near = base::closest(missing, carried);
  const std::string slip = near.empty() ? "" : "did you mean " + near + "? else ";
  return slip + "ask the source for the column" + (is_required ? "" : ", or name it under Optional");
}

// Gates that are answered from the ledger and the landing table's schema.
base::Result<std::optional<base::Error>> gate_columns(const contract::Contract& contract, const Batch& batch,
                                                      const table::Snapshot& bronze) {
  std::vector<std::string> carried;
  for (const BatchFile& file : batch.files)
    carried.insert(carried.end(), file.columns.begin(), file.columns.end());
  std::vector<std::string> missing;
  bool is_required = false;
  const auto look = [&](const std::vector<std::string>& sources, bool required) {
    for (const std::string& source : sources) {
      const bool present = batch.has_ledger ? holds_ignoring_case(carried, source)
                                            : bronze.schema.find_ignoring_case(source) != nullptr;
      if (!present && !holds_ignoring_case(contract.optional_sources, source) &&
          !holds_ignoring_case(missing, source)) {
        missing.push_back(source);
        is_required = is_required || required;
      }
    }
  };
  for (const contract::Column& column : contract.columns) {
    TRY(const std::vector<std::string> sources, sources_of(contract, column));
    look(sources, column.not_null);
  }
  TRY(const std::vector<std::string> of_claims, sources_of_claims(contract));
  look(of_claims, true);
  if (!missing.empty() && !batch.files.empty() && (batch.rows() > 0 || batch.malformed() > 0))
    return std::optional(gate("gate.missing_column",
                              "no file of batch " + batch.id + " carried " + base::join(missing, ", "),
                              missing_hint(missing.front(), carried, is_required)));
  std::vector<std::string> metadata_missing;
  for (const std::string& name : metadata_columns())
    if (bronze.schema.find(name) == nullptr) metadata_missing.push_back(name);
  if (!metadata_missing.empty())
    return std::optional(gate("gate.metadata_column",
                              contract.from.text() + " has no " + base::join(metadata_missing, ", "),
                              "the landing table was rebuilt by something else; land its files again"));
  return std::optional<base::Error>();
}

// Gates that need the rows counted, before anything is written.
base::Result<std::optional<base::Error>> gate_rows(const Run& run, const Judged& judged) {
  const contract::Contract& contract = run.contract;
  if (judged.rows == 0)
    return std::optional(gate("gate.no_rows",
                              "batch " + run.batch.id + " has no rows in " + contract.from.text(),
                              "skip it with a reason: tenter batch skip " + run.batch.id + " --because …"));
  std::vector<std::string> empty;
  for (const contract::Column& column : contract.columns) {
    if (!column.not_null || judged.no_claims == 0) continue;
    TRY(const std::vector<std::string> sources, sources_of(contract, column));
    for (const std::string& source : sources) {
      for (std::size_t k = 0; k < run.judge.bronze_columns().size(); ++k)
        if (base::equal_ignoring_case(run.judge.bronze_columns()[k], source) && judged.not_null[k] == 0 &&
            !holds_ignoring_case(contract.optional_sources, source) && !holds_ignoring_case(empty, source))
          empty.push_back(source);
    }
  }
  if (!empty.empty())
    return std::optional(gate("gate.null_column",
                              base::join(empty, ", ") + " is null in every row of batch " + run.batch.id,
                              "the source feed is broken: ask its owner"));
  if (judged.no_claims < contract.min_rows)
    return std::optional(gate("gate.min_rows",
                              "batch " + run.batch.id + " has " + base::counted(judged.no_claims, "row") +
                                  ", fewer than " + std::to_string(contract.min_rows),
                              "look at the feed, or skip the batch with a reason"));
  return std::optional<base::Error>();
}

bool exceeds(const contract::RejectLimit& limit, const Counts& counts) {
  __extension__ typedef __int128 Wide;
  const bool over = Wide{counts.quarantined} * limit.denominator > Wide{counts.read} * limit.numerator;
  return over && (!limit.rows_least || counts.quarantined >= *limit.rows_least);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "0 %";
  const std::int64_t tenths = (part * 1000 + whole / 2) / whole;
  if (tenths == 0 && part > 0) return "less than 0.1 %";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

void count_rows(Run& run, const Judged& judged) {
  Counts& counts = run.report.counts;
  counts.malformed = run.batch.malformed();
  counts.read = judged.rows + counts.malformed;
  counts.superseded = run.states.count(RowState::superseded);
  counts.duplicates = run.states.count(RowState::duplicate);
  counts.quarantined = run.states.count_rejected() + counts.malformed;
}

// Malformed records of the batch, by code, from the table that landing keeps them in.
base::Status count_malformed(Run& run) {
  if (run.batch.malformed() == 0) return {};
  const contract::TableName name{"quarantine", run.contract.from.object + "_malformed"};
  const std::string path = run.place.table_path(name);
  if (!table::exists(run.access, path)) return {};
  TRY(const table::Snapshot malformed, table::open(run.access, path));
  TRY(const std::string scan, malformed.scan());
  TRY(const engine::Rows counted,
      run.connection.query(
          "SELECT _reject_codes, count(*), to_json(min_by({reason: _reject_reason, file: _source_file, line: "
          "_source_line, shown: ''}, (_source_file, _source_line), 3))::VARCHAR FROM (" +
          scan + ") WHERE _batch_id = " + base::sql_quote(run.batch.id) + " GROUP BY 1 ORDER BY 1"));
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const std::string& code = counted.text(i, 0);
    run.report.rejects[code] += counted.int64(i, 1);
    TRY_STATUS(add_examples(run, code, counted.text(i, 2)));
  }
  return {};
}

// What the target's log says of the batch, and what this run is asked to do about it.
base::Result<Settling> plan_settling(const Run& run, std::optional<std::int64_t> txn, bool over_limit,
                                     const Options& options) {
  Settling settling;
  settling.txn_app_id = txn_app_id(run.bronze.id(), run.batch.id);
  settling.txn = txn;
  settling.over_limit = over_limit;
  const bool is_carried = txn && *txn == 2;
  const bool was_skipped = txn && *txn == 3;
  if ((over_limit && !is_carried) || was_skipped)
    settling.decision =
        ReceiptDecision{"accept_rejects", options.because, run.place.user, run.place.run_at_us};
  if (is_carried) {  // a decision belongs to its batch, so a replay tells it again
    TRY(const auto decisions, accepting_decisions(run.access, run.place.table_path(run.contract.name)));
    if (const auto at = decisions.find(run.batch.id); at != decisions.end()) settling.decision = at->second;
  }
  // A decision belongs to the batch: its replays carry it.
  if (run.manner.is_apply && !settling.decision)
    settling.decision =
        ReceiptDecision{"apply", run.batch.because, run.batch.decided_by, run.batch.decided_at_us};
  return settling;
}

base::Status work(Run& run, std::optional<std::int64_t> txn, const Options& options) {
  LoadReport& report = run.report;
  report_progress(run.place, "judging batch " + run.batch.id);
  TRY(const Judged judged, judge_rows(run));
  if (!run.manner.is_apply) {
    TRY(report.stopped, gate_rows(run, judged));
    if (report.stopped) return {};
  }
  count_rows(run, judged);
  TRY_STATUS(count_malformed(run));
  // An appended batch is not inserted again, so rejects that would pass today must stay in sight.
  if (!(run.contract.append && report.replay)) {
    report_progress(run.place, "writing rejects of batch " + run.batch.id);
    TRY_STATUS(quarantine_rows(run));
  }
  if (report.counts.quarantined > 0) TRY_STATUS(pick_examples(run));
  TRY_STATUS(pick_warned(run));
  const contract::RejectLimit& limit = options.max_reject ? *options.max_reject : run.contract.max_reject;
  const bool over_limit = !run.manner.is_apply && exceeds(limit, report.counts);
  const bool accepted = options.accept_rejects || (txn && *txn == 2);
  if (over_limit && !accepted) {
    report.stopped =
        gate("gate.reject_ratio",
             std::to_string(report.counts.quarantined) + " of " + std::to_string(report.counts.read) +
                 " rows rejected (" + percent(report.counts.quarantined, report.counts.read) +
                 "), the limit is " + limit.text,
             "accept once: tenter load " + run.contract.name.text() + " --batch " + run.batch.id +
                 " --accept-rejects --because …, or: tenter batch skip " + run.batch.id + " --because …");
    return {};
  }
  if (options.accept_rejects && !over_limit)
    report.warnings.push_back("the rejects of batch " + run.batch.id +
                              " are within the limit; nothing was waived");
  report_progress(run.place, "settling batch " + run.batch.id);
  TRY(Settling settling, plan_settling(run, txn, over_limit, options));
  const auto settled = settle(run, settling);
  if (!settled) {
    const base::Error& error = settled.error();
    if (error.code.starts_with("gate.")) {
      report.stopped = error;
      return {};
    }
    if (error.code != "table.check_violated" && error.code != "table.not_null_violated") return settled;
    report.stopped = gate("gate.constraint", error.message, error.hint);
    return {};
  }
  report.replay = !settling.first_load();
  report.state = static_cast<BatchState>(settling.first_load() ? settling.txn_version() : *settling.txn);
  TRY(const table::Snapshot target, table::open(run.access, run.place.table_path(run.contract.name)));
  TRY(report.resolved, resolve_applied(run, target));
  return {};
}

}  // namespace

namespace {

// The batch as bronze holds it now: a landing may have extended it since it was listed.
base::Result<Batch> batch_now(const Place& place, const table::Snapshot& bronze,
                              const contract::TableName& landing, const Batch& listed) {
  if (bronze.version() == listed.listed_version) return listed;
  TRY(const std::vector<Batch> batches, landed_batches(place, landing));
  return find_batch(batches, listed.id);
}

base::Error was_skipped(const contract::TableName& target, const std::string& batch) {
  return base::Error{Kind::denied,
                     "batch.skipped",
                     "batch " + batch + " was passed over in " + target.text() +
                         "; tenter history tells who decided so, and why",
                     "to take it after all: tenter load " + target.text() + " --batch " + batch +
                         " --accept-rejects --because …",
                     {}};
}

base::Result<LoadReport> load_once(const Place& place, const contract::TableName& target, const Batch& listed,
                                   const Options& options) {
  const table::Access access{place.world, place.engine};
  TRY(const std::optional<Installed> current, installed(place, target));
  if (!current)
    return base::fail(Kind::not_found, "load.not_built", target.text() + " is not built",
                      "run: tenter build " + target.text());
  contract::Contract contract = current->contract;
  TRY(const table::Snapshot bronze, open_bronze(access, place.table_path(contract.from)));
  TRY(const Batch batch, batch_now(place, bronze, contract.from, listed));
  TRY(const table::Snapshot before, table::open(access, place.table_path(target)));
  const auto txn = before.txn(txn_app_id(bronze.id(), batch.id));
  if (!batch.superseded_by.empty()) TRY_STATUS(refuse_superseded(target, batch, txn));
  if (txn && *txn == 3 && !options.accept_rejects) return base::fail(was_skipped(target, batch.id));

  LoadReport report;
  report.batch = batch.id;
  report.version = before.version();
  report.replay = txn && *txn <= 2;
  report.state = txn ? static_cast<BatchState>(*txn) : BatchState::pending;
  if (batch.applied) {
    contract.delete_absent = false;  // corrected rows are no snapshot
  } else {
    TRY(report.stopped, gate_columns(contract, batch, bronze));
  }
  if (report.stopped) return report;
  if (contract.delete_absent) {
    if (const auto older = refuse_older_snapshot(place, contract, before, bronze.id(), batch); !older) {
      if (older.error().code != "gate.older_snapshot") return base::fail(older.error());
      report.stopped = older.error();
      return report;
    }
  }

  const sql::Context context{contract.time_zone, place.run_at_us};
  TRY(const Judge judge, Judge::prepare(contract, bronze.schema, context));
  TRY(engine::Engine * engine, place.engine->engine());
  EarlyJudgement* early = options.early.get();
  if (early != nullptr && !early->fits(target, current->hash, batch, bronze)) early = nullptr;
  BatchRows rows{"", RowNumbers({}), nullptr};
  if (early != nullptr) {
    rows = early->rows(*engine, place.world->processors);
  } else {
    TRY(rows, batch_rows(access, bronze, batch.id));
  }
  TRY(engine::Connection * connection, place.engine->connection());
  if (const auto zone = world::zone(*place.world, contract.time_zone); !zone) return base::fail(zone.error());
  RowStates states = early != nullptr ? early->take_states() : RowStates(rows.numbers.size());
  Run run{place,  access, *engine, *connection, contract, current->hash, batch, bronze, judge, rows,
          states, report, early,   {},          {}};
  run.manner.is_apply = batch.applied;
  TRY_STATUS(prepare_applied(run, rows, before));
  if (batch.applied) {
    TRY(run.manner.snapshot_at_us, newest_snapshot(run, before));
  }
  TRY(run.references, read_references(place, *connection, contract));
  TRY_STATUS(work(run, txn, options));
  if (!report.committed) return report;
  // A landing that extended the batch meanwhile saw it undecided: its rows are taken in now.
  TRY(const table::Snapshot bronze_now, open_bronze(access, place.table_path(contract.from)));
  TRY(const Batch now, batch_now(place, bronze_now, contract.from, batch));
  if (now.files.size() == batch.files.size()) return report;
  TRY(report, load_once(place, target, now, options));
  report.warnings.push_back("batch " + batch.id +
                            " was extended while it was being loaded; it was loaded again");
  return report;
}

}  // namespace

base::Result<LoadReport> load_batch(const Place& place, const contract::TableName& target, const Batch& batch,
                                    const Options& options) {
  constexpr int kTries = 3;
  for (int i = 1;; ++i) {
    if (const auto finished = finish_resolving(place, target); !finished) return base::fail(finished.error());
    auto report = load_once(place, target, batch, options);
    if (report || i == kTries) return report;
    const std::string& code = report.error().code;
    if (code != kContractChanged && code != "rejects.race") return report;
  }
}

}  // namespace load
