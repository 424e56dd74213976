#include <project/run.h>

#include <algorithm>
#include <map>
#include <utility>

#include <base/text.h>
#include <load/rejects.h>

#include "dry_run.h"
#include "failure_hook.h"
#include "landing_options.h"

namespace project {

using base::Kind;

load::Place Session::place(const std::string& tables_root) const {
  load::Place place;
  place.world = world;
  place.engine = engine;
  place.tables_root = tables_root;
  place.run_at_us = run_at_us;
  place.user = user;
  place.progress = progress;
  place.memory_bytes = memory_bytes;
  place.temporary_folder = temporary_folder;
  place.elsewhere = elsewhere;
  return place;
}

bool TableRun::ok() const {
  if (recomputed && recomputed->stopped) return false;
  if (error || (landed && !landed->refused.empty())) return false;
  return std::none_of(batches.begin(), batches.end(),
                      [](const load::LoadReport& report) { return report.stopped.has_value(); });
}

namespace {

bool same_name(const contract::TableName& a, const contract::TableName& b) {
  return base::equal_ignoring_case(a.text(), b.text());
}

}  // namespace

base::Error unknown_table(const Project& project, const contract::TableName& name) {
  std::vector<std::string> names;
  for (const TableDocument& table : project.tables) names.push_back(table.name.text());
  const std::string near = base::closest(name.text(), names);
  return base::Error{Kind::not_found,
                     "project.table_unknown",
                     "the project has no table " + name.text(),
                     near.empty() ? "tenter check lists the documents" : "did you mean " + near + "?",
                     {}};
}

std::string root_of(const Session& session, const Project& project, const TableDocument& table) {
  return tables_root(session.home->path(), project.workspace, table.item_name);
}

HomeTable home_table(const Session& session, const Project& project, const TableDocument& table) {
  const std::string root = root_of(session, project, table);
  return HomeTable{project.workspace, table.item_name, root, table.name,
                   session.place(root).table_path(table.name)};
}

namespace {

// The tables of a selection, in dependency order.
base::Result<std::vector<const TableDocument*>> select(const Project& project, const Selection& selection) {
  std::vector<const TableDocument*> chosen;
  if (!selection.table) {
    for (const TableDocument& table : project.tables) chosen.push_back(&table);
    return chosen;
  }
  const TableDocument* wanted = project.find(*selection.table);
  if (wanted == nullptr) return base::fail(unknown_table(project, *selection.table));
  if (selection.with_sources && wanted->contract() != nullptr) {
    const TableDocument* source = project.find(wanted->contract()->from);
    if (source != nullptr) chosen.push_back(source);
  }
  chosen.push_back(wanted);
  return chosen;
}

}  // namespace

load::LandOptions land_options(const Session& session, const Project& project, const TableDocument& table,
                               const Selection& selection) {
  load::LandOptions options;
  options.project_root = project.root;
  options.home_root = session.home->path();
  options.batch = selection.batch;
  options.except = selection.except;
  for (const TableDocument& reader : project.tables) {
    const contract::Contract* contract = reader.contract();
    if (contract == nullptr || !same_name(contract->from, table.name)) continue;
    options.readers.push_back(reader.name);
    for (const contract::Column& column : contract->columns) options.declared_columns.push_back(column.name);
  }
  return options;
}

namespace {

// A file that is to be left out must be one that would be looked at: a slip of the pen would land it.
base::Status check_except(const Session& session, const Project& project,
                          const std::vector<const TableDocument*>& chosen, const Selection& selection) {
  if (selection.except.empty()) return {};
  std::vector<std::string> delivered;
  for (const TableDocument* table : chosen) {
    if (table->landing() == nullptr) continue;
    TRY(const std::vector<std::string> paths,
        load::delivered_files(session.place(root_of(session, project, *table)), *table->landing(),
                              land_options(session, project, *table, selection)));
    delivered.insert(delivered.end(), paths.begin(), paths.end());
  }
  for (const std::string& path : selection.except) {
    if (std::find(delivered.begin(), delivered.end(), path) != delivered.end()) continue;
    const std::string near = base::closest(path, delivered);
    return base::fail(
        Kind::invalid, "usage.except_unknown", "no landing table of this run has the file " + path,
        near.empty() ? "name it relative to the project, as messages do" : "did you mean " + near + "?");
  }
  return {};
}

// The first of the chosen contract tables that load from a landing table.
const TableDocument* loaded_next(const std::vector<const TableDocument*>& chosen,
                                 const TableDocument& landing) {
  for (const TableDocument* table : chosen)
    if (table->contract() != nullptr && same_name(table->contract()->from, landing.name)) return table;
  return nullptr;
}

TableRun run_landing(Session& session, const Project& project, const TableDocument& table,
                     const Selection& selection, const TableDocument* next,
                     const std::optional<load::Scratch>& scratch) {
  TableRun run;
  run.name = table.name;
  load::LandOptions options = land_options(session, project, table, selection);
  if (next != nullptr && next->item_name == table.item_name) options.loaded_next = next->name;
  const std::string root = root_of(session, project, table);
  auto landed = scratch ? try_landing(session, *scratch, root, *table.landing(), options)
                        : load::land(session.place(root), *table.landing(), options);
  if (landed)
    run.landed = std::move(*landed);
  else
    run.error = landed.error();
  return run;
}

// Makes the table when it is missing and says when its document changed since it was built.
base::Status prepare_target(const load::Place& place, const contract::Contract& contract,
                            const std::optional<load::Installed>& installed, TableRun& run) {
  if (!installed) {
    TRY(const load::BuildReport report, load::build(place, contract));
    run.built = report.outcome == load::BuildReport::Outcome::created;
    return {};
  }
  if (installed->hash != contract::contract_hash(contract::print_canonical(contract)))
    run.warnings.push_back("document changed since build: " + contract.name.text() +
                           " loads by the installed contract; run tenter build to install the document");
  return {};
}

}  // namespace

base::Status note(const Session& session, const HomeTable& table, const load::LoadReport& report) {
  if (!report.stopped) return session.home->forget_failure(*session.world, table, report.batch);
  return session.home->note_failure(
      table, FailedTry{report.batch, report.stopped->code, report.stopped->message, session.run_at_us});
}

namespace {

void note_and_tell(const Session& session, const Project& project, const HomeTable& table,
                   const std::string& owner, const load::LoadReport& report, TableRun& run) {
  if (const auto noted = note(session, table, report); !noted)
    run.warnings.push_back(base::print(noted.error()));
  else
    tell_failure(session, project, table, owner, report, run.warnings);
}

base::Status run_batches(const Session& session, const Project& project, const TableDocument& table,
                         const Selection& selection, TableRun& run) {
  const contract::Contract& contract = *table.contract();
  const load::Place place = session.place(root_of(session, project, table));
  TRY_STATUS(load::finish_resolving(place, contract.name));
  TRY(const std::optional<load::Installed> installed, load::installed(place, contract.name));
  if (selection.from_bronze) {
    TRY_STATUS(prepare_target(place, contract, installed, run));
    TRY(run.recomputed, load::recompute(place, contract.name));
    run.batches = std::move(run.recomputed->batches);
    return {};
  }
  const contract::TableName from = installed ? installed->contract.from : contract.from;
  TRY(const std::vector<load::Batch> landed, load::landed_batches(place, from));
  TRY(const std::vector<load::BatchState> states, load::batch_states(place, contract.name, from, landed));
  std::vector<load::Batch> chosen;
  if (selection.batch) {
    TRY(const load::Batch batch, load::find_batch(landed, *selection.batch));
    chosen.push_back(batch);
  } else {
    for (std::size_t i = 0; i < landed.size(); ++i)
      if (states[i] == load::BatchState::pending) chosen.push_back(landed[i]);
  }
  TRY_STATUS(prepare_target(place, contract, installed, run));
  const HomeTable place_in_home = home_table(session, project, table);
  const bool goes_on = (installed ? installed->contract : contract).continue_after_failure;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    TRY(load::LoadReport report, load::load_batch(place, contract.name, chosen[i], selection.options));
    if (!selection.dry_run) note_and_tell(session, project, place_in_home, contract.owner, report, run);
    const bool stopped = report.stopped.has_value();
    run.batches.push_back(std::move(report));
    if (!stopped || goes_on) continue;
    for (std::size_t j = i + 1; j < chosen.size(); ++j) run.waiting.push_back(chosen[j].id);
    break;
  }
  return {};
}

TableRun run_contract(Session& session, const Project& project, const TableDocument& table,
                      const Selection& selection, const std::optional<load::Scratch>& scratch) {
  TableRun run;
  run.name = table.name;
  base::Status status;
  if (scratch) status = use_doubles(session, *scratch, root_of(session, project, table), *table.contract());
  if (status) status = run_batches(session, project, table, selection, run);
  if (!status) run.error = status.error();
  return run;
}

// What goes with --from-bronze and --dry-run, and what does not.
base::Status check_manner(const Selection& selection) {
  if (selection.options.max_reject && !selection.dry_run)
    return base::fail(Kind::invalid, "usage.max_reject", "--max-reject tries a limit out in a dry run only",
                      "add --dry-run; the limit that counts is the contract's Max reject ratio");
  if (!selection.from_bronze) return {};
  if (!selection.table)
    return base::fail(Kind::invalid, "usage.from_bronze", "--from-bronze needs a table",
                      "tenter load S.O --from-bronze");
  if (selection.batch || selection.options.accept_rejects)
    return base::fail(Kind::invalid, "usage.from_bronze",
                      "--from-bronze takes every loaded batch, with the decisions taken before",
                      "leave --batch and --accept-rejects out");
  return {};
}

base::Status check_selection(const Selection& selection) {
  TRY_STATUS(check_manner(selection));
  if (selection.batch && !selection.table)
    return base::fail(Kind::invalid, "usage.batch_without_table", "--batch needs a table",
                      "tenter load S.O --batch ID");
  if (selection.options.accept_rejects && base::trim(selection.options.because).empty())
    return base::fail(Kind::invalid, "usage.because_missing", "--accept-rejects needs --because TEXT",
                      "say why the rejects are accepted; it is kept in the receipt");
  if (!selection.options.accept_rejects && !selection.options.because.empty())
    return base::fail(Kind::invalid, "usage.because_without_decision",
                      "--because belongs to a decision, and none is taken",
                      "add --accept-rejects, or leave --because out");
  if (selection.options.accept_rejects && !selection.batch)
    return base::fail(Kind::invalid, "usage.accept_without_batch", "--accept-rejects needs --batch ID",
                      "tenter batches lists the batches");
  return {};
}

}  // namespace

base::Result<std::vector<Built>> build(const Session& session, const Project& project,
                                       const std::vector<contract::TableName>& only) {
  for (const contract::TableName& name : only)
    if (project.find(name) == nullptr) return base::fail(unknown_table(project, name));
  std::vector<Built> results;
  for (const TableDocument& table : project.tables) {
    const bool wanted =
        only.empty() || std::any_of(only.begin(), only.end(), [&](const contract::TableName& name) {
          return same_name(name, table.name);
        });
    if (!wanted || !table.document) continue;
    Built built;
    built.name = table.name;
    if (table.landing() != nullptr) {
      const auto batches = load::landed_batches(session.place(root_of(session, project, table)), table.name);
      if (!batches)
        built.error = batches.error();
      else if (batches->empty())
        built.at_first_landing = true;
      else
        built.report = load::BuildReport{load::BuildReport::Outcome::unchanged, batches->back().version, {}};
    } else {
      auto report = load::build(session.place(root_of(session, project, table)), *table.contract());
      if (report)
        built.report = std::move(*report);
      else
        built.error = report.error();
    }
    results.push_back(std::move(built));
  }
  return results;
}

base::Result<std::vector<TableRun>> load(const Session& session, const Project& project,
                                         const Selection& selection) {
  TRY_STATUS(check_selection(selection));
  TRY(const std::vector<const TableDocument*> chosen, select(project, selection));
  if (selection.options.accept_rejects && chosen.back()->landing() != nullptr)
    return base::fail(Kind::invalid, "usage.accept_of_landing",
                      selection.table->text() + " is a landing table: it rejects nothing",
                      "name the contract table that rejected the rows");
  if (selection.from_bronze && chosen.back()->landing() != nullptr)
    return base::fail(Kind::invalid, "usage.from_bronze",
                      selection.table->text() + " is a landing table: it is the bronze",
                      "name the contract table to recompute");
  TRY_STATUS(check_except(session, project, chosen, selection));
  Session with_doubles = session;  // in a dry run it comes to know them
  std::optional<load::Scratch> scratch;
  if (selection.dry_run) {
    TRY(load::Scratch made, load::Scratch::make(*session.world));
    scratch.emplace(std::move(made));
  }
  std::vector<TableRun> runs;
  // What landings found out for the tables that are loaded after them.
  std::map<const TableDocument*, std::shared_ptr<load::EarlyJudgement>> early;
  for (const TableDocument* table : chosen) {
    if (!table->document) continue;
    const bool landing = table->landing() != nullptr;
    const TableDocument* const next = landing ? loaded_next(chosen, *table) : nullptr;
    Selection own = selection;
    if (!landing) own.options.early = early[table];
    early.erase(table);
    TableRun run = landing ? run_landing(with_doubles, project, *table, own, next, scratch)
                           : run_contract(with_doubles, project, *table, own, scratch);
    if (next != nullptr && run.landed) early[next] = std::exchange(run.landed->early, nullptr);
    runs.push_back(std::move(run));
  }
  return runs;
}

namespace {

base::Status add_lines(const Session& session, const HomeTable& table, const load::Installed& installed,
                       std::vector<BatchLine>& lines) {
  const load::Place place = session.place(table.tables_root);
  TRY(const std::vector<load::Batch> landed, load::landed_batches(place, installed.contract.from));
  TRY(const std::vector<load::BatchState> states,
      load::batch_states(place, table.name, installed.contract.from, landed));
  const std::vector<FailedTry> failures = session.home->failures(*session.world, table);
  for (std::size_t i = 0; i < landed.size(); ++i) {
    BatchLine line{table.name, landed[i], states[i], {}};
    const auto at = std::find_if(failures.begin(), failures.end(),
                                 [&](const FailedTry& failed) { return failed.batch == landed[i].id; });
    if (states[i] == load::BatchState::pending && at != failures.end()) line.failed = *at;
    lines.push_back(std::move(line));
  }
  return {};
}

}  // namespace

base::Result<std::vector<BatchLine>> batches(const Session& session,
                                             const std::optional<contract::TableName>& only) {
  TRY(const std::vector<HomeTable> tables, session.home->tables(*session.world));
  if (only) TRY_STATUS(session.home->find(*session.world, *only));
  std::vector<BatchLine> lines;
  for (const HomeTable& table : tables) {
    const auto installed = load::installed(session.place(table.tables_root), table.name);
    if (!installed) {
      if (installed.error().code == "load.no_contract") continue;
      return base::fail(installed.error());
    }
    if (!*installed) continue;
    const contract::TableName& from = (*installed)->contract.from;
    if (only && !same_name(*only, table.name) && !same_name(*only, from)) continue;
    TRY_STATUS(add_lines(session, table, **installed, lines));
  }
  return lines;
}

base::Result<std::vector<Skipped>> skip(const Session& session, const std::string& batch,
                                        const std::vector<contract::TableName>& tables,
                                        const std::string& because) {
  std::vector<BatchLine> lines;
  if (tables.empty()) {
    TRY(lines, batches(session, std::nullopt));
  }
  for (const contract::TableName& name : tables) {
    TRY(const std::vector<BatchLine> own, batches(session, name));
    lines.insert(lines.end(), own.begin(), own.end());
  }
  std::vector<load::Batch> known;
  for (const BatchLine& line : lines)
    if (std::none_of(known.begin(), known.end(),
                     [&](const load::Batch& other) { return other.id == line.batch.id; }))
      known.push_back(line.batch);
  TRY(const load::Batch chosen, load::find_batch(known, batch));
  std::vector<Skipped> skipped;
  for (const BatchLine& line : lines) {
    if (line.batch.id != chosen.id) continue;
    if (tables.empty() && line.state != load::BatchState::pending &&
        line.state != load::BatchState::skipped &&
        std::any_of(lines.begin(), lines.end(), [&](const BatchLine& other) {
          return other.batch.id == chosen.id && other.state == load::BatchState::pending;
        }))
      continue;  // loaded here already; the tables where it waits are meant
    TRY(const HomeTable table, session.home->find(*session.world, line.table));
    TRY(const std::int64_t version,
        load::skip_batch(session.place(table.tables_root), line.table, line.batch, because));
    if (const auto forgotten = session.home->forget_failure(*session.world, table, chosen.id); !forgotten)
      return base::fail(forgotten.error());
    skipped.push_back(Skipped{line.table, chosen.id, version, line.state == load::BatchState::skipped});
  }
  return skipped;
}

}  // namespace project
