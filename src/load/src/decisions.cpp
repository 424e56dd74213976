// Decisions about batches without a load: skip and supersede, commits without rows that hold the reason.
#include "decisions.h"

#include <base/text.h>
#include <base/time.h>

#include "run.h"
#include "standing.h"

namespace load {

using base::Kind;

std::optional<ReceiptDecision> decision_in(const base::Json& receipt) {
  const base::Json* decision = receipt.find("decision");
  if (decision == nullptr) return std::nullopt;
  ReceiptDecision read;
  read.what = std::string(decision->string("what").value_or(""));
  read.because = std::string(decision->string("because").value_or(""));
  read.user = std::string(decision->string("user").value_or(""));
  read.at_us = base::parse_instant(decision->string("at").value_or("")).value_or(0);
  return read;
}

namespace {

base::Result<std::map<std::string, ReceiptDecision>> decisions_of(const table::Access& access,
                                                                  const std::string& path,
                                                                  const std::string& what) {
  std::map<std::string, ReceiptDecision> decisions;
  TRY(const std::vector<table::HistoryEntry> entries, table::history(access, path));
  for (const table::HistoryEntry& entry : entries) {  // the newest first
    const auto receipt = receipt_of(entry.commit_info);
    auto decision = receipt ? decision_in(*receipt) : std::nullopt;
    if (decision && decision->what == what)
      decisions.emplace(receipt->string("batch").value_or(""), *std::move(decision));
  }
  return decisions;
}

}  // namespace

base::Result<std::map<std::string, ReceiptDecision>> accepting_decisions(const table::Access& access,
                                                                         const std::string& table_path) {
  return decisions_of(access, table_path, "accept_rejects");
}

base::Result<std::map<std::string, ReceiptDecision>> superseding_decisions(const table::Access& access,
                                                                           const std::string& landing_path) {
  return decisions_of(access, landing_path, "supersede");
}

namespace {

// A contract table that a decision is about, as it is now.
struct Target {
  std::string path;
  Installed current;
  table::Snapshot bronze;
  table::Snapshot snapshot;
  std::optional<std::int64_t> txn(const std::string& batch) const {
    return snapshot.txn(txn_app_id(bronze.id(), batch));
  }
};

base::Result<Target> open_target(const Place& place, const contract::TableName& name) {
  const table::Access access{place.world, place.engine};
  TRY(const std::optional<Installed> current, installed(place, name));
  if (!current)
    return base::fail(Kind::not_found, "load.not_built", name.text() + " is not built",
                      "run: tenter build " + name.text());
  Target target;
  target.path = place.table_path(name);
  target.current = *current;
  TRY(target.bronze, table::open(access, place.table_path(current->contract.from)));
  TRY(target.snapshot, table::open(access, target.path));
  return target;
}

struct Decision {
  std::string kind;       // of the receipt: skip, supersede
  std::string operation;  // "TENTER SKIP"
  std::int64_t txn = 3;   // the batch's state afterwards
  std::string superseded_by;
  std::string because;
};

Receipt decision_receipt(const Place& place, const contract::TableName& table, const Batch& batch,
                         const Decision& decision) {
  Receipt receipt;
  receipt.kind = decision.kind;
  receipt.table = table.text();
  receipt.batch = batch.id;
  receipt.superseded_by = decision.superseded_by;
  receipt.decision = ReceiptDecision{decision.kind, decision.because, place.user, place.run_at_us};
  receipt.run_at_us = place.run_at_us;
  return receipt;
}

table::Commit decision_commit(const Batch& batch, const Decision& decision) {
  table::Commit change;
  change.operation = decision.operation;
  change.parameters = base::Json::object({{"batch", batch.id}});
  if (!decision.superseded_by.empty()) change.parameters.set("by", decision.superseded_by);
  return change;
}

base::Result<std::int64_t> commit_decision(const Place& place, const Target& target, const Batch& batch,
                                           const Decision& decision) {
  const table::Access access{place.world, place.engine};
  const contract::Contract& contract = target.current.contract;
  Receipt receipt = decision_receipt(place, contract.name, batch, decision);
  TRY(receipt.hash, table_hash(access, target.snapshot, contract));
  receipt.contract_hash = target.current.hash;
  receipt.sources.push_back(ReceiptSource{contract.from.text(), target.bronze.id(), target.bronze.version()});
  receipt.ledger_hash = batch.ledger_hash;
  table::Commit change = decision_commit(batch, decision);
  change.txns.push_back(delta::Txn{txn_app_id(target.bronze.id(), batch.id), decision.txn, {}});
  TRY(const table::Committed committed,
      table::commit(access, target.path, &target.snapshot, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); }));
  return committed.version;
}

base::Error already(const contract::TableName& table, const std::string& batch, std::int64_t txn) {
  return base::Error{Kind::denied,
                     "batch.already_loaded",
                     "batch " + batch + " is " + std::string(state_name(static_cast<BatchState>(txn))) +
                         " in " + table.text(),
                     "a loaded batch never leaves that state",
                     {}};
}

}  // namespace

base::Result<std::int64_t> skip_batch(const Place& place, const contract::TableName& name, const Batch& batch,
                                      const std::string& because) {
  TRY(const Target target, open_target(place, name));
  const auto txn = target.txn(batch.id);
  if (txn && *txn == 3) return target.snapshot.version();
  if (txn && *txn <= 2) return base::fail(already(name, batch.id, *txn));
  if (!batch.superseded_by.empty()) TRY_STATUS(refuse_superseded(name, batch, txn));
  return commit_decision(place, target, batch, Decision{"skip", "TENTER SKIP", 3, {}, because});
}

namespace {

// A pair that may not be: `old` and `by` are each part of one pair at most, and not of a circle.
base::Status check_pair(const std::vector<Standing>& pairs, const Batch& old, const Batch& by) {
  const auto refuse = [](const std::string& message, const std::string& hint) {
    return base::fail(Kind::denied, "batch.superseded", message, hint);
  };
  if (const Standing* other = find_standing(pairs, old.id))
    return refuse(
        "batch " + old.id + " is superseded by " + other->by + " already",
        "if that one is not it either: tenter batch supersede " + other->by + " " + by.id + " --because …");
  if (const Standing* other = find_standing(pairs, by.id))
    return refuse("batch " + by.id + " is itself superseded by " + other->by,
                  "name that one: tenter batch supersede " + old.id + " " + other->by + " --because …");
  for (const Standing& pair : pairs)
    if (pair.by == by.id)
      return refuse(
          "batch " + by.id + " stands in the place of " + pair.old + " already",
          "a batch stands in one place; land the files again under another name, or skip " + old.id);
  const bool is_earlier =
      old.version >= 0 && by.version >= 0 ? by.version < old.version : by.landed_at_us < old.landed_at_us;
  if (is_earlier)
    return base::fail(Kind::denied, "batch.supersede_order",
                      "batch " + by.id + " landed before " + old.id + ", so it cannot replace it",
                      "the batch that is replaced comes first: tenter batch supersede " + by.id + " " +
                          old.id + " --because …");
  return {};
}

base::Status check_target(const Target& target, const Batch& old, const Batch& by) {
  const contract::TableName& name = target.current.contract.name;
  for (const Batch* batch : {&old, &by}) {
    const auto txn = target.txn(batch->id);
    if (txn && *txn <= 2) return base::fail(already(name, batch->id, *txn));
  }
  if (target.txn(by.id) == 3)
    return base::fail(Kind::denied, "batch.skipped",
                      "batch " + by.id + " was passed over in " + name.text() + ", so it replaces nothing",
                      "to have neither, skip " + old.id + " too");
  return {};
}

// The instant at which the first rows of `old` were loaded into the landing table; of a batch that stands
// for another, that one's. A batch without rows has the instant of its landing.
base::Result<std::int64_t> loaded_at(const Place& place, const table::Snapshot& bronze, const Batch& old) {
  for (const Standing& pair : standings(bronze))
    if (pair.by == old.id) return pair.loaded_at_us;
  TRY(const std::string scan, bronze.scan());
  TRY(engine::Connection * connection, place.engine->connection());
  TRY(const engine::Rows rows, connection->query("SELECT epoch_us(min(_loaded_at)) FROM (" + scan +
                                                 ") WHERE _batch_id = " + base::sql_quote(old.id)));
  return rows.is_null(0, 0) ? old.landed_at_us : rows.int64(0, 0);
}

// The pair itself, in the landing table's log.
base::Result<std::int64_t> commit_pair(const Place& place, const contract::TableName& landing,
                                       const table::Snapshot& bronze, const Batch& old,
                                       const Decision& decision) {
  const table::Access access{place.world, place.engine};
  Receipt receipt = decision_receipt(place, landing, old, decision);
  TRY(receipt.hash, stated_hash(access, bronze));
  table::Commit change = decision_commit(old, decision);
  TRY(const std::int64_t at_us, loaded_at(place, bronze, old));
  change.txns.push_back(delta::Txn{supersede_app_id(old.id, decision.superseded_by), at_us, {}});
  TRY(const table::Committed committed,
      table::commit(access, place.table_path(landing), &bronze, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); }));
  return committed.version;
}

}  // namespace

base::Result<Superseded> supersede_batch(const Place& place, const contract::TableName& landing,
                                         const std::vector<contract::TableName>& readers, const Batch& old,
                                         const Batch& by, const std::string& because) {
  const table::Access access{place.world, place.engine};
  TRY(const table::Snapshot bronze, table::open(access, place.table_path(landing)));
  const std::vector<Standing> pairs = standings(bronze);
  const Standing* known = find_standing(pairs, old.id);
  const Decision decision{"supersede", "TENTER SUPERSEDE", 4, by.id, because};
  Superseded result;
  result.before = known != nullptr && known->by == by.id;
  result.landing_version = bronze.version();
  std::vector<Target> targets;
  for (const contract::TableName& reader : readers) {
    TRY(Target target, open_target(place, reader));
    if (!result.before) TRY_STATUS(check_target(target, old, by));
    targets.push_back(std::move(target));
  }
  if (!result.before) {
    TRY_STATUS(check_pair(pairs, old, by));
    TRY(result.landing_version, commit_pair(place, landing, bronze, old, decision));
  }
  for (const Target& target : targets) {
    std::int64_t version = target.snapshot.version();
    const auto txn = target.txn(old.id);
    if (!txn || *txn == 3) {
      TRY(version, commit_decision(place, target, old, decision));
    }
    result.targets.emplace_back(target.current.contract.name, version);
  }
  return result;
}

}  // namespace load
