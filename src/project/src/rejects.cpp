#include <project/rejects.h>

#include <base/text.h>

#include "landing_options.h"

namespace project {

using base::Kind;

base::Result<load::RetryReport> retry_rejects(const Session& session, const contract::TableName& name,
                                              const std::optional<std::string>& batch,
                                              const std::optional<std::string>& reason) {
  TRY(const HomeTable table, session.home->find(*session.world, name));
  const load::Place place = session.place(table.tables_root);
  const auto installed = load::installed(place, table.name);
  if (!installed && installed.error().code == "load.no_contract")
    return base::fail(Kind::invalid, "rejects.no_contract", table.name.text() + " is no contract table",
                      "name the contract table whose rows were rejected");
  if (!installed) return base::fail(installed.error());
  load::RetryOptions options;
  options.reason = reason;
  if (batch) {
    TRY(const auto batches, load::landed_batches(place, (*installed)->contract.from));
    TRY(const load::Batch found, load::find_batch(batches, *batch));
    options.batch = found.id;
  }
  return load::retry_rejects(place, table.name, options);
}

namespace {

// The file as it will stand in _source_file, and where it can be opened.
base::Status find_file(const Session& session, const Project& project, load::ApplyOptions& options) {
  const world::Files& files = *session.world->files;
  const auto real = files.real_path(options.absolute);
  const auto info = real ? files.info(*real) : base::fail(real.error());
  if (!info || info->is_directory)
    return base::fail(Kind::invalid, "apply.no_file", "there is no file " + options.absolute,
                      "tenter rejects S.O --format csv -o FIX.csv writes one to correct");
  TRY(const std::string root, files.real_path(project.root));
  const auto is_in = [&](const std::string& folder) { return real->starts_with(folder + "/"); };
  const auto home = files.real_path(session.home->path());
  if (!is_in(root) || (home && is_in(*home)))
    return base::fail(Kind::invalid, "apply.outside_project",
                      options.absolute + " lies outside of the project " + project.root +
                          "; rows are kept with the path of their file in the project",
                      "put the file into the project's folder, for instance in corrections/");
  options.path = real->substr(root.size() + 1);
  options.absolute = *real;
  return {};
}

}  // namespace

base::Result<load::ApplyReport> apply_rejects(const Session& session, const Project& project,
                                              const contract::TableName& name, const Correction& correction) {
  const TableDocument* table = project.find(name);
  if (table == nullptr) return base::fail(unknown_table(project, name));
  const load::Place place = session.place(root_of(session, project, *table));
  if (table->contract() == nullptr)
    return base::fail(Kind::invalid, "rejects.no_contract", table->name.text() + " is no contract table",
                      "name the contract table whose rows were rejected");
  TRY(const std::optional<load::Installed> installed, load::installed(place, table->name));
  const contract::TableName from = installed ? installed->contract.from : table->contract()->from;
  const TableDocument* landing = project.find(from);
  if (landing == nullptr || landing->landing() == nullptr)
    return base::fail(Kind::invalid, "apply.no_landing_table",
                      table->name.text() + " loads from " + from.text() +
                          ", which is no landing table: a file of corrected rows has nowhere to land",
                      "correct the rows in " + from.text());
  load::ApplyOptions options;
  options.absolute =
      correction.file.starts_with('/') ? correction.file : world::path_join(project.root, correction.file);
  options.batch = correction.batch;
  options.because = correction.because;
  TRY_STATUS(find_file(session, project, options));
  TRY(load::ApplyReport report, load::apply_rejects(place, table->name, *landing->landing(),
                                                    land_options(session, project, *landing, {}), options));
  if (const auto noted = note(session, home_table(session, project, *table), report.load); !noted)
    report.load.warnings.push_back(base::print(noted.error()));
  return report;
}

}  // namespace project
