#include "failure_hook.h"

#include <base/text.h>
#include <base/time.h>

namespace project {

namespace {

using base::Json;

constexpr std::string_view kFormat = "tenter/on-failure/1";

Json story_of(const Session& session, const HomeTable& table, const std::string& owner,
              const load::LoadReport& report) {
  Json rejects = Json::object();
  for (const auto& [code, count] : report.rejects) rejects.set(code, count);
  return Json::object({{"format", kFormat},
                       {"workspace", table.workspace},
                       {"item", table.item},
                       {"table", table.name.text()},
                       {"batch", report.batch},
                       {"gate", report.stopped->code},
                       {"message", report.stopped->message},
                       {"owner", owner},
                       {"counts", load::print_counts(report.counts)},
                       {"rejects", std::move(rejects)},
                       {"run_at", base::print_instant(session.run_at_us)},
                       {"user", session.user}});
}

// What went wrong; empty when nothing did.
std::string run_command(const Session& session, const Project& project, const contract::FailureHook& hook,
                        const Json& story) {
  world::Process process;
  process.words = hook.command;
  process.folder = project.root;
  process.input = story.print() + "\n";
  for (const auto& [name, member] :
       {std::pair("TENTER_FAILED_TABLE", "table"), std::pair("TENTER_FAILED_BATCH", "batch"),
        std::pair("TENTER_FAILED_GATE", "gate"), std::pair("TENTER_FAILED_OWNER", "owner")})
    process.variables.emplace_back(name, story.string(member).value_or(""));
  process.variables.emplace_back("TENTER_FAILED_COUNTS", story.find("counts")->print());
  process.limit_ms = hook.limit_ms;
  const auto end = session.world->outside->run(process);
  if (!end) return end.error().message;
  const std::string what = base::join(hook.command, " ");
  if (end->timed_out)
    return what + " was ended after its time limit of " + std::to_string(hook.limit_ms / 1'000) + " s";
  if (end->exit_code == 0) return "";
  const std::string said(base::trim(end->output));
  return what + " ended with " + std::to_string(end->exit_code) + (said.empty() ? "" : ": " + said);
}

std::string post(const Session& session, const contract::FailureHook& hook, const Json& story) {
  const auto status = session.world->outside->post(
      {hook.host, hook.port, hook.path, "application/json", story.print(), hook.limit_ms});
  if (!status) return status.error().message;
  if (*status >= 200 && *status < 300) return "";
  return hook.host + ":" + std::to_string(hook.port) + " answered with status " + std::to_string(*status);
}

}  // namespace

void tell_failure(const Session& session, const Project& project, const HomeTable& table,
                  const std::string& owner, const load::LoadReport& report,
                  std::vector<std::string>& warnings) {
  if (!project.settings.on_failure || !report.stopped || report.replay) return;
  const contract::FailureHook& hook = *project.settings.on_failure;
  // First the claim, then the call: a run that is cut in between tells nobody, and none tells twice.
  const auto is_first = session.home->claim_telling(table, report.batch, session.run_at_us);
  const std::string what = "on failure of batch " + report.batch + " in " + table.name.text() + ": ";
  if (!is_first) return warnings.push_back(what + "nobody was told: " + is_first.error().message);
  if (!*is_first) return;
  const Json story = story_of(session, table, owner, report);
  const std::string wrong =
      hook.command.empty() ? post(session, hook, story) : run_command(session, project, hook, story);
  if (!wrong.empty()) warnings.push_back(what + wrong + "; it is not tried again");
}

}  // namespace project
