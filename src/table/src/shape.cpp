// Rows to write, fitted to a table's schema.
#include <base/text.h>

#include <cstdio>
#include <map>

#include "columns.h"

namespace table {

namespace {

using base::Kind;

std::unexpected<base::Error> mismatch(const std::string& what) {
  return base::fail(Kind::invalid, "table.schema_mismatch", what,
                    "give the rows the columns and types of the table");
}

struct Decimal {
  int precision = 0;
  int scale = 0;
};

// Digits of an integer type as a decimal, or of a decimal type.
std::optional<Decimal> decimal_of(const std::string& type) {
  static const std::map<std::string, int> kIntegers = {
      {"TINYINT", 3}, {"SMALLINT", 5}, {"INTEGER", 10}, {"BIGINT", 19}};
  if (const auto found = kIntegers.find(type); found != kIntegers.end()) return Decimal{found->second, 0};
  Decimal decimal;
  if (std::sscanf(type.c_str(), "DECIMAL(%d,%d)", &decimal.precision, &decimal.scale) == 2) return decimal;
  return std::nullopt;
}

// Whether every value of `from` is a value of `to`.
bool fits(const std::string& from, const std::string& to) {
  if (from == to || (from == "FLOAT" && to == "DOUBLE")) return true;
  const auto given = decimal_of(from);
  const auto wanted = decimal_of(to);
  if (!given || !wanted) return false;
  if (!to.starts_with("DECIMAL") && from.starts_with("DECIMAL")) return false;
  return given->scale <= wanted->scale &&
         given->precision - given->scale <= wanted->precision - wanted->scale;
}

// The columns of `select` by lower-case name: as spelt there, and the type.
struct Given {
  std::string name;
  std::string type;
};

base::Result<std::map<std::string, Given>> describe(engine::Connection& connection,
                                                    const std::string& select) {
  TRY(const auto rows, connection.query("DESCRIBE " + select));
  std::map<std::string, Given> columns;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string& name = rows.text(row, 0);
    if (!columns.emplace(base::ascii_lower(name), Given{name, rows.text(row, 1)}).second)
      return mismatch("the rows to write have two columns named " + name);
  }
  return columns;
}

}  // namespace

base::Result<std::string> shape_rows(engine::Connection& connection, const delta::Schema& schema,
                                     const std::string& select) {
  TRY(auto given, describe(connection, select));
  std::vector<std::string> list;
  for (const delta::Field& field : schema.fields) {
    TRY(const std::string type, engine_type(field));
    const auto found = given.find(base::ascii_lower(field.name));
    if (found == given.end()) {
      if (!field.nullable)
        return mismatch("the rows to write have no column " + field.name + ", which is NOT NULL");
      list.push_back("CAST(NULL AS " + type + ") AS " + base::sql_name(field.name));
      continue;
    }
    if (!fits(found->second.type, type))
      return mismatch("column " + field.name + " to write is " + found->second.type + "; the table's is " +
                      type);
    list.push_back("CAST(" + base::sql_name(found->second.name) + " AS " + type + ") AS " +
                   base::sql_name(field.name));
    given.erase(found);
  }
  if (!given.empty())
    return mismatch("the rows to write have a column " + given.begin()->second.name +
                    " that the table does not");
  return "SELECT " + base::join(list, ", ") + " FROM (" + select + ")";
}

}  // namespace table
