// A delivery that has types of its own: the engine reads its rows, nothing is split here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>
#include <load/records.h>

namespace load {

class TypedFile : public RecordFile {
 public:
  std::size_t block_count() const override { return 0; }
  std::unique_ptr<RecordScan> begin(std::size_t first, std::size_t last,
                                    std::vector<std::size_t> columns) const override;

  virtual const std::vector<std::string>& types() const = 0;  // Delta's, one for each column
  virtual std::int64_t rows() const = 0;
  // SELECT of these fields from the file, null where it has none, and _source_file, _source_line.
  // `names`: the landing table's of its columns, in order.
  virtual base::Result<std::string> select(const std::vector<delta::Field>& fields,
                                           const std::vector<std::string>& names) const = 0;
  // False when all that it holds was landed in an earlier form.
  virtual bool has_news() const { return true; }
};

// The list of such a SELECT over columns that the engine calls `engine_names`.
base::Result<std::string> select_typed(const std::vector<delta::Field>& fields,
                                       const std::vector<std::string>& names,
                                       const std::vector<std::string>& engine_names, const std::string& file);

}  // namespace load
