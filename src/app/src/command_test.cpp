// test: the project's own cases.
#include <algorithm>

#include <base/text.h>

#include "case_runner.h"
#include "commands.h"

namespace app {

using base::Json;

namespace {

Json texts(const std::vector<std::string>& all) {
  Json list = Json::array();
  for (const std::string& text : all) list.push(text);
  return list;
}

Json print_result(const CaseResult& result) {
  Json failures = Json::array();
  for (const CaseFailure& failure : result.failures)
    failures.push(Json::object({{"line", failure.line},
                                {"step", failure.step},
                                {"message", failure.message},
                                {"missing", texts(failure.missing)},
                                {"unexpected", texts(failure.unexpected)}}));
  return Json::object(
      {{"file", result.file}, {"ok", result.failures.empty()}, {"failures", std::move(failures)}});
}

std::string tell(const CaseResult& result) {
  std::string text = (result.failures.empty() ? "ok      " : "FAILED  ") + result.file + "\n";
  for (const CaseFailure& failure : result.failures) {
    text += "  line " + std::to_string(failure.line) + ": " + failure.step + "\n";
    if (!failure.message.empty()) text += "    " + failure.message + "\n";
    for (const std::string& row : failure.missing)
      text += "    - " + clipped(row) + "   (expected, not there)\n";
    for (const std::string& row : failure.unexpected)
      text += "    + " + clipped(row) + "   (there, not expected)\n";
  }
  return text;
}

base::Error failed_case(const CaseResult& result) {
  const CaseFailure& first = result.failures.front();
  std::string what = first.message;
  if (what.empty())
    what = base::counted(static_cast<std::int64_t>(first.missing.size()), "row") + " missing, " +
           std::to_string(first.unexpected.size()) + " not expected";
  return base::Error{
      base::Kind::invalid, "test.failed", first.step + ": " + what, {}, {result.file, first.line, 1}};
}

base::Result<std::vector<project::FoundCase>> choose(const world::World& world,
                                                     const project::Project& project,
                                                     const std::vector<std::string>& tables) {
  TRY(const std::vector<project::FoundCase> all, project::find_cases(world, project));
  if (tables.empty()) return all;
  std::vector<project::FoundCase> chosen;
  for (const std::string& text : tables) {
    TRY(const contract::TableName name, project::parse_table_name(text));
    const std::size_t before = chosen.size();
    for (const project::FoundCase& one : all)
      if (contract::equal_ignoring_case(one.table, name)) chosen.push_back(one);
    if (chosen.size() == before)
      return base::fail(base::Kind::not_found, "test.no_case", "there is no case of " + name.text(),
                        "write Lakehouse/<item>/cases/" + name.text() + ".case");
  }
  return chosen;
}

}  // namespace

Answer test(Context& context, const std::vector<std::string>& tables) {
  std::vector<base::Error> more;
  const auto project = context.open_sound_project(more);
  if (!project) {
    Answer answer = failed(project.error());
    answer.errors.insert(answer.errors.end(), more.begin(), more.end());
    return answer;
  }
  const auto chosen = choose(context.world(), *project, tables);
  if (!chosen) return failed(chosen.error());
  Answer answer;
  Json list = Json::array();
  std::size_t good = 0;
  for (const project::FoundCase& one : *chosen) {
    const auto result = run_case(context.world(), *project, one);
    if (!result) {
      answer.errors.push_back(result.error());
      answer.text += "FAILED  " + one.file + "\n  " + result.error().message + "\n";
      list.push(print_result(
          CaseResult{one.file, {{result.error().place.line, "", result.error().message, {}, {}}}}));
      continue;
    }
    answer.text += tell(*result);
    list.push(print_result(*result));
    if (result->failures.empty())
      ++good;
    else
      answer.errors.push_back(failed_case(*result));
  }
  answer.result = Json::object({{"cases", std::move(list)}});
  answer.text += chosen->empty()
                     ? "no cases: write Lakehouse/<item>/cases/<schema>.<table>.case\n"
                     : std::to_string(good) + " of " + std::to_string(chosen->size()) + " cases hold\n";
  return answer;
}

}  // namespace app
