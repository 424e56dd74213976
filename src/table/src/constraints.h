// NOT NULL and CHECK, judged by the engine with Spark's meaning.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <delta/actions.h>
#include <delta/schema.h>
#include <sql/expression.h>
#include <table/table.h>

namespace table {

// The engine's text of a CHECK over columns t."name". Codes of room sql for what is wrong in it.
base::Result<std::string> engine_condition(const delta::Schema& schema, const std::string& check,
                                           const sql::Context& context = {});
// The text under which a CHECK is kept on the table, which every Delta engine reads alike.
base::Result<std::string> table_text(const delta::Schema& schema, const std::string& check);

// Judges the rows of `select` against every CHECK of the metadata.
base::Status judge_checks(const Access& access, const delta::Metadata& metadata, const delta::Schema& schema,
                          const std::string& select);
// Judges a written file against NOT NULL by its statistics.
base::Status judge_not_null(const delta::Schema& schema, const engine::ParquetFile& file);

}  // namespace table
