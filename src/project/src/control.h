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
base::Result<std::vector<FailedTry>> failed_tries(const std::string& database, const std::string& table_key);

}  // namespace project
