#include "typed_file.h"

#include <algorithm>

#include <base/text.h>
#include <sql/types.h>

namespace load {

namespace {

class NoScan final : public RecordScan {
 public:
  base::Result<bool> read(std::size_t, RecordBatch&) override { return false; }
};

}  // namespace

std::unique_ptr<RecordScan> TypedFile::begin(std::size_t, std::size_t, std::vector<std::size_t>) const {
  return std::make_unique<NoScan>();
}

base::Result<std::string> select_typed(const std::vector<delta::Field>& fields,
                                       const std::vector<std::string>& names,
                                       const std::vector<std::string>& engine_names,
                                       const std::string& file) {
  std::string text = "SELECT ";
  for (const delta::Field& field : fields) {
    TRY(const sql::Type type, sql::parse_delta_type(field.type));
    const auto at = std::find(names.begin(), names.end(), field.name);
    const std::string value =
        at == names.end() ? "NULL"
                          : base::sql_name(engine_names[static_cast<std::size_t>(at - names.begin())]);
    text += "CAST(" + value + " AS " + sql::engine_type(type) + ") AS " + base::sql_name(field.name) + ", ";
  }
  return text + base::sql_quote(file) + " AS _source_file, CAST(NULL AS BIGINT) AS _source_line";
}

}  // namespace load
