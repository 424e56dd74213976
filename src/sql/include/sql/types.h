// The column types of Spark SQL that Tenter knows, and their names: in Spark SQL (`bigint`), in a
// Delta schema (`long`) and in the engine (`BIGINT`). Plain values; pure functions.
#pragma once

#include <string>
#include <string_view>

#include <base/result.h>

namespace sql {

struct Type {
  enum class Kind {
    null,  // only the literal NULL has it
    boolean,
    tinyint,
    smallint,
    integer,
    bigint,
    float32,
    float64,
    decimal,
    string,
    binary,
    date,
    timestamp,  // an instant
  };
  Kind kind = Kind::null;
  int precision = 0;  // decimal only: 1 to 38
  int scale = 0;      // decimal only: 0 to precision

  static Type decimal(int precision, int scale) { return Type{Kind::decimal, precision, scale}; }
  friend bool operator==(const Type&, const Type&) = default;
};

bool is_integral(const Type& type);
bool is_numeric(const Type& type);

// Spark's simple names and SQL aliases, in any case: int, integer, long, bigint, numeric(9,2), dec.
// A bare decimal is decimal(10,0). Codes: "sql.type" (no such type), "sql.type_not_built" with
// base::Kind::unsupported for Spark types that are not built yet (nested, char, timestamp_ntz, …).
// The place is inside `text`, line 1.
base::Result<Type> parse_type(std::string_view text);
std::string print_type(const Type& type);  // Spark's simple name: bigint, decimal(18,2)

// The names in a Delta schema string: long, short, byte, decimal(18,2).
base::Result<Type> parse_delta_type(std::string_view name);
std::string delta_type(const Type& type);

std::string engine_type(const Type& type);  // DuckDB: VARCHAR, DECIMAL(18,2), TIMESTAMPTZ

}  // namespace sql
