// A checkpoint in one Parquet file. The engine writes it among the data files, where a vacuum takes what a
// killed run leaves; it gets its name in the log only when it is whole.
#include <base/text.h>

#include "log_folder.h"

namespace table {

namespace {

using base::Json;

constexpr std::int64_t kTombstonesKept_ms = std::int64_t{7} * 24 * 60 * 60 * 1'000;
constexpr const char* kRetentionProperty = "delta.deletedFileRetentionDuration";

// The columns of a checkpoint and the engine's structure of each, as the protocol's
// "Checkpoint Schema" lists them.
struct Part {
  const char* name;
  const char* structure;
};
constexpr Part kParts[] = {
    {"txn", R"x({"appId":"VARCHAR","version":"BIGINT","lastUpdated":"BIGINT"})x"},
    {"add",
     R"x({"path":"VARCHAR","partitionValues":"MAP(VARCHAR, VARCHAR)","size":"BIGINT",)x"
     R"x("modificationTime":"BIGINT","dataChange":"BOOLEAN","tags":"MAP(VARCHAR, VARCHAR)","stats":"VARCHAR"})x"},
    {"remove",
     R"x({"path":"VARCHAR","deletionTimestamp":"BIGINT","dataChange":"BOOLEAN",)x"
     R"x("extendedFileMetadata":"BOOLEAN","partitionValues":"MAP(VARCHAR, VARCHAR)","size":"BIGINT"})x"},
    {"metaData",
     R"x({"id":"VARCHAR","name":"VARCHAR","description":"VARCHAR",)x"
     R"x("format":{"provider":"VARCHAR","options":"MAP(VARCHAR, VARCHAR)"},"schemaString":"VARCHAR",)x"
     R"x("partitionColumns":["VARCHAR"],"configuration":"MAP(VARCHAR, VARCHAR)","createdTime":"BIGINT"})x"},
    {"protocol",
     R"x({"minReaderVersion":"INTEGER","minWriterVersion":"INTEGER","readerFeatures":["VARCHAR"],)x"
     R"x("writerFeatures":["VARCHAR"]})x"},
};
constexpr Part kDomains = {"domainMetadata",
                           R"x({"domain":"VARCHAR","configuration":"VARCHAR","removed":"BOOLEAN"})x"};

// One row for each action: its column holds its JSON, the others nothing.
class Actions final : public engine::RowSource {
 public:
  struct Row {
    std::size_t column;
    std::string json;
  };

  Actions(std::vector<engine::SourceColumn> columns, std::vector<Row> rows)
      : columns_(std::move(columns)), rows_(std::move(rows)) {}
  std::vector<engine::SourceColumn> columns() const override { return columns_; }
  int scans_max() const override { return 1; }
  base::Result<std::unique_ptr<engine::SourceScan>> begin(const std::vector<std::size_t>& wanted) override;

  std::vector<engine::SourceColumn> columns_;
  std::vector<Row> rows_;
};

class ActionsScan final : public engine::SourceScan {
 public:
  ActionsScan(const Actions& source, std::vector<std::size_t> wanted)
      : source_(source), wanted_(std::move(wanted)) {}

  base::Status next(engine::Output& output) override {
    const std::size_t count = std::min(output.capacity(), source_.rows_.size() - next_);
    for (std::size_t row = 0; row < count; ++row) {
      const Actions::Row& action = source_.rows_[next_ + row];
      for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (wanted_[i] == action.column)
          output.set_text(i, row, action.json);
        else
          output.set_null(i, row);
      }
    }
    next_ += count;
    output.set_rows(count);
    return {};
  }

 private:
  const Actions& source_;
  std::vector<std::size_t> wanted_;
  std::size_t next_ = 0;
};

base::Result<std::unique_ptr<engine::SourceScan>> Actions::begin(const std::vector<std::size_t>& wanted) {
  return std::make_unique<ActionsScan>(*this, wanted);
}

class Collector {
 public:
  explicit Collector(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void add(const delta::Action& action) {
    const auto json = Json::parse(delta::encode_action(action));
    const auto& [name, content] = json->members().front();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (name == parts_[i].name) rows_.push_back({i, content.print()});
  }

  std::vector<Actions::Row> take() { return std::move(rows_); }

 private:
  std::vector<Part> parts_;
  std::vector<Actions::Row> rows_;
};

// A tombstone must be kept while a reader of an older version may still need its file.
bool is_kept(const delta::Remove& remove, const delta::Metadata& metadata, std::int64_t now_ms) {
  if (metadata.configuration.contains(kRetentionProperty)) return true;
  return remove.deleted_ms.value_or(0) > now_ms - kTombstonesKept_ms;
}

std::vector<Actions::Row> collect(const delta::State& state, const std::vector<Part>& parts,
                                  std::int64_t now_ms) {
  Collector collector(parts);
  collector.add(*state.protocol);
  collector.add(*state.metadata);
  for (const auto& [app_id, txn] : state.txns) collector.add(txn);
  for (const auto& [path, remove] : state.removed) {
    if (!is_kept(remove, *state.metadata, now_ms)) continue;
    delta::Remove tombstone = remove;
    tombstone.data_change = false;
    collector.add(tombstone);
  }
  for (const auto& [path, add] : state.files) {
    delta::Add live = add;
    live.data_change = false;
    collector.add(live);
  }
  for (const auto& [domain, content] : state.domains) collector.add(delta::Other{"domainMetadata", content});
  return collector.take();
}

std::string select_actions(const std::vector<Part>& parts, std::uint64_t source) {
  std::vector<std::string> list;
  for (const Part& part : parts) {
    const std::string name = base::sql_name(part.name);
    list.push_back("from_json(" + name + ", " + base::sql_quote(part.structure) + ") AS " + name);
  }
  return "SELECT " + base::join(list, ", ") + " FROM tenter_source(" + std::to_string(source) + ")";
}

base::Status publish(const Access& access, const std::string& temporary, const std::string& final_path) {
  TRY(const std::string bytes, access.world->files->read(temporary));
  TRY(const auto outcome, access.world->files->put_if_absent(final_path, bytes));
  (void)outcome;  // somebody else's checkpoint of the same version says the same
  return {};
}

}  // namespace

base::Status write_checkpoint(const Access& access, const Snapshot& snapshot) {
  std::vector<Part> parts(std::begin(kParts), std::end(kParts));
  if (!snapshot.state.domains.empty()) parts.push_back(kDomains);
  std::vector<engine::SourceColumn> columns;
  for (const Part& part : parts) columns.push_back({part.name, engine::SourceType::text});
  auto rows = collect(snapshot.state, parts, access.world->clock->now_us() / 1'000);
  const std::size_t count = rows.size();

  TRY(engine::Engine* const engine, access.engine->engine());
  TRY(engine::Connection* const connection, access.engine->connection());
  const std::uint64_t source = engine->add(std::make_shared<Actions>(std::move(columns), std::move(rows)));
  const std::string temporary =
      world::path_join(snapshot.path, "checkpoint-" + access.world->random->uuid() + ".parquet");
  engine::ParquetOptions options;
  options.compression = "snappy";  // read by every Delta reader
  const auto written = connection->write_parquet(select_actions(parts, source), temporary, options);
  engine->forget(source);
  const std::string final_path = log_file(snapshot.path, delta::checkpoint_name(snapshot.version()));
  const base::Status published =
      written ? publish(access, temporary, final_path) : base::Status(base::fail(written.error()));
  TRY_STATUS(access.world->files->remove(temporary));
  TRY_STATUS(published);

  const Hint hint = read_hint(access, snapshot.path);
  if (hint.version && *hint.version > snapshot.version()) return {};
  const Json text = Json::object({{"version", snapshot.version()},
                                  {"size", static_cast<std::int64_t>(count)},
                                  {"sizeInBytes", written->bytes},
                                  {"numOfAddFiles", static_cast<std::int64_t>(snapshot.state.files.size())}});
  return access.world->files->replace(log_file(snapshot.path, "_last_checkpoint"), text.print());
}

}  // namespace table
