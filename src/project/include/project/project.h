// A project: a folder of documents, read together. Nothing here touches a home but paths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <contract/document.h>
#include <contract/model.h>
#include <world/world.h>

namespace project {

struct TableDocument {
  std::string file;       // relative to the project's root
  std::string item;       // "Lakehouse/Shop"
  std::string item_name;  // its name in the home: "Shop"
  contract::TableName name;
  std::optional<contract::Document> document;  // present when it has no error

  const contract::Landing* landing() const;  // null pointer when it is something else
  const contract::Contract* contract() const;
};

struct Project {
  std::string root;       // absolute
  std::string workspace;  // settled: tenter.yml, else the folder's name
  contract::ProjectSettings settings;
  std::vector<TableDocument> tables;  // sources before what reads them, then by name
  std::vector<base::Error> errors;    // of every document, by file and position
  std::vector<base::Error> warnings;

  const TableDocument* find(const contract::TableName& name) const;  // ignoring case
};

// Reads tenter.yml and every document. An Error only when the folder is no project at all
// ("project.not_found") or cannot be read; faults of documents are in `errors`.
base::Result<Project> open(const world::World& world, const std::string& root);

// "S.O" as typed. Codes: "usage.table_name".
base::Result<contract::TableName> parse_table_name(std::string_view text);

// <home>/onelake/<workspace>/<item>.Lakehouse/Tables
std::string tables_root(const std::string& home, const std::string& workspace, const std::string& item_name);

// Writes contracts/<schema>.<object>/README.md of each contract that changed; gives the paths written,
// relative to the root.
base::Result<std::vector<std::string>> write_docs(const world::World& world, const Project& project);

}  // namespace project
