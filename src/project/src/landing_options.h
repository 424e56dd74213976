// What a landing of this project has to know of it.
#pragma once

#include <project/run.h>

namespace project {

// Where the table's item has its tables in the home.
std::string root_of(const Session& session, const Project& project, const TableDocument& table);
HomeTable home_table(const Session& session, const Project& project, const TableDocument& table);
load::LandOptions land_options(const Session& session, const Project& project, const TableDocument& table,
                               const Selection& selection);
base::Error unknown_table(const Project& project, const contract::TableName& name);
// Notes a failed try in the home, or forgets the note of a batch that went through.
base::Status note(const Session& session, const HomeTable& table, const load::LoadReport& report);

}  // namespace project
