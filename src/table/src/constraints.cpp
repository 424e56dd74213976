#include "constraints.h"

#include <base/text.h>
#include <sql/expression.h>

namespace table {

namespace {

using base::Kind;

// Columns whose type no expression can use are left out, so that naming one is refused.
std::vector<sql::Column> columns_of(const delta::Schema& schema) {
  std::vector<sql::Column> columns;
  for (const delta::Field& field : schema.fields) {
    if (field.type.empty()) continue;
    if (const auto type = sql::parse_delta_type(field.type)) columns.push_back({field.name, *type});
  }
  return columns;
}

}  // namespace

base::Result<std::string> engine_condition(const delta::Schema& schema, const std::string& check,
                                           const sql::Context& context) {
  TRY(const auto expression, sql::Expression::parse(check));
  TRY(const auto typed, sql::analyze_condition(expression, columns_of(schema)));
  const auto column = [](std::string_view name) { return "t." + base::sql_name(name); };
  return sql::print_engine(typed, column, context);
}

base::Result<std::string> table_text(const delta::Schema& schema, const std::string& check) {
  TRY(const auto expression, sql::Expression::parse(check));
  return sql::print_table_check(expression, columns_of(schema));
}

base::Status judge_checks(const Access& access, const delta::Metadata& metadata, const delta::Schema& schema,
                          const std::string& select) {
  const auto checks = delta::check_constraints(metadata);
  if (checks.empty()) return {};
  std::vector<std::string> counts;
  for (const auto& [name, check] : checks) {
    const auto condition = engine_condition(schema, check);
    if (!condition)
      return base::fail(
          Kind::unsupported, "table.check_not_understood",
          "the table's CHECK " + name + " (" + check + ") cannot be evaluated: " + condition.error().message,
          "write with an engine that knows the expression");
    counts.push_back("count(*) FILTER ((" + *condition + ") IS NOT TRUE)");
    counts.push_back("count(*) FILTER ((" + *condition + ") IS NULL)");
  }
  TRY(engine::Connection* const connection, access.engine->connection());
  TRY(const auto rows,
      connection->query("SELECT " + base::join(counts, ", ") + " FROM (" + select + ") AS t"));
  std::size_t i = 0;
  for (const auto& [name, check] : checks) {
    const std::int64_t violations = rows.int64(0, 2 * i);
    const std::int64_t nulls = rows.int64(0, 2 * i + 1);
    ++i;
    if (violations == 0) continue;
    std::string message =
        base::counted(violations, "row") + " would break the table's CHECK " + name + " (" + check + ")";
    if (nulls > 0)
      message += "; for " + (nulls == violations ? "all" : std::to_string(nulls)) + " of them it is null";
    return base::fail(Kind::denied, "table.check_violated", message,
                      "a CHECK must be true for every row; null is not true");
  }
  return {};
}

base::Status judge_not_null(const delta::Schema& schema, const engine::ParquetFile& file) {
  for (const delta::Field& field : schema.fields) {
    if (field.nullable) continue;
    const std::string stored = delta::physical_name(field);
    for (const engine::ColumnStatistics& column : file.statistics) {
      if (column.column != stored || column.null_count == 0) continue;
      return base::fail(Kind::denied, "table.not_null_violated",
                        base::counted(column.null_count, "row") + " would have a null in column " +
                            field.name + ", which is NOT NULL",
                        "give every row a value");
    }
  }
  return {};
}

base::Result<Violations> count_violations(const Access& access, const Snapshot& snapshot, const Rule& rule) {
  TRY(const std::string condition,
      engine_condition(snapshot.schema, rule.text, sql::Context{rule.time_zone, rule.now_us}));
  TRY(const std::string scan, snapshot.scan());
  TRY(engine::Connection* const connection, access.engine->connection());
  TRY(const auto rows,
      connection->query("SELECT count(*) FILTER ((" + condition + ") IS NOT TRUE), count(*) FILTER ((" +
                        condition + ") IS NULL) FROM (" + scan + ") AS t"));
  Violations found{rows.int64(0, 0), rows.int64(0, 1), {}};
  if (found.count == 0 || rule.shown.empty()) return found;
  std::vector<std::string> names;
  for (const std::string& name : rule.shown) names.push_back("t." + base::sql_name(name));
  const std::string list = base::join(names, ", ");
  TRY(const auto examples,
      connection->query("SELECT concat_ws(', ', " + list + ") FROM (" + scan + ") AS t WHERE (" + condition +
                        ") IS NOT TRUE ORDER BY " + list + " LIMIT 5"));
  for (std::size_t i = 0; i < examples.size(); ++i) found.examples.push_back(examples.text(i, 0));
  return found;
}

}  // namespace table
