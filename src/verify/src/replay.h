// Single actions of the log, applied to a State. Private to read_log.
#pragma once

#include <string>
#include <string_view>

#include "log.h"

namespace verify {

// Applies the lines of one entry; `where` names the file for errors.
base::Status replay_entry(std::string_view bytes, base::Place where, const std::string& table, State& state,
                          Entry& entry);
base::Status read_checkpoint(engine::LazyEngine& engine, const std::string& file, const std::string& table,
                             State& state);

}  // namespace verify
