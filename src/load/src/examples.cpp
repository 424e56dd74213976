// A few rows for people to look at: rejected ones, and ones that only a warning is about.
#include <algorithm>

#include <base/text.h>

#include "rejected.h"

namespace load {

namespace {

// The condition for a row to carry a code, and what to show of it.
struct Shown {
  std::string condition;
  std::string values;
};

Shown how_to_show(const Run& run, const std::string& code, const std::vector<ReasonBit>& reasons) {
  std::vector<std::string> values;
  std::vector<std::string> conditions;
  for (const ReasonBit& reason : reasons) {
    if (reason.code != code) continue;
    conditions.push_back("(w" + std::to_string(reason.word) + " & " +
                         std::to_string(std::int64_t{1} << reason.bit) + "::BIGINT) <> 0");
    if (!values.empty()) continue;
    for (const std::size_t k : reason.sources)
      values.push_back(base::sql_quote(run.judge.bronze_columns()[k] + "=") + " || coalesce(r" +
                       std::to_string(k) + "::VARCHAR, 'null')");
  }
  if (code == "duplicate_primary_key") {
    conditions.push_back("state = " + std::to_string(static_cast<int>(RowState::repeated)));
    for (const std::string& name : run.contract.primary_key)
      values.push_back(base::sql_quote(name + "=") + " || t" + std::to_string(run.judge.index_of(name)) +
                       "::VARCHAR");
  }
  for (std::size_t k = 0; k < run.contract.unique_keys.size(); ++k) {
    if (code != unique_key_code(run.contract.unique_keys[k])) continue;
    conditions.push_back("state = " + std::to_string(static_cast<int>(repeated_unique(k))));
    for (const std::string& name : run.contract.unique_keys[k])
      values.push_back(base::sql_quote(name + "=") + " || t" + std::to_string(run.judge.index_of(name)) +
                       "::VARCHAR");
  }
  return Shown{conditions.empty() ? "" : "(" + base::join(conditions, " OR ") + ")",
               values.empty() ? "''" : "concat_ws(', ', " + base::join(values, ", ") + ")"};
}

}  // namespace

base::Status add_examples(Run& run, const std::string& code, const std::string& json) {
  TRY(const base::Json examples, base::Json::parse(json));
  for (const base::Json& example : examples.items()) {
    const auto text = [&](std::string_view name) { return std::string(example.string(name).value_or("")); };
    run.report.examples.push_back(
        Example{code, text("reason"), text("file"), example.int64("line").value_or(0), text("shown")});
  }
  return {};
}

base::Status pick_examples(Run& run) {
  // The codes that reject most, at most five.
  std::vector<std::pair<std::int64_t, std::string>> top;
  for (const auto& [code, count] : run.report.rejects) top.emplace_back(-count, code);
  std::sort(top.begin(), top.end());
  if (top.size() > 5) top.resize(5);
  const Rejected rejected(run);
  std::vector<std::string> codes;
  std::string select;
  for (const auto& [negative, code] : top) {
    const Shown shown = how_to_show(run, code, run.judge.reasons());
    if (shown.condition.empty()) continue;  // malformed records have no row here
    codes.push_back(code);
    select += (select.empty() ? "SELECT " : ", ") +
              std::string("to_json(min_by({reason: reason, file: sf, line: sl, shown: ") + shown.values +
              "}, (sf, sl), 3) FILTER (WHERE " + shown.condition + "))::VARCHAR";
  }
  if (codes.empty()) return {};
  TRY(const engine::Rows found,
      run.connection.query(select + " FROM (SELECT *, " + run.judge.reason_text("state") +
                           " AS reason FROM (" + rejected.select() + "))"));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (found.is_null(0, i)) continue;
    TRY_STATUS(add_examples(run, codes[i], found.text(0, i)));
  }
  return {};
}

base::Status pick_warned(Run& run) {
  if (run.report.warned.empty()) return {};
  const Registered lookup(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
  const std::string kept = rows_where(
      run, lookup.call(kRowOfFile) + " <> " + std::to_string(static_cast<int>(RowState::rejected)));
  std::string select;
  for (const auto& [check, count] : run.report.warned) {
    const Shown shown = how_to_show(run, check, run.judge.warnings());
    select += (select.empty() ? "SELECT " : ", ") + std::string("to_json(min_by({reason: ") +
              base::sql_quote(check) + ", file: sf, line: sl, shown: " + shown.values +
              "}, (sf, sl), 3) FILTER (WHERE " + shown.condition + "))::VARCHAR";
  }
  TRY(const engine::Rows found, run.connection.query(select + " FROM (" + run.judge.judged(kept) + ")"));
  std::size_t column = 0;
  for (const auto& [check, count] : run.report.warned) {
    if (!found.is_null(0, column)) TRY_STATUS(add_examples(run, check, found.text(0, column)));
    ++column;
  }
  return {};
}

}  // namespace load
