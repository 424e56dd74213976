#include <contract/document.h>

#include <algorithm>

#include <base/text.h>

#include "contract_reader.h"
#include "keys.h"
#include "landing_reader.h"
#include "values.h"
#include "yaml.h"

namespace contract {

namespace {

using base::Kind;

std::ptrdiff_t open_brackets(std::string_view text) {
  return std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')');
}

// {type: decimal(18,2)}: YAML ends the value at the comma and says nothing. Such a value, cut
// inside its brackets, is refused before its pieces cause stranger messages.
bool report_cut_values(const Node& node, bool in_flow, Faults& faults) {
  if (node.is_text() && node.plain && in_flow && open_brackets(node.text) > 0) {
    std::string hint = "put the whole value in quotes";
    const base::Place place = faults.source().place(node.begin);
    if (const auto quoted = quoted_line(faults.source().line(place.line))) hint = "write: " + *quoted;
    faults.add(Kind::invalid, "document.unquoted",
               "inside { } or [ ] YAML ends a value at a comma: only \"" + node.text + "\" was read here",
               std::move(hint), node);
    return true;
  }
  for (const Node& item : node.items)
    if (report_cut_values(item, in_flow || node.flow, faults)) return true;
  for (const Entry& entry : node.members)
    if (report_cut_values(entry.value, in_flow || node.flow, faults)) return true;
  return false;
}

const Entry* find_key(const Node& root, std::string_view key) {
  for (const Entry& entry : root.members)
    if (fold_key(entry.key.text) == key) return &entry;
  return nullptr;
}

void check_table_id(const Node& root, const DocumentPlace& place, Faults& faults) {
  const Entry* entry = find_key(root, "tableid");
  if (entry == nullptr) return;
  const auto name = read_table_name(entry->value, "Table ID", faults);
  if (!name || *name == place.name) return;
  faults.add(Kind::invalid, "document.table_id",
             "\"Table ID\" is " + name->text() + ", but the file's name says " + place.name.text(),
             "rename the file, or leave Table ID out", entry->value);
}

void report_no_kind(const Node& root, Faults& faults) {
  for (const std::string_view key : {"viewid", "folderid", "testid", "assumptionid", "writtenby"}) {
    const Entry* entry = find_key(root, key);
    if (entry == nullptr) continue;
    faults.add(Kind::unsupported, "document.not_built",
               "documents with \"" + entry->key.text + "\" are not built yet",
               "remove the document, or put it into a folder _ignore", entry->key);
    return;
  }
  for (const Entry& entry : root.members) {
    const std::string near = base::closest(fold_key(entry.key.text), {"landing", "from"});
    if (near.empty()) continue;
    faults.add(Kind::invalid, "document.unknown_key",
               "\"" + entry.key.text + "\" is no key of a table document",
               "did you mean \"" + std::string(near == "from" ? "From" : "Landing") + "\"?", entry.key);
    return;
  }
  faults.add(Kind::invalid, "document.no_kind", "the document has neither \"Landing\" nor \"From\"",
             "a landing table names its files with Landing, a contract table its source with From", root);
}

Places read_places(const Node& root, const Source& source) {
  const auto place = [&](std::string_view key) {
    const Entry* entry = find_key(root, key);
    return source.place(entry == nullptr ? 0 : entry->value.begin);
  };
  return {place("from"), place("quarantine")};
}

std::optional<Document> read_document(const Node& root, const DocumentPlace& place, Faults& faults) {
  if (root.type != Node::Type::mapping) {
    faults.add(Kind::invalid, "document.wrong_value",
               "a document must be keys and values; found " + found(root), "begin with Description: …", root);
    return std::nullopt;
  }
  if (report_cut_values(root, false, faults)) return std::nullopt;
  const Entry* landing = find_key(root, "landing");
  const Entry* from = find_key(root, "from");
  if (landing != nullptr && from != nullptr) {
    faults.add(Kind::invalid, "document.two_kinds", "the document has both \"Landing\" and \"From\"",
               "keep the landing table and the contract table in two documents",
               std::max(landing, from)->key);
    return std::nullopt;
  }
  if (landing == nullptr && from == nullptr) {
    report_no_kind(root, faults);
    return std::nullopt;
  }
  check_table_id(root, place, faults);
  if (landing != nullptr) return read_landing(root, place, faults);
  return ContractReader(root, place, faults).read();
}

}  // namespace

Checked check_document(std::string_view text, const DocumentPlace& place) {
  const Source source(text, place.file);
  Faults faults(source);
  Checked checked;
  if (const auto root = read_yaml(source)) {
    auto document = read_document(*root, place, faults);
    checked.places = read_places(*root, source);
    if (faults.count() == 0) checked.document = std::move(document);
  } else {
    faults.add(root.error());
  }
  checked.errors = faults.take_errors();
  checked.warnings = faults.take_warnings();
  return checked;
}

}  // namespace contract
