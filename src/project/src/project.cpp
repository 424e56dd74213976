#include <project/project.h>

#include <algorithm>

#include <base/text.h>
#include <world/zones.h>

#include "catalogue.h"
#include "check.h"
#include "scan.h"

namespace project {

using base::Kind;

namespace {

constexpr std::string_view kSettingsFile = "tenter.yml";

base::Status read_settings(const world::World& world, Project& project,
                           std::vector<base::Place>& item_places) {
  const auto text = world.files->read(world::path_join(project.root, kSettingsFile));
  if (!text) {
    if (text.error().kind != Kind::not_found) return base::fail(text.error());
    return {};
  }
  contract::CheckedSettings checked = contract::check_settings(*text, std::string(kSettingsFile));
  project.errors.insert(project.errors.end(), checked.errors.begin(), checked.errors.end());
  project.settings = std::move(checked.settings);
  item_places = std::move(checked.item_places);
  if (world::zone(world, project.settings.time_zone)) return {};
  project.errors.push_back(
      {Kind::invalid, "settings.time_zone", "there is no time zone \"" + project.settings.time_zone + "\"",
       "write an IANA name, as in Europe/Oslo; the package tzdata holds them", checked.time_zone_place});
  return {};
}

void settle_workspace(Project& project, const std::string& folder) {
  project.workspace = project.settings.workspace.empty() ? folder : project.settings.workspace;
  const bool is_name = !folder.empty() && folder.find_first_of("\\:*?\"<>|") == std::string::npos &&
                       folder.find_first_not_of('.') != std::string::npos;
  if (is_name || !project.settings.workspace.empty()) return;
  project.errors.push_back({Kind::invalid,
                            "settings.name",
                            "the folder's name \"" + folder + "\" cannot be the name of the workspace",
                            "name it in tenter.yml: workspace: …",
                            {std::string(kSettingsFile), 1, 1}});
}

// The names of the items in the home, which must not meet there.
std::string name_in_home(const Project& project, const std::string& item) {
  for (const auto& [path, name] : project.settings.items)
    if (path == item) return name;
  return item.substr(item.find('/') + 1);
}

void check_items(const std::vector<std::string>& items, const std::vector<base::Place>& places,
                 Project& project) {
  for (std::size_t i = 0; i < project.settings.items.size(); ++i) {
    const std::string& item = project.settings.items[i].first;
    if (std::find(items.begin(), items.end(), item) != items.end()) continue;
    const std::string near = base::closest(item, items);
    project.errors.push_back(
        {Kind::invalid, "settings.item", "the project has no item " + item,
         near.empty() ? "remove the entry, or make the folder" : "did you mean " + near + "?", places[i]});
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::string name = name_in_home(project, items[i]);
      if (base::equal_ignoring_case(items[i], items[j])) continue;  // reported where the folders were found
      if (!base::equal_ignoring_case(name, name_in_home(project, items[j]))) continue;
      project.errors.push_back({Kind::invalid,
                                "settings.item",
                                items[i] + " and " + items[j] + " have the same name in the home: " + name,
                                "give each item its own name under items",
                                {std::string(kSettingsFile), 1, 1}});
    }
}

base::Status read_documents(const world::World& world, const std::vector<FoundDocument>& found,
                            Project& project) {
  std::vector<ReadDocument> documents;
  for (const FoundDocument& document : found) {
    TRY(const std::string text, world.files->read(world::path_join(project.root, document.file)));
    contract::Checked checked =
        contract::check_document(text, {document.file, document.name, project.settings.time_zone});
    project.errors.insert(project.errors.end(), checked.errors.begin(), checked.errors.end());
    project.warnings.insert(project.warnings.end(), checked.warnings.begin(), checked.warnings.end());
    documents.push_back({{document.file, document.item, name_in_home(project, document.item), document.name,
                          std::move(checked.document)},
                         checked.places});
  }
  const std::vector<base::Error> together = check_together(documents);
  project.errors.insert(project.errors.end(), together.begin(), together.end());
  for (ReadDocument& document : documents) project.tables.push_back(std::move(document.table));
  sort_by_dependency(project.tables);
  return {};
}

void sort_by_place(std::vector<base::Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const base::Error& a, const base::Error& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) <
           std::tie(b.place.file, b.place.line, b.place.column);
  });
}

}  // namespace

const contract::Landing* TableDocument::landing() const {
  return document ? std::get_if<contract::Landing>(&*document) : nullptr;
}

const contract::Contract* TableDocument::contract() const {
  return document ? std::get_if<contract::Contract>(&*document) : nullptr;
}

const TableDocument* Project::find(const contract::TableName& name) const {
  for (const TableDocument& table : tables)
    if (contract::equal_ignoring_case(table.name, name)) return &table;
  return nullptr;
}

namespace {

// The folder above that is a project, or nothing.
std::string project_above(const world::World& world, std::string folder) {
  while (folder.size() > 1) {
    folder = world::path_parent(folder);
    if (world.files->exists(world::path_join(folder, kSettingsFile))) return folder;
  }
  return "";
}

base::Error no_project(const world::World& world, const std::string& root) {
  const std::string above = project_above(world, root);
  return base::Error{Kind::not_found,
                     "project.not_found",
                     root + " is no project: it has neither tenter.yml nor a folder Lakehouse",
                     above.empty() ? "run tenter init here, or name a project with --project"
                                   : "the project is " + above + ": go there, or name it with --project",
                     {}};
}

}  // namespace

base::Result<Project> open(const world::World& world, const std::string& root) {
  const auto real = world.files->real_path(root);
  const auto info = world.files->info(root);
  if (!real || !info || !info->is_directory)
    return base::fail(Kind::not_found, "project.not_found", "there is no folder " + root,
                      "name a project's folder with --project");
  Project project;
  project.root = *real;
  TRY(Scan found, scan(*world.files, project.root));
  const bool has_settings = world.files->exists(world::path_join(project.root, kSettingsFile));
  if (!has_settings && !found.has_item_folder && found.errors.empty())
    return base::fail(no_project(world, project.root));
  std::vector<base::Place> item_places;
  TRY_STATUS(read_settings(world, project, item_places));
  settle_workspace(project, world::path_name(project.root));
  check_items(found.items, item_places, project);
  project.errors.insert(project.errors.end(), found.errors.begin(), found.errors.end());
  TRY_STATUS(read_documents(world, found.documents, project));
  const std::vector<base::Error> stale = stale_docs(world, project);
  project.warnings.insert(project.warnings.end(), stale.begin(), stale.end());
  sort_by_place(project.errors);
  sort_by_place(project.warnings);
  return project;
}

base::Result<contract::TableName> parse_table_name(std::string_view text) {
  auto name = contract::parse_table_name(text);
  if (name) return name;
  return base::fail(Kind::invalid, "usage.table_name", name.error().message, name.error().hint);
}

std::string tables_root(const std::string& home, const std::string& workspace, const std::string& item_name) {
  return home + "/onelake/" + workspace + "/" + item_name + ".Lakehouse/Tables";
}

}  // namespace project
