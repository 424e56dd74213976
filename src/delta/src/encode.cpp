// From actions to lines, members in the order in which Spark writes them.
#include <delta/actions.h>

namespace delta {

namespace {

using base::Json;

Json list_of(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(text);
  return list;
}

Json object_of(const std::map<std::string, std::string>& texts) {
  Json::Object members;
  for (const auto& [name, value] : texts) members.emplace_back(name, value);
  return Json::object_of(std::move(members));
}

Json object_of(const std::map<std::string, std::optional<std::string>>& texts) {
  Json::Object members;
  for (const auto& [name, value] : texts) members.emplace_back(name, value ? Json(*value) : Json());
  return Json::object_of(std::move(members));
}

Json content_of(const Protocol& protocol) {
  Json json = Json::object(
      {{"minReaderVersion", protocol.reader_version}, {"minWriterVersion", protocol.writer_version}});
  if (protocol.reader_version >= 3) json.set("readerFeatures", list_of(protocol.reader_features));
  if (protocol.writer_version >= 7) json.set("writerFeatures", list_of(protocol.writer_features));
  return json;
}

Json content_of(const Metadata& metadata) {
  Json json = Json::object({{"id", metadata.id}});
  if (metadata.name) json.set("name", *metadata.name);
  if (metadata.description) json.set("description", *metadata.description);
  json.set("format", Json::object({{"provider", "parquet"}, {"options", Json::object()}}));
  json.set("schemaString", metadata.schema_text);
  json.set("partitionColumns", list_of(metadata.partition_columns));
  json.set("configuration", object_of(metadata.configuration));
  if (metadata.created_ms) json.set("createdTime", *metadata.created_ms);
  return json;
}

Json content_of(const Add& add) {
  Json json = Json::object({{"path", encode_path(add.path)},
                            {"partitionValues", object_of(add.partition_values)},
                            {"size", add.size},
                            {"modificationTime", add.modified_ms},
                            {"dataChange", add.data_change}});
  if (add.stats) json.set("stats", *add.stats);
  if (!add.tags.empty()) json.set("tags", object_of(add.tags));
  if (add.deletion_vector) json.set("deletionVector", *add.deletion_vector);
  if (add.base_row_id) json.set("baseRowId", *add.base_row_id);
  if (add.default_row_commit_version) json.set("defaultRowCommitVersion", *add.default_row_commit_version);
  return json;
}

Json content_of(const Remove& remove) {
  Json json = Json::object({{"path", encode_path(remove.path)}});
  if (remove.deleted_ms) json.set("deletionTimestamp", *remove.deleted_ms);
  json.set("dataChange", remove.data_change);
  if (remove.extended_file_metadata) json.set("extendedFileMetadata", *remove.extended_file_metadata);
  if (remove.extended_file_metadata.value_or(false) || !remove.partition_values.empty())
    json.set("partitionValues", object_of(remove.partition_values));
  if (remove.size) json.set("size", *remove.size);
  if (remove.deletion_vector) json.set("deletionVector", *remove.deletion_vector);
  return json;
}

Json content_of(const Txn& txn) {
  Json json = Json::object({{"appId", txn.app_id}, {"version", txn.version}});
  if (txn.updated_ms) json.set("lastUpdated", *txn.updated_ms);
  return json;
}

Json content_of(const CommitInfo& info) {
  return info.content;
}

Json content_of(const Other& other) {
  return other.content;
}

const char* name_of(const Protocol&) {
  return "protocol";
}
const char* name_of(const Metadata&) {
  return "metaData";
}
const char* name_of(const Add&) {
  return "add";
}
const char* name_of(const Remove&) {
  return "remove";
}
const char* name_of(const Txn&) {
  return "txn";
}
const char* name_of(const CommitInfo&) {
  return "commitInfo";
}
const char* name_of(const Other& other) {
  return other.name.c_str();
}

}  // namespace

std::string encode_action(const Action& action) {
  return std::visit([](const auto& one) { return Json::object({{name_of(one), content_of(one)}}).print(); },
                    action);
}

std::string encode_commit(const std::vector<Action>& actions) {
  std::string bytes;
  for (const Action& action : actions) bytes += encode_action(action) + "\n";
  return bytes;
}

}  // namespace delta
