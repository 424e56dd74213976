// init, check, build, docs, doctor and the answer to no verb at all.
#include <algorithm>

#include <base/text.h>
#include <base/time.h>
#include <world/zones.h>

#include "commands.h"

namespace app {

using base::Json;
using base::Kind;

namespace {

std::string documents_of(const project::Project& project) {
  return base::counted(static_cast<std::int64_t>(project.tables.size()), "document");
}
std::string errors_of(const project::Project& project) {
  return base::counted(static_cast<std::int64_t>(project.errors.size()), "error");
}

constexpr const char* kStartingSettings =
    "# The workspace's name in the home; the time zone in which text without an offset is read.\n"
    "workspace: ";

base::Status write_if_absent(world::World& world, const std::string& path, const std::string& text,
                             std::vector<std::string>& made) {
  if (world.files->exists(path)) return {};
  TRY_STATUS(world.files->make_directories(world::path_parent(path)));
  TRY_STATUS(world.files->put_if_absent(path, text));
  made.push_back(path);
  return {};
}

base::Result<Answer> make_project(Context& context, const InitArguments& arguments) {
  world::World& world = context.world();
  std::optional<std::int64_t> test_clock_us;
  if (!arguments.test_clock.empty()) {
    const auto instant = base::parse_instant(arguments.test_clock);
    if (!instant)
      return base::fail(Kind::invalid, "usage.instant", instant.error().message,
                        "--test-clock 2026-03-01T06:00:00Z");
    test_clock_us = *instant;
  }
  std::string folder = arguments.directory.empty() ? context.options().project : arguments.directory;
  if (folder.empty()) folder = ".";
  TRY_STATUS(world.files->make_directories(folder));
  TRY(const std::string root, world.files->real_path(folder));
  std::vector<std::string> made;
  TRY_STATUS(write_if_absent(world, world::path_join(root, "tenter.yml"),
                             kStartingSettings + base::json_quote(world::path_name(root)) + "\n", made));
  TRY_STATUS(write_if_absent(world, world::path_join(root, ".gitignore"), ".tenter/\n", made));
  std::string home = world::path_join(root, ".tenter");
  if (!context.options().home.empty() || world.variable("TENTER_HOME")) {
    TRY(home, context.home_path());
  }
  TRY(const project::Home opened, project::Home::create(world, home, test_clock_us));
  Answer answer;
  answer.result = Json::object({{"project", root}, {"home", opened.path()}});
  answer.text = "project " + root + "\nhome    " + opened.path() + "\n";
  if (!world.files->exists(world::path_join(root, "Lakehouse")))
    answer.text +=
        "next: write Lakehouse/<Item>/Tables/bronze.<name>.yml and silver.<name>.yml, then tenter check\n";
  return answer;
}

Json print_fault(const base::Error& error) {
  return Json::object({{"code", error.code},
                       {"message", error.message},
                       {"file", error.place.file},
                       {"line", error.place.line},
                       {"column", error.place.column}});
}

std::string kind_of(const project::TableDocument& table) {
  if (table.landing() != nullptr) return "landing";
  if (table.contract() != nullptr) return "contract";
  return "faulty";
}

}  // namespace

Answer init(Context& context, const InitArguments& arguments) {
  auto answer = make_project(context, arguments);
  return answer ? *answer : failed(answer.error());
}

Answer check(Context& context) {
  const auto project = context.open_project();
  if (!project) return failed(project.error());
  Answer answer;
  Json tables = Json::array();
  TextTable lines({"table", "kind", "document"});
  for (const project::TableDocument& table : project->tables) {
    tables.push(Json::object({{"table", table.name.text()}, {"kind", kind_of(table)}, {"file", table.file}}));
    lines.add({table.name.text(), kind_of(table), table.file});
  }
  Json warnings = Json::array();
  for (const base::Error& warning : project->warnings) {
    warnings.push(print_fault(warning));
    answer.warnings.push_back(base::print(warning));
  }
  answer.errors = project->errors;
  answer.result = Json::object({{"tables", std::move(tables)}, {"warnings", std::move(warnings)}});
  if (project->tables.empty() && answer.errors.empty()) {
    answer.text = "no documents found\n";
  } else {
    answer.text = lines.print();
  }
  if (answer.errors.empty()) answer.text += documents_of(*project) + ", no errors\n";
  return answer;
}

Answer build(Context& context, const std::vector<std::string>& tables) {
  std::vector<contract::TableName> names;
  for (const std::string& text : tables) {
    const auto name = project::parse_table_name(text);
    if (!name) return failed(name.error());
    names.push_back(*name);
  }
  Answer answer;
  std::vector<base::Error> more;
  const auto project = context.open_sound_project(more);
  if (!project) {
    answer = failed(project.error());
    answer.errors.insert(answer.errors.end(), more.begin(), more.end());
    return answer;
  }
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  const auto built = project::build(context.session(), *project, names);
  if (!built) return failed(built.error());
  Json list = Json::array();
  TextTable lines({"table", "result"});
  for (const project::Built& one : *built) {
    std::string outcome = "at first landing";
    Json changes = Json::array();
    if (one.error) {
      outcome = "failed";
      answer.errors.push_back(*one.error);
    } else if (!one.at_first_landing) {
      const auto kind = one.report.outcome;
      outcome = kind == load::BuildReport::Outcome::created   ? "created"
                : kind == load::BuildReport::Outcome::changed ? "changed"
                                                              : "unchanged";
      for (const std::string& change : one.report.changes) changes.push(change);
    }
    const std::string version =
        one.at_first_landing || one.error ? "" : ", version " + std::to_string(one.report.version);
    lines.add({one.name.text(), outcome + version});
    for (const std::string& change : one.report.changes) lines.add({"", change});
    list.push(Json::object({{"table", one.name.text()},
                            {"outcome", outcome},
                            {"version", one.report.version},
                            {"changes", std::move(changes)}}));
  }
  answer.result = Json::object({{"tables", std::move(list)}});
  answer.text = lines.print();
  return answer;
}

Answer docs(Context& context) {
  std::vector<base::Error> more;
  const auto project = context.open_sound_project(more);
  if (!project) {
    Answer answer = failed(project.error());
    answer.errors.insert(answer.errors.end(), more.begin(), more.end());
    return answer;
  }
  const auto written = project::write_docs(context.world(), *project);
  if (!written) return failed(written.error());
  Answer answer;
  Json list = Json::array();
  for (const std::string& path : *written) {
    list.push(path);
    answer.text += "wrote " + path + "\n";
  }
  if (written->empty()) answer.text = "every README is up to date\n";
  answer.result = Json::object({{"written", std::move(list)}});
  return answer;
}

Answer doctor(Context& context) {
  Answer answer;
  TextTable lines({"what", "finding"});
  Json findings = Json::array();
  const auto say = [&](const std::string& what, const std::string& finding, bool fine) {
    lines.add({what, finding});
    findings.push(Json::object({{"what", what}, {"finding", finding}, {"ok", fine}}));
  };
  say("engine", "DuckDB " + engine::library_version(), true);
  say("processors", std::to_string(context.world().processors), true);
  const auto engine_open = context.engine().connection();
  say("engine opens", engine_open ? "yes" : engine_open.error().message, engine_open.has_value());
  if (!engine_open) answer.errors.push_back(engine_open.error());
  const bool zones = world::zone(context.world(), "Europe/Oslo").has_value();
  say("time zones", zones ? "found" : "not found: only UTC and fixed offsets work; install tzdata", zones);
  const auto project = context.open_project();
  if (project)
    say("project", project->root + ", " + documents_of(*project) + ", " + errors_of(*project),
        project->errors.empty());
  else
    say("project", project.error().message, false);
  const auto opened = context.open_home();
  say("home",
      opened ? context.home().path() + (context.home().has_test_clock() ? ", a test clock of its own" : "")
             : opened.error().message,
      opened.has_value());
  answer.result = Json::object({{"findings", std::move(findings)}});
  answer.text = lines.print();
  return answer;
}

Answer where_am_i(Context& context) {
  Answer answer;
  const auto project = context.open_project();
  answer.text =
      project ? "project " + project->root + ": " + documents_of(*project) + ", " + errors_of(*project) + "\n"
              : "no project here (" + project.error().message + ")\n";
  const auto opened = context.open_home();
  Json pending = Json::array();
  Json failed_list = Json::array();
  if (!opened) {
    answer.text += "no home (" + opened.error().message + ")\nnext: tenter init, or tenter --help\n";
  } else {
    answer.text += "home    " + context.home().path() + "\n";
    const auto lines = project::batches(context.session(), std::nullopt);
    if (!lines) return failed(lines.error());
    for (const project::BatchLine& line : *lines) {
      if (line.state != load::BatchState::pending) continue;
      Json entry = Json::object({{"table", line.table.text()}, {"batch", line.batch.id}});
      if (line.failed) {
        answer.text += "failed  " + line.table.text() + " batch " + line.batch.id + ": " +
                       line.failed->message + " [" + line.failed->code + "]\n";
        entry.set("code", line.failed->code);
        failed_list.push(std::move(entry));
      } else {
        answer.text += "pending " + line.table.text() + " batch " + line.batch.id + "\n";
        pending.push(std::move(entry));
      }
    }
    if (pending.items().empty() && failed_list.items().empty()) answer.text += "nothing is pending\n";
  }
  answer.result = Json::object({{"project", project ? Json(project->root) : Json()},
                                {"home", opened ? Json(context.home().path()) : Json()},
                                {"pending", std::move(pending)},
                                {"failed", std::move(failed_list)}});
  return answer;
}

}  // namespace app
