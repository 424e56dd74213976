// Putting the next log entry.
#include <base/hash.h>
#include <base/text.h>
#include <product_version.h>

#include <algorithm>
#include <charconv>

#include "log_folder.h"

namespace table {

namespace {

using base::Json;
using base::Kind;

constexpr std::int64_t kCheckpointEvery = 10;
constexpr int kTriesMax = 1'000;

bool is_append_only(const delta::Metadata& metadata) {
  const auto found = metadata.configuration.find("delta.appendOnly");
  return found != metadata.configuration.end() && base::ascii_lower(found->second) == "true";
}

std::unexpected<base::Error> refused_change(const std::string& what) {
  return base::fail(Kind::unsupported, "table.schema_change_refused", what,
                    "only nullable columns can be added to a table that holds rows");
}

// Old files stay as they are, so a new schema must still describe them; where none stays, columns may go.
base::Status check_schema_change(const delta::Schema& before, const delta::Schema& after, bool holds_files) {
  for (const delta::Field& old : before.fields) {
    const delta::Field* now = after.find(old.name);
    if (!now && !holds_files) continue;
    if (!now) return refused_change("column " + old.name + " would be dropped or renamed");
    if (now->type != old.type || now->nested != old.nested)
      return refused_change("column " + old.name + " would change its type from " + old.type + " to " +
                            now->type);
    if (delta::physical_name(*now) != delta::physical_name(old) ||
        delta::column_id(*now) != delta::column_id(old))
      return refused_change("column " + old.name + " would have another name in the data files");
    if (!now->nullable && old.nullable && holds_files)
      return refused_change("column " + old.name + " would become NOT NULL");
  }
  for (const delta::Field& now : after.fields)
    if (!before.find(now.name) && !now.nullable && holds_files)
      return refused_change("the new column " + now.name + " is NOT NULL");
  return {};
}

class Writer {
 public:
  Writer(const Access& access, const std::string& path, const Snapshot* base, Commit change,
         const UserMetadata& user_metadata)
      : access_(access),
        path_(path),
        base_(base),
        change_(std::move(change)),
        user_metadata_(user_metadata) {}

  base::Result<Committed> run() {
    TRY_STATUS(base_ ? check_change() : check_new());
    std::int64_t version = base_ ? base_->version() + 1 : 0;
    TRY_STATUS(access_.world->files->make_directories(log_path(path_)));
    for (int attempt = 0; attempt < kTriesMax; ++attempt) {
      TRY(const std::string previous, previous_sha256(version));
      Committed committed{version, access_.world->clock->now_us() / 1'000, previous};
      const std::string bytes = delta::encode_commit(actions(committed));
      const std::string file = log_file(path_, delta::entry_name(version));
      TRY(const auto outcome, access_.world->files->put_if_absent(file, bytes));
      if (outcome == world::PutOutcome::created) return committed;
      TRY(const auto winner, read_actions(access_, path_, version));
      TRY_STATUS(check_against(version, winner));
      ++version;
    }
    return base::fail(Kind::conflict, "table.too_many_conflicts",
                      "other writers were first " + std::to_string(kTriesMax) + " times", "try again later");
  }

 private:
  base::Status check_new() {
    if (!change_.metadata)
      return base::fail(Kind::internal, "table.no_metadata", "a new table needs a schema: " + path_);
    delta::State state;
    state.metadata = change_.metadata;
    state.protocol = protocol_ = delta::protocol_for(*change_.metadata, std::nullopt);
    if (!change_.removes.empty())
      return base::fail(Kind::internal, "table.not_live", "a new table has no file to remove");
    return delta::check_writable(state);
  }

  base::Status check_change() {
    delta::State state = base_->state;
    TRY_STATUS(delta::check_writable(state));
    if (change_.data_change && !change_.removes.empty() && is_append_only(*state.metadata))
      return base::fail(
          Kind::denied, "table.append_only",
          "the table is append-only (delta.appendOnly), so its rows cannot be removed or changed",
          "append, or unset the property");
    for (const std::string& removed : change_.removes)
      if (state.files.erase(removed) == 0)
        return base::fail(
            Kind::internal, "table.not_live",
            "the file " + removed + " is not part of version " + std::to_string(base_->version()));
    if (!change_.metadata) return {};
    if (change_.metadata->id != base_->id())
      return base::fail(Kind::internal, "table.schema_change_refused", "a table keeps its id");
    TRY(const auto after, delta::parse_schema(change_.metadata->schema_text));
    TRY_STATUS(check_schema_change(base_->schema, after, !state.files.empty()));
    const delta::Protocol needed = delta::protocol_for(*change_.metadata, state.protocol);
    if (needed != *state.protocol) protocol_ = needed;
    state.metadata = change_.metadata;
    state.protocol = needed;
    return delta::check_writable(state);
  }

  // Empty for the first entry, and when the previous one was cleaned away.
  base::Result<std::string> previous_sha256(std::int64_t version) const {
    if (version == 0) return std::string();
    const auto bytes = access_.world->files->read(log_file(path_, delta::entry_name(version - 1)));
    if (!bytes && bytes.error().kind != Kind::not_found) return base::fail(bytes.error());
    return bytes ? base::sha256_hex(*bytes) : std::string();
  }

  base::Status check_against(std::int64_t version, const std::vector<delta::Action>& winner) const {
    if (!base_)
      return base::fail(Kind::conflict, "delta.conflict_metadata",
                        "somebody else made the table " + path_ + " meanwhile",
                        "open it and repeat the change");
    delta::Intent intent;
    intent.reads_whole_table = change_.depends_on_table;
    intent.removes = change_.removes;
    for (const delta::Txn& txn : change_.txns) intent.app_ids.push_back(txn.app_id);
    intent.changes_metadata = change_.metadata.has_value();
    intent.changes_protocol = protocol_.has_value();
    return delta::check_conflict(intent, version, winner);
  }

  Json commit_info(const Committed& committed) const {
    const bool is_blind = !change_.depends_on_table && change_.removes.empty() && !change_.adds.empty();
    Json info = Json::object({{"timestamp", committed.timestamp_ms},
                              {"operation", change_.operation},
                              {"operationParameters", change_.parameters}});
    if (base_) info.set("readVersion", base_->version());
    info.set("isolationLevel", "Serializable");
    info.set("isBlindAppend", is_blind);
    if (!change_.metrics.members().empty()) info.set("operationMetrics", change_.metrics);
    info.set("engineInfo", std::string("Tenter/") + kProductVersion);
    for (const auto& [name, value] : change_.extra) info.set(name, value);
    const std::string text =
        user_metadata_ ? user_metadata_(committed.previous_sha256) : change_.user_metadata;
    if (!text.empty()) info.set("userMetadata", text);
    return info;
  }

  std::vector<delta::Action> actions(const Committed& committed) const {
    std::vector<delta::Action> all;
    all.push_back(delta::CommitInfo{commit_info(committed)});
    if (protocol_) all.push_back(*protocol_);
    if (change_.metadata) all.push_back(*change_.metadata);
    for (const delta::Txn& txn : change_.txns) {
      all.push_back(txn);
      auto& written = std::get<delta::Txn>(all.back());
      if (!written.updated_ms) written.updated_ms = committed.timestamp_ms;
    }
    for (const std::string& path : change_.removes) all.push_back(tombstone(path, committed.timestamp_ms));
    for (const DataFile& file : change_.adds) {
      all.push_back(file.add);
      std::get<delta::Add>(all.back()).data_change = change_.data_change;
    }
    return all;
  }

  delta::Remove tombstone(const std::string& path, std::int64_t now_ms) const {
    const delta::Add& add = base_->state.files.at(path);
    delta::Remove remove;
    remove.path = path;
    remove.deleted_ms = now_ms;
    remove.data_change = change_.data_change;
    remove.extended_file_metadata = true;
    remove.partition_values = add.partition_values;
    remove.size = add.size;
    return remove;
  }

  const Access& access_;
  const std::string& path_;
  const Snapshot* base_;
  Commit change_;
  const UserMetadata& user_metadata_;
  std::optional<delta::Protocol> protocol_;  // to be written
};

void checkpoint_quietly(const Access& access, const std::string& path, std::int64_t version) {
  if (version == 0 || version % kCheckpointEvery != 0) return;
  const auto snapshot = open(access, path, version);
  // Readers do without; the next one is due in ten versions.
  if (snapshot) (void)write_checkpoint(access, *snapshot);
}

}  // namespace

base::Result<Committed> commit(const Access& access, const std::string& path, const Snapshot* base,
                               Commit change, const UserMetadata& user_metadata) {
  Writer writer(access, path, base, std::move(change), user_metadata);
  TRY(const Committed committed, writer.run());
  checkpoint_quietly(access, path, committed.version);
  return committed;
}

delta::Metadata new_metadata(const Access& access, const delta::Schema& schema,
                             const delta::Properties& properties) {
  delta::Metadata metadata;
  metadata.id = access.world->random->uuid();
  metadata.schema_text = delta::print_schema(schema);
  metadata.configuration = properties;
  metadata.created_ms = access.world->clock->now_us() / 1'000;
  return metadata;
}

void map_columns(const Access& access, delta::Schema& schema, delta::Properties& properties) {
  std::int64_t last = 0;
  for (const delta::Field& field : schema.fields) last = std::max(last, delta::column_id(field).value_or(0));
  if (const auto stated = properties.find(delta::kMappingLastId); stated != properties.end()) {
    std::int64_t number = 0;
    std::from_chars(stated->second.data(), stated->second.data() + stated->second.size(), number);
    last = std::max(last, number);
  }
  for (delta::Field& field : schema.fields) {
    if (delta::column_id(field)) continue;
    field.metadata.set(delta::kFieldId, ++last);
    field.metadata.set(delta::kFieldPhysicalName, "col-" + access.world->random->uuid());
  }
  properties[delta::kMappingMode] = "name";
  properties[delta::kMappingLastId] = std::to_string(last);
}

}  // namespace table
