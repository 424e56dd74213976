// control.db: the one place that knows SQLite. Notes only; every function opens and closes the file.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <project/home.h>

namespace project {

base::Status note_failed_try(const std::string& database, const std::string& table_key,
                             const FailedTry& failed);
base::Status forget_failed_try(const std::string& database, const std::string& table_key,
                               const std::string& batch);
// True for the first who asks since the failure was noted; by then it is on the disk that somebody asked.
base::Result<bool> claim_telling_once(const std::string& database, const std::string& table_key,
                                      const std::string& batch, std::int64_t at_us);
base::Result<std::vector<FailedTry>> failed_tries(const std::string& database, const std::string& table_key);

}  // namespace project
