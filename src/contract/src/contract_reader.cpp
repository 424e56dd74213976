#include "contract_reader.h"

#include <algorithm>

#include <base/text.h>

#include "reject_limit.h"

namespace contract {

using base::Kind;

ContractReader::ContractReader(const Node& root, const DocumentPlace& place, Faults& faults)
    : place_(place), faults_(faults), before_(faults.count()) {
  fields_ = read_fields(root, contract_keys(), faults);
  contract_.name = place.name;
  contract_.time_zone = place.time_zone;
  contract_.quarantine = {"quarantine", place.name.object};
}

Contract ContractReader::read() {
  read_texts_and_names();
  read_schema();
  read_primary_key();
  read_version_column();
  read_load();
  read_not_null();
  gather("Clean", &Written::clean);
  gather("Allowed values", &Written::allowed);
  read_clean();
  read_null_values();
  read_optional();
  read_allowed();
  read_checks();
  read_limits();
  return std::move(contract_);
}

void ContractReader::read_texts_and_names() {
  if (const Node* node = fields_.value("Description"))
    if (auto text = read_prose(*node, "Description", faults_)) contract_.description = *text;
  if (const Node* node = fields_.value("Owner"))
    if (auto text = read_prose(*node, "Owner", faults_)) contract_.owner = *text;
  if (const Node* node = fields_.value("Notes")) contract_.notes = read_text(*node, "Notes", faults_);
  read_source();
}

void ContractReader::read_source() {
  const Node* from = fields_.value("From");
  if (from != nullptr) {
    if (auto name = read_table_name(*from, "From", faults_)) contract_.from = *name;
    if (equal_ignoring_case(contract_.from, contract_.name))
      faults_.add(Kind::invalid, "document.from_itself", "\"From\" names this table itself",
                  "name the landing table that it loads from", *from);
  }
  const Node* quarantine = fields_.value("Quarantine");
  if (quarantine != nullptr)
    if (auto name = read_table_name(*quarantine, "Quarantine", faults_)) contract_.quarantine = *name;
  for (const TableName& other : {contract_.name, contract_.from}) {
    if (other.object.empty() || !equal_ignoring_case(contract_.quarantine, other)) continue;
    base::Place place = faults_.source().place(0);
    if (quarantine != nullptr) place = faults_.source().place(quarantine->begin);
    faults_.add(
        Kind::invalid, "document.quarantine",
        "the quarantine of " + contract_.name.text() + " would be " + other.text() + ", a table of its own",
        "add Quarantine: quarantine." + contract_.name.schema + "_" + contract_.name.object, place);
    return;
  }
}

void ContractReader::read_limits() {
  if (const Node* node = fields_.value("Min rows"))
    if (auto rows = read_count(*node, "Min rows", faults_)) contract_.min_rows = *rows;
  const Node* node = fields_.value("Max reject ratio");
  if (node == nullptr) return;
  if (!node->is_text()) {
    faults_.add(Kind::invalid, "document.reject_ratio",
                "\"Max reject ratio\" must be a ratio of rows; found " + found(*node),
                "write 5%, 0.05 or \"5%, at least 20 rows\"", *node);
    return;
  }
  if (auto limit = parse_reject_limit(node->text)) {
    contract_.max_reject = *limit;
    contract_.max_reject.text = print_reject_limit(*limit);
  } else {
    faults_.add_inside(*node, std::move(limit).error());
  }
}

Column* ContractReader::declared(const std::string& name, base::Place place, std::string_view what) {
  std::vector<std::string> names;
  for (Column& column : contract_.columns) {
    if (column.name == name) return &column;
    names.push_back(column.name);
  }
  if (names.empty()) return nullptr;  // the missing Schema was reported
  std::string hint = "columns: " + base::join(names, ", ");
  const std::string near = base::closest(name, names);
  if (!near.empty()) hint = "did you mean \"" + near + "\"?";
  if (const Column* other = contract_.find(name)) hint = "it is declared as \"" + other->name + "\"";
  faults_.add(
      Kind::invalid, "document.unknown_column",
      "\"" + std::string(what) + "\" names the column \"" + name + "\", which Schema does not declare",
      std::move(hint), std::move(place));
  return nullptr;
}

ContractReader::Written& ContractReader::written_of(const Column& column) {
  return written_[static_cast<std::size_t>(&column - contract_.columns.data())];
}

void ContractReader::read_primary_key() {
  const Node* node = fields_.value("Primary key");
  if (node == nullptr) return;
  for (const NamedPlace& named : read_column_set(*node, "Primary key", faults_)) {
    Column* column = declared(named.name, named.place, "Primary key");
    if (column == nullptr) continue;
    contract_.primary_key.push_back(column->name);
    if (const Node* not_null = written_of(*column).not_null)
      faults_.add(Kind::invalid, "document.not_null_key",
                  "\"" + column->name + "\" is part of the primary key, which is never null",
                  "remove \"not null\" here", *not_null);
    column->not_null = true;
  }
}

void ContractReader::read_version_column() {
  using TypeKind = sql::Type::Kind;
  const Node* node = fields_.value("Version column");
  if (node == nullptr) return;
  const auto name = read_text(*node, "Version column", faults_);
  if (!name) return;
  Column* column = declared(*name, faults_.source().place_in(*node, 0), "Version column");
  if (column == nullptr) return;
  const TypeKind kind = column->type.kind;
  const bool is_ordered = sql::is_integral(column->type) || kind == TypeKind::decimal ||
                          kind == TypeKind::date || kind == TypeKind::timestamp;
  if (!is_ordered && kind != TypeKind::null)
    faults_.add(Kind::invalid, "document.version_type",
                "the version column \"" + *name + "\" is of type " + sql::print_type(column->type) +
                    "; expected date, timestamp, an integer or decimal",
                "declare it with such a type", *node);
  for (const std::string& part : contract_.primary_key)
    if (part == column->name)
      faults_.add(Kind::invalid, "document.version_in_key",
                  "the version column \"" + *name + "\" is part of the primary key",
                  "a newer version could then never replace a row; take it out of one of the two", *node);
  column->not_null = true;
  contract_.version_column = column->name;
}

void ContractReader::read_not_null() {
  const Node* node = fields_.value("Not null");
  if (node == nullptr) return;
  for (const NamedPlace& named : read_column_set(*node, "Not null", faults_)) {
    Column* column = declared(named.name, named.place, "Not null");
    if (column == nullptr) continue;
    const auto& key = contract_.primary_key;
    if (std::find(key.begin(), key.end(), column->name) != key.end()) {
      faults_.add(Kind::invalid, "document.not_null_key",
                  "\"" + column->name + "\" is part of the primary key, which is never null",
                  "remove it from \"Not null\"", named.place);
    } else if (const Node* other = written_of(*column).not_null) {
      faults_.add(Kind::invalid, "document.same_rule",
                  "\"not null\" of \"" + column->name + "\" is also written at line " +
                      std::to_string(faults_.source().place(other->begin).line),
                  "keep one of the two", named.place);
    }
    column->not_null = true;
  }
}

// Takes a mapping of columns ("Clean", "Allowed values") beside what the Schema entries said.
void ContractReader::gather(std::string_view key, const Node* Written::* member) {
  const Node* node = fields_.value(key);
  if (node == nullptr) return;
  if (node->type != Node::Type::mapping || node->members.empty()) {
    faults_.add(Kind::invalid, "document.wrong_value",
                "\"" + std::string(key) + "\" must map columns to values; found " + found(*node),
                "write one line for each column: name: …", *node);
    return;
  }
  for (const Entry& entry : node->members) {
    Column* column = declared(entry.key.text, faults_.source().place(entry.key.begin), key);
    if (column == nullptr) continue;
    const Node*& place = written_of(*column).*member;
    if (place != nullptr) {
      faults_.add(Kind::invalid, "document.same_rule",
                  "\"" + std::string(key) + "\" of \"" + column->name + "\" is also written at line " +
                      std::to_string(faults_.source().place(place->begin).line),
                  "keep one of the two", entry.key);
      continue;
    }
    place = &entry.value;
  }
}

}  // namespace contract
