// The judging pass and the key reasons.
#include <algorithm>

#include <base/text.h>

#include "early_judgement.h"

namespace load {

std::string rows_where(const Run& run, const std::string& condition) {
  return "SELECT * FROM (" + run.rows.select + ") WHERE " + condition;
}

namespace {

struct Passed {
  std::shared_ptr<JudgeTap> tap;
  Judged judged;
};

Passed judged_early(const Run& run) {
  const std::int64_t rows = run.early->tap()->rows();
  return Passed{run.early->tap(), Judged{rows, rows, *run.early->not_null()}};
}

base::Result<Passed> judge_landed(const Run& run) {
  const auto tap = std::make_shared<JudgeTap>(run.rows.numbers, run.states, run.judge.words(),
                                              run.judge.warning_words(), run.judge.has_claims());
  const Registered registered(run.engine, tap);
  const std::string no_claim = " FILTER (WHERE NOT " + run.judge.claim() + ")";
  std::string text = "SELECT coalesce(sum(" + registered.call(run.judge.tap_arguments()) +
                     "), 0), count(*), count(*)" + no_claim;
  const std::size_t columns = run.judge.bronze_columns().size();
  for (std::size_t k = 0; k < columns; ++k) text += ", count(r" + std::to_string(k) + ")" + no_claim;
  TRY(const engine::Rows counted,
      run.connection.query(text + " FROM (" + run.judge.judged(run.rows.select) + ")"));
  Passed passed{tap, Judged{counted.int64(0, 1), counted.int64(0, 2), {}}};
  for (std::size_t k = 0; k < columns; ++k) passed.judged.not_null.push_back(counted.int64(0, 3 + k));
  return passed;
}

}  // namespace

base::Result<Judged> judge_rows(Run& run) {
  Passed passed;
  if (run.early) {
    passed = judged_early(run);
  } else {
    TRY(passed, judge_landed(run));
  }
  for (const ReasonBit& reason : run.judge.reasons())
    if (const std::int64_t count = passed.tap->count(reason.word, reason.bit); count > 0)
      run.report.rejects[reason.code] += count;
  for (const ReasonBit& warning : run.judge.warnings())
    if (const std::int64_t count = passed.tap->count(warning.word, warning.bit); count > 0)
      run.report.warned[warning.code] = count;
  if (!run.contract.primary_key.empty())
    TRY_STATUS(judge_keys(run, passed.tap->take_candidates(run.rows.numbers.size())));
  TRY_STATUS(judge_unique_keys(run));
  return passed.judged;
}

namespace {

// What the candidates query tells of one row.
enum class Standing : std::int64_t { kept = 0, copy = 1, beaten = 2, conflicting = 3 };

class KeyTap final : public engine::RowFunction {
 public:
  KeyTap(const RowNumbers& numbers, RowStates& states, bool has_version)
      : numbers_(numbers), states_(states), has_version_(has_version) {}

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 0;
      const std::uint64_t row = numbers_.of(input.int64s(0)[i], input.int64s(1)[i]);
      switch (static_cast<Standing>(input.int64s(2)[i])) {
        case Standing::kept:
          break;
        case Standing::copy:
          states_.set(row, RowState::duplicate);
          break;
        case Standing::beaten:
        case Standing::conflicting:
          states_.set(row, has_version_ ? RowState::superseded : RowState::repeated);
          break;
      }
    }
    return {};
  }

 private:
  const RowNumbers& numbers_;
  RowStates& states_;
  bool has_version_;
};

// The order that decides between rows that nothing else decides, over the columns of tie_columns.
std::string tie_order(const Run& run) {
  std::string order;
  for (std::size_t i = 0; i < run.contract.tie_break.size(); ++i)
    order += "tie" + std::to_string(i) + " DESC NULLS LAST, ";
  return order + "sf DESC NULLS LAST, sl DESC NULLS LAST, payload DESC, fi DESC, fr DESC";
}

std::string tie_columns(const Run& run) {
  std::string columns;
  for (std::size_t i = 0; i < run.contract.tie_break.size(); ++i) {
    const std::string& name = run.contract.tie_break[i];
    std::string value = "t" + std::to_string(run.judge.index_of(name));
    if (name == "_source_file") value = "sf";
    if (name == "_source_line") value = "sl";
    columns += ", " + value + " AS tie" + std::to_string(i);
  }
  return columns;
}

// Ranks the rows of each key: exact copies out first, then newest version, then the tie break.
std::string ranked_candidates(const Run& run, const std::string& marked) {
  const Judge& judge = run.judge;
  const std::string version =
      run.contract.version_column ? "t" + std::to_string(judge.index_of(*run.contract.version_column)) : "";
  const std::string tie_break = tie_order(run);
  const std::string key = judge.key_list("");
  const std::string rows = "SELECT fi, fr, sf, sl, " + key +
                           (version.empty() ? "" : ", " + version + " AS version") + ", " + judge.content() +
                           " AS payload" + tie_columns(run) + " FROM (" +
                           judge.typed(rows_where(run, marked + " = 1")) + ")";
  const std::string copies = "SELECT *, row_number() OVER (PARTITION BY " + key + ", payload ORDER BY " +
                             tie_break + ") AS copy FROM (" + rows + ")";
  const std::string version_now = version.empty() ? "NULL" : "version";
  const std::string ranks = "SELECT *, row_number() OVER (PARTITION BY " + key + ", (copy = 1) ORDER BY " +
                            (version.empty() ? "" : "version DESC, ") + tie_break +
                            ") AS place, first_value(" + version_now + ") OVER (PARTITION BY " + key +
                            ", (copy = 1) ORDER BY " + (version.empty() ? "" : "version DESC, ") + tie_break +
                            ") AS best FROM (" + copies + ")";
  return "SELECT *, CASE WHEN copy > 1 THEN 1 WHEN place = 1 THEN 0 WHEN " +
         (version.empty() ? std::string("false") : std::string("version = best")) +
         " THEN 3 ELSE 2 END AS standing FROM (" + ranks + ")";
}

}  // namespace

base::Status judge_keys(Run& run, const std::vector<bool>& candidates) {
  if (std::find(candidates.begin(), candidates.end(), true) == candidates.end()) return {};
  const bool has_version = run.contract.version_column.has_value();
  const auto marks = std::make_shared<MarkLookup>(run.rows.numbers, candidates);
  const auto tap = std::make_shared<KeyTap>(run.rows.numbers, run.states, has_version);
  const Registered marked(run.engine, marks);
  const Registered registered(run.engine, tap);
  const std::string ranked = ranked_candidates(run, marked.call(kRowOfFile));
  // Which keys conflict is for people: the first five, in key order.
  std::string shown = "concat_ws(', '";
  for (const std::string& name : run.contract.primary_key)
    shown += ", t" + std::to_string(run.judge.index_of(name)) + "::VARCHAR";
  shown += ")";
  TRY(const engine::Rows counted,
      run.connection.query("SELECT coalesce(sum(" + registered.call("fi, fr, standing::BIGINT") +
                           "), 0), count(*) FILTER (WHERE standing = 3), "
                           "to_json(list_slice(list_sort(list_distinct(list(" +
                           shown + ") FILTER (WHERE standing = 3))), 1, 5))::VARCHAR FROM (" + ranked + ")"));
  run.report.conflicting = has_version ? counted.int64(0, 1) : 0;
  if (run.report.conflicting > 0) {
    TRY(const base::Json keys, base::Json::parse(counted.text(0, 2)));
    for (const base::Json& key : keys.items())
      run.report.conflicting_keys.emplace_back(key.as_string().value_or(""));
  }
  if (const std::int64_t repeated = run.states.count(RowState::repeated); repeated > 0)
    run.report.rejects["duplicate_primary_key"] += repeated;
  return {};
}

namespace {

// tenter_call(id, file, row): the row's values of a unique key stand in the batch already.
class RepeatedTap final : public engine::RowFunction {
 public:
  RepeatedTap(const RowNumbers& numbers, RowStates& states, RowState state)
      : numbers_(numbers), states_(states), state_(state) {}
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 1;
      states_.set(numbers_.of(input.int64s(0)[i], input.int64s(1)[i]), state_);
    }
    return {};
  }

 private:
  const RowNumbers& numbers_;
  RowStates& states_;
  const RowState state_;
};

// Rows accepted so far, beyond the first of each value of the key; nulls take no part.
std::string repeated_rows(const Run& run, const std::vector<std::string>& key, const std::string& accepted) {
  std::vector<std::string> columns;
  for (const std::string& name : key) columns.push_back("t" + std::to_string(run.judge.index_of(name)));
  const std::string list = base::join(columns, ", ");
  const std::string version = run.contract.version_column
                                  ? "t" + std::to_string(run.judge.index_of(*run.contract.version_column))
                                  : "NULL";
  const std::string rows = "SELECT fi, fr, sf, sl, " + list + ", " + version + " AS version, " +
                           run.judge.payload() + " AS payload" + tie_columns(run) + " FROM (" +
                           run.judge.typed(rows_where(run, accepted)) + ") WHERE " +
                           base::join(columns, " IS NOT NULL AND ") + " IS NOT NULL";
  return "SELECT fi, fr, row_number() OVER (PARTITION BY " + list + " ORDER BY version DESC, " +
         tie_order(run) + ") AS place FROM (" + rows + ") SEMI JOIN (SELECT " + list + " FROM (" + rows +
         ") GROUP BY " + list + " HAVING count(*) > 1) USING (" + list + ")";
}

}  // namespace

base::Status judge_unique_keys(Run& run) {
  for (std::size_t k = 0; k < run.contract.unique_keys.size(); ++k) {
    const auto& key = run.contract.unique_keys[k];
    const Registered lookup(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
    const std::string accepted =
        lookup.call(kRowOfFile) + " = " + std::to_string(static_cast<int>(RowState::accepted));
    // Found first and told after: the tap must not change what the filter above still reads.
    TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE repeated AS SELECT fi, fr FROM (" +
                                      repeated_rows(run, key, accepted) + ") WHERE place > 1"));
    const Registered tap(run.engine,
                         std::make_shared<RepeatedTap>(run.rows.numbers, run.states, repeated_unique(k)));
    TRY_STATUS(run.connection.query("SELECT sum(" + tap.call("fi, fr") + ") FROM repeated"));
    TRY_STATUS(run.connection.execute("DROP TABLE repeated"));
    if (const std::int64_t count = run.states.count(repeated_unique(k)); count > 0)
      run.report.rejects[unique_key_code(key)] = count;
  }
  return {};
}

}  // namespace load
