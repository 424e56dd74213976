// One data file: written, judged, synced, measured.
#include <base/text.h>

#include "columns.h"
#include "constraints.h"
#include "statistics.h"

namespace table {

namespace {

// The name says what Spark's would: task, a unique id, the compression.
std::string new_file_name(const Access& access) {
  return "part-00000-" + access.world->random->uuid() + "-c000.zstd.parquet";
}

// The rows under the names that columns have in the files.
std::string stored_rows(const delta::Schema& schema, const std::string& rows) {
  std::vector<std::string> list;
  bool differs = false;
  for (const delta::Field& field : schema.fields) {
    const std::string stored = delta::physical_name(field);
    differs = differs || stored != field.name;
    list.push_back(base::sql_name(field.name) + " AS " + base::sql_name(stored));
  }
  return differs ? "SELECT " + base::join(list, ", ") + " FROM (" + rows + ")" : rows;
}

engine::ParquetOptions options_for(const delta::Schema& schema) {
  engine::ParquetOptions options;
  for (const delta::Field& field : schema.fields)
    if (const auto id = delta::column_id(field))
      options.field_ids.emplace_back(delta::physical_name(field), *id);
  return options;
}

base::Result<DataFile> measured(const Access& access, const delta::Metadata& metadata,
                                const delta::Schema& schema, const std::string& name,
                                const std::string& absolute, const engine::ParquetFile& written) {
  TRY_STATUS(judge_not_null(schema, written));
  TRY(const std::string rows, select_columns(schema, "SELECT * FROM " + read_files({absolute}), {}));
  TRY_STATUS(judge_checks(access, metadata, schema, rows));
  TRY_STATUS(access.world->files->sync(absolute));
  TRY(const auto info, access.world->files->info(absolute));
  DataFile file;
  file.absolute_path = absolute;
  file.rows = written.rows;
  file.add.path = name;
  file.add.size = static_cast<std::int64_t>(info.size);
  file.add.modified_ms = access.world->clock->now_us() / 1'000;
  file.add.stats = file_statistics(schema, written).print();
  return file;
}

}  // namespace

base::Result<std::optional<DataFile>> write_data_file(const Access& access, const std::string& path,
                                                      const delta::Metadata& metadata,
                                                      const std::string& select) {
  TRY(const auto schema, delta::parse_schema(metadata.schema_text));
  TRY(engine::Connection* const connection, access.engine->connection());
  TRY(const std::string rows, shape_rows(*connection, schema, select));
  const std::string stored = stored_rows(schema, rows);
  TRY_STATUS(access.world->files->make_directories(path));
  const std::string name = new_file_name(access);
  const std::string absolute = world::path_join(path, name);
  const auto written = connection->write_parquet(stored, absolute, options_for(schema));
  auto file = written ? (written->rows == 0 ? base::Result<DataFile>(DataFile())
                                            : measured(access, metadata, schema, name, absolute, *written))
                      : base::Result<DataFile>(base::fail(written.error()));
  if (!file || file->rows == 0) TRY_STATUS(access.world->files->remove(absolute));
  if (!file) return base::fail(file.error());
  if (file->rows == 0) return std::optional<DataFile>();
  return std::optional(*std::move(file));
}

namespace {

// A commit whose answer was lost, as when only the sync of its folder failed, may name the file all the same.
bool may_be_named(const Access& access, const DataFile& file) {
  const auto snapshot = open(access, world::path_parent(file.absolute_path));
  if (!snapshot) return snapshot.error().code != "delta.no_table";
  return snapshot->state.files.contains(file.add.path) || snapshot->state.removed.contains(file.add.path);
}

}  // namespace

void discard(const Access& access, const std::vector<DataFile>& files) {
  // A file that stays behind is only unused space; the caller has a better error to report.
  for (const DataFile& file : files)
    if (!may_be_named(access, file)) (void)access.world->files->remove(file.absolute_path);
}

}  // namespace table
