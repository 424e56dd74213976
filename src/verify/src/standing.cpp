#include "standing.h"

#include <base/text.h>

#include "examination.h"

namespace verify {

std::vector<Pair> pairs_of(const std::map<std::string, std::int64_t>& txns) {
  const std::string prefix = "tenter/supersede/";
  std::vector<Pair> pairs;
  for (const auto& [app, instant] : txns) {
    const std::size_t slash = app.rfind('/');
    if (app.starts_with(prefix) && slash >= prefix.size())
      pairs.push_back({app.substr(prefix.size(), slash - prefix.size()), app.substr(slash + 1), instant});
  }
  return pairs;
}

std::string in_place(const State& landed, const std::string& relation) {
  std::string instants;
  for (const Pair& pair : pairs_of(landed.txns))
    instants += (instants.empty() ? "(" : ", (") + base::sql_quote(pair.by) + ", " +
                std::to_string(pair.loaded_at_us) + "::BIGINT)";
  if (instants.empty()) return relation;
  return "SELECT l.* REPLACE (coalesce(make_timestamptz(p.us), l._loaded_at) AS _loaded_at) FROM (" +
         relation + ") l LEFT JOIN (VALUES " + instants + ") AS p(id, us) ON l._batch_id = p.id";
}

namespace {

// The instant is that of the first row of the batch that was replaced, or of the one it stood for itself.
base::Status check_pair(Examination& examination, const Table& landing, const Entry& entry,
                        const Pair& pair) {
  for (const Pair& other : pairs_of(entry.before->txns)) {
    if (other.by != pair.old) continue;
    examination.compare("verify.supersede", landing, entry.version, pair.old, other.loaded_at_us,
                        pair.loaded_at_us);
    return {};
  }
  const std::vector<LiveFile> files = live_files(*entry.before);
  if (const std::string gone = examination.rows.missing(files); !gone.empty()) {
    examination.not_covered("verify.supersede", landing, entry.version, pair.old,
                            "the file " + gone + " is gone");
    return {};
  }
  TRY(const std::string relation, examination.rows.relation(files, entry.before->fields));
  TRY(const engine::Rows first, examination.rows.query("SELECT epoch_us(min(_loaded_at)) FROM (" + relation +
                                                       ") WHERE _batch_id = " + base::sql_quote(pair.old)));
  if (first.is_null(0, 0)) {
    examination.not_covered("verify.supersede", landing, entry.version, pair.old, "the batch has no rows");
    return {};
  }
  examination.compare("verify.supersede", landing, entry.version, pair.old, first.int64(0, 0),
                      pair.loaded_at_us);
  return {};
}

}  // namespace

base::Status check_supersessions(Examination& examination, const Table& landing) {
  for (const Entry& entry : landing.log.entries) {
    const Receipt* receipt = landing.receipt(entry);
    const std::vector<Pair> pairs = pairs_of(entry.txns);
    const bool is_told = receipt && receipt->kind == "supersede";
    if (!is_told && pairs.empty()) continue;
    const std::string old = is_told ? receipt->batch.value_or("") : "";
    const std::string by = is_told ? receipt->superseded_by.value_or("") : "";
    if (pairs.size() != 1 || pairs.front().old != old || pairs.front().by != by) {
      examination.failed(
          "verify.supersede", landing, entry.version, old, "one txn of the pair that it tells of",
          std::to_string(pairs.size()) + " of " + (pairs.empty() ? "none" : pairs.front().old));
      continue;
    }
    const base::Status status = check_pair(examination, landing, entry, pairs.front());
    if (!status) TRY_STATUS(examination.unreadable(status.error(), landing, entry.version));
  }
  return {};
}

}  // namespace verify
