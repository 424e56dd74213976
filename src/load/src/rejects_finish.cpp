// What a run that was cut between its two commits still owed the quarantine.
#include <load/rejects.h>

#include <base/text.h>
#include <base/time.h>

#include "bronze.h"
#include "quarantine_shape.h"
#include "rejects.h"

namespace load {

namespace {

// A commit of the target that resolved rejects.
struct Cut {
  std::int64_t version = 0;
  base::Json receipt;
  std::optional<std::string> reason;
};

std::string text_of(const base::Json& json, std::string_view name) {
  return std::string(json.string(name).value_or(""));
}

std::vector<ReceiptSource> sources_of_receipt(const base::Json& receipt) {
  std::vector<ReceiptSource> sources;
  if (const base::Json* list = receipt.find("sources"))
    for (const base::Json& source : list->items())
      sources.push_back(ReceiptSource{text_of(source, "table"), text_of(source, "id"),
                                      source.int64("version").value_or(-1)});
  return sources;
}

base::Result<table::Snapshot> as_read(const table::Access& access, const std::string& path,
                                      const std::vector<ReceiptSource>& sources) {
  TRY(table::Snapshot snapshot, table::open(access, path));
  for (const ReceiptSource& source : sources)
    if (source.id == snapshot.id() && source.version != snapshot.version())
      return table::open(access, path, source.version);
  return snapshot;
}

// Nothing when the log does not tell any more.
base::Result<std::optional<Cut>> cut_commit(const table::Access& access, const table::Snapshot& target,
                                            std::int64_t version) {
  const auto back = static_cast<std::size_t>(target.version() - version + 1);
  TRY(const std::vector<table::HistoryEntry> entries, table::history(access, target.path, back));
  if (entries.empty() || entries.back().version != version) return std::optional<Cut>();
  const base::Json& commit_info = entries.back().commit_info;
  const auto receipt = receipt_of(commit_info);
  if (!receipt) return std::optional<Cut>();
  Cut cut{version, *receipt, {}};
  if (const base::Json* parameters = commit_info.find("operationParameters"))
    if (const auto reason = parameters->string("reason")) cut.reason = std::string(*reason);
  return std::optional<Cut>(std::move(cut));
}

// The run as it was: its contract, its instant, the versions that it read.
base::Result<RunInput> input_of(const Place& place, const table::Snapshot& target, const Cut& cut) {
  const table::Access access{place.world, place.engine};
  RunInput input{place, {}, {}, {}, {}};
  input.place.run_at_us = base::parse_instant(text_of(cut.receipt, "run_at")).value_or(place.run_at_us);
  const auto contract = target.properties().find("tenter.contract");
  const auto hash = target.properties().find(std::string(kContractHash));
  if (contract == target.properties().end() || hash == target.properties().end())
    return base::fail(base::Kind::corrupt, "load.no_contract", target.path + " carries no contract");
  TRY(input.contract, contract::parse_canonical(contract->second));
  input.contract.delete_absent = false;
  input.contract_hash = hash->second;
  TRY(input.bronze, as_read(access, place.table_path(input.contract.from), sources_of_receipt(cut.receipt)));
  for (delta::Field& field : input.bronze.schema.fields) field.name = contract::bronze_name(field.name);
  TRY(const std::vector<Batch> landed, landed_batches(place, input.contract.from));
  input.batch.id = text_of(cut.receipt, "batch");
  for (const Batch& batch : landed)
    if (batch.id == text_of(cut.receipt, "batch")) input.batch = batch;
  return input;
}

base::Status finish_retry(const Place& place, const table::Snapshot& target, const Cut& cut) {
  const table::Access access{place.world, place.engine};
  const std::vector<ReceiptSource> sources = sources_of_receipt(cut.receipt);
  TRY(const table::Snapshot before, table::open(access, target.path, cut.version - 1));
  TRY(RunInput input, input_of(place, target, cut));
  TRY(const table::Snapshot quarantine,
      as_read(access, place.table_path(input.contract.quarantine), sources));
  TRY(const std::unique_ptr<BatchRun> owner, BatchRun::prepare(std::move(input)));
  Run& run = owner->run();
  run.manner.is_retry = true;
  run.manner.strict_before_us = INT64_MAX;
  run.manner.reason = cut.reason;
  TRY(BatchRows rows, open_rejects(run, quarantine));
  owner->set_rows(std::move(rows));
  TRY(run.references, read_references(place, run.connection, run.contract, sources));
  TRY_STATUS(judge_open(run, before));
  TRY_STATUS(reject_collisions(run, before));
  run.report.committed = true;
  run.report.version = cut.version;
  TRY_STATUS(resolve_retried(run, target));
  return {};
}

base::Status finish_apply(const Place& place, const table::Snapshot& target, const Cut& cut,
                          const std::string& app_id) {
  TRY(RunInput input, input_of(place, target, cut));
  TRY(const std::unique_ptr<BatchRun> owner, BatchRun::prepare(std::move(input)));
  Run& run = owner->run();
  run.manner.is_apply = true;
  run.manner.resolving_app_id = app_id;
  run.report.committed = true;
  run.report.version = cut.version;
  TRY_STATUS(resolve_applied(run, target));
  return {};
}

}  // namespace

base::Status finish_resolving(const Place& place, const contract::TableName& target_name) {
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(target_name);
  if (!table::exists(access, path)) return {};
  TRY(const table::Snapshot target, table::open(access, path));
  bool is_asked = false;
  for (const auto& [app_id, txn] : target.state.txns)
    is_asked = is_asked || app_id.starts_with(resolving_app_id(""));
  if (!is_asked) return {};
  TRY(const std::optional<Installed> current, installed(place, target_name));
  const std::string quarantine_path = place.table_path(current->contract.quarantine);
  if (!table::exists(access, quarantine_path)) return {};
  TRY(const table::Snapshot quarantine, table::open(access, quarantine_path));
  const std::string app_id = resolving_app_id(quarantine.id());
  const auto asked = target.txn(app_id);
  const auto done = quarantine.txn(resolved_app_id(target.id()));
  if (!asked || (done && *done >= *asked)) return {};
  TRY(const std::optional<Cut> cut, cut_commit(access, target, *asked));
  if (!cut) return {};
  report_progress(place, "finishing what version " + std::to_string(*asked) + " resolved");
  TRY(const table::Snapshot at, table::open(access, path, asked));
  return text_of(cut->receipt, "kind") == "retry" ? finish_retry(place, at, *cut)
                                                  : finish_apply(place, at, *cut, app_id);
}

}  // namespace load
