// load, batch skip, batch supersede, batches.
#include <algorithm>

#include <base/text.h>
#include <base/time.h>

#include "commands.h"

namespace app {

using base::Json;

namespace {

std::string_view outcome_name(load::LandedFile::Outcome outcome) {
  switch (outcome) {
    case load::LandedFile::Outcome::landed:
      return "landed";
    case load::LandedFile::Outcome::not_read:
      return "not_read";
    case load::LandedFile::Outcome::already_there:
      return "already_there";
    case load::LandedFile::Outcome::excepted:
      return "excepted";
  }
  return "landed";
}

Json print_landed(const load::LandReport& landed) {
  Json files = Json::array();
  for (const load::LandedFile& file : landed.files)
    files.push(Json::object({{"path", file.path},
                             {"outcome", outcome_name(file.outcome)},
                             {"rows", file.rows},
                             {"malformed", file.malformed}}));
  Json columns = Json::array();
  for (const std::string& name : landed.new_columns) columns.push(name);
  return Json::object({{"batch", landed.batch ? Json(*landed.batch) : Json()},
                       {"extended", landed.extended},
                       {"version", landed.version},
                       {"rows", landed.rows},
                       {"malformed", landed.malformed},
                       {"files", std::move(files)},
                       {"new_columns", std::move(columns)}});
}

Json print_report(const load::LoadReport& report) {
  Json rejects = Json::object();
  for (const auto& [code, count] : report.rejects) rejects.set(code, count);
  Json examples = Json::array();
  for (const load::Example& example : report.examples)
    examples.push(Json::object({{"code", example.code},
                                {"reason", example.reason},
                                {"source_file", example.source_file},
                                {"source_line", example.source_line},
                                {"values", example.values}}));
  Json warned = Json::object();
  for (const auto& [check, count] : report.warned) warned.set(check, count);
  Json keys = Json::array();
  for (const std::string& key : report.conflicting_keys) keys.push(key);
  Json stopped;
  if (report.stopped)
    stopped = Json::object({{"code", report.stopped->code}, {"message", report.stopped->message}});
  return Json::object(
      {{"batch", report.batch},
       {"replay", report.replay},
       {"committed", report.committed},
       {"version", report.version},
       {"state", report.stopped && !report.replay ? "failed" : load::state_name(report.state)},
       {"counts", load::print_counts(report.counts)},
       {"rejects", std::move(rejects)},
       {"warned", std::move(warned)},
       {"conflicting", report.conflicting},
       {"conflicting_keys", std::move(keys)},
       {"hash", report.table_hash},
       {"rows", report.table_rows},
       {"examples", std::move(examples)},
       {"stopped", std::move(stopped)}});
}

std::string plural(std::int64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string tell_landed(const load::LandReport& landed) {
  if (!landed.refused.empty()) return "  nothing landed: files were refused\n";
  const auto files = static_cast<std::int64_t>(landed.files.size());
  const auto count_of = [&](load::LandedFile::Outcome outcome) -> std::int64_t {
    return std::count_if(landed.files.begin(), landed.files.end(),
                         [&](const load::LandedFile& file) { return file.outcome == outcome; });
  };
  const std::int64_t fresh = count_of(load::LandedFile::Outcome::landed);
  std::string text = "  nothing new to land\n";
  if (landed.batch) {
    text = "  batch " + *landed.batch + (landed.extended ? " extended: " : " landed: ") +
           plural(fresh, "file") + ", " + plural(landed.rows, "row");
    if (landed.malformed > 0) text += ", " + plural(landed.malformed, "malformed record");
    text += ", version " + std::to_string(landed.version) + "\n";
  }
  const std::int64_t excepted = count_of(load::LandedFile::Outcome::excepted);
  const std::int64_t before = files - fresh - excepted;
  if (before > 0) text += "  " + plural(before, "file") + " landed before, skipped\n";
  if (excepted > 0) text += "  " + plural(excepted, "file") + " left out (--except)\n";
  if (landed.version > 0)  // on the first landing every column is new
    for (const std::string& name : landed.new_columns) text += "  new column " + name + "\n";
  return text;
}

std::string outcome_of(const load::LoadReport& report, bool recomputed) {
  if (report.stopped) return "stopped: " + report.stopped->code;
  if (recomputed) return std::string(load::state_name(report.state)) + ", recomputed";
  if (!report.committed) return "nothing changed";
  const std::string what = report.replay ? "replayed" : std::string(load::state_name(report.state));
  return what + ", version " + std::to_string(report.version);
}

std::string tell_stop(const load::LoadReport& report, const std::vector<std::string>& waiting) {
  std::string text = "\n  batch " + report.batch + " stopped: " + report.stopped->message + "\n";
  std::vector<std::pair<std::int64_t, std::string>> top;
  for (const auto& [code, count] : report.rejects) top.emplace_back(-count, code);
  std::sort(top.begin(), top.end());
  if (top.size() > 5) top.resize(5);
  TextTable reasons({"rows", "code", "example", "where"});
  for (const auto& [negative, code] : top) {
    bool first = true;
    for (const load::Example& example : report.examples) {
      if (example.code != code) continue;
      reasons.add({first ? std::to_string(-negative) : "", first ? code : "",
                   example.values.empty() ? example.reason : example.values,
                   example.source_file + ":" + std::to_string(example.source_line)});
      first = false;
    }
    if (first) reasons.add({std::to_string(-negative), code, "", ""});
  }
  if (!reasons.empty()) text += reasons.print(4);
  if (!waiting.empty()) text += "  waiting behind it: " + base::join(waiting, ", ") + "\n";
  if (!report.stopped->hint.empty()) text += "  " + report.stopped->hint + "\n";
  return text;
}

std::string tell_warned(const load::LoadReport& report) {
  std::string text;
  for (const auto& [check, count] : report.warned) {
    text +=
        "  batch " + report.batch + ": " + plural(count, "row") + " against " + check + ", which only warns:";
    for (const load::Example& example : report.examples)
      if (example.code == check)
        text += " " + example.values + " (" + example.source_file + ":" +
                std::to_string(example.source_line) + ")";
    text += "\n";
  }
  return text;
}

std::string tell_recomputed(const load::Recomputed& recomputed, std::size_t batches) {
  if (recomputed.stopped)
    return "  nothing was recomputed: version " + std::to_string(recomputed.version) + " stands\n";
  const std::string rows = plural(recomputed.table_rows, "row");
  if (!recomputed.committed)
    return "  the table is what its loaded batches give: " + rows + ", version " +
           std::to_string(recomputed.version) + " stands\n";
  return "  recomputed from " + std::to_string(batches) + (batches == 1 ? " batch: " : " batches: ") + rows +
         ", version " + std::to_string(recomputed.version) + "\n";
}

Json print_recomputed(const load::Recomputed& recomputed) {
  Json rejects = Json::object();
  for (const auto& [code, count] : recomputed.rejects) rejects.set(code, count);
  return Json::object({{"committed", recomputed.committed},
                       {"version", recomputed.version},
                       {"counts", load::print_counts(recomputed.counts)},
                       {"rejects", std::move(rejects)},
                       {"hash", recomputed.table_hash},
                       {"rows", recomputed.table_rows}});
}

std::string tell_batches(const project::TableRun& run) {
  if (run.batches.empty())
    return run.recomputed ? tell_recomputed(*run.recomputed, 0) : "  nothing is pending\n";
  TextTable table({"batch", "read", "inserted", "updated", "unchanged", "older", "superseded", "duplicates",
                   "quarantined", "result"});
  for (const load::LoadReport& report : run.batches) {
    const load::Counts& counts = report.counts;
    const bool counted = counts.read > 0;
    const auto number = [&](std::int64_t value) { return counted ? std::to_string(value) : std::string(); };
    const bool settled = counted && !report.stopped;
    const auto settled_number = [&](std::int64_t value) {
      return settled ? std::to_string(value) : std::string();
    };
    table.add({report.batch, number(counts.read), settled_number(counts.inserted),
               settled_number(counts.updated), settled_number(counts.unchanged), settled_number(counts.older),
               number(counts.superseded), number(counts.duplicates), number(counts.quarantined),
               outcome_of(report, run.recomputed.has_value())});
  }
  std::string text = table.print(2);
  for (const load::LoadReport& report : run.batches) {
    if (report.counts.deleted_claims > 0 && !report.stopped)
      text += "  batch " + report.batch + ": " + plural(report.counts.deleted_claims, "delete claim") + "\n";
    if (report.counts.deleted > 0 && !report.stopped)
      text += "  batch " + report.batch + ": " + plural(report.counts.deleted, "row") + " deleted\n";
    std::vector<std::string> keys;
    for (const std::string& key : report.conflicting_keys) keys.push_back(clipped(key));
    if (report.conflicting > 0)
      text += "  batch " + report.batch + ": " + plural(report.conflicting, "row") +
              " equal in key and version to the kept one, with other values: " + base::join(keys, ", ") +
              "\n";
    text += tell_warned(report);
    if (report.stopped) text += tell_stop(report, run.waiting);
  }
  if (run.recomputed) text += tell_recomputed(*run.recomputed, run.batches.size());
  return text;
}

void tell_run(const project::TableRun& run, Answer& answer, Json& list) {
  Json entry = Json::object({{"table", run.name.text()}, {"ok", run.ok()}});
  answer.text +=
      (answer.text.empty() ? "" : "\n") + run.name.text() + (run.built ? " (built now)" : "") + "\n";
  answer.warnings.insert(answer.warnings.end(), run.warnings.begin(), run.warnings.end());
  if (run.landed) {
    entry.set("landed", print_landed(*run.landed));
    answer.text += tell_landed(*run.landed);
    answer.errors.insert(answer.errors.end(), run.landed->refused.begin(), run.landed->refused.end());
    answer.warnings.insert(answer.warnings.end(), run.landed->warnings.begin(), run.landed->warnings.end());
  } else if (!run.error) {
    Json reports = Json::array();
    for (const load::LoadReport& report : run.batches) {
      reports.push(print_report(report));
      if (report.stopped) answer.errors.push_back(*report.stopped);
      answer.warnings.insert(answer.warnings.end(), report.warnings.begin(), report.warnings.end());
    }
    Json waiting = Json::array();
    for (const std::string& id : run.waiting) waiting.push(id);
    entry.set("batches", std::move(reports));
    entry.set("waiting", std::move(waiting));
    if (run.recomputed) entry.set("recomputed", print_recomputed(*run.recomputed));
    answer.text += tell_batches(run);
  }
  if (run.error) {
    answer.errors.push_back(*run.error);
    answer.text += "  failed: " + run.error->message + "\n";
  }
  list.push(std::move(entry));
}

std::string age(std::int64_t from_us, std::int64_t now_us) {
  const std::int64_t seconds = std::max<std::int64_t>(0, (now_us - from_us) / base::kSecond_us);
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7'200) return std::to_string(seconds / 60) + " min";
  if (seconds < 172'800) return std::to_string(seconds / 3'600) + " h";
  return std::to_string(seconds / 86'400) + " d";
}

Json optional_text(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

std::string pair_note(const load::Batch& batch) {
  if (!batch.superseded_by.empty()) return "by " + batch.superseded_by;
  return batch.stands_for.empty() ? "" : "in the place of " + batch.stands_for;
}

base::Result<std::optional<contract::TableName>> optional_name(const std::string& text) {
  if (text.empty()) return std::optional<contract::TableName>();
  TRY(const contract::TableName name, project::parse_table_name(text));
  return std::optional<contract::TableName>(name);
}

}  // namespace

namespace {

// With --fail-on-reject rows in the quarantine are an error, although their batch is loaded.
void fail_on_reject(const std::vector<project::TableRun>& runs, Answer& answer) {
  for (const project::TableRun& run : runs)
    for (const load::LoadReport& report : run.batches)
      if (report.counts.quarantined > 0 && !report.stopped)
        answer.errors.push_back(base::Error{base::Kind::denied,
                                            "load.rejected_rows",
                                            plural(report.counts.quarantined, "row") + " of batch " +
                                                report.batch + " rejected by " + run.name.text() +
                                                "; the others are loaded, --fail-on-reject asks to be told",
                                            "tenter rejects " + run.name.text() + " --batch " + report.batch,
                                            {}});
}

base::Status choose(const LoadArguments& arguments, project::Selection& selection) {
  std::string table = arguments.table;
  if (table.starts_with("+")) {
    selection.with_sources = true;
    table.erase(0, 1);
  }
  TRY(selection.table, optional_name(table));
  selection.batch = arguments.batch;
  selection.except = arguments.except;
  selection.from_bronze = arguments.from_bronze;
  selection.dry_run = arguments.dry_run;
  selection.options.accept_rejects = arguments.accept_rejects;
  selection.options.because = arguments.because;
  if (arguments.max_reject.empty()) return {};
  const auto limit = contract::parse_reject_limit(arguments.max_reject);
  if (!limit)
    return base::fail(base::Kind::invalid, "usage.max_reject_syntax",
                      "--max-reject " + arguments.max_reject + ": " + limit.error().message,
                      limit.error().hint);
  selection.options.max_reject = *limit;
  return {};
}

}  // namespace

Answer load(Context& context, const LoadArguments& arguments) {
  project::Selection selection;
  if (const auto chosen = choose(arguments, selection); !chosen) return failed(chosen.error());
  std::vector<base::Error> more;
  const auto project = context.open_sound_project(more);
  if (!project) {
    Answer answer = failed(project.error());
    answer.errors.insert(answer.errors.end(), more.begin(), more.end());
    return answer;
  }
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  const auto runs = project::load(context.session(), *project, selection);
  if (!runs) return failed(runs.error());
  Answer answer;
  Json list = Json::array();
  for (const project::TableRun& run : *runs) tell_run(run, answer, list);
  answer.result = Json::object({{"tables", std::move(list)}});
  if (arguments.dry_run) {
    answer.result.set("dry_run", true);
    answer.text += "\ndry run: nothing was written; versions are those that the load would make\n";
  }
  if (arguments.fail_on_reject) fail_on_reject(*runs, answer);
  answer.text_has_hints =
      std::all_of(answer.errors.begin(), answer.errors.end(),
                  [](const base::Error& error) { return error.code.starts_with("gate."); });
  return answer;
}

Answer batches(Context& context, const std::string& table) {
  const auto name = optional_name(table);
  if (!name) return failed(name.error());
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  const auto lines = project::batches(context.session(), *name);
  if (!lines) return failed(lines.error());
  Answer answer;
  Json list = Json::array();
  TextTable text({"table", "batch", "state", "files", "rows", "malformed", "age", "note"});
  for (const project::BatchLine& line : *lines) {
    const std::string state = line.failed ? "failed" : std::string(load::state_name(line.state));
    text.add({line.table.text(), line.batch.id, state, std::to_string(line.batch.files.size()),
              std::to_string(line.batch.rows()), std::to_string(line.batch.malformed()),
              age(line.batch.landed_at_us, context.now_us()),
              line.failed ? line.failed->code : pair_note(line.batch)});
    list.push(Json::object({{"table", line.table.text()},
                            {"batch", line.batch.id},
                            {"state", state},
                            {"files", static_cast<std::int64_t>(line.batch.files.size())},
                            {"rows", line.batch.rows()},
                            {"malformed", line.batch.malformed()},
                            {"landed_at", base::print_instant(line.batch.landed_at_us)},
                            {"superseded_by", optional_text(line.batch.superseded_by)},
                            {"stands_for", optional_text(line.batch.stands_for)},
                            {"code", line.failed ? Json(line.failed->code) : Json()},
                            {"message", line.failed ? Json(line.failed->message) : Json()}}));
  }
  answer.result = Json::object({{"batches", std::move(list)}});
  answer.text = text.empty() ? "no batches\n" : text.print();
  return answer;
}

Answer skip(Context& context, const SkipArguments& arguments) {
  if (base::trim(arguments.because).empty())
    return failed(base::Error{base::Kind::invalid,
                              "usage.because_missing",
                              "batch skip needs --because TEXT",
                              "say why the batch is passed over; it is kept in the receipt",
                              {}});
  std::vector<contract::TableName> names;
  for (const std::string& text : arguments.tables) {
    const auto name = project::parse_table_name(text);
    if (!name) return failed(name.error());
    names.push_back(*name);
  }
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  const auto skipped = project::skip(context.session(), arguments.batch, names, arguments.because);
  if (!skipped) return failed(skipped.error());
  Answer answer;
  Json list = Json::array();
  for (const project::Skipped& one : *skipped) {
    answer.text += one.table.text() + ": batch " + one.batch +
                   (one.before ? " was skipped before, with its first reason" : " skipped") + ", version " +
                   std::to_string(one.version) + "\n";
    if (!one.before)
      answer.text += "  its files do not land again; to take it after all: tenter load " + one.table.text() +
                     " --batch " + one.batch + " --accept-rejects --because …\n";
    list.push(Json::object({{"table", one.table.text()}, {"batch", one.batch}, {"version", one.version}}));
  }
  answer.result = Json::object({{"skipped", std::move(list)}});
  return answer;
}

Answer supersede(Context& context, const SupersedeArguments& arguments) {
  if (base::trim(arguments.because).empty())
    return failed(base::Error{base::Kind::invalid,
                              "usage.because_missing",
                              "batch supersede needs --because TEXT",
                              "say why the batch is replaced; it is kept in the receipts",
                              {}});
  const auto name = optional_name(arguments.table);
  if (!name) return failed(name.error());
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  const auto done =
      project::supersede(context.session(), arguments.old, arguments.by, *name, arguments.because);
  if (!done) return failed(done.error());
  Answer answer;
  const std::string place = "batch " + done->by + " stands in the place of " + done->old;
  answer.text = done->landing.text() + ": " + place + (done->done.before ? " already" : "") + ", version " +
                std::to_string(done->done.landing_version) + "\n";
  Json tables = Json::array();
  for (const auto& [table, version] : done->done.targets) {
    answer.text += "  " + table.text() + ": batch " + done->old + " superseded, version " +
                   std::to_string(version) + "\n";
    tables.push(Json::object({{"table", table.text()}, {"version", version}}));
  }
  answer.result.set("superseded", Json::object({{"batch", done->old},
                                                {"by", done->by},
                                                {"landing", done->landing.text()},
                                                {"landing_version", done->done.landing_version},
                                                {"before", done->done.before},
                                                {"tables", std::move(tables)}}));
  return answer;
}

}  // namespace app
