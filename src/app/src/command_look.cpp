// show, history, sql, verify: nothing here writes to a table.
#include <algorithm>
#include <charconv>
#include <set>

#include <base/text.h>
#include <base/time.h>
#include <contract/model.h>
#include <table/table.h>
#include <verify/verify.h>

#include "commands.h"
#include "values.h"

namespace app {

using base::Json;
using base::Kind;

namespace {

base::Result<Answer> show_tables(Context& context) {
  TRY(const auto tables, context.home().tables(context.world()));
  Answer answer;
  Json list = Json::array();
  TextTable text({"table", "version", "rows", "files", "item"});
  for (const project::HomeTable& table : tables) {
    const table::Access access{&context.world(), &context.engine()};
    TRY(const table::Snapshot snapshot, table::open(access, table.path));
    text.add({table.name.text(), std::to_string(snapshot.version()), std::to_string(snapshot.rows()),
              std::to_string(snapshot.state.files.size()), table.workspace + "/" + table.item});
    list.push(Json::object({{"table", table.name.text()},
                            {"version", snapshot.version()},
                            {"rows", snapshot.rows()},
                            {"files", static_cast<std::int64_t>(snapshot.state.files.size())},
                            {"item", table.workspace + "/" + table.item}}));
  }
  answer.result = Json::object({{"tables", std::move(list)}});
  answer.text = text.empty() ? "no tables yet\n" : text.print();
  return answer;
}

base::Result<Answer> show_rows(Context& context, const ShowArguments& arguments) {
  TRY(const contract::TableName name, project::parse_table_name(arguments.table));
  TRY(const project::HomeTable table, context.home().find(context.world(), name));
  const table::Access access{&context.world(), &context.engine()};
  TRY(const table::Snapshot snapshot, table::open(access, table.path, arguments.version));
  TRY(const std::string scan, snapshot.scan());
  TRY(engine::Connection * connection, context.engine().connection());
  TRY(const engine::Rows rows, connection->query("SELECT * FROM (" + scan + ") LIMIT " +
                                                 std::to_string(std::max<std::int64_t>(0, arguments.limit))));
  Answer answer;
  answer.warnings = snapshot.warnings;
  answer.result = json_rows(rows);
  answer.result.set("table", table.name.text());
  answer.result.set("version", snapshot.version());
  answer.result.set("total_rows", snapshot.rows());
  answer.text = text_rows(rows) + std::to_string(rows.size()) + " of " + std::to_string(snapshot.rows()) +
                " rows, version " + std::to_string(snapshot.version()) + "\n";
  return answer;
}

// The receipt in a commitInfo, as room load writes it; looked at here without room load's help.
Json receipt_in(const Json& commit_info) {
  const auto text = commit_info.string("userMetadata");
  if (!text) return {};
  const auto parsed = Json::parse(*text);
  const Json* receipt = parsed ? parsed->find("tenter") : nullptr;
  return receipt != nullptr ? *receipt : Json();
}

std::string history_note(const Json& receipt) {
  std::string note;
  if (const Json* counts = receipt.find("counts")) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : counts->members())
      if (value.as_int64().value_or(0) != 0) parts.push_back(name + " " + std::to_string(*value.as_int64()));
    note = base::join(parts, ", ");
  }
  if (const auto by = receipt.string("superseded_by"))
    note += (note.empty() ? "" : "; ") + ("in its place " + std::string(*by));
  if (const auto old = receipt.string("stands_for")) note += "; in the place of " + std::string(*old);
  if (const Json* decision = receipt.find("decision"))
    note += (note.empty() ? "" : "; ") + std::string(decision->string("what").value_or("")) + " by " +
            std::string(decision->string("user").value_or("")) + ": " +
            std::string(decision->string("because").value_or(""));
  if (const Json* decisions = receipt.find("decisions"))
    for (const Json& one : decisions->items())
      note += "; " + std::string(one.string("what").value_or("")) + " of " +
              std::string(one.string("batch").value_or("")) + " by " +
              std::string(one.string("user").value_or("")) + ": " +
              std::string(one.string("because").value_or(""));
  return note;
}

base::Result<Answer> show_history(Context& context, const std::string& table_text, std::int64_t limit) {
  TRY(const contract::TableName name, project::parse_table_name(table_text));
  TRY(const project::HomeTable table, context.home().find(context.world(), name));
  const table::Access access{&context.world(), &context.engine()};
  TRY(const auto entries,
      table::history(access, table.path, static_cast<std::size_t>(std::max<std::int64_t>(0, limit))));
  Answer answer;
  Json list = Json::array();
  TextTable text({"version", "time", "operation", "kind", "batch", "what"});
  for (const table::HistoryEntry& entry : entries) {
    const Json receipt = receipt_in(entry.commit_info);
    const std::string at = base::print_instant(entry.commit_info.int64("timestamp").value_or(0) * 1'000);
    const std::string operation(entry.commit_info.string("operation").value_or(""));
    text.add({std::to_string(entry.version), at, operation,
              std::string(receipt.string("kind").value_or("foreign")),
              std::string(receipt.string("batch").value_or("")), history_note(receipt)});
    list.push(Json::object(
        {{"version", entry.version}, {"timestamp", at}, {"operation", operation}, {"receipt", receipt}}));
  }
  answer.result = Json::object({{"table", table.name.text()}, {"versions", std::move(list)}});
  answer.text = text.print();
  return answer;
}

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// silver.orders@v3 becomes "silver"."orders@v3"; quoted text stays as it is.
struct Rewritten {
  std::string query;
  std::vector<std::pair<contract::TableName, std::int64_t>> versions;
};

Rewritten rewrite_versions(const std::string& query) {
  Rewritten result;
  for (std::size_t at = 0; at < query.size();) {
    const char c = query[at];
    if (c == '\'' || c == '"') {
      const std::size_t end = query.find(c, at + 1);
      const std::size_t stop = end == std::string::npos ? query.size() : end + 1;
      result.query += query.substr(at, stop - at);
      at = stop;
      continue;
    }
    std::size_t end = at;
    while (end < query.size() && (is_word(query[end]) || query[end] == '.')) ++end;
    if (end == at) {
      result.query += query[at++];
      continue;
    }
    const std::string word = query.substr(at, end - at);
    std::size_t digits = end + 2;
    if (query.compare(end, 2, "@v") == 0) {
      while (digits < query.size() && query[digits] >= '0' && query[digits] <= '9') ++digits;
    }
    const auto name = project::parse_table_name(word);
    if (digits > end + 2 && digits - end < 20 && name) {
      const std::string number = query.substr(end + 2, digits - end - 2);
      std::int64_t version = 0;
      std::from_chars(number.data(), number.data() + number.size(), version);
      result.versions.emplace_back(*name, version);
      result.query += base::sql_name(name->schema) + "." + base::sql_name(name->object + "@v" + number);
      at = digits;
    } else {
      result.query += word;
      at = end;
    }
  }
  return result;
}

base::Status add_view(Context& context, engine::Connection& connection, const project::HomeTable& table,
                      std::optional<std::int64_t> version) {
  const table::Access access{&context.world(), &context.engine()};
  TRY(const table::Snapshot snapshot, table::open(access, table.path, version));
  TRY(const std::string scan, snapshot.scan());
  const std::string object = table.name.object + (version ? "@v" + std::to_string(*version) : "");
  TRY_STATUS(connection.execute("CREATE SCHEMA IF NOT EXISTS " + base::sql_name(table.name.schema)));
  return connection.execute("CREATE OR REPLACE VIEW " + base::sql_name(table.name.schema) + "." +
                            base::sql_name(object) + " AS " + scan);
}

base::Result<Answer> run_query(Context& context, const std::string& query) {
  TRY(engine::Engine * engine, context.engine().engine());
  TRY(engine::Connection * connection, context.engine().connection());
  const Rewritten rewritten = rewrite_versions(query);
  Answer answer;
  TRY(const auto tables, context.home().tables(context.world()));
  for (const project::HomeTable& table : tables) {
    // A table that cannot be read must not stand in the way of the others.
    if (const auto added = add_view(context, *connection, table, std::nullopt); !added)
      answer.warnings.push_back(table.name.text() + " is left out: " + added.error().message);
  }
  for (const auto& [name, version] : rewritten.versions) {
    TRY(const project::HomeTable table, context.home().find(context.world(), name));
    TRY_STATUS(add_view(context, *connection, table, version));
  }
  TRY_STATUS(connection->execute("SET preserve_insertion_order = true"));
  TRY_STATUS(engine->lock_down({world::path_join(context.home().path(), "onelake")}));
  // query() takes one SELECT and nothing else, so that nothing can be written.
  const auto rows = connection->query("SELECT * FROM query(" + base::sql_quote(rewritten.query) + ")");
  if (!rows)
    return base::fail(Kind::invalid, "sql.query", rows.error().message, "one SELECT over the home's tables");
  answer.result = json_rows(*rows);
  answer.text = text_rows(*rows);
  return answer;
}

Json print_finding(const verify::Finding& finding) {
  return Json::object({{"verdict", verify::verdict_name(finding.verdict)},
                       {"code", finding.code},
                       {"table", finding.table},
                       {"version", finding.version},
                       {"subject", finding.subject},
                       {"expected", finding.expected},
                       {"found", finding.found}});
}

base::Status verify_table(Context& context, const project::HomeTable& table, const VerifyArguments& arguments,
                          Answer& answer, Json& list) {
  verify::Request request;
  request.world = &context.world();
  request.engine = &context.engine();
  request.tables_root = table.tables_root;
  request.table = table.name;
  request.version = arguments.version;
  request.deep = arguments.deep;
  request.progress = context.session().progress;
  TRY(const verify::Report report, verify::verify(request));
  Json findings = Json::array();
  for (const verify::Finding& finding : report.findings) findings.push(print_finding(finding));
  list.push(Json::object({{"table", report.table},
                          {"version", report.version},
                          {"deep", report.deep},
                          {"ok", report.ok()},
                          {"findings", std::move(findings)}}));
  answer.text += report.table + " version " + std::to_string(report.version) + ": " +
                 std::to_string(report.count(verify::Verdict::ok)) + " proven, " +
                 std::to_string(report.count(verify::Verdict::failed)) + " failed, " +
                 std::to_string(report.count(verify::Verdict::not_covered)) + " not covered\n";
  for (const verify::Finding& finding : report.findings) {
    if (finding.verdict == verify::Verdict::not_covered) answer.text += "  " + verify::print(finding) + "\n";
    if (finding.verdict == verify::Verdict::failed)
      answer.errors.push_back(base::Error{Kind::denied, finding.code, verify::print(finding), {}, {}});
  }
  return {};
}

base::Result<Answer> verify_tables(Context& context, const VerifyArguments& arguments) {
  std::vector<project::HomeTable> chosen;
  if (!arguments.table.empty()) {
    TRY(const contract::TableName name, project::parse_table_name(arguments.table));
    TRY(const project::HomeTable table, context.home().find(context.world(), name));
    chosen.push_back(table);
  } else {
    TRY(const auto tables, context.home().tables(context.world()));
    for (const project::HomeTable& table : tables) {
      const table::Access access{&context.world(), &context.engine()};
      TRY(const table::Snapshot snapshot, table::open(access, table.path));
      if (snapshot.properties().contains("tenter.contract")) chosen.push_back(table);
    }
  }
  Answer answer;
  Json list = Json::array();
  for (const project::HomeTable& table : chosen)
    TRY_STATUS(verify_table(context, table, arguments, answer, list));
  if (chosen.empty()) answer.text = "no contract tables to verify\n";
  answer.result = Json::object({{"tables", std::move(list)}});
  return answer;
}

// Runs a command that needs the home.
Answer in_home(Context& context, const std::function<base::Result<Answer>()>& command) {
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  auto answer = command();
  return answer ? *std::move(answer) : failed(answer.error());
}

}  // namespace

Answer show(Context& context, const ShowArguments& arguments) {
  return in_home(context, [&] {
    return arguments.table.empty() ? show_tables(context) : show_rows(context, arguments);
  });
}

Answer history(Context& context, const std::string& table, std::int64_t limit) {
  return in_home(context, [&] { return show_history(context, table, limit); });
}

Answer sql(Context& context, const std::string& query) {
  return in_home(context, [&] { return run_query(context, query); });
}

Answer verify(Context& context, const VerifyArguments& arguments) {
  return in_home(context, [&] { return verify_tables(context, arguments); });
}

}  // namespace app
