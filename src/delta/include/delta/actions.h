// The actions of a Delta log entry (Delta protocol, "Actions"). Decoding keeps what it does not
// know out of the way but never guesses: an action that breaks its own form is an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <delta/schema.h>

namespace delta {

using Properties = std::map<std::string, std::string>;

struct Protocol {
  std::int64_t reader_version = 1;
  std::int64_t writer_version = 2;
  std::vector<std::string> reader_features;  // only with reader version 3
  std::vector<std::string> writer_features;  // only with writer version 7

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

struct Metadata {
  std::string id;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::string schema_text;  // as stored
  std::vector<std::string> partition_columns;
  Properties configuration;
  std::optional<std::int64_t> created_ms;

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

struct Add {
  std::string path;  // decoded, relative to the table or absolute
  std::map<std::string, std::optional<std::string>> partition_values;
  std::int64_t size = 0;         // bytes
  std::int64_t modified_ms = 0;  // milliseconds since 1970 UTC
  bool data_change = true;
  std::optional<std::string> stats;  // JSON text as stored
  std::map<std::string, std::string> tags;
  std::optional<base::Json> deletion_vector;  // as stored
  std::optional<std::int64_t> base_row_id;
  std::optional<std::int64_t> default_row_commit_version;

  friend bool operator==(const Add&, const Add&) = default;
};

struct Remove {
  std::string path;
  std::optional<std::int64_t> deleted_ms;
  bool data_change = true;
  std::optional<bool> extended_file_metadata;
  std::map<std::string, std::optional<std::string>> partition_values;
  std::optional<std::int64_t> size;
  std::optional<base::Json> deletion_vector;

  friend bool operator==(const Remove&, const Remove&) = default;
};

struct Txn {
  std::string app_id;
  std::int64_t version = 0;
  std::optional<std::int64_t> updated_ms;

  friend bool operator==(const Txn&, const Txn&) = default;
};

struct CommitInfo {
  base::Json content = base::Json::object();  // as written, all members

  friend bool operator==(const CommitInfo&, const CommitInfo&) = default;
};

// domainMetadata, cdc, sidecar, checkpointMetadata and whatever comes later: kept by name.
struct Other {
  std::string name;
  base::Json content;

  friend bool operator==(const Other&, const Other&) = default;
};

using Action = std::variant<Protocol, Metadata, Add, Remove, Txn, CommitInfo, Other>;

// One line of a log entry. `where` names the file for errors; code "delta.action".
base::Result<Action> decode_action(std::string_view line, const base::Place& where);
std::string encode_action(const Action& action);
// A whole log entry: one action a line.
base::Result<std::vector<Action>> decode_commit(std::string_view bytes, const std::string& file);
std::string encode_commit(const std::vector<Action>& actions);

// Percent-encoding of Add.path and Remove.path (RFC 2396, as the protocol asks).
base::Result<std::string> decode_path(std::string_view encoded);
std::string encode_path(std::string_view path);

}  // namespace delta
