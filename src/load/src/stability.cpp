// The stability gate: how much of a table one batch may delete or update.
#include <base/text.h>

#include "run.h"

namespace load {

namespace {

base::Status check_share(const Run& run, std::int64_t changed, std::int64_t rows,
                         const std::optional<std::int64_t>& percent_max, const std::string& what) {
  __extension__ typedef __int128 Wide;
  if (!percent_max || Wide{changed} * 100 <= Wide{rows} * *percent_max) return {};
  return base::fail(
      base::Kind::denied, "gate.stability",
      "batch " + run.batch.id + " would " + what + " " + std::to_string(changed) + " of " +
          base::counted(rows, "row") + " of " + run.contract.name.text() + ", the limit is " +
          std::to_string(*percent_max) + "%",
      "ask the source whether the change is meant; raise the threshold and build, or: tenter batch "
      "skip " +
          run.batch.id + " --because …");
}

}  // namespace

base::Status check_stability(const Run& run, std::int64_t rows) {
  const contract::Stability& stability = run.contract.stability;
  if (rows == 0 || rows < stability.rows_least) return {};
  TRY_STATUS(check_share(run, run.report.counts.deleted, rows, stability.deletes_max, "delete"));
  return check_share(run, run.report.counts.updated, rows, stability.updates_max, "update");
}

}  // namespace load
