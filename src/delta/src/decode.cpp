// From lines of a log entry to actions. A member that is null counts as absent, unknown members
// are passed over, a known member of another type is an error.
#include <delta/actions.h>

namespace delta {

namespace {

using base::Json;
using base::Kind;

// Reads the members of one action and remembers the first that breaks its form.
class Reader {
 public:
  Reader(std::string_view action, const Json& content, const base::Place& where)
      : action_(action), content_(content), where_(where) {
    if (!content.is_object()) fault("is " + content.print() + ", expected an object");
  }

  std::string text(std::string_view name) { return required(optional_text(name), name, "a string"); }
  std::int64_t integer(std::string_view name) { return required(optional_integer(name), name, "an integer"); }
  bool flag(std::string_view name) { return required(optional_flag(name), name, "true or false"); }

  std::int64_t size(std::string_view name) {
    const std::int64_t value = integer(name);
    if (value < 0) fault("has a negative " + std::string(name));
    return value;
  }

  std::optional<std::string> optional_text(std::string_view name) {
    const Json* member = find(name);
    if (!member) return std::nullopt;
    if (!member->is_string()) return wrong(name, *member, "a string"), std::nullopt;
    return std::string(*member->as_string());
  }

  std::optional<std::int64_t> optional_integer(std::string_view name) {
    const Json* member = find(name);
    if (!member) return std::nullopt;
    if (!member->as_int64()) wrong(name, *member, "an integer");
    return member->as_int64();
  }

  std::optional<bool> optional_flag(std::string_view name) {
    const Json* member = find(name);
    if (!member) return std::nullopt;
    if (!member->as_bool()) wrong(name, *member, "true or false");
    return member->as_bool();
  }

  std::optional<Json> optional_object(std::string_view name) {
    const Json* member = find(name);
    if (!member) return std::nullopt;
    if (!member->is_object()) wrong(name, *member, "an object");
    return *member;
  }

  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> all;
    const Json* member = find(name);
    if (!member) return all;
    if (!member->is_array()) wrong(name, *member, "a list of strings");
    for (const Json& item : member->items()) {
      if (!item.is_string()) {
        wrong(name, item, "strings");
        break;
      }
      all.emplace_back(*item.as_string());
    }
    return all;
  }

  std::map<std::string, std::string> text_map(std::string_view name) {
    std::map<std::string, std::string> all;
    for (auto& [key, value] : nullable_text_map(name))
      if (value) all[key] = *value;
    return all;
  }

  std::map<std::string, std::optional<std::string>> nullable_text_map(std::string_view name) {
    std::map<std::string, std::optional<std::string>> all;
    const Json* member = find(name);
    if (!member) return all;
    if (!member->is_object()) wrong(name, *member, "an object of strings");
    for (const auto& [key, value] : member->members()) {
      if (value.is_null())
        all[key] = std::nullopt;
      else if (value.is_string())
        all[key] = std::string(*value.as_string());
      else
        wrong(name, value, "strings");
    }
    return all;
  }

  std::string path() {
    const std::string encoded = text("path");
    auto decoded = decode_path(encoded);
    if (!decoded) {
      fault("has a wrong path: " + decoded.error().message);
      return {};
    }
    if (decoded->empty() && error_.empty()) fault("has an empty path");
    return *decoded;
  }

  bool has(std::string_view name) const { return content_.find(name) && !content_.find(name)->is_null(); }

  void fault(const std::string& what) {
    if (error_.empty()) error_ = "the action '" + std::string(action_) + "' " + what;
  }

  base::Status finish() const {
    if (error_.empty()) return {};
    return base::fail(Kind::corrupt, "delta.action", error_,
                      "the log entry is damaged or was written by mistake", where_);
  }

 private:
  const Json* find(std::string_view name) const {
    const Json* member = content_.find(name);
    return member && !member->is_null() ? member : nullptr;
  }

  void wrong(std::string_view name, const Json& found, const char* expected) {
    std::string shown = found.print();
    if (shown.size() > 60) shown = shown.substr(0, 60) + "…";
    fault("has " + std::string(name) + " = " + shown + ", expected " + expected);
  }

  template <typename T>
  T required(const std::optional<T>& value, std::string_view name, const char* expected) {
    if (!value) fault("has no " + std::string(name) + ", expected " + expected);
    return value.value_or(T());
  }

  std::string_view action_;
  const Json& content_;
  const base::Place& where_;
  std::string error_;
};

template <typename T>
base::Result<Action> finished(const Reader& reader, T action) {
  TRY_STATUS(reader.finish());
  return Action(std::move(action));
}

base::Result<Action> decode_protocol(Reader& reader) {
  Protocol protocol;
  protocol.reader_version = reader.integer("minReaderVersion");
  protocol.writer_version = reader.integer("minWriterVersion");
  protocol.reader_features = reader.texts("readerFeatures");
  protocol.writer_features = reader.texts("writerFeatures");
  if (protocol.reader_version < 1 || protocol.writer_version < 1) reader.fault("has a version below 1");
  if (protocol.reader_version == 3 && !reader.has("readerFeatures"))
    reader.fault("has reader version 3 without readerFeatures");
  if (protocol.writer_version == 7 && !reader.has("writerFeatures"))
    reader.fault("has writer version 7 without writerFeatures");
  if (protocol.reader_version != 3 && !protocol.reader_features.empty())
    reader.fault("has readerFeatures, which only reader version 3 has");
  if (protocol.writer_version != 7 && !protocol.writer_features.empty())
    reader.fault("has writerFeatures, which only writer version 7 has");
  return finished(reader, std::move(protocol));
}

base::Result<Action> decode_metadata(Reader& reader, const base::Place& where) {
  Metadata metadata;
  metadata.id = reader.text("id");
  metadata.name = reader.optional_text("name");
  metadata.description = reader.optional_text("description");
  metadata.schema_text = reader.text("schemaString");
  metadata.partition_columns = reader.texts("partitionColumns");
  metadata.configuration = reader.text_map("configuration");
  metadata.created_ms = reader.optional_integer("createdTime");
  const auto format = reader.optional_object("format");
  TRY_STATUS(reader.finish());
  const auto provider = format ? format->string("provider") : std::nullopt;
  if (provider && *provider != "parquet")
    return base::fail(Kind::unsupported, "delta.feature_unsupported",
                      "the table's files are " + std::string(*provider) + "; only parquet is built", {},
                      where);
  return Action(std::move(metadata));
}

base::Result<Action> decode_add(Reader& reader) {
  Add add;
  add.path = reader.path();
  add.partition_values = reader.nullable_text_map("partitionValues");
  add.size = reader.size("size");
  add.modified_ms = reader.integer("modificationTime");
  add.data_change = reader.flag("dataChange");
  add.stats = reader.optional_text("stats");
  add.tags = reader.text_map("tags");
  add.deletion_vector = reader.optional_object("deletionVector");
  add.base_row_id = reader.optional_integer("baseRowId");
  add.default_row_commit_version = reader.optional_integer("defaultRowCommitVersion");
  return finished(reader, std::move(add));
}

base::Result<Action> decode_remove(Reader& reader) {
  Remove remove;
  remove.path = reader.path();
  remove.deleted_ms = reader.optional_integer("deletionTimestamp");
  remove.data_change = reader.flag("dataChange");
  remove.extended_file_metadata = reader.optional_flag("extendedFileMetadata");
  remove.partition_values = reader.nullable_text_map("partitionValues");
  remove.size = reader.optional_integer("size");
  remove.deletion_vector = reader.optional_object("deletionVector");
  return finished(reader, std::move(remove));
}

base::Result<Action> decode_txn(Reader& reader) {
  Txn txn;
  txn.app_id = reader.text("appId");
  txn.version = reader.integer("version");
  txn.updated_ms = reader.optional_integer("lastUpdated");
  return finished(reader, std::move(txn));
}

}  // namespace

base::Result<Action> decode_action(std::string_view line, const base::Place& where) {
  auto json = Json::parse(line);
  if (!json)
    return base::fail(Kind::corrupt, "delta.action", "the line is no JSON: " + json.error().message,
                      "the log entry is damaged", where);
  if (json->members().size() != 1)
    return base::fail(Kind::corrupt, "delta.action",
                      "the line holds " + std::to_string(json->members().size()) +
                          " actions; expected an object with one member, named after its action",
                      "the log entry is damaged", where);
  const auto& [name, content] = json->members().front();
  Reader reader(name, content, where);
  if (name == "protocol") return decode_protocol(reader);
  if (name == "metaData") return decode_metadata(reader, where);
  if (name == "add") return decode_add(reader);
  if (name == "remove") return decode_remove(reader);
  if (name == "txn") return decode_txn(reader);
  if (name == "commitInfo") return finished(reader, CommitInfo{content});
  return Action(Other{name, content});
}

base::Result<std::vector<Action>> decode_commit(std::string_view bytes, const std::string& file) {
  std::vector<Action> actions;
  base::Place where{file, 0, 0};
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
    ++where.line;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    TRY(Action action, decode_action(line, where));
    actions.push_back(std::move(action));
  }
  // What a torn write leaves behind must not pass for a commit that did nothing.
  if (actions.empty())
    return base::fail(Kind::corrupt, "delta.empty_entry", "the log entry holds no action",
                      "its writer was cut off, or the file was emptied: restore it", {file, 0, 0});
  return actions;
}

}  // namespace delta
