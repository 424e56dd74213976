// The landed rows of one batch: which bronze files hold them, and SQL over them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <table/table.h>

#include "row_states.h"

namespace load {

struct BatchRows {
  std::string select;  // bronze columns and _file_index, _file_row of the batch's rows
  RowNumbers numbers;  // of (_file_index, _file_row)
  std::shared_ptr<const void> source = nullptr;  // what `select` reads, where that is ours
};

base::Result<BatchRows> batch_rows(const table::Access& access, const table::Snapshot& bronze,
                                   const std::string& batch);

// Rows of each live file; from the statistics, else counted.
base::Result<std::vector<std::int64_t>> rows_per_file(const table::Access& access,
                                                      const table::Snapshot& snapshot);

// Live files whose statistics do not rule out `value` in the text column `column`.
std::vector<std::size_t> files_that_may_hold(const table::Snapshot& snapshot, const std::string& column,
                                             const std::string& value);

}  // namespace load
