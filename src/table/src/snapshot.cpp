#include <base/text.h>
#include <table/table.h>

#include "columns.h"

namespace table {

std::optional<std::int64_t> Snapshot::txn(const std::string& app_id) const {
  const auto found = state.txns.find(app_id);
  if (found == state.txns.end()) return std::nullopt;
  return found->second.version;
}

std::int64_t Snapshot::rows() const {
  std::int64_t sum = 0;
  for (const auto& [name, add] : state.files) {
    const auto stats = base::Json::parse(add.stats.value_or("{}"));
    const auto count = stats ? stats->int64("numRecords") : std::nullopt;
    if (!count) return -1;
    sum += *count;
  }
  return sum;
}

std::vector<delta::Add> Snapshot::files() const {
  std::vector<delta::Add> all;
  all.reserve(state.files.size());
  for (const auto& [name, add] : state.files) all.push_back(add);
  return all;
}

base::Result<std::string> Snapshot::scan(bool row_ids,
                                         const std::optional<std::vector<std::size_t>>& only) const {
  const std::vector<delta::Add> live = files();
  std::vector<std::size_t> indexes;
  if (only) {
    indexes = *only;
  } else {
    for (std::size_t i = 0; i < live.size(); ++i) indexes.push_back(i);
  }
  std::vector<std::string> paths, numbers;
  for (const std::size_t index : indexes) {
    TRY(std::string absolute, absolute_path(path, live.at(index).path));
    paths.push_back(std::move(absolute));
    numbers.push_back(std::to_string(index));
  }
  std::string source;
  if (!paths.empty()) {
    source = "SELECT *";
    if (row_ids)
      source += ", CAST([" + base::join(numbers, ", ") +
                "][CAST(file_index AS BIGINT) + 1] AS BIGINT) AS _file_index, file_row_number AS _file_row";
    source += " FROM " + read_files(paths);
  }
  const std::vector<std::string> extra =
      row_ids ? std::vector<std::string>{"_file_index", "_file_row"} : std::vector<std::string>();
  return select_columns(schema, source, extra);
}

}  // namespace table
