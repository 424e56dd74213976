#include <load/scratch.h>

#include <base/hash.h>
#include <table/table.h>

namespace load {

base::Result<Scratch> Scratch::make(const world::World& world) {
  const std::string root = world.variable("TMPDIR").value_or("/tmp");
  std::string folder = world::path_join(root, "tenter-" + world.random->uuid());
  TRY_STATUS(world.files->make_directories(folder));
  return Scratch(world.files, std::move(folder));
}

Scratch::Scratch(Scratch&& other) noexcept
    : files_(std::move(other.files_)), folder_(std::move(other.folder_)) {}

Scratch::~Scratch() {
  // What stays behind is a folder of its own in the place for such; there is nobody to tell.
  if (files_) (void)files_->remove_all(folder_);
}

std::string Scratch::path_of(const Place& place, const contract::TableName& name) const {
  // Tables of several items may have one name.
  const std::string item = base::sha256_hex(place.tables_root).substr(0, 8);
  return world::path_join(world::path_join(folder_, item), name.text());
}

namespace {

std::string log_file(const std::string& table_path, std::int64_t version) {
  return world::path_join(world::path_join(table_path, "_delta_log"), delta::entry_name(version));
}

}  // namespace

base::Status Scratch::add_double(Place& place, const contract::TableName& name, bool history) const {
  const table::Access access{place.world, place.engine};
  const std::string original = place.table_path(name);
  const std::string path = path_of(place, name);
  if (table::exists(access, original)) {
    TRY(table::Snapshot snapshot, table::open(access, original));
    TRY_STATUS(files_->make_directories(world::path_join(path, "_delta_log")));
    TRY(const auto entries, table::history(access, original, history ? SIZE_MAX : 1));
    for (const table::HistoryEntry& entry : entries) {
      const std::string said = delta::encode_commit({delta::CommitInfo{entry.commit_info}});
      TRY_STATUS(files_->put_if_absent(log_file(path, entry.version), said));
    }
    std::map<std::string, delta::Add> files;
    for (auto& [file, add] : snapshot.state.files) {
      if (file.find(":/") == std::string::npos && !file.starts_with("/"))
        add.path = world::path_join(original, file);
      files.emplace(add.path, add);
    }
    snapshot.state.files = std::move(files);
    snapshot.state.removed.clear();
    snapshot.path = path;
    TRY_STATUS(table::write_checkpoint(access, snapshot));
  }
  place.elsewhere[place.path_in_home(name)] = path;
  return {};
}

base::Status Scratch::add_empty_double(Place& place, const contract::TableName& name) const {
  const table::Access access{place.world, place.engine};
  TRY(const table::Snapshot original, table::open(access, place.table_path(name)));
  const std::string path = path_of(place, name);
  table::Commit change;
  change.operation = "CREATE TABLE";
  change.metadata = *original.state.metadata;
  TRY_STATUS(table::commit(access, path, nullptr, change));
  place.elsewhere[place.path_in_home(name)] = path;
  return {};
}

}  // namespace load
