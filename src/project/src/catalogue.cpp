// The written contracts beside the documents: contracts/<schema>.<object>/README.md.
#include "catalogue.h"

namespace project {

namespace {

std::string readme_text(const Project& project, const TableDocument& table) {
  const contract::Contract& contract = *table.contract();
  const contract::Landing* source = nullptr;
  for (const TableDocument& other : project.tables)
    if (other.item == table.item && other.name == contract.from) source = other.landing();
  return contract::print_readme(contract, source);
}

std::string readme_file(const TableDocument& table) {
  return table.item + "/contracts/" + table.name.text() + "/README.md";
}

}  // namespace

base::Result<std::vector<std::string>> write_docs(const world::World& world, const Project& project) {
  std::vector<std::string> written;
  for (const TableDocument& table : project.tables) {
    if (table.contract() == nullptr) continue;
    const std::string file = readme_file(table);
    const std::string path = world::path_join(project.root, file);
    const std::string text = readme_text(project, table);
    const auto present = world.files->read(path);
    if (present && *present == text) continue;
    if (!present && present.error().kind != base::Kind::not_found) return base::fail(present.error());
    TRY_STATUS(world.files->make_directories(world::path_parent(path)));
    TRY_STATUS(world.files->replace(path, text));
    written.push_back(file);
  }
  return written;
}

std::vector<base::Error> stale_docs(const world::World& world, const Project& project) {
  std::vector<base::Error> warnings;
  for (const TableDocument& table : project.tables) {
    if (table.contract() == nullptr) continue;
    const std::string file = readme_file(table);
    const auto present = world.files->read(world::path_join(project.root, file));
    if (!present || *present == readme_text(project, table)) continue;
    warnings.push_back({base::Kind::invalid,
                        "project.stale_readme",
                        "the written contract of " + table.name.text() + " is older than its document",
                        "run tenter docs",
                        {file, 1, 1}});
  }
  return warnings;
}

}  // namespace project
