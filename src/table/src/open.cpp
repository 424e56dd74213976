// From a folder to one version of its table.
#include "log_folder.h"

namespace table {

namespace {

using base::Kind;

// The hint decides nothing: the listing does. What it gets wrong is worth a word.
void check_hint(const Access& access, const std::string& path, const std::vector<std::string>& names,
                std::vector<std::string>& warnings) {
  std::optional<std::int64_t> newest;
  for (const std::string& text : names) {
    const delta::LogName name = delta::parse_log_name(text);
    if (name.kind == delta::LogName::Kind::checkpoint || name.kind == delta::LogName::Kind::checkpoint_part ||
        name.kind == delta::LogName::Kind::checkpoint_v2)
      newest = std::max(newest.value_or(name.version), name.version);
  }
  const Hint hint = read_hint(access, path);
  if (!hint.exists) {
    if (newest) warnings.push_back("_last_checkpoint is missing; the newest checkpoint was found by listing");
  } else if (!hint.version) {
    warnings.push_back("_last_checkpoint cannot be read; the newest checkpoint was found by listing");
  } else if (!newest || *hint.version > *newest) {
    warnings.push_back("_last_checkpoint names the checkpoint of version " + std::to_string(*hint.version) +
                       ", which is not there");
  } else if (*hint.version < *newest) {
    warnings.push_back("_last_checkpoint names version " + std::to_string(*hint.version) +
                       ", but there is a checkpoint of version " + std::to_string(*newest));
  }
}

base::Result<delta::State> replay(const Access& access, const std::string& path, const delta::LogPlan& plan) {
  delta::State state;
  if (plan.checkpoint) {
    TRY(const auto actions, read_checkpoint(access, path, *plan.checkpoint));
    TRY_STATUS(state.apply(*plan.checkpoint, actions));
  }
  for (const std::int64_t version : plan.entries) {
    TRY(const auto actions, read_actions(access, path, version));
    TRY_STATUS(state.apply(version, actions));
  }
  return state;
}

// A checkpoint that cannot be read is passed over while the rest of the log suffices.
base::Result<delta::State> replay_without(const Access& access, const std::string& path,
                                          std::vector<std::string> names, const delta::LogPlan& plan,
                                          const base::Error& fault, std::vector<std::string>& warnings) {
  std::erase(names, delta::checkpoint_name(*plan.checkpoint));
  const auto other = delta::plan_log(names, plan.version);
  if (!other) return base::fail(fault);
  warnings.push_back("the checkpoint of version " + std::to_string(*plan.checkpoint) +
                     " was passed over: " + fault.message);
  auto state = replay(access, path, *other);
  if (!state && other->checkpoint)
    return replay_without(access, path, names, *other, state.error(), warnings);
  return state;
}

}  // namespace

bool exists(const Access& access, const std::string& path) {
  const auto names = list_log(access, path);
  if (!names) return false;
  for (const std::string& text : *names) {
    const delta::LogName name = delta::parse_log_name(text);
    if (name.kind != delta::LogName::Kind::other && name.kind != delta::LogName::Kind::compacted) return true;
  }
  return false;
}

base::Result<Snapshot> open(const Access& access, const std::string& path,
                            std::optional<std::int64_t> version) {
  TRY(const auto names, list_log(access, path));
  auto plan = delta::plan_log(names, version);
  if (!plan) {
    plan.error().message += " (table " + path + ")";
    return base::fail(plan.error());
  }
  Snapshot snapshot;
  snapshot.path = path;
  if (!version) check_hint(access, path, names, snapshot.warnings);
  auto state = replay(access, path, *plan);
  if (!state && plan->checkpoint)
    state = replay_without(access, path, names, *plan, state.error(), snapshot.warnings);
  if (!state) return base::fail(state.error());
  snapshot.state = *std::move(state);
  auto readable = delta::check_readable(snapshot.state);
  if (!readable) {
    readable.error().message += " (table " + path + ")";
    return base::fail(readable.error());
  }
  TRY(snapshot.schema, delta::parse_schema(snapshot.state.metadata->schema_text));
  return snapshot;
}

base::Result<std::string> read_entry(const Access& access, const std::string& path, std::int64_t version) {
  auto bytes = access.world->files->read(log_file(path, delta::entry_name(version)));
  if (!bytes && bytes.error().kind == Kind::not_found)
    return base::fail(Kind::not_found, "delta.version_missing",
                      "log entry " + std::to_string(version) + " of " + path + " is not there");
  return bytes;
}

base::Result<std::vector<HistoryEntry>> history(const Access& access, const std::string& path,
                                                std::size_t limit) {
  TRY(const auto names, list_log(access, path));
  std::vector<std::int64_t> versions;
  for (const std::string& text : names) {
    const delta::LogName name = delta::parse_log_name(text);
    if (name.kind == delta::LogName::Kind::entry) versions.push_back(name.version);
  }
  if (versions.empty())
    return base::fail(Kind::not_found, "delta.no_table", "there is no log entry in " + log_path(path));
  std::sort(versions.rbegin(), versions.rend());
  std::vector<HistoryEntry> entries;
  for (const std::int64_t version : versions) {
    if (entries.size() == limit) break;
    TRY(const auto actions, read_actions(access, path, version));
    entries.push_back({version, commit_info_of(actions)});
  }
  return entries;
}

}  // namespace table
