// Rejects of a project's tables taken up again: judged anew, or corrected in a file of the project.
#pragma once

#include <optional>
#include <string>

#include <base/result.h>
#include <load/rejects.h>
#include <project/project.h>
#include <project/run.h>

namespace project {

// `batch` is an id or the beginning of one. Needs no documents, only the home. Codes: those of
// load::retry_rejects, "batch.unknown", "batch.ambiguous", "rejects.no_contract".
base::Result<load::RetryReport> retry_rejects(const Session& session, const contract::TableName& name,
                                              const std::optional<std::string>& batch,
                                              const std::optional<std::string>& reason);

struct Correction {
  std::string file;  // absolute, or relative to the project
  std::optional<std::string> batch;
  std::string because;
};
// The file must lie in the project's folder, outside of the home: it is named by its path there for good.
// Codes: "apply.outside_project", "apply.no_file", "apply.no_landing_table", "project.table_unknown", and
// those of load::apply_rejects.
base::Result<load::ApplyReport> apply_rejects(const Session& session, const Project& project,
                                              const contract::TableName& name, const Correction& correction);

}  // namespace project
