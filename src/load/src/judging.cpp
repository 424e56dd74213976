// The judging pass and the key reasons.
#include <algorithm>

#include <base/text.h>

#include "early_judgement.h"

namespace load {

std::string rows_where(const Run& run, const std::string& condition) {
  return "SELECT * FROM (" + run.rows.select + ") WHERE " + condition;
}

JudgeTap::Shape tap_shape(const Judge& judge) {
  return JudgeTap::Shape{judge.words(), judge.warning_words(), judge.has_claims()};
}

// A seventh of what the run may take: the engine has a third of it.
std::shared_ptr<KeyRoom> key_room(const Place& place) {
  const std::uint64_t bytes_max = place.memory_bytes > 0 ? place.memory_bytes / 7 : UINT64_MAX / 2;
  return std::make_shared<KeyRoom>(bytes_max, place.temporary_folder);
}

base::Status check_rows_stayed(const Run& run) {
  return run.early != nullptr ? run.early->check_files(*run.place.world->files) : base::Status();
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
  const auto tap =
      std::make_shared<JudgeTap>(run.rows.numbers, run.states, tap_shape(run.judge), key_room(run.place));
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
  if (!run.contract.primary_key.empty()) {
    TRY(const std::vector<bool> candidates, passed.tap->take_candidates(run.rows.numbers.size()));
    TRY_STATUS(judge_keys(run, candidates));
  }
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
  order += "sf DESC NULLS LAST, sl DESC NULLS LAST";
  // A file and a line name one row of text files; elsewhere the content decides, and then nothing can.
  return run.early != nullptr ? order : order + ", payload DESC, fi DESC, fr DESC";
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

// The rows whose keys may repeat, with what ranking looks at.
std::string candidate_rows(const Run& run, const std::string& marked) {
  const Judge& judge = run.judge;
  const auto& version = run.contract.version_column;
  return "SELECT fi, fr, sf, sl, " + judge.key_list("") +
         (version ? ", t" + std::to_string(judge.index_of(*version)) + " AS version" : "") + ", " +
         judge.content() + " AS payload" + tie_columns(run) + " FROM (" +
         judge.typed(rows_where(run, marked + " = 1")) + ")";
}

// Ranks the rows of each key: exact copies out first, where there may be any, then newest version, then the
// tie break.
std::string ranked_candidates(const Run& run, const std::string& rows, bool may_be_copies) {
  const std::string version = run.contract.version_column ? "version" : "";
  const std::string tie_break = tie_order(run);
  const std::string key = run.judge.key_list("");
  const std::string copy =
      may_be_copies ? "row_number() OVER (PARTITION BY " + key + ", payload ORDER BY " + tie_break + ")"
                    : "1";
  const std::string window = " OVER (PARTITION BY " + key + (may_be_copies ? ", (copy = 1)" : "") +
                             " ORDER BY " + (version.empty() ? "" : "version DESC, ") + tie_break + ")";
  const std::string ranks = "SELECT *, row_number()" + window + " AS place, first_value(" +
                            (version.empty() ? "NULL" : "version") + ")" + window +
                            " AS best FROM (SELECT *, " + copy + " AS copy FROM (" + rows + "))";
  return "SELECT *, CASE WHEN copy > 1 THEN 1 WHEN place = 1 THEN 0 WHEN " +
         (version.empty() ? std::string("false") : std::string("version = best")) +
         " THEN 3 ELSE 2 END AS standing FROM (" + ranks + ")";
}

}  // namespace

namespace {

// Ranks some of the candidates and tells the tap; adds what conflicts to the report.
base::Status rank_some(Run& run, const Registered& tap, const std::string& rows, bool may_be_copies = true) {
  // Which keys conflict is for people: the first five, in key order.
  std::string shown = "concat_ws(', '";
  for (const std::string& name : run.contract.primary_key)
    shown += ", t" + std::to_string(run.judge.index_of(name)) + "::VARCHAR";
  shown += ")";
  TRY(const engine::Rows counted,
      run.connection.query("SELECT coalesce(sum(" + tap.call("fi, fr, standing::BIGINT") +
                           "), 0), count(*) FILTER (WHERE standing = 3), "
                           "to_json(list_slice(list_sort(list_distinct(list(" +
                           shown + ") FILTER (WHERE standing = 3))), 1, 5))::VARCHAR FROM (" +
                           ranked_candidates(run, rows, may_be_copies) + ")"));
  if (!run.contract.version_column || counted.int64(0, 1) == 0) return {};
  run.report.conflicting += counted.int64(0, 1);
  TRY(const base::Json keys, base::Json::parse(counted.text(0, 2)));
  std::vector<std::string>& all = run.report.conflicting_keys;
  for (const base::Json& key : keys.items()) all.emplace_back(key.as_string().value_or(""));
  std::sort(all.begin(), all.end());
  if (all.size() > 5) all.resize(5);
  return {};
}

// How many rows a window is given at once: it does not spill, so it must fit.
std::size_t ranked_at_once(const Place& place) {
  constexpr std::uint64_t kBytesForRow = 4'000;  // a window holds a row several times over
  return place.memory_bytes > 0 ? place.memory_bytes / kBytesForRow : 4'000'000;
}

// Most batches hold no exact copy, which the hashes of the contents prove: then one sort is enough.
base::Status rank_at_once(Run& run, const Registered& tap, const std::string& rows) {
  const std::string columns = run.early != nullptr ? "* EXCLUDE (payload)" : "*";
  TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE candidates AS SELECT " + columns +
                                    ", hash(payload) AS content FROM (" + rows + ")"));
  TRY(const engine::Rows alike,
      run.connection.query(
          "SELECT count(*) FROM (SELECT 1 FROM candidates GROUP BY content HAVING count(*) > 1)"));
  const bool may_be_copies = alike.int64(0, 0) > 0;
  if (!may_be_copies) TRY_STATUS(rank_some(run, tap, "SELECT * FROM candidates", false));
  TRY_STATUS(run.connection.execute("DROP TABLE candidates"));
  return may_be_copies ? rank_some(run, tap, rows) : base::Status();
}

// In slices by key, from a table of the candidates that may go to the disk.
base::Status rank_in_slices(Run& run, const Registered& tap, const std::string& rows, std::size_t slices) {
  TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE candidates AS SELECT *, (" +
                                    run.judge.key_hash() + " % " + std::to_string(slices) +
                                    ")::BIGINT AS slice FROM (" + rows + ") ORDER BY slice"));
  for (std::size_t i = 0; i < slices; ++i)
    TRY_STATUS(rank_some(run, tap, "SELECT * FROM candidates WHERE slice = " + std::to_string(i)));
  return run.connection.execute("DROP TABLE candidates");
}

}  // namespace

base::Status judge_keys(Run& run, const std::vector<bool>& candidates) {
  const auto count = static_cast<std::size_t>(std::count(candidates.begin(), candidates.end(), true));
  if (count == 0) return {};
  const auto marks = std::make_shared<MarkLookup>(run.rows.numbers, candidates);
  const auto tap =
      std::make_shared<KeyTap>(run.rows.numbers, run.states, run.contract.version_column.has_value());
  const Registered marked(run.engine, marks);
  const Registered registered(run.engine, tap);
  const std::string rows = candidate_rows(run, marked.call(kRowOfFile));
  const std::size_t slices = count / ranked_at_once(run.place) + 1;
  TRY_STATUS(slices == 1 ? rank_at_once(run, registered, rows)
                         : rank_in_slices(run, registered, rows, slices));
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
