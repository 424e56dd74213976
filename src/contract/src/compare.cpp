// What a change of contract means for the table that is there.
#include <algorithm>

#include <base/text.h>
#include <contract/model.h>

namespace contract {

namespace {

using TypeKind = sql::Type::Kind;

// Every value of `from` is exactly a value of `to`, and no reader needs anything new.
bool is_wider(const sql::Type& from, const sql::Type& to) {
  const std::vector<TypeKind> integers = {TypeKind::tinyint, TypeKind::smallint, TypeKind::integer,
                                          TypeKind::bigint};
  const auto rank = [&](TypeKind kind) {
    return std::find(integers.begin(), integers.end(), kind) - integers.begin();
  };
  if (sql::is_integral(from) && sql::is_integral(to)) return rank(to.kind) > rank(from.kind);
  if (from.kind == TypeKind::float32 && to.kind == TypeKind::float64) return true;
  if (sql::is_integral(from) && to.kind == TypeKind::float64) return from.kind != TypeKind::bigint;
  if (from.kind == TypeKind::decimal && to.kind == TypeKind::decimal)
    return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale && !(from == to);
  if (sql::is_integral(from) && to.kind == TypeKind::decimal) {
    const int digits[] = {3, 5, 10, 19};
    return to.precision - to.scale >= digits[rank(from.kind)];
  }
  return false;
}

class Comparison {
 public:
  Comparison(const Contract& from, const Contract& to) : from_(from), to_(to) {}

  std::vector<Change> run() {
    identity();
    for (const Column& column : from_.columns) old_column(column);
    for (const Column& column : to_.columns)
      if (from_.find(column.name) == nullptr) new_column(column);
    order();
    checks();
    settings();
    texts();
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.breaking && !b.breaking; });
    return std::move(changes_);
  }

 private:
  void add(bool breaking, std::string code, std::string text) {
    changes_.push_back({breaking, std::move(code), std::move(text)});
  }

  void identity() {
    if (!equal_ignoring_case(from_.name, to_.name))
      add(true, "table_renamed", "the table is renamed from " + from_.name.text() + " to " + to_.name.text());
    if (!equal_ignoring_case(from_.from, to_.from))
      add(true, "source_changed", "rows come from " + to_.from.text() + " instead of " + from_.from.text());
    if (from_.primary_key != to_.primary_key)
      add(true, "grain_changed",
          "one row per (" + base::join(to_.primary_key, ", ") + ") instead of (" +
              base::join(from_.primary_key, ", ") + ")");
    if (from_.append != to_.append)
      add(true, "grain_changed",
          to_.append ? "batches add rows instead of replacing them by key"
                     : "batches replace rows by key instead of adding them");
    if (from_.version_column != to_.version_column)
      add(true, "version_changed",
          "the version column is " + to_.version_column.value_or("none") + " instead of " +
              from_.version_column.value_or("none"));
  }

  void old_column(const Column& before) {
    const Column* after = to_.find(before.name);
    if (after == nullptr) {
      add(true, "column_dropped", "column " + before.name + " is dropped (or renamed)");
      return;
    }
    if (after->name != before.name)
      add(true, "column_dropped", "column " + before.name + " is renamed to " + after->name);
    if (!(before.type == after->type)) {
      const bool wider = is_wider(before.type, after->type);
      add(!wider, wider ? "type_widened" : "type_changed",
          "column " + before.name + " becomes " + sql::print_type(after->type) + " instead of " +
              sql::print_type(before.type));
    }
    if (after->not_null && !before.not_null)
      add(true, "not_null_added", "column " + before.name + " becomes required");
    if (before.not_null && !after->not_null)
      add(false, "not_null_dropped", "column " + before.name + " is no longer required");
    if (before.clean != after->clean || before.source != after->source)
      add(false, "clean_changed",
          "column " + before.name +
              " is made from its source in another way; rows that are "
              "there keep their values");
    if (before.note != after->note || before.from != after->from)
      add(false, "text_changed", "the note or source spelling of column " + before.name + " is new");
  }

  void new_column(const Column& column) {
    if (column.not_null)
      add(true, "required_column_added",
          "column " + column.name + " is new and required, and rows that are there have no value for it");
    else
      add(false, "column_added", "column " + column.name + " " + sql::print_type(column.type) + " is added");
  }

  void order() {
    std::vector<std::string> before;
    std::vector<std::string> after;
    for (const Column& column : from_.columns)
      if (to_.find(column.name) != nullptr) before.push_back(base::ascii_lower(column.name));
    for (const Column& column : to_.columns)
      if (from_.find(column.name) != nullptr) after.push_back(base::ascii_lower(column.name));
    if (before != after)
      add(false, "order_changed", "columns are declared in another order; the table keeps its own");
  }

  static const Check* find(const std::vector<Check>& checks, const std::string& name) {
    for (const Check& check : checks)
      if (check.name == name) return &check;
    return nullptr;
  }

  void checks() {
    for (const Check& before : from_.checks) {
      const Check* after = find(to_.checks, before.name);
      if (after == nullptr) {
        add(false, "check_dropped", "check " + before.name + " is dropped");
      } else if (after->warn_only != before.warn_only) {
        add(false, "check_changed",
            "check " + before.name + (after->warn_only ? " only warns: " : " rejects rows: ") + after->rule);
      } else if (after->rule != before.rule || after->on_table != before.on_table ||
                 after->table_text != before.table_text) {
        add(false, "check_changed", "check " + before.name + " becomes: " + after->rule);
      } else if (after->reason != before.reason) {
        add(false, "reason_changed", "check " + before.name + " gives the reason: " + after->reason);
      }
    }
    for (const Check& after : to_.checks)
      if (find(from_.checks, after.name) == nullptr)
        add(false, "check_added", "check " + after.name + " is added: " + after.rule);
  }

  static std::vector<std::string> sorted(std::vector<std::string> values) {
    std::sort(values.begin(), values.end());
    return values;
  }

  void settings() {
    if (sorted(from_.null_values) != sorted(to_.null_values))
      add(false, "null_values_changed",
          "other texts are read as null; rows that are there keep their values");
    if (sorted(from_.optional_sources) != sorted(to_.optional_sources))
      add(false, "optional_changed", "other source columns may be missing");
    if (from_.delete_absent != to_.delete_absent || from_.delete_rejected != to_.delete_rejected)
      add(false, "absent_rows_changed",
          !to_.delete_absent ? "rows whose keys a batch does not hold stay"
          : to_.delete_rejected
              ? "rows whose keys a batch does not hold, or holds only in rejected rows, are deleted"
              : "rows whose keys a batch does not hold are deleted");
    if (!(from_.stability == to_.stability))
      add(false, "limit_changed", "other shares of the table may change in one batch");
    if (from_.continue_after_failure != to_.continue_after_failure)
      add(false, "failure_changed",
          to_.continue_after_failure ? "batches behind a failed one go on"
                                     : "batches behind a failed one wait");
    if (from_.tie_break != to_.tie_break)
      add(false, "tie_break_changed",
          to_.tie_break.empty()
              ? "rows of one key and version are decided by file and line"
              : "rows of one key and version are decided by " + base::join(to_.tie_break, ", "));
    for (const auto& key : to_.unique_keys)
      if (std::find(from_.unique_keys.begin(), from_.unique_keys.end(), key) == from_.unique_keys.end())
        add(false, "unique_key_added", "(" + base::join(key, ", ") + ") becomes unique");
    for (const auto& key : from_.unique_keys)
      if (std::find(to_.unique_keys.begin(), to_.unique_keys.end(), key) == to_.unique_keys.end())
        add(false, "unique_key_dropped", "(" + base::join(key, ", ") + ") is unique no more");
    if (from_.delete_when != to_.delete_when)
      add(false, "delete_when_changed",
          to_.delete_when ? "rows delete their key when: " + *to_.delete_when
                          : "no row deletes its key any more");
    const RejectLimit& before = from_.max_reject;
    const RejectLimit& after = to_.max_reject;
    if (before.numerator != after.numerator || before.denominator != after.denominator ||
        before.rows_least != after.rows_least)
      add(false, "limit_changed", "Max reject ratio becomes " + after.text + " instead of " + before.text);
    if (from_.min_rows != to_.min_rows)
      add(false, "limit_changed",
          "Min rows becomes " + std::to_string(to_.min_rows) + " instead of " +
              std::to_string(from_.min_rows));
    if (!equal_ignoring_case(from_.quarantine, to_.quarantine))
      add(false, "quarantine_changed",
          "rejects go to " + to_.quarantine.text() + "; older ones stay in " + from_.quarantine.text());
    if (from_.time_zone != to_.time_zone)
      add(false, "time_zone_changed",
          "text without an offset is read in " + to_.time_zone + " instead of " + from_.time_zone +
              "; rows that are there keep their values");
  }

  void texts() {
    if (from_.description != to_.description) add(false, "text_changed", "the description is new");
    if (from_.owner != to_.owner) add(false, "text_changed", "the owner is " + to_.owner);
    if (from_.notes != to_.notes) add(false, "text_changed", "the notes are new");
  }

  const Contract& from_;
  const Contract& to_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> compare(const Contract& from, const Contract& to) {
  return Comparison(from, to).run();
}

}  // namespace contract
