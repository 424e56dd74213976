#include "check.h"

#include <algorithm>

#include <base/text.h>

namespace project {

namespace {

using base::Kind;
using contract::TableName;

class Together {
 public:
  explicit Together(const std::vector<ReadDocument>& documents) : documents_(documents) {}

  std::vector<base::Error> run() {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const ReadDocument& document = documents_[i];
      check_name(document, i);
      if (document.table.contract() != nullptr) {
        check_from(document);
        check_quarantine(document, i);
      } else if (document.table.landing() != nullptr) {
        check_malformed(document, i);
      }
    }
    return std::move(errors_);
  }

 private:
  void add(Kind kind, std::string code, std::string message, std::string hint, const base::Place& place) {
    errors_.push_back({kind, std::move(code), std::move(message), std::move(hint), place});
  }

  static base::Place top(const ReadDocument& document) { return {document.table.file, 1, 1}; }

  // The document of a table of the same item, ignoring case.
  const ReadDocument* find(const ReadDocument& beside, const TableName& name) const {
    for (const ReadDocument& other : documents_)
      if (other.table.item == beside.table.item && contract::equal_ignoring_case(other.table.name, name))
        return &other;
    return nullptr;
  }

  void check_name(const ReadDocument& document, std::size_t index) {
    for (std::size_t i = 0; i < index; ++i) {
      const TableDocument& other = documents_[i].table;
      if (other.item != document.table.item ||
          !contract::equal_ignoring_case(other.name, document.table.name))
        continue;
      const bool is_same = other.name == document.table.name;
      add(Kind::invalid, "project.repeated_table",
          document.table.name.text() +
              (is_same ? " is also declared in " : " differs only by case from the table of ") + other.file,
          "keep one of the two documents", top(document));
      return;
    }
  }

  void check_from(const ReadDocument& document) {
    const TableName& from = document.table.contract()->from;
    const ReadDocument* source = find(document, from);
    if (source == nullptr) {
      report_unknown(document, from);
    } else if (!(source->table.name == from)) {
      add(Kind::invalid, "project.unknown_source",
          "no table is named " + from.text() + " in just this spelling", "write " + source->table.name.text(),
          document.places.from);
    } else if (source->table.contract() != nullptr) {
      add(Kind::unsupported, "document.not_built",
          "loading from a table that is no landing table (" + from.text() + ") is not built yet",
          "name the landing table that holds the rows as sent", document.places.from);
    }
  }

  void report_unknown(const ReadDocument& document, const TableName& from) {
    std::vector<std::string> landings;
    for (const ReadDocument& other : documents_)
      if (other.table.item == document.table.item && other.table.contract() == nullptr)
        landings.push_back(other.table.name.text());
    const std::string near = base::closest(from.text(), landings);
    std::string hint = "add its document: " + document.table.item + "/Tables/" + from.text() + ".yml";
    if (!near.empty()) hint = "did you mean " + near + "?";
    add(Kind::invalid, "project.unknown_source",
        "\"From\" names " + from.text() + ", and " + document.table.item + " has no document of it",
        std::move(hint), document.places.from);
  }

  void check_quarantine(const ReadDocument& document, std::size_t index) {
    const contract::Contract& mine = *document.table.contract();
    const std::string proposal = "add Quarantine: quarantine." + mine.name.schema + "_" + mine.name.object;
    if (const ReadDocument* other = find(document, mine.quarantine); other != nullptr && other != &document) {
      add(Kind::invalid, "project.quarantine",
          "the quarantine " + mine.quarantine.text() + " is a table of its own (" + other->table.file + ")",
          proposal, document.places.quarantine);
      return;
    }
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      const TableDocument& other = documents_[i].table;
      if (other.item != document.table.item) continue;
      if (other.contract() != nullptr && i < index &&
          contract::equal_ignoring_case(other.contract()->quarantine, mine.quarantine)) {
        add(Kind::invalid, "project.quarantine",
            mine.name.text() + " and " + other.name.text() + " would share the quarantine " +
                mine.quarantine.text(),
            proposal, document.places.quarantine);
        return;
      }
      if (other.landing() != nullptr &&
          contract::equal_ignoring_case(malformed_of(other.name), mine.quarantine)) {
        add(Kind::invalid, "project.quarantine",
            mine.quarantine.text() + " is where " + other.name.text() + " keeps its malformed records",
            proposal, document.places.quarantine);
        return;
      }
    }
  }

  static TableName malformed_of(const TableName& landing) {
    return {"quarantine", landing.object + "_malformed"};
  }

  // Malformed records of a landing table go to a table named after its object alone.
  void check_malformed(const ReadDocument& document, std::size_t index) {
    const TableName malformed = malformed_of(document.table.name);
    if (const ReadDocument* other = find(document, malformed)) {
      add(Kind::invalid, "project.quarantine",
          malformed.text() + ", where malformed records go, is a table of its own (" + other->table.file +
              ")",
          "rename that table", top(document));
      return;
    }
    for (std::size_t i = 0; i < index; ++i) {
      const TableDocument& other = documents_[i].table;
      const bool is_same = other.item == document.table.item && other.landing() != nullptr &&
                           !contract::equal_ignoring_case(other.name, document.table.name) &&
                           contract::equal_ignoring_case(malformed_of(other.name), malformed);
      if (!is_same) continue;
      add(Kind::invalid, "project.quarantine",
          other.name.text() + " and " + document.table.name.text() +
              " would keep malformed records in one table, " + malformed.text(),
          "rename one of the two landing tables", top(document));
      return;
    }
  }

  const std::vector<ReadDocument>& documents_;
  std::vector<base::Error> errors_;
};

}  // namespace

std::vector<base::Error> check_together(const std::vector<ReadDocument>& documents) {
  return Together(documents).run();
}

namespace {

// How many tables one behind the other must be loaded before this one. Tables that refer to each other in
// a circle have no right order; the count stops then.
int depth_of(const std::vector<TableDocument>& tables, const TableDocument& table, int steps_left) {
  if (table.landing() != nullptr) return 0;
  int depth = 1;
  if (table.contract() == nullptr || steps_left == 0) return depth;
  for (const contract::Check& check : table.contract()->checks) {
    if (!check.reference) continue;
    for (const TableDocument& other : tables)
      if (other.item == table.item && contract::equal_ignoring_case(other.name, check.reference->table))
        depth = std::max(depth, 1 + depth_of(tables, other, steps_left - 1));
  }
  return depth;
}

}  // namespace

void sort_by_dependency(std::vector<TableDocument>& tables) {
  // A contract table reads a landing table, and the tables that list its allowed values.
  constexpr int kStepsMax = 8;
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < tables.size(); ++i)
    order.emplace_back(depth_of(tables, tables[i], kStepsMax), i);
  const auto key = [&](const std::pair<int, std::size_t>& entry) {
    const TableDocument& table = tables[entry.second];
    return std::tuple(entry.first, table.item, table.name.schema, table.name.object);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<TableDocument> sorted;
  for (const auto& [depth, index] : order) sorted.push_back(std::move(tables[index]));
  tables = std::move(sorted);
}

}  // namespace project
