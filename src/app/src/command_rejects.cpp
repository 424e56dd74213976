// rejects, rejects retry, rejects apply.
#include <algorithm>

#include <base/text.h>
#include <load/rejects.h>
#include <project/rejects.h>
#include <table/table.h>

#include "commands.h"
#include "values.h"

namespace app {

using base::Json;
using base::Kind;

namespace {

// ---- looking ----------------------------------------------------------------------------------------------

// What rejects are read from.
struct Sources {
  contract::Contract contract;
  table::Snapshot target;
  std::optional<table::Snapshot> quarantine;
  std::optional<table::Snapshot> malformed;
  std::optional<table::Snapshot> bronze;
};

base::Result<Sources> open_sources(Context& context, const project::HomeTable& table) {
  const table::Access access{&context.world(), &context.engine()};
  const load::Place place = context.session().place(table.tables_root);
  Sources sources;
  TRY(sources.target, table::open(access, table.path));
  const auto text = sources.target.properties().find("tenter.contract");
  if (text == sources.target.properties().end())
    return base::fail(Kind::invalid, "rejects.no_contract", table.name.text() + " is no contract table",
                      "name the contract table whose rows were rejected");
  TRY(sources.contract, contract::parse_canonical(text->second));
  const auto open = [&](const contract::TableName& name,
                        std::optional<table::Snapshot>& snapshot) -> base::Status {
    const std::string path = place.table_path(name);
    if (!table::exists(access, path)) return {};
    TRY(snapshot, table::open(access, path));
    return {};
  };
  TRY_STATUS(open(sources.contract.quarantine, sources.quarantine));
  TRY_STATUS(open({"quarantine", sources.contract.from.object + "_malformed"}, sources.malformed));
  TRY_STATUS(open(sources.contract.from, sources.bronze));
  return sources;
}

// Whether a later row of the reject's key was accepted: one that landed after it and is no older in version.
base::Result<std::string> has_later_row(const Sources& sources) {
  const contract::Contract& contract = sources.contract;
  const auto is_kept_as_declared = [&](const std::string& column) {
    const delta::Field* kept = sources.quarantine->schema.find_ignoring_case(column);
    const delta::Field* declared = sources.target.schema.find_ignoring_case(column);
    return kept != nullptr && declared != nullptr && kept->type == declared->type;
  };
  std::string later = "t._loaded_at > q._loaded_at";
  for (const std::string& key : contract.primary_key) {
    if (!is_kept_as_declared(key)) return std::string("false");
    later += " AND t." + base::sql_name(key) + " = q." + base::sql_name(key);
  }
  if (contract.primary_key.empty()) return std::string("false");
  if (contract.version_column) {
    const std::string version = base::sql_name(*contract.version_column);
    if (!is_kept_as_declared(*contract.version_column)) return std::string("false");
    later += " AND (q." + version + " IS NULL OR t." + version + " >= q." + version + ")";
  }
  TRY(const std::string scan, sources.target.scan());
  return "EXISTS (SELECT 1 FROM (" + scan + ") t WHERE " + later + ")";
}

// Whether an accepted row of a loaded batch stands for a malformed record.
base::Result<std::string> has_corrected_row(const Sources& sources) {
  if (!sources.bronze || sources.bronze->schema.find("_reject_id") == nullptr) return std::string("false");
  const std::string prefix = "tenter/load/" + sources.bronze->id() + "/";
  std::vector<std::string> loaded;
  for (const auto& [app_id, txn] : sources.target.state.txns)
    if (app_id.starts_with(prefix) && txn.version <= 2)
      loaded.push_back(base::sql_quote(app_id.substr(prefix.size())));
  if (loaded.empty()) return std::string("false");
  TRY(const std::string bronze, sources.bronze->scan());
  std::string accepted;
  if (sources.quarantine) {
    TRY(const std::string rejects, sources.quarantine->scan());
    accepted = " AND NOT EXISTS (SELECT 1 FROM (" + rejects +
               ") r WHERE r._batch_id = b._batch_id AND r._source_file = b._source_file AND r._source_line = "
               "b._source_line)";
  }
  return "EXISTS (SELECT 1 FROM (" + bronze +
         ") b WHERE trim(b._reject_id) = q._reject_id AND b._batch_id IN (" + base::join(loaded, ", ") + ")" +
         accepted + ")";
}

// SELECT over the rejects and the malformed records of a contract table; empty when there are none.
base::Result<std::string> rejects_select(const Sources& sources) {
  std::vector<std::string> parts;
  const std::string told =
      "_reject_id, _batch_id, _source_file, _source_line, _reject_codes, _reject_reason, ";
  if (sources.quarantine) {
    TRY(const std::string scan, sources.quarantine->scan());
    TRY(const std::string later, has_later_row(sources));
    std::string raw;
    for (const delta::Field& field : sources.quarantine->schema.fields)
      if (field.name.starts_with("raw_")) raw += ", " + base::sql_name(field.name);
    parts.push_back("SELECT 'row' AS kind, " + told +
                    "CASE WHEN _resolved_at IS NOT NULL THEN 'resolved' WHEN " + later +
                    " THEN 'resolved by a later row' ELSE 'open' END AS state, _resolved_at, _resolved_by" +
                    raw + " FROM (" + scan + ") q");
  }
  if (sources.malformed) {
    TRY(const std::string scan, sources.malformed->scan());
    TRY(const std::string corrected, has_corrected_row(sources));
    parts.push_back(
        "SELECT 'malformed' AS kind, " + told + "CASE WHEN " + corrected +
        " THEN 'resolved' ELSE 'open' END AS state, NULL::TIMESTAMPTZ AS _resolved_at, "
        "NULL::VARCHAR AS _resolved_by, coalesce(TRY(decode(_raw)), CAST(_raw AS VARCHAR)) AS _raw "
        "FROM (" +
        scan + ") q");
  }
  return base::join(parts, " UNION ALL BY NAME ");
}

std::string chosen_rejects(const std::string& select, const RejectsArguments& arguments,
                           const std::optional<std::string>& batch) {
  std::string text = "SELECT *" +
                     std::string(arguments.all ? "" : " EXCLUDE (state, _resolved_at, _resolved_by)") +
                     " FROM (" + select + ") WHERE true";
  if (!arguments.all) text += " AND state = 'open'";
  if (batch) text += " AND _batch_id = " + base::sql_quote(*batch);
  if (arguments.reason)
    text +=
        " AND list_contains(string_split(_reject_codes, ';'), " + base::sql_quote(*arguments.reason) + ")";
  return text + " ORDER BY _batch_id, _source_file, _source_line, _reject_id";
}

base::Result<Answer> list_rejects(Context& context, const RejectsArguments& arguments) {
  TRY(const contract::TableName name, project::parse_table_name(arguments.table));
  TRY(const project::HomeTable table, context.home().find(context.world(), name));
  TRY(const Sources sources, open_sources(context, table));
  std::optional<std::string> batch;
  if (arguments.batch) {
    TRY(const auto batches,
        load::landed_batches(context.session().place(table.tables_root), sources.contract.from));
    TRY(const load::Batch found, load::find_batch(batches, *arguments.batch));
    batch = found.id;
  }
  Answer answer;
  TRY(const std::string select, rejects_select(sources));
  engine::Rows rows;
  if (!select.empty()) {
    TRY(engine::Connection * connection, context.engine().connection());
    TRY(rows, connection->query(chosen_rejects(select, arguments, batch)));
  }
  const std::string what = arguments.all ? "rejects" : "open rejects";
  answer.result = json_rows(rows);
  answer.text = arguments.format == "csv" ? csv_rows(rows)
                : rows.size() == 0
                    ? "no " + what + (arguments.reason ? " with code " + *arguments.reason : "") + "\n"
                    : text_rows(rows) + std::to_string(rows.size()) + " " + what + "\n";
  if (!arguments.output.empty()) {
    TRY_STATUS(context.world().files->replace(arguments.output,
                                              arguments.format == "csv" ? answer.text : text_rows(rows)));
    answer.text = "wrote " + std::to_string(rows.size()) + " rejects to " + arguments.output + "\n";
  }
  return answer;
}

// ---- retry and apply
// ----------------------------------------------------------------------------------------

Json print_codes(const std::map<std::string, std::int64_t>& codes) {
  Json json = Json::object();
  for (const auto& [code, count] : codes) json.set(code, count);
  return json;
}

Json print_stopped(const load::LoadReport& report) {
  if (!report.stopped) return {};
  return Json::object({{"code", report.stopped->code}, {"message", report.stopped->message}});
}

// What people see of one settled batch.
void add_line(TextTable& text, const load::LoadReport& report, std::int64_t resolved) {
  const load::Counts& counts = report.counts;
  const std::string result = report.stopped     ? "stopped: " + report.stopped->code
                             : report.committed ? "version " + std::to_string(report.version)
                                                : "nothing changed";
  text.add({report.batch, std::to_string(counts.read), std::to_string(counts.inserted),
            std::to_string(counts.updated), std::to_string(counts.unchanged), std::to_string(counts.older),
            std::to_string(counts.superseded), std::to_string(counts.duplicates),
            std::to_string(counts.quarantined), std::to_string(resolved), result});
}

TextTable settled_table(const std::string& rejected) {
  return TextTable({"batch", "read", "inserted", "updated", "unchanged", "older", "superseded", "duplicates",
                    rejected, "resolved", "result"});
}

std::string tell_codes(const load::LoadReport& report) {
  std::string text;
  for (const auto& [code, count] : report.rejects)
    text += "  batch " + report.batch + ": " + std::to_string(count) + " with " + code + "\n";
  return text;
}

void tell_stopped(const load::LoadReport& report, Answer& answer) {
  if (report.stopped) answer.errors.push_back(*report.stopped);
}

base::Result<Answer> retry_rejects(Context& context, const RejectsArguments& arguments) {
  TRY(const contract::TableName name, project::parse_table_name(arguments.table));
  TRY(const load::RetryReport report,
      project::retry_rejects(context.session(), name, arguments.batch, arguments.reason));
  Answer answer;
  Json list = Json::array();
  TextTable text = settled_table("still rejected");
  std::string codes;
  for (const load::Retried& retried : report.batches) {
    const load::LoadReport& load = retried.load;
    list.push(Json::object({{"batch", load.batch},
                            {"committed", load.committed},
                            {"version", load.version},
                            {"counts", load::print_counts(load.counts)},
                            {"rejects", print_codes(load.rejects)},
                            {"resolved", retried.resolved},
                            {"stopped", print_stopped(load)}}));
    add_line(text, load, retried.resolved);
    codes += tell_codes(load);
    tell_stopped(load, answer);
  }
  Json passed_over = Json::array();
  for (const auto& batch : report.passed_over) {
    passed_over.push(Json::object({{"batch", batch.batch}, {"state", load::state_name(batch.state)}}));
    codes += "  batch " + batch.batch + " is " + std::string(load::state_name(batch.state)) +
             ": its rejects are judged when it is loaded\n";
  }
  if (report.never_retried > 0)
    codes += "  " + std::to_string(report.never_retried) +
             " rejects are not retried: their key stands in their batch already (duplicate_primary_key)\n";
  answer.text = name.text() + "\n" + (text.empty() ? "  nothing to retry\n" : text.print(2)) + codes;
  answer.result = Json::object({{"table", name.text()},
                                {"batches", std::move(list)},
                                {"passed_over", std::move(passed_over)},
                                {"never_retried", report.never_retried}});
  return answer;
}

base::Result<Answer> apply_file(Context& context, const ApplyArguments& arguments) {
  TRY(const contract::TableName name, project::parse_table_name(arguments.table));
  std::vector<base::Error> more;
  TRY(const project::Project project, context.open_sound_project(more));
  TRY_STATUS(context.open_home());
  TRY(const load::ApplyReport report,
      project::apply_rejects(context.session(), project, name,
                             {arguments.file, arguments.batch, arguments.because}));
  const load::LoadReport& load = report.load;
  Answer answer;
  answer.warnings = load.warnings;
  tell_stopped(load, answer);
  TextTable text = settled_table("quarantined");
  add_line(text, load, report.resolved);
  answer.text = name.text() + "\n  batch " + report.batch +
                (report.landed_before ? " was landed before\n"
                                      : " landed: " + std::to_string(report.rows) + " corrected row" +
                                            (report.rows == 1 ? "\n" : "s\n")) +
                text.print(2) + tell_codes(load);
  answer.result = Json::object({{"table", name.text()},
                                {"batch", report.batch},
                                {"landed_before", report.landed_before},
                                {"rows", report.rows},
                                {"committed", load.committed},
                                {"version", load.version},
                                {"state", load.stopped ? "failed" : load::state_name(load.state)},
                                {"counts", load::print_counts(load.counts)},
                                {"rejects", print_codes(load.rejects)},
                                {"resolved", report.resolved},
                                {"stopped", print_stopped(load)}});
  return answer;
}

Answer answered(base::Result<Answer> answer) {
  return answer ? *std::move(answer) : failed(answer.error());
}

}  // namespace

Answer rejects(Context& context, const RejectsArguments& arguments) {
  if (arguments.table.empty())
    return failed(
        base::Error{Kind::invalid, "usage.arguments", "rejects needs a table", "tenter rejects S.O", {}});
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  return answered(list_rejects(context, arguments));
}

Answer retry(Context& context, const RejectsArguments& arguments) {
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  return answered(retry_rejects(context, arguments));
}

Answer apply(Context& context, const ApplyArguments& arguments) {
  if (base::trim(arguments.because).empty())
    return failed(base::Error{Kind::invalid,
                              "usage.because_missing",
                              "rejects apply needs --because TEXT",
                              "say why the rows were corrected; it is kept in the receipt",
                              {}});
  return answered(apply_file(context, arguments));
}

}  // namespace app
