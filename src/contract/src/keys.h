// The keys of documents: which there are, which of them are built, and for what kind of document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "faults.h"
#include "yaml.h"

namespace contract {

// "Primary key", "primary_key" and "primaryKey" are all "primarykey".
std::string fold_key(std::string_view key);

// The keys that one mapping may hold, by their canonical spelling.
struct KeySet {
  std::string what;                    // "a landing table": who holds the keys
  std::vector<std::string> taken;      // read
  std::vector<std::string> not_built;  // known, refused by name
  std::vector<std::string> required;   // of those taken
  std::vector<std::string> elsewhere;  // keys of the other kind of table
  bool is_landing = false;
};

// A mapping's entries, found by canonical key.
class Fields {
 public:
  const Entry* entry(std::string_view key) const;  // nothing when absent
  const Node* value(std::string_view key) const;   // nothing when absent
  void put(std::string_view key, const Entry& entry);

 private:
  std::vector<std::pair<std::string, const Entry*>> entries_;  // folded key
};

// Sorts a mapping's entries and reports the unknown, the repeated, the missing and those not built.
Fields read_fields(const Node& mapping, const KeySet& keys, Faults& faults);

// Every key that a table document can have, canonical.
KeySet landing_keys();
KeySet contract_keys();

}  // namespace contract
