#include <delta/replay.h>

#include <set>

namespace delta {

namespace {

using base::Kind;

std::unexpected<base::Error> contradiction(std::int64_t version, const std::string& what) {
  return base::fail(Kind::corrupt, "delta.replay", "log entry " + std::to_string(version) + " " + what,
                    "the log is damaged; nothing was read from it");
}

// A file's identity: its path and the deletion vector that masks it.
std::string file_key(const std::string& path, const std::optional<base::Json>& vector) {
  return path + '\n' + (vector ? vector->print() : std::string());
}

// What one entry may say only once.
class Entry {
 public:
  explicit Entry(std::int64_t version) : version_(version) {}

  base::Status check(const std::vector<Action>& actions) {
    for (const Action& action : actions)
      TRY_STATUS(std::visit([this](const auto& one) { return once(one); }, action));
    return {};
  }

 private:
  base::Status once(const Protocol&) { return once(protocols_++ == 0, "states two protocols"); }
  base::Status once(const Metadata&) { return once(metadata_++ == 0, "states two metaData"); }
  base::Status once(const Add& add) {
    return once(files_.insert(file_key(add.path, add.deletion_vector)).second,
                "adds or removes the file " + add.path + " twice");
  }
  base::Status once(const Remove& remove) {
    return once(files_.insert(file_key(remove.path, remove.deletion_vector)).second,
                "adds or removes the file " + remove.path + " twice");
  }
  base::Status once(const Txn& txn) {
    return once(app_ids_.insert(txn.app_id).second, "states two transactions of " + txn.app_id);
  }
  base::Status once(const CommitInfo&) { return {}; }
  base::Status once(const Other&) { return {}; }

  base::Status once(bool is_first, const std::string& what) const {
    if (!is_first) return contradiction(version_, what);
    return {};
  }

  std::int64_t version_;
  int protocols_ = 0;
  int metadata_ = 0;
  std::set<std::string> files_;
  std::set<std::string> app_ids_;
};

void apply_domain(State& state, const base::Json& content) {
  const auto domain = content.string("domain");
  if (!domain) return;
  if (content.boolean("removed").value_or(false))
    state.domains.erase(std::string(*domain));
  else
    state.domains[std::string(*domain)] = content;
}

}  // namespace

base::Status State::apply(std::int64_t entry_version, const std::vector<Action>& actions) {
  if (version >= 0 && entry_version != version + 1)
    return contradiction(entry_version, "does not follow version " + std::to_string(version));
  TRY_STATUS(Entry(entry_version).check(actions));
  // Removes first: a file may be removed and added anew under another deletion vector.
  for (const Action& action : actions) {
    if (const auto* remove = std::get_if<Remove>(&action)) {
      files.erase(remove->path);
      removed[remove->path] = *remove;
    }
  }
  for (const Action& action : actions) {
    if (const auto* add = std::get_if<Add>(&action)) {
      removed.erase(add->path);
      files[add->path] = *add;
    } else if (const auto* one_protocol = std::get_if<Protocol>(&action)) {
      protocol = *one_protocol;
    } else if (const auto* one_metadata = std::get_if<Metadata>(&action)) {
      metadata = *one_metadata;
    } else if (const auto* txn = std::get_if<Txn>(&action)) {
      txns[txn->app_id] = *txn;
    } else if (const auto* other = std::get_if<Other>(&action); other && other->name == "domainMetadata") {
      apply_domain(*this, other->content);
    }
  }
  version = entry_version;
  return {};
}

}  // namespace delta
