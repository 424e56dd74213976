// Batches that are full snapshots: one is never loaded over a newer one, since it would delete what came
// after it.
#include "settle_taps.h"

namespace load {

base::Status refuse_older_snapshot(const Place& place, const contract::Contract& contract,
                                   const table::Snapshot& target, const std::string& landing_id,
                                   const Batch& batch) {
  TRY(const std::vector<Batch> landed, landed_batches(place, contract.from));
  bool is_later = false;
  const Batch* newest = nullptr;
  for (const Batch& other : landed) {
    const auto state = target.txn(txn_app_id(landing_id, other.id));
    if (is_later && state && *state <= 2) newest = &other;
    is_later = is_later || other.id == batch.id;
  }
  if (newest == nullptr) return {};
  return base::fail(base::Kind::denied, "gate.older_snapshot",
                    "batch " + batch.id + " is a snapshot that landed before " + newest->id +
                        ", which is loaded in " + contract.name.text() +
                        "; loading it would delete what came later",
                    "if it is pending, pass it over: tenter batch skip " + batch.id + " --because …");
}

base::Status yield_to_snapshot(Run& run, const std::shared_ptr<FateTap>& fates) {
  const Registered settled(run.engine, std::make_shared<StateLookup>(run.rows.numbers, fates->fates));
  const Registered tap(run.engine, fates);
  // Found first and told after: the tap must not change what the filter above still reads.
  TRY_STATUS(run.connection.execute(
      "CREATE OR REPLACE TEMP TABLE left_out AS SELECT fi, fr FROM stage WHERE NOT dl "
      "AND la < make_timestamptz(" +
      std::to_string(*run.manner.snapshot_at_us) + "::BIGINT) AND " + settled.call("fi, fr") + " = 0"));
  TRY_STATUS(run.connection.query("SELECT sum(" + tap.call("fi, fr, 0::BIGINT, 0::BIGINT, 3::BIGINT") +
                                  ") FROM left_out"));
  return run.connection.execute("DROP TABLE left_out");
}

}  // namespace load
