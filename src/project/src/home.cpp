#include <project/home.h>

#include <algorithm>

#include <base/text.h>
#include <base/time.h>

#include "control.h"

namespace project {

using base::Kind;

namespace {

std::string settings_path(const std::string& home) {
  return world::path_join(home, "home.json");
}
std::string clock_path(const std::string& home) {
  return world::path_join(home, "clock");
}
std::string control_path(const std::string& home) {
  return world::path_join(home, "control.db");
}

// Killed in here, a run leaves no temporary file that no later run takes over.
base::Status start_clock(world::Files& files, const std::string& path, std::int64_t at_us) {
  const std::string text = base::print_instant(at_us) + "\n";
  TRY(const world::PutOutcome outcome, files.put_if_absent(path, text));
  return outcome == world::PutOutcome::existed ? files.replace(path, text) : base::Status{};
}

}  // namespace

base::Result<Home> Home::create(const world::World& world, const std::string& path,
                                std::optional<std::int64_t> test_clock_us) {
  if (world.files->exists(settings_path(path))) {
    TRY(Home home, open(world, path));
    if (test_clock_us && !home.has_test_clock_)
      return base::fail(Kind::invalid, "home.exists", path + " exists and runs on the machine's clock",
                        "choose another folder with --home");
    return home;
  }
  TRY_STATUS(world.files->make_directories(world::path_join(path, "onelake")));
  if (test_clock_us) TRY_STATUS(start_clock(*world.files, clock_path(path), *test_clock_us));
  const base::Json settings =
      base::Json::object({{"format", kHomeFormat}, {"test_clock", test_clock_us.has_value()}});
  TRY(const world::PutOutcome outcome,
      world.files->put_if_absent(settings_path(path), settings.print(2) + "\n"));
  return outcome == world::PutOutcome::created ? open(world, path) : create(world, path, test_clock_us);
}

base::Result<Home> Home::open(const world::World& world, const std::string& path) {
  const auto text = world.files->read(settings_path(path));
  if (!text) {
    if (text.error().kind != Kind::not_found) return base::fail(text.error());
    return base::fail(Kind::not_found, "home.not_found", "no home at " + path,
                      "run tenter init, or name one with --home");
  }
  const auto settings = base::Json::parse(*text);
  if (!settings || !settings->int64("format"))
    return base::fail(Kind::corrupt, "home.corrupt", settings_path(path) + " holds no format number");
  if (*settings->int64("format") > kHomeFormat)
    return base::fail(Kind::unsupported, "home.newer_format",
                      "the home has format " + std::to_string(*settings->int64("format")) +
                          ", this Tenter knows " + std::to_string(kHomeFormat),
                      "use a newer Tenter");
  Home home;
  home.path_ = path;
  home.has_test_clock_ = settings->boolean("test_clock").value_or(false);
  return home;
}

base::Result<std::int64_t> Home::begin_command(const world::World& world) {
  if (!has_test_clock_) return world.clock->now_us();
  TRY(const std::string text, world.files->read(clock_path(path_)));
  TRY(const std::int64_t before, base::parse_instant(base::trim(text)));
  const std::int64_t now = before + base::kSecond_us;
  TRY_STATUS(world.files->replace(clock_path(path_), base::print_instant(now) + "\n"));
  return now;
}

base::Result<std::vector<HomeTable>> Home::tables(const world::World& world) const {
  std::vector<HomeTable> found;
  const auto folders = [&](const std::string& path) -> base::Result<std::vector<std::string>> {
    std::vector<std::string> names;
    TRY(const auto entries, world.files->list(path));
    for (const world::FileInfo& entry : entries)
      if (entry.is_directory && !entry.name.starts_with(".")) names.push_back(entry.name);
    return names;
  };
  const std::string root = world::path_join(path_, "onelake");
  if (!world.files->exists(root)) return found;
  TRY(const auto workspaces, folders(root));
  for (const std::string& workspace : workspaces) {
    TRY(const auto items, folders(world::path_join(root, workspace)));
    for (const std::string& item : items) {
      constexpr std::string_view kSuffix = ".Lakehouse";
      const std::string tables =
          world::path_join(world::path_join(world::path_join(root, workspace), item), "Tables");
      if (!item.ends_with(kSuffix) || !world.files->exists(tables)) continue;
      TRY(const auto schemas, folders(tables));
      for (const std::string& schema : schemas) {
        TRY(const auto objects, folders(world::path_join(tables, schema)));
        for (const std::string& object : objects) {
          const std::string path = world::path_join(world::path_join(tables, schema), object);
          if (!world.files->exists(world::path_join(path, "_delta_log"))) continue;
          found.push_back(HomeTable{workspace, item.substr(0, item.size() - kSuffix.size()), tables,
                                    contract::TableName{schema, object}, path});
        }
      }
    }
  }
  return found;
}

base::Result<HomeTable> Home::find(const world::World& world, const contract::TableName& name) const {
  TRY(const std::vector<HomeTable> all, tables(world));
  std::vector<HomeTable> matching;
  std::vector<std::string> names;
  for (const HomeTable& table : all) {
    names.push_back(table.name.text());
    if (base::equal_ignoring_case(table.name.text(), name.text())) matching.push_back(table);
  }
  if (matching.size() == 1) return matching.front();
  if (matching.empty()) {
    const std::string near = base::closest(name.text(), names);
    return base::fail(Kind::not_found, "home.table_unknown", "the home has no table " + name.text(),
                      near.empty() ? "tenter show lists the tables" : "did you mean " + near + "?");
  }
  return base::fail(Kind::invalid, "home.table_ambiguous",
                    name.text() + " stands in " + std::to_string(matching.size()) + " items of the home",
                    "use a home with one of them");
}

namespace {

// Notes are kept by the table's place inside the home, so that a moved home keeps them.
std::string note_key(const HomeTable& table) {
  return table.workspace + "/" + table.item + "/" + table.name.text();
}

}  // namespace

base::Status Home::note_failure(const HomeTable& table, const FailedTry& failed) const {
  return note_failed_try(control_path(path_), note_key(table), failed);
}

base::Status Home::forget_failure(const world::World& world, const HomeTable& table,
                                  const std::string& batch) const {
  if (!world.files->exists(control_path(path_))) return {};
  return forget_failed_try(control_path(path_), note_key(table), batch);
}

base::Result<bool> Home::claim_telling(const HomeTable& table, const std::string& batch,
                                       std::int64_t at_us) const {
  return claim_telling_once(control_path(path_), note_key(table), batch, at_us);
}

std::vector<FailedTry> Home::failures(const world::World& world, const HomeTable& table) const {
  if (!world.files->exists(control_path(path_))) return {};
  const auto notes = failed_tries(control_path(path_), note_key(table));
  return notes ? *notes : std::vector<FailedTry>();
}

}  // namespace project
