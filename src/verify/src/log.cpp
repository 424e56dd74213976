#include "log.h"

#include <charconv>

#include <base/hash.h>
#include <base/text.h>

#include "replay.h"

namespace verify {

namespace {

using base::Kind;

// What the folder _delta_log holds, by version.
struct Listing {
  std::map<std::int64_t, std::string> entries;      // version -> path
  std::map<std::int64_t, std::string> checkpoints;  // single-file ones
  std::map<std::int64_t, std::string> others;       // checkpoints of a kind we do not read: version -> name
};

std::optional<std::int64_t> version_of(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.size() != 20 || status != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return value;
}

base::Result<Listing> list_log(const world::Files& files, const std::string& folder) {
  auto names = files.list(folder);
  if (!names && names.error().kind == Kind::not_found)
    return base::fail(Kind::not_found, "verify.no_table", "no table here: " + world::path_parent(folder));
  if (!names) return base::fail(names.error());
  Listing listing;
  for (const world::FileInfo& file : *names) {
    const std::size_t dot = file.name.find('.');
    if (dot == std::string::npos) continue;
    const auto version = version_of(std::string_view(file.name).substr(0, dot));
    if (!version) continue;
    const std::string ending = file.name.substr(dot);
    const std::string path = world::path_join(folder, file.name);
    if (ending == ".json")
      listing.entries[*version] = path;
    else if (ending == ".checkpoint.parquet")
      listing.checkpoints[*version] = path;
    else if (ending.starts_with(".checkpoint."))
      listing.others[*version] = file.name;
  }
  if (listing.entries.empty() && listing.checkpoints.empty() && listing.others.empty())
    return base::fail(Kind::not_found, "verify.no_table", "no table here: " + world::path_parent(folder));
  return listing;
}

std::int64_t newest_version(const Listing& listing) {
  std::int64_t newest = -1;
  if (!listing.entries.empty()) newest = std::max(newest, listing.entries.rbegin()->first);
  if (!listing.checkpoints.empty()) newest = std::max(newest, listing.checkpoints.rbegin()->first);
  return newest;
}

// Where replay begins: nothing for "from version 0", else the oldest checkpoint from which every
// later entry up to `newest` is there.
base::Result<std::optional<std::int64_t>> find_start(const Listing& listing, std::int64_t newest) {
  std::int64_t oldest = newest + 1;
  while (oldest > 0 && listing.entries.contains(oldest - 1)) --oldest;
  if (oldest == 0) return std::optional<std::int64_t>();
  const auto checkpoint = listing.checkpoints.lower_bound(oldest - 1);
  if (checkpoint != listing.checkpoints.end() && checkpoint->first <= newest)
    return std::optional<std::int64_t>(checkpoint->first);
  const auto other = listing.others.lower_bound(oldest - 1);
  if (other != listing.others.end() && other->first <= newest)
    return base::fail(Kind::unsupported, "verify.unsupported",
                      "the log can only be read from " + other->second +
                          ", a checkpoint in several files or of a newer kind, which verify does not read");
  return base::fail(Kind::corrupt, "verify.log",
                    "the log has a gap: version " + std::to_string(oldest - 1) +
                        " is missing and no checkpoint stands in for it");
}

base::Status apply_entry(const world::Files& files, const Listing& listing, const std::string& table,
                         std::int64_t version, Log& log) {
  TRY(const std::string bytes, files.read(listing.entries.at(version)));
  if (base::trim(bytes).empty())
    return base::fail(Kind::corrupt, "verify.log",
                      "version " + std::to_string(version) + " of " + table + " holds no action",
                      "its file was emptied or its writer was cut off");
  Entry entry;
  entry.version = version;
  entry.sha256 = base::sha256_hex(bytes);
  if (const Entry* previous = log.entry(version - 1)) {
    entry.previous_sha256 = previous->sha256;
  } else if (const auto found = listing.entries.find(version - 1); found != listing.entries.end()) {
    TRY(const std::string older, files.read(found->second));
    entry.previous_sha256 = base::sha256_hex(older);
  }
  entry.before = log.state;
  State next = *log.state;
  next.version = version;
  TRY_STATUS(replay_entry(bytes, base::Place{world::path_name(listing.entries.at(version)), 0, 0}, table,
                          next, entry));
  log.state = std::make_shared<const State>(std::move(next));
  entry.after = log.state;
  log.entries.push_back(std::move(entry));
  return {};
}

template <typename Map>
std::string first_difference(const std::string& what, const Map& entries, const Map& checkpoint,
                             const auto& same) {
  for (const auto& [name, value] : entries) {
    const auto found = checkpoint.find(name);
    if (found == checkpoint.end()) return what + " " + name + " is missing";
    if (!same(value, found->second)) return what + " " + name + " differs";
  }
  for (const auto& [name, value] : checkpoint)
    if (!entries.contains(name)) return what + " " + name + " is in no entry";
  return {};
}

std::string compare_states(const State& entries, const State& checkpoint) {
  if (entries.id != checkpoint.id) return "the table id differs";
  if (entries.fields != checkpoint.fields) return "the schema differs";
  const auto equal = [](const auto& a, const auto& b) { return a == b; };
  const auto same_file = [](const LiveFile& a, const LiveFile& b) {
    return a.size == b.size && a.stats == b.stats;
  };
  std::string found = first_difference("file", entries.files, checkpoint.files, same_file);
  if (found.empty()) found = first_difference("property", entries.properties, checkpoint.properties, equal);
  if (found.empty()) found = first_difference("txn", entries.txns, checkpoint.txns, equal);
  return found;
}

// Readers begin at a checkpoint; one that lies changes the table for them, whatever the entries say.
void check_checkpoints(engine::LazyEngine& engine, const Listing& listing, Log& log) {
  for (const auto& [version, path] : listing.checkpoints) {
    const Entry* entry = log.entry(version);
    if (entry == nullptr) continue;
    State state;
    const base::Status read = read_checkpoint(engine, path, log.path, state);
    log.checkpoints.push_back(CheckpointCheck{
        version, read ? compare_states(*entry->after, state) : "it cannot be read: " + read.error().message});
  }
}

}  // namespace

const Field* State::find(std::string_view name) const {
  for (const Field& field : fields)
    if (base::equal_ignoring_case(field.name, name)) return &field;
  return nullptr;
}

std::string State::property(const std::string& name) const {
  const auto found = properties.find(name);
  return found == properties.end() ? std::string() : found->second;
}

const Entry* Log::entry(std::int64_t version) const {
  if (entries.empty() || version < first || version > entries.back().version) return nullptr;
  return &entries[static_cast<std::size_t>(version - first)];
}

bool has_log(const world::Files& files, const std::string& path) {
  return list_log(files, world::path_join(path, "_delta_log")).has_value();
}

base::Result<Log> read_log(const world::Files& files, engine::LazyEngine& engine, const std::string& path,
                           std::optional<std::int64_t> version) {
  TRY(const Listing listing, list_log(files, world::path_join(path, "_delta_log")));
  Log log;
  log.path = path;
  log.newest = version.value_or(newest_version(listing));
  if (log.newest < 0 || (!listing.entries.contains(log.newest) && !listing.checkpoints.contains(log.newest)))
    return base::fail(Kind::not_found, "verify.version_missing",
                      "version " + std::to_string(log.newest) + " is not in the log; its newest is " +
                          std::to_string(newest_version(listing)));
  TRY(const std::optional<std::int64_t> start, find_start(listing, log.newest));
  State state;
  if (start) {
    TRY_STATUS(read_checkpoint(engine, listing.checkpoints.at(*start), path, state));
    state.version = *start;
    log.first = *start + 1;
  }
  log.state = std::make_shared<const State>(std::move(state));
  for (std::int64_t next = log.first; next <= log.newest; ++next)
    TRY_STATUS(apply_entry(files, listing, path, next, log));
  if (log.state->id.empty())
    return base::fail(Kind::corrupt, "verify.log", "the log of " + path + " holds no metadata");
  check_checkpoints(engine, listing, log);
  return log;
}

}  // namespace verify
