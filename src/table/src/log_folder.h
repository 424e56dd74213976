// Files of a table's _delta_log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <delta/actions.h>
#include <table/table.h>

namespace table {

std::string log_path(const std::string& table_path);
std::string log_file(const std::string& table_path, const std::string& name);

// Names in the log folder; "delta.no_table" when there is no such folder.
base::Result<std::vector<std::string>> list_log(const Access& access, const std::string& table_path);

base::Result<std::vector<delta::Action>> read_actions(const Access& access, const std::string& table_path,
                                                      std::int64_t version);

// The actions of a checkpoint in one file.
base::Result<std::vector<delta::Action>> read_checkpoint(const Access& access, const std::string& table_path,
                                                         std::int64_t version);

// The commitInfo among the actions of an entry; an empty object when there is none.
base::Json commit_info_of(const std::vector<delta::Action>& actions);

// What _last_checkpoint says, if it can be understood.
struct Hint {
  bool exists = false;
  std::optional<std::int64_t> version;
};
Hint read_hint(const Access& access, const std::string& table_path);

}  // namespace table
