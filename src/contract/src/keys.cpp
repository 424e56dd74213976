#include "keys.h"

#include <algorithm>

#include <base/text.h>

namespace contract {

namespace {

using base::Kind;

const std::vector<std::string> kContractOnly = {"From",
                                                "Primary key",
                                                "Version column",
                                                "Not null",
                                                "Clean",
                                                "Allowed values",
                                                "Checks",
                                                "Null values",
                                                "Max reject ratio",
                                                "Min rows",
                                                "Optional",
                                                "Quarantine",
                                                "Schema",
                                                "Load",
                                                "Absent rows",
                                                "Rejected rows",
                                                "Delete when",
                                                "Tie break",
                                                "Unique keys",
                                                "Delete percentage threshold",
                                                "Update percentage threshold",
                                                "Stability row threshold",
                                                "On failed batch"};
const std::vector<std::string> kLandingOnly = {"Landing", "Format", "New columns", "Column names",
                                               "Malformed rows"};
const std::vector<std::string> kEvery = {"Description", "Owner", "Notes", "Table ID"};

// Known to the document format, of tables or of what stands beside them; none of them is ignored.
const std::vector<std::string> kNotBuilt = {"Managed columns",
                                            "Validate",
                                            "Sensitive",
                                            "Written by",
                                            "Replaces",
                                            "Type widening",
                                            "Lineage",
                                            "Revision notes",
                                            "Dependencies",
                                            "Static",
                                            "Prohibit rebuild",
                                            "Column notes",
                                            "Foreign keys",
                                            "Identity",
                                            "Comparison columns",
                                            "Incremental",
                                            "Has load procedure",
                                            "View ID",
                                            "Folder ID",
                                            "Test ID",
                                            "Assumption ID",
                                            "File key"};

struct Retired {
  std::string folded;
  std::string name;
  std::string hint;
};
const std::vector<Retired> kRetired = {
    {"autodelete", "Auto delete", "remove it; a table keeps the keys that a batch does not hold"},
    {"loadmode", "Load mode", "remove it; a contract table is loaded by its key"},
};

std::vector<std::string> together(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

const std::string* find_folded(const std::vector<std::string>& names, std::string_view folded) {
  for (const std::string& name : names)
    if (fold_key(name) == folded) return &name;
  return nullptr;
}

void report_unknown(const Entry& entry, const KeySet& keys, Faults& faults) {
  const std::string folded = fold_key(entry.key.text);
  for (const Retired& retired : kRetired) {
    if (retired.folded != folded) continue;
    faults.add(Kind::unsupported, "document.retired_key", "\"" + retired.name + "\" is no longer a key",
               retired.hint, entry.key);
    return;
  }
  const std::vector<std::string> known = together(keys.taken, keys.not_built);
  std::vector<std::string> folded_known;
  for (const std::string& name : known) folded_known.push_back(fold_key(name));
  const std::string near = base::closest(folded, folded_known);
  std::string hint = "keys here: " + base::join(keys.taken, ", ");
  if (!near.empty()) hint = "did you mean \"" + *find_folded(known, near) + "\"?";
  faults.add(Kind::invalid, "document.unknown_key", "\"" + entry.key.text + "\" is no key of " + keys.what,
             std::move(hint), entry.key);
}

void report_elsewhere(const Entry& entry, const KeySet& keys, Faults& faults) {
  if (keys.is_landing) {
    faults.add(Kind::invalid, "document.landing_promise",
               "\"" + entry.key.text + "\" is a promise, and a landing table keeps rows as they were sent",
               "write it in the contract table (silver) that loads from this one", entry.key);
  } else {
    faults.add(Kind::invalid, "document.misplaced_key",
               "\"" + entry.key.text + "\" belongs to a landing table, and this is " + keys.what,
               "move it to the document that has Landing", entry.key);
  }
}

void report_missing(const Node& mapping, const KeySet& keys, const std::vector<std::string>& seen,
                    Faults& faults) {
  for (const std::string& name : keys.required) {
    if (std::find(seen.begin(), seen.end(), fold_key(name)) != seen.end()) continue;
    faults.add(Kind::invalid, "document.missing_key",
               "\"" + name + "\" is missing; " + keys.what + " needs it", "add the line " + name + ": …",
               mapping);
  }
}

}  // namespace

std::string fold_key(std::string_view key) {
  std::string folded;
  for (const char c : base::ascii_lower(key))
    if (c != ' ' && c != '_' && c != '-') folded += c;
  return folded;
}

const Entry* Fields::entry(std::string_view key) const {
  const std::string folded = fold_key(key);
  for (const auto& [name, entry] : entries_)
    if (name == folded) return entry;
  return nullptr;
}

const Node* Fields::value(std::string_view key) const {
  const Entry* found = entry(key);
  return found == nullptr ? nullptr : &found->value;
}

void Fields::put(std::string_view key, const Entry& entry) {
  entries_.emplace_back(fold_key(key), &entry);
}

Fields read_fields(const Node& mapping, const KeySet& keys, Faults& faults) {
  Fields fields;
  std::vector<std::string> seen;
  for (const Entry& entry : mapping.members) {
    const std::string folded = fold_key(entry.key.text);
    if (std::find(seen.begin(), seen.end(), folded) != seen.end()) {
      faults.add(Kind::invalid, "document.repeated_key", "\"" + entry.key.text + "\" stands twice",
                 "keys are alike when only case, spaces, _ and - differ; keep one", entry.key);
      continue;
    }
    seen.push_back(folded);
    if (find_folded(keys.taken, folded) != nullptr) {
      fields.put(folded, entry);
    } else if (find_folded(keys.elsewhere, folded) != nullptr) {
      report_elsewhere(entry, keys, faults);
    } else if (const std::string* name = find_folded(keys.not_built, folded)) {
      faults.add(Kind::unsupported, "document.not_built", "\"" + *name + "\" is not built yet",
                 "remove the key", entry.key);
    } else {
      report_unknown(entry, keys, faults);
    }
  }
  report_missing(mapping, keys, seen, faults);
  return fields;
}

KeySet landing_keys() {
  KeySet keys{"a landing table", together(kEvery, kLandingOnly), kNotBuilt, {"Description", "Landing"}};
  keys.elsewhere = together(kContractOnly, {"Foreign keys", "Comparison columns", "Identity"});
  keys.is_landing = true;
  return keys;
}

KeySet contract_keys() {
  KeySet keys{"a contract table",
              together(kEvery, kContractOnly),
              kNotBuilt,
              {"Description", "Owner", "From", "Schema"}};
  keys.elsewhere = kLandingOnly;
  return keys;
}

}  // namespace contract
