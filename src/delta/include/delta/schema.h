// Schemas of Delta tables (Delta protocol, "Schema Serialization Format").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/json.h>
#include <base/result.h>

namespace delta {

struct Field {
  std::string name;
  // A primitive's protocol name ("long", "decimal(18,2)"), or empty for a nested type.
  std::string type;
  base::Json nested;  // the nested type as written, when `type` is empty
  bool nullable = true;
  base::Json metadata = base::Json::object();

  friend bool operator==(const Field&, const Field&) = default;
};

struct Schema {
  std::vector<Field> fields;

  const Field* find(std::string_view name) const;                // exact
  const Field* find_ignoring_case(std::string_view name) const;  // as Delta compares names
  friend bool operator==(const Schema&, const Schema&) = default;
};

// ---- column mapping by name (Delta protocol, "Column Mapping") -------------------------------------

inline constexpr const char* kMappingMode = "delta.columnMapping.mode";  // of the table: "name"
inline constexpr const char* kMappingLastId = "delta.columnMapping.maxColumnId";
inline constexpr const char* kFieldPhysicalName = "delta.columnMapping.physicalName";
inline constexpr const char* kFieldId = "delta.columnMapping.id";

// What the column is called in the data files and in their statistics; its own name without a mapping.
std::string physical_name(const Field& field);
// Its number in the data files, with a mapping.
std::optional<std::int64_t> column_id(const Field& field);

base::Result<Schema> parse_schema(std::string_view json);  // code "delta.schema"
std::string print_schema(const Schema& schema);

}  // namespace delta
