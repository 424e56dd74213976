// Reads single values of a document: each gives the value, or reports what it found instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <contract/model.h>

#include "faults.h"
#include "yaml.h"

namespace contract {

// One name of a column set and where it stands in the file.
struct NamedPlace {
  std::string name;
  base::Place place;
};

// `what` names the key in messages: "Primary key".
std::optional<std::string> read_text(const Node& node, std::string_view what, Faults& faults);
// Text for people: no placeholder like "tbd", no reference yet, "$$" is "$".
std::optional<std::string> read_prose(const Node& node, std::string_view what, Faults& faults);
std::optional<bool> read_boolean(const Node& node, std::string_view what, Faults& faults);
std::optional<std::int64_t> read_count(const Node& node, std::string_view what, Faults& faults);  // >= 0
// One of the words, else the first of them (a fault was reported).
std::string read_word(const Node& node, std::string_view what, const std::vector<std::string>& words,
                      Faults& faults);
// "a, b" or [a, b]: trimmed, none empty, none twice. Empty when a fault was reported.
std::vector<NamedPlace> read_column_set(const Node& node, std::string_view what, Faults& faults);
// A list of texts (or one text), in order; quoted ones may be empty.
std::vector<const Node*> read_texts(const Node& node, std::string_view what, Faults& faults);
// "silver.orders".
std::optional<TableName> read_table_name(const Node& node, std::string_view what, Faults& faults);

std::string found(const Node& node);  // "a list", "null", "\"abc\""

}  // namespace contract
