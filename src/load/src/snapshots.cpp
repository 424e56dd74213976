// Batches that are full snapshots: one is never loaded over a newer one, since it would delete what came
// after it.
#include "run.h"

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

}  // namespace load
