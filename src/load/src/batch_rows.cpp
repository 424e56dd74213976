#include "batch_rows.h"

#include <base/json.h>
#include <base/text.h>

#include "standing.h"

namespace load {

namespace {

base::Json statistics_of(const delta::Add& add) {
  if (!add.stats) return {};
  auto parsed = base::Json::parse(*add.stats);
  return parsed ? *parsed : base::Json();
}

}  // namespace

base::Result<std::vector<std::int64_t>> rows_per_file(const table::Access& access,
                                                      const table::Snapshot& snapshot) {
  std::vector<std::int64_t> rows;
  const auto files = snapshot.files();
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (const auto count = statistics_of(files[i]).int64("numRecords")) {
      rows.push_back(*count);
      continue;
    }
    TRY(const std::string scan, snapshot.scan(true, std::vector<std::size_t>{i}));
    TRY(engine::Connection * connection, access.engine->connection());
    TRY(const engine::Rows counted,
        connection->query("SELECT coalesce(max(_file_row) + 1, 0) FROM (" + scan + ")"));
    rows.push_back(counted.int64(0, 0));
  }
  return rows;
}

std::vector<std::size_t> files_that_may_hold(const table::Snapshot& snapshot, const std::string& column,
                                             const std::string& value) {
  std::vector<std::size_t> indexes;
  const delta::Field* const field = snapshot.schema.find(column);
  const std::string stored = field != nullptr ? delta::physical_name(*field) : column;
  const auto files = snapshot.files();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const base::Json statistics = statistics_of(files[i]);
    const base::Json* minimums = statistics.find("minValues");
    const base::Json* maximums = statistics.find("maxValues");
    const auto minimum = minimums != nullptr ? minimums->string(stored) : std::nullopt;
    const auto maximum = maximums != nullptr ? maximums->string(stored) : std::nullopt;
    if ((minimum && value < *minimum) || (maximum && value > *maximum)) continue;
    indexes.push_back(i);
  }
  return indexes;
}

base::Result<BatchRows> batch_rows(const table::Access& access, const table::Snapshot& bronze,
                                   const std::string& batch) {
  TRY(std::vector<std::int64_t> counts, rows_per_file(access, bronze));
  TRY(const std::string scan, bronze.scan(true, files_that_may_hold(bronze, "_batch_id", batch)));
  return BatchRows{
      "SELECT * FROM (" + in_place(bronze, scan) + ") WHERE _batch_id = " + base::sql_quote(batch),
      RowNumbers(counts), nullptr};
}

}  // namespace load
