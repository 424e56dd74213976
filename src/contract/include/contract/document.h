// One document: YAML text in, a checked model out, every fault with its position.
// `documents.md` of the product's docs is the reference for keys and rules. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <base/result.h>
#include <contract/model.h>

namespace contract {

// What a document needs to know from outside itself.
struct DocumentPlace {
  std::string file;  // relative to the project root, for messages
  TableName name;    // from the file's name
  std::string time_zone = "UTC";
};

using Document = std::variant<Landing, Contract>;

// Where a document says what only all documents together can judge; line 1 when it does not say it.
struct Places {
  base::Place from;
  base::Place quarantine;
};

struct Checked {
  std::optional<Document> document;  // present when there is no error
  std::vector<base::Error> errors;   // all of them, in text order
  std::vector<base::Error> warnings;
  Places places;
};

// Reads and checks one document by itself (other documents: room project).
Checked check_document(std::string_view text, const DocumentPlace& place);

// Who is told of a batch that failed: a command that is run, or an address that is posted to.
struct FailureHook {
  std::vector<std::string> command;  // empty: `host` is posted to
  std::string host;
  std::uint16_t port = 80;
  std::string path = "/";
  std::int64_t limit_ms = 10'000;
};

// tenter.yml
struct ProjectSettings {
  std::string workspace;                                   // empty: the folder's name
  std::vector<std::pair<std::string, std::string>> items;  // "Lakehouse/Shop" -> name in the home
  std::string time_zone = "UTC";
  std::optional<FailureHook> on_failure;
};
struct CheckedSettings {
  ProjectSettings settings;
  std::vector<base::Place> item_places;  // beside settings.items
  base::Place time_zone_place;
  std::vector<base::Error> errors;
};
CheckedSettings check_settings(std::string_view text, const std::string& file);

}  // namespace contract
