// A whole table recomputed from the batches that are loaded in it: they are loaded one by one into an empty
// double, and what stands there then is the table's next version.
#include <algorithm>

#include <base/text.h>
#include <load/scratch.h>

#include "decisions.h"
#include "run.h"
#include "standing.h"

namespace load {

using base::Kind;

namespace {

void add(Counts& sum, const Counts& counts) {
  sum.read += counts.read;
  sum.inserted += counts.inserted;
  sum.updated += counts.updated;
  sum.unchanged += counts.unchanged;
  sum.older += counts.older;
  sum.superseded += counts.superseded;
  sum.duplicates += counts.duplicates;
  sum.deleted_claims += counts.deleted_claims;
  sum.quarantined += counts.quarantined;
  sum.malformed += counts.malformed;
  sum.deleted += counts.deleted;
}

// One recomputation on one version of the table.
class Recomputation {
 public:
  Recomputation(const Place& place, const contract::TableName& name)
      : place_(place), access_{place.world, place.engine}, path_(place.table_path(name)), name_(name) {}

  base::Result<Recomputed> run() {
    TRY(const std::optional<Installed> current, installed(place_, name_));
    if (!current)
      return base::fail(Kind::not_found, "load.not_built", name_.text() + " is not built",
                        "run: tenter build " + name_.text());
    contract_ = current->contract;
    receipt_.contract_hash = current->hash;
    TRY(before_, table::open(access_, path_));
    result_.version = before_.version();
    TRY(const Scratch scratch, Scratch::make(*place_.world));
    Place aside = place_;
    TRY_STATUS(scratch.add_empty_double(aside, name_));
    TRY_STATUS(load_batches(aside));
    if (result_.stopped) return std::move(result_);
    TRY(const table::Snapshot now, table::open(access_, aside.table_path(name_)));
    TRY_STATUS(replace_rows(now));
    return std::move(result_);
  }

 private:
  base::Status load_batches(const Place& aside) {
    const std::string landing = place_.table_path(contract_.from);
    if (!table::exists(access_, landing))
      return base::fail(Kind::not_found, "load.nothing_landed",
                        contract_.from.text() + ", which " + name_.text() + " loads from, is not there",
                        "land its files first: tenter load " + contract_.from.text());
    TRY(const table::Snapshot bronze, table::open(access_, landing));
    TRY(const std::vector<Batch> landed, landed_batches(place_, contract_.from));
    TRY_STATUS(tell_source(bronze));
    for (const Batch& batch : landed) {
      const auto txn = before_.txn(txn_app_id(bronze.id(), batch.id));
      if (!txn || *txn > 2) continue;
      receipt_.batches.push_back(batch.id);
      TRY(const Options options, options_of(batch, *txn));
      TRY(LoadReport report, load_batch(aside, name_, batch, options));
      add(result_.counts, report.counts);
      for (const auto& [code, count] : report.rejects) result_.rejects[code] += count;
      for (const auto& [check, count] : report.warned) receipt_.warnings[check] += count;
      conflicting_ += report.conflicting;
      result_.stopped = report.stopped;
      report.version = before_.version();  // the double's versions are nobody's
      report.committed = false;
      report.warnings.clear();
      result_.batches.push_back(std::move(report));
      if (result_.stopped) return {};
    }
    return {};
  }

  base::Status tell_source(const table::Snapshot& bronze) {
    receipt_.sources.push_back(ReceiptSource{contract_.from.text(), bronze.id(), bronze.version()});
    TRY(accepting_, accepting_decisions(access_, path_));
    if (standings(bronze).empty()) return {};
    TRY(superseding_, superseding_decisions(access_, place_.table_path(contract_.from)));
    return {};
  }

  // The decisions that belong to the batch, for the load and for the receipt.
  base::Result<Options> options_of(const Batch& batch, std::int64_t txn) {
    if (const auto at = superseding_.find(batch.stands_for); at != superseding_.end())
      receipt_.decisions.push_back(BatchDecision{at->first, at->second});
    Options options;
    if (txn != 2) return options;
    options.accept_rejects = true;
    options.because = "accepted before";  // the double's receipts are not kept
    if (const auto at = accepting_.find(batch.id); at != accepting_.end())
      receipt_.decisions.push_back(BatchDecision{batch.id, at->second});
    return options;
  }

  base::Status replace_rows(const table::Snapshot& now) {
    TRY(const ReceiptHash before, table_hash(access_, before_, contract_));
    TRY(const ReceiptHash after, table_hash(access_, now, contract_));
    result_.table_hash = after.after;
    result_.table_rows = after.rows;
    TRY(const bool same, is_same(now));
    if (same) return {};
    TRY(const std::string rows, now.scan());
    TRY(const std::optional<table::DataFile> file,
        table::write_data_file(access_, path_, *before_.state.metadata, rows));
    table::Commit change;
    change.operation = "WRITE";
    change.parameters = base::Json::object({{"mode", "Overwrite"}});
    if (file) change.adds.push_back(*file);
    for (const delta::Add& old : before_.files()) change.removes.push_back(old.path);
    TRY_STATUS(finish_receipt(ReceiptHash{before.after, after.after, after.rows}));
    const auto committed = table::commit(access_, path_, &before_, change, [&](const std::string& previous) {
      return print_receipt(receipt_, previous);
    });
    if (!committed) {
      if (file) table::discard(access_, {*file});
      return base::fail(committed.error());
    }
    result_.committed = true;
    result_.version = committed->version;
    return {};
  }

  base::Status finish_receipt(const ReceiptHash& hash) {
    receipt_.kind = "from_bronze";
    receipt_.table = contract_.name.text();
    receipt_.counts = result_.counts;
    receipt_.rejects = result_.rejects;
    receipt_.conflicting = conflicting_;
    receipt_.hash = hash;
    receipt_.run_at_us = place_.run_at_us;
    const std::string quarantine = place_.table_path(contract_.quarantine);
    if (table::exists(access_, quarantine)) {
      TRY(const table::Snapshot rejects, table::open(access_, quarantine));
      receipt_.sources.push_back(ReceiptSource{contract_.quarantine.text(), rejects.id(), rejects.version()});
    }
    for (const contract::Check& check : contract_.checks) {
      if (!check.reference) continue;
      TRY(const table::Snapshot other, table::open(access_, place_.table_path(check.reference->table)));
      receipt_.sources.push_back(ReceiptSource{check.reference->table.text(), other.id(), other.version()});
    }
    return {};
  }

  // Whether the table holds these very rows already, managed columns included.
  base::Result<bool> is_same(const table::Snapshot& now) {
    TRY(const std::string old_rows, before_.scan());
    TRY(const std::string new_rows, now.scan());
    TRY(engine::Connection * connection, place_.engine->connection());
    TRY(const engine::Rows differing,
        connection->query("SELECT (SELECT count(*) FROM ((" + old_rows + ") EXCEPT ALL (" + new_rows +
                          "))) + (SELECT count(*) FROM ((" + new_rows + ") EXCEPT ALL (" + old_rows + ")))"));
    return differing.int64(0, 0) == 0;
  }

  const Place& place_;
  const table::Access access_;
  const std::string path_;
  const contract::TableName name_;
  contract::Contract contract_;
  table::Snapshot before_;
  std::map<std::string, ReceiptDecision> accepting_;
  std::map<std::string, ReceiptDecision> superseding_;
  std::int64_t conflicting_ = 0;
  Receipt receipt_;
  Recomputed result_;
};

}  // namespace

base::Result<Recomputed> recompute(const Place& place, const contract::TableName& target) {
  constexpr int kTries = 3;
  for (int i = 1;; ++i) {
    auto result = Recomputation(place, target).run();
    if (result || result.error().kind != Kind::conflict) return result;
    if (i == kTries)
      return base::fail(Kind::conflict, "load.race",
                        "other runs kept committing to " + target.text() + " while it was recomputed",
                        "run again");
  }
}

}  // namespace load
