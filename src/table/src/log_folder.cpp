#include "log_folder.h"

namespace table {

namespace {

using base::Kind;

constexpr const char* kHintName = "_last_checkpoint";

}  // namespace

std::string log_path(const std::string& table_path) {
  return world::path_join(table_path, "_delta_log");
}

std::string log_file(const std::string& table_path, const std::string& name) {
  return world::path_join(log_path(table_path), name);
}

base::Result<std::vector<std::string>> list_log(const Access& access, const std::string& table_path) {
  const auto listing = access.world->files->list(log_path(table_path));
  if (!listing && listing.error().kind == Kind::not_found)
    return base::fail(Kind::not_found, "delta.no_table", "there is no Delta table at " + table_path,
                      "a Delta table has a folder _delta_log");
  if (!listing) return base::fail(listing.error());
  std::vector<std::string> names;
  for (const world::FileInfo& file : *listing)
    if (!file.is_directory) names.push_back(file.name);
  return names;
}

base::Result<std::vector<delta::Action>> read_actions(const Access& access, const std::string& table_path,
                                                      std::int64_t version) {
  const std::string file = log_file(table_path, delta::entry_name(version));
  TRY(const std::string bytes, access.world->files->read(file));
  return delta::decode_commit(bytes, file);
}

base::Json commit_info_of(const std::vector<delta::Action>& actions) {
  for (const delta::Action& action : actions)
    if (const auto* info = std::get_if<delta::CommitInfo>(&action)) return info->content;
  return base::Json::object();
}

Hint read_hint(const Access& access, const std::string& table_path) {
  const std::string file = log_file(table_path, kHintName);
  Hint hint;
  hint.exists = access.world->files->exists(file);
  if (!hint.exists) return hint;
  const auto bytes = access.world->files->read(file);
  const auto json = bytes ? base::Json::parse(*bytes) : base::Result<base::Json>(base::Json());
  if (json) hint.version = json->int64("version");
  return hint;
}

}  // namespace table
