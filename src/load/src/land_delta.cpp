#include "land_delta.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <base/hash.h>
#include <base/text.h>
#include <sql/types.h>

#include "file_window.h"

namespace load {

namespace {

using base::Kind;

constexpr std::string_view kLog = "_delta_log";
constexpr std::string_view kVersionMark = "@v";

std::string log_of(const std::string& table) {
  return world::path_join(table, kLog);
}

// What stands for a version: its entry, else its checkpoint. Nothing when neither is there.
std::optional<FoundFile> file_of_version(const world::Files& files, const std::string& table,
                                         std::int64_t version) {
  for (const std::string& name : {delta::entry_name(version), delta::checkpoint_name(version)}) {
    const std::string path = world::path_join(log_of(table), name);
    const auto info = files.info(path);
    if (info) return FoundFile{"", path, info->size, info->modified_us};
  }
  return std::nullopt;
}

// "landing/orders@v12" in its two parts; nothing when it is no version of a table.
std::optional<std::int64_t> version_in(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return std::nullopt;
  path.remove_prefix(folder.size());
  if (!path.starts_with(kVersionMark)) return std::nullopt;
  path.remove_prefix(kVersionMark.size());
  std::int64_t version = -1;
  const auto [end, fault] = std::from_chars(path.data(), path.data() + path.size(), version);
  if (fault != std::errc() || end != path.data() + path.size() || version < 0) return std::nullopt;
  return version;
}

}  // namespace

base::Result<FoundFiles> find_delta_versions(const world::Files& files, const GlobPlace& place,
                                             const std::vector<std::string>& globs) {
  TRY(FoundFiles folders, find_folders(files, place, globs));
  FoundFiles found;
  found.warnings = std::move(folders.warnings);
  for (const FoundFile& folder : folders.files) {
    const auto entries = files.list(log_of(folder.absolute));
    if (!entries && entries.error().kind == Kind::not_found) continue;  // no table
    if (!entries) return base::fail(entries.error());
    std::vector<std::string> names;
    for (const world::FileInfo& entry : *entries) names.push_back(entry.name);
    const auto plan = delta::plan_log(names, std::nullopt);
    // A log that cannot be read is refused with the others, where it is opened.
    const std::int64_t version = plan ? plan->version : 0;
    auto file = file_of_version(files, folder.absolute, version);
    if (!file)
      file = FoundFile{"", world::path_join(log_of(folder.absolute), delta::entry_name(version)), 0, 0};
    file->path = folder.path + std::string(kVersionMark) + std::to_string(version);
    found.files.push_back(*std::move(file));
  }
  return found;
}

base::Status DeltaVersion::describe() {
  const base::Place place{name_, 0, 0};
  for (const delta::Field& field : snapshot_.schema.fields) {
    const auto type = field.type.empty() ? base::Result<sql::Type>(base::fail(Kind::unsupported, "", ""))
                                         : sql::parse_delta_type(field.type);
    if (!type)
      return base::fail(Kind::unsupported, "land.column_type",
                        "the column " + field.name + " is " + (field.type.empty() ? "nested" : field.type) +
                            ", a type that is not landed yet",
                        field.type.starts_with("timestamp") ? "write its times as instants, with a time zone"
                                                            : "leave the column out, or write it as text",
                        place);
    header_.push_back(field.name);
    types_.push_back(field.type);
  }
  return {};
}

namespace {

// Paths of data files that entries after `since` brought with new rows; nothing when an entry is missing.
base::Result<std::optional<std::set<std::string>>> brought_since(const table::Access& access,
                                                                 const table::Snapshot& snapshot,
                                                                 std::int64_t since) {
  std::set<std::string> paths;
  for (std::int64_t version = since + 1; version <= snapshot.version(); ++version) {
    const auto bytes = table::read_entry(access, snapshot.path, version);
    if (!bytes && bytes.error().kind == Kind::not_found) return std::optional<std::set<std::string>>();
    if (!bytes) return base::fail(bytes.error());
    TRY(const auto actions, delta::decode_commit(*bytes, delta::entry_name(version)));
    for (const delta::Action& action : actions)
      if (const auto* add = std::get_if<delta::Add>(&action); add != nullptr && add->data_change)
        paths.insert(add->path);
  }
  return std::optional(std::move(paths));
}

// The newest version of this table that was landed: its log entry must still be the one that the ledger
// knows.
struct Landed {
  std::optional<std::int64_t> version;
  bool is_certain = true;  // false: something was landed, and the log does not tell whether of this table
};

base::Result<Landed> newest_landed(const table::Access& access, const std::string& table,
                                   const std::string& folder, std::int64_t version,
                                   const LandedBefore& before) {
  Landed landed;
  for (const auto& [path, file] : before.newest) {
    const auto known = version_in(path, folder);
    if (!known || *known > version || (landed.version && *landed.version > *known)) continue;
    const auto stands = file_of_version(*access.world->files, table, *known);
    if (!stands) {
      landed.is_certain = false;
      continue;
    }
    TRY(const std::string bytes, access.world->files->read(stands->absolute));
    if (base::sha256_hex(bytes) == file.sha256) landed.version = known;
  }
  return landed;
}

}  // namespace

base::Status DeltaVersion::choose_files(const table::Access& access, const LandedBefore& before) {
  TRY(const Landed landed, newest_landed(access, snapshot_.path, folder_, snapshot_.version(), before));
  const std::vector<delta::Add> files = snapshot_.files();
  std::optional<std::set<std::string>> brought;
  if (landed.version) {
    TRY(brought, brought_since(access, snapshot_, *landed.version));
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!brought || brought->contains(files[i].path)) fresh_.push_back(i);
  const bool is_known_gap = landed.version && !brought;
  if (!fresh_.empty() && (is_known_gap || (!landed.version && !landed.is_certain)))
    warning_ = "the log of " + folder_ + " no longer tells what came since the version that was landed; " +
               name_ + " lands whole";
  return {};
}

base::Status DeltaVersion::count_rows(const table::Access& access) {
  if (fresh_.empty()) return {};
  TRY(const std::string scan, snapshot_.scan(false, fresh_));
  TRY(engine::Connection* const connection, access.engine->connection());
  const auto counted = connection->query("SELECT count(*) FROM (" + scan + ")");
  if (!counted)
    return base::fail(Kind::invalid, "land.bad_delta", name_ + " cannot be read: " + counted.error().message,
                      "deliver the table anew", base::Place{name_, 0, 0});
  rows_ = counted->int64(0, 0);
  return {};
}

base::Result<std::shared_ptr<const DeltaVersion>> DeltaVersion::open(const table::Access& access,
                                                                     const FoundFile& found,
                                                                     const LandedBefore& before) {
  const auto opened = std::make_shared<DeltaVersion>();
  opened->name_ = found.path;
  opened->folder_ = found.path.substr(0, found.path.rfind(kVersionMark));
  const std::optional<std::int64_t> version = version_in(found.path, opened->folder_);
  auto snapshot =
      table::open(access, world::path_parent(world::path_parent(found.absolute)), version.value_or(0));
  if (!snapshot)
    return base::fail(Kind::invalid, "land.bad_delta",
                      found.path + " cannot be read: " + snapshot.error().message, snapshot.error().hint,
                      base::Place{found.path, 0, 0});
  opened->snapshot_ = *std::move(snapshot);
  TRY(const auto file, access.world->files->open(found.absolute));
  opened->size_ = found.size;
  TRY(opened->sha256_, hash_file(*file, found.path, found.size));
  TRY_STATUS(opened->describe());
  TRY_STATUS(opened->choose_files(access, before));
  TRY_STATUS(opened->count_rows(access));
  return std::shared_ptr<const DeltaVersion>(opened);
}

base::Result<std::string> DeltaVersion::select(const std::vector<delta::Field>& fields,
                                               const std::vector<std::string>& names) const {
  TRY(const std::string scan, snapshot_.scan(false, fresh_));
  TRY(const std::string list, select_typed(fields, names, header_, name_));
  return list + " FROM (" + scan + ")";
}

}  // namespace load
