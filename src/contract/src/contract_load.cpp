// How a batch meets the rows that are there: Load, Absent rows, Rejected rows, Delete when, Tie break,
// Unique keys.
#include <algorithm>

#include <base/text.h>

#include "contract_reader.h"
#include "expressions.h"

namespace contract {

using base::Kind;

void ContractReader::read_load() {
  if (const Node* node = fields_.value("Load"))
    contract_.append = read_word(*node, "Load", {"upsert", "append"}, faults_) == "append";
  if (const Node* node = fields_.value("Absent rows"))
    contract_.delete_absent = read_word(*node, "Absent rows", {"keep", "delete"}, faults_) == "delete";
  if (const Node* node = fields_.value("Rejected rows")) {
    contract_.delete_rejected = read_word(*node, "Rejected rows", {"keep", "delete"}, faults_) == "delete";
    if (!contract_.delete_absent)
      faults_.add(Kind::invalid, "document.rejected_rows",
                  "\"Rejected rows\" says which rows a snapshot deletes, and this table keeps absent rows",
                  "add Absent rows: delete, or remove the key", *node);
  }
  read_delete_when();
  read_tie_break();
  read_unique_keys();
  read_stability();
  if (const Node* node = fields_.value("On failed batch"))
    contract_.continue_after_failure =
        read_word(*node, "On failed batch", {"stop", "continue"}, faults_) == "continue";
  if (contract_.append) return check_append();
  if (fields_.value("Primary key") == nullptr)
    faults_.add(Kind::invalid, "document.missing_key",
                "\"Primary key\" is missing; a contract table needs it, unless it is loaded by Load: append",
                "add the line Primary key: …", faults_.source().place(0));
}

void ContractReader::read_delete_when() {
  const Node* node = fields_.value("Delete when");
  if (node == nullptr) return;
  if (fields_.value("Version column") == nullptr && !contract_.append)
    faults_.add(Kind::invalid, "document.delete_without_version",
                "\"Delete when\" needs a Version column: a claim deletes only what is not newer than itself",
                "declare the column that says which change is the newer one", *node);
  const auto expression = read_expression(*node, "Delete when", faults_);
  if (!expression) return;
  std::vector<sql::Column> sources;
  for (const std::string& name : expression->columns())
    sources.push_back({name, sql::Type{sql::Type::Kind::string}});
  if (auto typed = sql::analyze_condition(*expression, sources); !typed) {
    faults_.add_inside(*node, std::move(typed).error());
    return;
  }
  contract_.delete_when = std::string(base::trim(node->text));
  for (const std::string& name : expression->columns()) clean_sources_.push_back(bronze_name(name));
}

void ContractReader::read_tie_break() {
  const Node* node = fields_.value("Tie break");
  if (node == nullptr) return;
  for (const NamedPlace& named : read_column_set(*node, "Tie break", faults_)) {
    const bool is_place = named.name == "_source_file" || named.name == "_source_line";
    if (is_place || declared(named.name, named.place, "Tie break") != nullptr)
      contract_.tie_break.push_back(named.name);
  }
  if (contract_.primary_key.empty() && contract_.unique_keys.empty() && contract_.append &&
      fields_.value("Unique keys") == nullptr)
    faults_.add(Kind::invalid, "document.append", "\"Tie break\" has no meaning in a table without keys",
                "remove the key", *node);
}

void ContractReader::read_unique_keys() {
  const Node* node = fields_.value("Unique keys");
  if (node == nullptr) return;
  constexpr std::size_t kKeysMax = 32;
  if (node->type != Node::Type::list || node->items.empty() || node->items.size() > kKeysMax) {
    faults_.add(Kind::invalid, "document.wrong_value",
                "\"Unique keys\" must be a list of column sets, at most 32; found " + found(*node),
                "write - a, b on a line for each key", *node);
    return;
  }
  for (const Node& item : node->items) {
    std::vector<std::string> key;
    for (const NamedPlace& named : read_column_set(item, "Unique keys", faults_))
      if (const Column* column = declared(named.name, named.place, "Unique keys"))
        key.push_back(column->name);
    if (key.empty()) continue;
    const bool repeats = key == contract_.primary_key ||
                         std::find(contract_.unique_keys.begin(), contract_.unique_keys.end(), key) !=
                             contract_.unique_keys.end();
    if (repeats)
      faults_.add(Kind::invalid, "document.repeated_key_columns",
                  "(" + base::join(key, ", ") + ") is a key already", "name each key once", item);
    contract_.unique_keys.push_back(std::move(key));
  }
}

std::optional<std::int64_t> ContractReader::read_percent(std::string_view key) {
  const Node* node = fields_.value(key);
  if (node == nullptr) return std::nullopt;
  const auto percent = read_count(*node, key, faults_);
  if (!percent || *percent <= 100) return percent;
  faults_.add(Kind::invalid, "document.wrong_value",
              "\"" + std::string(key) + "\" must be a whole percentage from 0 to 100; found " + found(*node),
              "write it without a sign, as in 10; 100 lets every change pass", *node);
  return std::nullopt;
}

void ContractReader::read_stability() {
  Stability& stability = contract_.stability;
  stability.deletes_max = read_percent("Delete percentage threshold");
  stability.updates_max = read_percent("Update percentage threshold");
  const Node* node = fields_.value("Stability row threshold");
  if (node == nullptr) return;
  stability.rows_least = read_count(*node, "Stability row threshold", faults_).value_or(0);
  if (fields_.value("Delete percentage threshold") == nullptr &&
      fields_.value("Update percentage threshold") == nullptr)
    faults_.add(
        Kind::invalid, "document.stability_alone",
        "\"Stability row threshold\" says from how many rows on a threshold holds, and none is declared",
        "declare Delete percentage threshold or Update percentage threshold, or remove the key", *node);
}

// What has no meaning where rows are only added.
void ContractReader::check_append() {
  for (const std::string_view key : {"Version column", "Absent rows", "Delete when",
                                     "Delete percentage threshold", "Update percentage threshold"}) {
    const Entry* entry = fields_.entry(key);
    if (entry == nullptr) continue;
    faults_.add(
        Kind::invalid, "document.append",
        "\"" + std::string(key) + "\" has no meaning with Load: append, which adds rows and replaces none",
        "remove one of the two", entry->key);
  }
}

}  // namespace contract
