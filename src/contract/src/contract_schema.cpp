// The Schema of a contract table: names, types and the promises gathered at a column.
#include <algorithm>

#include <base/text.h>

#include "contract_reader.h"

namespace contract {

using base::Kind;

namespace {

const std::vector<std::string> kReserved = {
    "_source_file",  "_source_line", "_loaded_at",      "_batch_id",    "_reject_reason",
    "_reject_codes", "_reject_id",   "_quarantined_at", "_resolved_at", "_resolved_by"};
const std::vector<std::string> kManaged = {"row_insert_datetime", "row_update_datetime",
                                           "row_delete_datetime", "row_signature"};

KeySet entry_keys() {
  KeySet keys;
  keys.what = "a Schema entry";
  keys.taken = {"type", "from", "clean", "not null", "allowed", "note"};
  keys.required = {"type"};
  return keys;
}

}  // namespace

bool is_reserved(std::string_view column) {
  const std::string lower = base::ascii_lower(column);
  if (std::find(kReserved.begin(), kReserved.end(), lower) != kReserved.end()) return true;
  const std::string underscored = base::replace_all(lower, " ", "_");
  return std::find(kManaged.begin(), kManaged.end(), underscored) != kManaged.end();
}

void ContractReader::read_schema() {
  const Node* node = fields_.value("Schema");
  if (node == nullptr) return;
  if (node->type != Node::Type::mapping || node->members.empty()) {
    faults_.add(Kind::invalid, "document.wrong_value",
                "\"Schema\" must map columns to types; found " + found(*node),
                "write name: type on a line each", *node);
    return;
  }
  contract_.columns.reserve(node->members.size());
  for (const Entry& entry : node->members) read_column(entry);
}

void ContractReader::read_column(const Entry& entry) {
  check_column_name(entry);
  Column column;
  column.name = entry.key.text;
  column.source = column.name;
  Written written;
  written.entry = &entry;
  if (entry.value.type == Node::Type::mapping) {
    read_column_mapping(entry, column, written);
  } else {
    read_type(entry.value, column);
  }
  contract_.columns.push_back(std::move(column));
  written_.push_back(written);
}

bool ContractReader::check_column_name(const Entry& entry) {
  const std::string& name = entry.key.text;
  if (const Column* other = contract_.find(name)) {
    faults_.add(Kind::invalid, "document.repeated_column",
                "the columns \"" + other->name + "\" and \"" + name + "\" differ only by case",
                "rename one: column names are compared without case", entry.key);
    return false;
  }
  if (is_reserved(name)) {
    faults_.add(Kind::invalid, "document.reserved_name", "\"" + name + "\" is a reserved column name",
                "name the column otherwise", entry.key);
    return false;
  }
  if (base::ascii_lower(name).starts_with("raw_")) {
    faults_.add(
        Kind::invalid, "document.reserved_name",
        "\"" + name + "\" is reserved: the quarantine keeps the sent values under raw_<column>",
        "name the column otherwise; from: " + yaml_quote(name) + " reads a source column of that name",
        entry.key);
    return false;
  }
  if (base::trim(name).empty()) {
    faults_.add(Kind::invalid, "document.column_name", "a column has no name", "name the column", entry.key);
    return false;
  }
  if (bronze_name(name) != name) {
    faults_.add(Kind::unsupported, "document.column_name",
                "the column name \"" + name +
                    "\" holds a character that Delta tables refuse (space , ; { } ( ) "
                    "tab = or a line end); a contract has no such names",
                "declare it as \"" + bronze_name(name) + "\" with from: " + yaml_quote(name), entry.key);
    return false;
  }
  return true;
}

void ContractReader::read_column_mapping(const Entry& entry, Column& column, Written& written) {
  const Fields fields = read_fields(entry.value, entry_keys(), faults_);
  if (const Node* node = fields.value("type")) read_type(*node, column);
  if (const Node* node = fields.value("from")) {
    column.from = read_text(*node, "from", faults_);
    if (column.from && is_reserved(*column.from))
      faults_.add(Kind::invalid, "document.reserved_name",
                  "\"" + *column.from + "\" is a reserved name; a file that sends it is refused",
                  "the source must name the column otherwise", *node);
    if (column.from) column.source = bronze_name(*column.from);
  }
  if (const Node* node = fields.value("not null")) {
    column.not_null = read_boolean(*node, "not null", faults_).value_or(false);
    written.not_null = node;
  }
  if (const Node* node = fields.value("note")) column.note = read_prose(*node, "note", faults_);
  written.clean = fields.value("clean");
  written.allowed = fields.value("allowed");
}

void ContractReader::read_type(const Node& node, Column& column) {
  const auto text = read_text(node, "type of " + column.name, faults_);
  if (!text) return;
  auto type = sql::parse_type(node.text);
  if (type) {
    column.type = *type;
    return;
  }
  faults_.add_inside(node, std::move(type).error());
}

}  // namespace contract
