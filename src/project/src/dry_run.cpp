#include "dry_run.h"

#include <algorithm>

namespace project {

base::Result<load::LandReport> try_landing(Session& session, const load::Scratch& scratch,
                                           const std::string& tables_root, const contract::Landing& landing,
                                           const load::LandOptions& options) {
  load::Place place = session.place(tables_root);
  load::LandOptions looking = options;
  looking.only_look = true;
  TRY(load::LandReport report, load::land(place, landing, looking));
  const bool is_new = std::any_of(report.files.begin(), report.files.end(), [](const load::LandedFile& file) {
    return file.outcome == load::LandedFile::Outcome::landed;
  });
  if (!is_new || !report.refused.empty()) return report;
  TRY_STATUS(scratch.add_double(place, landing.name, true));
  TRY_STATUS(scratch.add_double(place, contract::TableName{"quarantine", landing.name.object + "_malformed"},
                                false));
  session.elsewhere = place.elsewhere;
  return load::land(place, landing, options);
}

base::Status use_doubles(Session& session, const load::Scratch& scratch, const std::string& tables_root,
                         const contract::Contract& contract) {
  load::Place place = session.place(tables_root);
  TRY(const std::optional<load::Installed> installed, load::installed(place, contract.name));
  TRY_STATUS(scratch.add_double(place, contract.name, true));
  TRY_STATUS(scratch.add_double(place, contract.quarantine, false));
  if (installed && installed->contract.quarantine.text() != contract.quarantine.text())
    TRY_STATUS(scratch.add_double(place, installed->contract.quarantine, false));
  session.elsewhere = place.elsewhere;
  return {};
}

}  // namespace project
