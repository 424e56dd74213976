// Finds the documents of a project by their places, before any is read.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <world/world.h>

namespace project {

struct FoundDocument {
  std::string file;  // relative to the root
  std::string item;  // "Lakehouse/Shop"
  contract::TableName name;
};

struct Scan {
  std::vector<std::string> items;  // "Lakehouse/Shop", sorted
  std::vector<FoundDocument> documents;
  std::vector<base::Error> errors;
  bool has_item_folder = false;  // a folder Lakehouse or Warehouse stands in the root
};

base::Result<Scan> scan(const world::Files& files, const std::string& root);

}  // namespace project
