// Delete claims that were loaded before a row of their key arrives. They are remembered by the landing
// table, which forgets nothing.
#include <base/text.h>

#include "rejects.h"
#include "settle_taps.h"
#include "standing.h"

namespace load {

namespace {

// Batches of the landing table that are loaded in `target`, and the one at hand, as SQL texts.
std::string loaded_batches(const Run& run, const table::Snapshot& target) {
  const std::string prefix = txn_app_id(run.bronze.id(), "");
  std::string list = base::sql_quote(run.batch.id);
  for (const auto& [app_id, txn] : target.state.txns)
    if (app_id.starts_with(prefix) && txn.version <= 2)
      list += ", " + base::sql_quote(app_id.substr(prefix.size()));
  return list;
}

// Key, version and load time of every claim that is fit to be one.
base::Result<std::string> claims_of(const Run& run, const table::Snapshot& target, const std::string& scan) {
  const std::string version = "t" + std::to_string(run.judge.index_of(*run.contract.version_column));
  std::string sound = "dl";
  for (std::size_t j = 0; j < run.judge.words(); ++j) sound += " AND w" + std::to_string(j) + " = 0";
  TRY(const std::string rows,
      with_original_instants(run, "SELECT * FROM (" + in_place(run.bronze, scan) + ") WHERE _batch_id IN (" +
                                      loaded_batches(run, target) + ")"));
  return "SELECT " + run.judge.key_list("") + ", " + version + " AS claimed, la FROM (" +
         run.judge.judged(rows) + ") WHERE " + sound;
}

}  // namespace

base::Status yield_to_claims(Run& run, const table::Snapshot& target, const std::shared_ptr<FateTap>& fates) {
  const Registered settled(run.engine, std::make_shared<StateLookup>(run.rows.numbers, fates->fates));
  const Registered tap(run.engine, fates);
  const std::string fresh = "SELECT * FROM stage WHERE NOT dl AND " + settled.call("fi, fr") + " = 0";
  TRY(const engine::Rows count, run.connection.query("SELECT count(*) FROM (" + fresh + ")"));
  if (count.int64(0, 0) == 0) return {};
  TRY(const std::string scan, run.bronze.scan(true));
  const std::string version = "s.t" + std::to_string(run.judge.index_of(*run.contract.version_column));
  std::string claimed = "(c.claimed > " + version + " OR (c.claimed = " + version + " AND c.la >= s.la))";
  for (const std::string& key : run.contract.primary_key) {
    const std::string column = "t" + std::to_string(run.judge.index_of(key));
    claimed += " AND c." + column + " = s." + column;
  }
  TRY(const std::string claims, claims_of(run, target, scan));
  // Found first and told after: the tap must not change what the filter above still reads.
  TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE claimed AS SELECT s.fi, s.fr FROM (" +
                                    fresh + ") s SEMI JOIN (" + claims + ") c ON " + claimed));
  TRY_STATUS(run.connection.query("SELECT sum(" + tap.call("fi, fr, 0::BIGINT, 0::BIGINT, 3::BIGINT") +
                                  ") FROM claimed"));
  return run.connection.execute("DROP TABLE claimed");
}

}  // namespace load
