// The types of landed columns, where files have types: a narrower one is widened, another one refuses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>

namespace load {

// The Delta type that holds every value of both: whole numbers and decimals among themselves, float and
// double. Nothing when there is none.
std::optional<std::string> common_type(const std::string& a, const std::string& b);

class ColumnTypes {
 public:
  ColumnTypes() = default;
  // The table's types stand: files widen to them, they never change.
  ColumnTypes(const std::string& table, const delta::Schema& schema);

  // Takes in a file's columns (bronze names and Delta types). "land.type_changed" names both types and
  // where they come from.
  std::vector<base::Error> add(const std::string& file, const std::vector<std::string>& names,
                               const std::vector<std::string>& types);
  // Of a column of the table that was taken in.
  std::string type_of(const std::string& column) const;

 private:
  struct Known {
    std::string type;
    std::string where;  // "the table bronze.orders", a file
    bool is_fixed = false;
  };
  std::map<std::string, Known> known_;  // by bronze name in lower letters
};

}  // namespace load
