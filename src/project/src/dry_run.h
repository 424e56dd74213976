// A run whose tables are doubles in a scratch folder: everything happens as it would, and nothing stays.
#pragma once

#include <optional>

#include <base/result.h>
#include <load/land.h>
#include <load/scratch.h>
#include <project/run.h>

namespace project {

// Lands in a double when there is something to land; then `session` goes on with that.
base::Result<load::LandReport> try_landing(Session& session, const load::Scratch& scratch,
                                           const std::string& tables_root, const contract::Landing& landing,
                                           const load::LandOptions& options);

// Makes `session` load into doubles of the contract's table and quarantine.
base::Status use_doubles(Session& session, const load::Scratch& scratch, const std::string& tables_root,
                         const contract::Contract& contract);

}  // namespace project
