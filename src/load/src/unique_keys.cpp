// Unique keys on the state that a commit would leave, kept rows included.
#include <base/text.h>

#include "run.h"

namespace load {

namespace {

base::Status prove_one(const Run& run, const std::string& rows, const std::vector<std::string>& key) {
  std::vector<std::string> columns;
  for (const std::string& name : key) columns.push_back(base::sql_name(name));
  const std::string list = base::join(columns, ", ");
  TRY(const engine::Rows found,
      run.connection.query(
          "SELECT count(*), array_to_string(min(shown, 5), '; ') FROM (SELECT concat_ws(', ', " + list +
          ") AS shown FROM (" + rows + ") WHERE " + base::join(columns, " IS NOT NULL AND ") +
          " IS NOT NULL GROUP BY " + list + " HAVING count(*) > 1)"));
  const std::int64_t count = found.int64(0, 0);
  if (count == 0) return {};
  return base::fail(base::Kind::denied, "gate.unique_key",
                    std::to_string(count) + " values of the key (" + base::join(key, ", ") +
                        ") would stand in more than one row of " + run.contract.name.text() + ": " +
                        found.text(0, 1),
                    "correct the source, or the rows that are there; or skip the batch: tenter batch skip " +
                        run.batch.id + " --because …");
}

}  // namespace

base::Status prove_unique(const Run& run, const std::string& rows) {
  // Matching by the primary key proves that one already; where rows are only added nothing does.
  if (run.contract.append && !run.contract.primary_key.empty())
    TRY_STATUS(prove_one(run, rows, run.contract.primary_key));
  for (const auto& key : run.contract.unique_keys) TRY_STATUS(prove_one(run, rows, key));
  return {};
}

}  // namespace load
