#include "replay.h"

#include <base/text.h>

namespace verify {

namespace {

using base::Json;
using base::Kind;
using base::Place;

std::unexpected<base::Error> unsupported(const std::string& what, const Place& where) {
  return base::fail(Kind::unsupported, "verify.unsupported", what + ", which verify does not read", {},
                    where);
}

std::unexpected<base::Error> broken(const std::string& what, const Place& where) {
  return base::fail(Kind::corrupt, "verify.log", what, {}, where);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

base::Result<std::string> decode(std::string_view encoded, const Place& where) {
  std::string text;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      text += encoded[i];
      continue;
    }
    const int high = i + 2 < encoded.size() ? hex_digit(encoded[i + 1]) : -1;
    const int low = i + 2 < encoded.size() ? hex_digit(encoded[i + 2]) : -1;
    if (high < 0 || low < 0)
      return broken("a file path with a broken escape: " + std::string(encoded), where);
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

base::Result<std::string> file_path(const Json& action, const Place& where) {
  const auto encoded = action.string("path");
  if (!encoded) return broken("an add or remove without a path", where);
  const std::size_t colon = encoded->find(':');
  if (encoded->starts_with('/') || (colon != std::string_view::npos && encoded->find('/') > colon))
    return unsupported("the absolute file path " + std::string(*encoded), where);
  return decode(*encoded, where);
}

base::Status on_protocol(const Json& action, const Place& where) {
  const std::int64_t reader = action.int64("minReaderVersion").value_or(-1);
  if (reader < 1 || reader > 3) return unsupported("reader version " + std::to_string(reader), where);
  if (const Json* features = action.find("readerFeatures"); features && reader == 3)
    for (const Json& feature : features->items())
      if (feature.as_string() != "columnMapping")
        return unsupported("the table feature " + std::string(feature.as_string().value_or("?")), where);
  return {};
}

base::Result<std::vector<Field>> read_schema(std::string_view text, bool is_mapped, const Place& where) {
  auto schema = Json::parse(text);
  if (!schema || !schema->find("fields")) return broken("a schema that is no struct", where);
  std::vector<Field> fields;
  for (const Json& item : schema->find("fields")->items()) {
    const auto name = item.string("name");
    if (!name) return broken("a schema field without a name", where);
    const auto type_name = item.string("type");
    if (!type_name) return unsupported("the nested column " + std::string(*name), where);
    auto type = sql::parse_delta_type(*type_name);
    if (!type)
      return unsupported("column " + std::string(*name) + " of type " + std::string(*type_name), where);
    fields.push_back({std::string(*name), *type, item.boolean("nullable").value_or(true), {}});
    if (!is_mapped) continue;
    const Json* metadata = item.find("metadata");
    const auto mapped = metadata ? metadata->string("delta.columnMapping.physicalName") : std::nullopt;
    if (!mapped) return broken("the mapped column " + std::string(*name) + " has no physical name", where);
    fields.back().mapped = std::string(*mapped);
  }
  return fields;
}

base::Status on_metadata(const Json& action, const Place& where, State& state) {
  state.id = std::string(action.string("id").value_or(""));
  if (state.id.empty()) return broken("metadata without an id", where);
  if (const Json* partitions = action.find("partitionColumns"); partitions && !partitions->items().empty())
    return unsupported(
        "a table partitioned by " + std::string(partitions->items().front().as_string().value_or("?")),
        where);
  state.properties.clear();
  if (const Json* configuration = action.find("configuration"))
    for (const auto& [name, value] : configuration->members())
      state.properties[name] = std::string(value.as_string().value_or(""));
  const std::string mapping = state.property("delta.columnMapping.mode");
  if (!mapping.empty() && mapping != "none" && mapping != "name")
    return unsupported("column mapping by " + mapping, where);
  TRY(state.fields, read_schema(action.string("schemaString").value_or(""), mapping == "name", where));
  return {};
}

base::Result<LiveFile> read_add(const Json& action, const std::string& table, const Place& where) {
  LiveFile file;
  TRY(file.path, file_path(action, where));
  file.absolute = world::path_join(table, file.path);
  const auto size = action.int64("size");
  if (!size) return broken("an add without a size: " + file.path, where);
  file.size = *size;
  if (const auto stats = action.string("stats")) file.stats = std::string(*stats);
  if (const Json* vector = action.find("deletionVector"); vector && !vector->is_null())
    return unsupported("the deletion vector of " + file.path, where);
  return file;
}

base::Status on_add(const Json& action, const std::string& table, const Place& where, State& state,
                    Entry* entry) {
  TRY(LiveFile file, read_add(action, table, where));
  if (entry) {
    entry->adds.push_back(file);
    entry->changes_rows = entry->changes_rows || action.boolean("dataChange").value_or(true);
  }
  state.files[file.path] = std::move(file);
  return {};
}

base::Status on_remove(const Json& action, const Place& where, State& state, Entry* entry) {
  TRY(const std::string path, file_path(action, where));
  const auto found = state.files.find(path);
  if (entry) {
    if (found == state.files.end()) return broken("a remove of a file that is not live: " + path, where);
    entry->removes.push_back(found->second);
    entry->changes_rows = entry->changes_rows || action.boolean("dataChange").value_or(true);
  }
  if (found != state.files.end()) state.files.erase(found);
  return {};
}

base::Status on_txn(const Json& action, const Place& where, State& state, Entry* entry) {
  const auto app = action.string("appId");
  const auto version = action.int64("version");
  if (!app || !version) return broken("a txn without appId or version", where);
  state.txns[std::string(*app)] = *version;
  if (entry) entry->txns[std::string(*app)] = *version;
  return {};
}

base::Status apply(std::string_view name, const Json& action, const std::string& table, const Place& where,
                   State& state, Entry* entry) {
  if (name == "protocol") return on_protocol(action, where);
  if (name == "metaData") return on_metadata(action, where, state);
  if (name == "add") return on_add(action, table, where, state, entry);
  if (name == "txn") return on_txn(action, where, state, entry);
  if (name == "remove") return entry ? on_remove(action, where, state, entry) : base::Status();
  if (name == "commitInfo") {
    if (entry) entry->commit_info = action;
    return {};
  }
  return unsupported("the action " + std::string(name), where);
}

// Removes come before adds, whatever the order of lines: one entry may replace a file by its name.
base::Status apply_all(const std::vector<std::pair<Json, Place>>& lines, bool removes,
                       const std::string& table, State& state, Entry& entry) {
  for (const auto& [line, where] : lines)
    for (const auto& [name, action] : line.members())
      if ((name == "remove") == removes) TRY_STATUS(apply(name, action, table, where, state, &entry));
  return {};
}

}  // namespace

base::Status replay_entry(std::string_view bytes, Place where, const std::string& table, State& state,
                          Entry& entry) {
  std::vector<std::pair<Json, Place>> lines;
  for (const std::string_view text : base::split(bytes, '\n')) {
    ++where.line;
    if (base::trim(text).empty()) continue;
    auto line = Json::parse(text);
    if (!line || !line->is_object()) return broken("a line that is no JSON object", where);
    lines.emplace_back(*std::move(line), where);
  }
  TRY_STATUS(apply_all(lines, true, table, state, entry));
  return apply_all(lines, false, table, state, entry);
}

base::Status read_checkpoint(engine::LazyEngine& engine, const std::string& file, const std::string& table,
                             State& state) {
  TRY(engine::Connection * connection, engine.connection());
  const std::string source = "read_parquet(" + base::sql_quote(file) + ")";
  TRY(const engine::Rows shape, connection->query("SELECT * FROM " + source + " LIMIT 0"));
  const Place where{world::path_name(file), 0, 0};
  for (std::size_t column = 0; column < shape.columns(); ++column) {
    const std::string name = base::sql_name(shape.name(column));
    const auto on_rows = [&](const engine::Rows& rows) -> base::Status {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(const Json action, Json::parse(rows.text(row, 0)));
        TRY_STATUS(apply(shape.name(column), action, table, where, state, nullptr));
      }
      return {};
    };
    TRY_STATUS(connection->query_each(
        "SELECT CAST(to_json(" + name + ") AS VARCHAR) FROM " + source + " WHERE " + name + " IS NOT NULL",
        on_rows));
  }
  return {};
}

}  // namespace verify
