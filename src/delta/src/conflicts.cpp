#include <delta/replay.h>

#include <algorithm>

namespace delta {

namespace {

using base::Kind;

std::unexpected<base::Error> conflict(const std::string& word, std::int64_t winner, const std::string& what) {
  return base::fail(Kind::conflict, "delta.conflict_" + word,
                    "version " + std::to_string(winner) + ", committed meanwhile, " + what,
                    "read the table again and repeat the change");
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

base::Status check_conflict(const Intent& intent, std::int64_t winner_version,
                            const std::vector<Action>& winner) {
  for (const Action& action : winner) {
    if (std::holds_alternative<Protocol>(action))
      return conflict("protocol", winner_version, "changed the table's protocol");
    if (std::holds_alternative<Metadata>(action))
      return conflict("metadata", winner_version, "changed the table's schema or properties");
    if (const auto* txn = std::get_if<Txn>(&action); txn && contains(intent.app_ids, txn->app_id))
      return conflict("txn", winner_version, "holds the transaction " + txn->app_id + " too");
    if (const auto* remove = std::get_if<Remove>(&action)) {
      if (contains(intent.removes, remove->path))
        return conflict("delete", winner_version, "removed the file " + remove->path + " too");
      if (intent.reads_whole_table && remove->data_change)
        return conflict("delete", winner_version, "removed the file " + remove->path + ", which was read");
    }
    if (const auto* add = std::get_if<Add>(&action); add && intent.reads_whole_table && add->data_change)
      return conflict("append", winner_version, "added the file " + add->path + ", which was not read");
  }
  return {};
}

}  // namespace delta
