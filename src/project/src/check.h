// What only all documents together can be judged by.
#pragma once

#include <vector>

#include <contract/document.h>
#include <project/project.h>

namespace project {

// One read document: its table and where its cross-references stand.
struct ReadDocument {
  TableDocument table;
  contract::Places places;
};

// Faults between documents of the same item.
std::vector<base::Error> check_together(const std::vector<ReadDocument>& documents);

// Sources before what reads them; within each kind by item and name.
void sort_by_dependency(std::vector<TableDocument>& tables);

}  // namespace project
