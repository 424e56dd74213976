#include "standing.h"

#include <algorithm>

#include <base/text.h>

namespace load {

namespace {

constexpr std::string_view kPrefix = "tenter/supersede/";

}  // namespace

std::string supersede_app_id(const std::string& old, const std::string& by) {
  return std::string(kPrefix) + old + "/" + by;
}

std::vector<Standing> standings(const table::Snapshot& bronze) {
  std::vector<Standing> pairs;
  for (const auto& [app_id, txn] : bronze.state.txns) {
    if (!app_id.starts_with(kPrefix)) continue;
    const std::string names = app_id.substr(kPrefix.size());
    const std::size_t slash = names.find('/');
    if (slash == std::string::npos) continue;
    pairs.push_back(Standing{names.substr(0, slash), names.substr(slash + 1), txn.version});
  }
  return pairs;
}

const Standing* find_standing(const std::vector<Standing>& pairs, const std::string& old) {
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const Standing& pair) { return pair.old == old; });
  return found == pairs.end() ? nullptr : &*found;
}

void put_in_place(const std::vector<Standing>& pairs, std::vector<Batch>& batches) {
  if (pairs.empty()) return;
  const auto at = [&](const std::string& id) {
    return std::find_if(batches.begin(), batches.end(), [&](const Batch& batch) { return batch.id == id; });
  };
  // In landing order, so that in a chain each takes a place that is settled.
  std::vector<std::string> order;
  for (const Batch& batch : batches) order.push_back(batch.id);
  for (const std::string& id : order) {
    const Standing* pair = find_standing(pairs, id);
    const auto by = pair == nullptr ? batches.end() : at(pair->by);
    if (by == batches.end()) continue;
    Batch moved = *by;
    moved.stands_for = id;
    batches.erase(by);
    const auto old = at(id);
    old->superseded_by = moved.id;
    batches.insert(old + 1, std::move(moved));
  }
}

std::string in_place(const table::Snapshot& bronze, const std::string& scan) {
  const std::vector<Standing> pairs = standings(bronze);
  if (pairs.empty()) return scan;
  std::string instant = "CASE _batch_id";
  for (const Standing& pair : pairs)
    instant += " WHEN " + base::sql_quote(pair.by) + " THEN make_timestamptz(" +
               std::to_string(pair.loaded_at_us) + "::BIGINT)";
  return "SELECT * REPLACE (" + instant + " ELSE _loaded_at END AS _loaded_at) FROM (" + scan + ")";
}

base::Status refuse_superseded(const contract::TableName& target, const Batch& batch,
                               std::optional<std::int64_t> txn) {
  if (txn && *txn <= 2) return {};
  return base::fail(base::Kind::denied, "batch.superseded",
                    "batch " + batch.id + " is superseded by " + batch.superseded_by +
                        ", which stands in its place in " + target.text(),
                    "load that one: tenter load " + target.text() + " --batch " + batch.superseded_by);
}

}  // namespace load
