// The installed contract: its text and hash, its rules on the table (schema and properties), and that
// every row keeps them; keys are proven in every version that changed rows.
#include <base/text.h>
#include <sql/expression.h>

#include "examination.h"

namespace verify {

namespace {

std::string key_list(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const std::string& name : contract.primary_key) names.push_back(base::sql_name(name));
  return base::join(names, ", ");
}

base::Status check_unique_keys(Examination& examination, const Table& target, const State& state,
                               const contract::Contract& contract, const std::string& relation) {
  for (const auto& key : contract.unique_keys) {
    std::vector<std::string> columns, whole;
    for (const std::string& name : key) {
      columns.push_back(base::sql_name(name));
      whole.push_back(columns.back() + " IS NOT NULL");
    }
    const auto repeated = examination.rows.query("SELECT count(*) FROM (SELECT 1 FROM (" + relation +
                                                 ") WHERE " + base::join(whole, " AND ") + " GROUP BY " +
                                                 base::join(columns, ", ") + " HAVING count(*) > 1)");
    if (!repeated) return examination.unreadable(repeated.error(), target, state.version);
    examination.compare("verify.keys_unique", target, state.version, base::join(key, ", "), "0 repeated keys",
                        std::to_string(repeated->int64(0, 0)) + " repeated keys");
  }
  return {};
}

base::Status check_keys(Examination& examination, const Table& target, const State& state,
                        const contract::Contract& contract) {
  if (contract.primary_key.empty() && contract.unique_keys.empty()) return {};
  const std::vector<LiveFile> files = live_files(state);
  if (const std::string gone = examination.rows.missing(files); !gone.empty()) {
    examination.not_covered("verify.keys_unique", target, state.version, "", "the file " + gone + " is gone");
    return {};
  }
  const auto relation = examination.rows.relation(files, state.fields);
  if (!relation) return examination.unreadable(relation.error(), target, state.version);
  TRY_STATUS(check_unique_keys(examination, target, state, contract, *relation));
  if (contract.primary_key.empty()) return {};
  std::vector<std::string> nulls;
  for (const std::string& name : contract.primary_key) nulls.push_back(base::sql_name(name) + " IS NULL");
  const std::string keys = key_list(contract);
  const auto counts =
      examination.rows.query("SELECT (SELECT count(*) FROM (SELECT 1 FROM (" + *relation + ") GROUP BY " +
                             keys + " HAVING count(*) > 1)), (SELECT count(*) FROM (" + *relation +
                             ") WHERE " + base::join(nulls, " OR ") + ")");
  if (!counts) return examination.unreadable(counts.error(), target, state.version);
  examination.compare("verify.keys_unique", target, state.version, base::join(contract.primary_key, ", "),
                      "0 repeated keys", std::to_string(counts->int64(0, 0)) + " repeated keys");
  examination.compare("verify.keys_null", target, state.version, base::join(contract.primary_key, ", "),
                      "0 rows without a key", std::to_string(counts->int64(0, 1)) + " rows without a key");
  return {};
}

void check_schema(Examination& examination, const Table& target, const State& state,
                  const contract::Contract& contract) {
  for (const contract::Column& column : contract.columns) {
    const Field* field = state.find(column.name);
    const std::string expected = sql::print_type(column.type) + (column.not_null ? " not null" : "");
    const std::string found =
        !field ? "no such column"
               : sql::print_type(field->type) + (column.not_null && !field->nullable ? " not null" : "");
    examination.compare("verify.column", target, state.version, column.name, expected, found);
  }
  for (const contract::Check& check : contract.checks) {
    if (!check.on_table) continue;
    const std::string text = state.property("delta.constraints." + base::ascii_lower(check.name));
    examination.compare("verify.constraint", target, state.version, check.name, check.table_text,
                        text.empty() ? "no such constraint" : text);
  }
}

void check_installed(Examination& examination, const Table& target, const State& state,
                     const contract::Contract& contract) {
  const std::string text = state.property("tenter.contract");
  examination.compare("verify.contract_hash", target, state.version, "property",
                      contract::contract_hash(text), state.property("tenter.contractHash"));
  examination.compare("verify.contract_format", target, state.version, "",
                      std::to_string(contract::kContractFormat), state.property("tenter.contractFormat"));
  examination.compare("verify.contract_table", target, state.version, "", contract.name.text(),
                      target.name.text());
}

// A boolean of the engine for "this row keeps the rule"; an error when the rule cannot be judged.
base::Result<std::string> rule_text(const contract::Contract& contract, const contract::Check& check) {
  std::vector<sql::Column> columns;
  for (const contract::Column& column : contract.columns) columns.push_back({column.name, column.type});
  TRY(const sql::Expression expression, sql::Expression::parse(check.rule));
  TRY(const sql::TypedExpression typed, sql::analyze(expression, columns));
  sql::Context context;
  context.time_zone = contract.time_zone;
  return sql::print_engine(typed, [](std::string_view name) { return base::sql_name(name); }, context);
}

bool reads_clock(const contract::Check& check) {
  const auto expression = sql::Expression::parse(check.rule);
  return expression && sql::uses_clock(*expression);
}

base::Status check_rows(Examination& examination, const Table& target, const contract::Contract& contract) {
  const State& state = target.state();
  const auto relation = examination.rows.relation(live_files(state), state.fields);
  if (!relation) return examination.unreadable(relation.error(), target, state.version);
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> asked;  // code, subject
  for (const contract::Column& column : contract.columns) {
    if (!column.not_null) continue;
    parts.push_back("count(*) FILTER (WHERE " + base::sql_name(column.name) + " IS NULL)");
    asked.emplace_back("verify.not_null", column.name);
  }
  for (const contract::Check& check : contract.checks) {
    // Rows may break a warning, and the table of a reference may have changed since they were loaded.
    if (check.warn_only || check.reference) continue;
    if (reads_clock(check)) {
      examination.not_covered("verify.check", target, state.version, check.name, "the rule reads the clock");
      continue;
    }
    TRY(const std::string rule, rule_text(contract, check));
    parts.push_back("count(*) FILTER (WHERE NOT coalesce(" + rule + ", false))");
    asked.emplace_back("verify.check", check.name);
  }
  if (parts.empty()) return {};
  const auto counts =
      examination.rows.query("SELECT " + base::join(parts, ", ") + " FROM (" + *relation + ")");
  if (!counts) return examination.unreadable(counts.error(), target, state.version);
  for (std::size_t i = 0; i < asked.size(); ++i)
    examination.compare(asked[i].first, target, state.version, asked[i].second, "0 rows against it",
                        std::to_string(counts->int64(0, i)) + " rows against it");
  return {};
}

bool is_missing_file(Examination& examination, const State& state) {
  return !examination.rows.missing(live_files(state)).empty();
}

}  // namespace

base::Status check_contract(Examination& examination, const Table& target) {
  for (const Entry& entry : target.log.entries) {
    const contract::Contract* contract = examination.contract_of(*entry.after);
    if (!contract || entry.version == target.log.newest) continue;
    const Receipt* receipt = target.receipt(entry);
    if (receipt && receipt->settles_rows()) check_schema(examination, target, *entry.after, *contract);
    if (!entry.adds.empty()) TRY_STATUS(check_keys(examination, target, *entry.after, *contract));
  }
  const State& state = target.state();
  const contract::Contract* contract = examination.contract_of(state);
  if (!contract) {
    examination.failed("verify.contract", target, state.version, "", "an installed contract",
                       state.property("tenter.contract").empty() ? "none" : "one that cannot be read");
    return {};
  }
  check_installed(examination, target, state, *contract);
  check_schema(examination, target, state, *contract);
  TRY_STATUS(check_keys(examination, target, state, *contract));
  // A file that is gone was found by the checks of files.
  if (is_missing_file(examination, state)) return {};
  return check_rows(examination, target, *contract);
}

}  // namespace verify
