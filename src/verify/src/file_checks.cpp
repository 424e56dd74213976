// The live files of the examined version: present, of the size that the log says, and within the
// statistics that the log gives of them (a reader prunes by those).
#include <base/json.h>
#include <base/text.h>

#include "examination.h"

namespace verify {

namespace {

using base::Json;

bool has_bounds(const sql::Type& type) {
  return type.kind != sql::Type::Kind::boolean && type.kind != sql::Type::Kind::binary;
}

// A bound as the engine's value of the column's type; empty when the statistics give none.
std::string bound(const Json* values, const Field& field) {
  const Json* value = values ? values->find(field.stored()) : nullptr;
  if (!value || value->is_null()) return {};
  std::string text(value->as_string().value_or(value->number_text().value_or("")));
  return "TRY_CAST(" + base::sql_quote(text) + " AS " + sql::engine_type(field.type) + ")";
}

// One thing that the engine is asked about a file, and what the answer must be.
struct Question {
  std::string sql;
  std::string subject;
  std::string expected;  // "true" for a bound
};

std::vector<Question> questions(const Json& stats, const std::vector<Field>& fields) {
  std::vector<Question> asked;
  const auto records = stats.find("numRecords");
  asked.push_back({"CAST(count(*) AS VARCHAR)", "numRecords", records ? records->print() : "nothing"});
  const Json* nulls = stats.find("nullCount");
  for (const Field& field : fields) {
    const std::string name = base::sql_name(field.name);
    if (const Json* count = nulls ? nulls->find(field.stored()) : nullptr; count && !count->is_null())
      asked.push_back(
          {"CAST(count(*) - count(" + name + ") AS VARCHAR)", "nullCount of " + field.name, count->print()});
    if (!has_bounds(field.type)) continue;
    // A bound that cannot be read compares as null, which is not "true"; a column of nulls has no bounds to
    // break.
    const auto holds = [&](const std::string& comparison) {
      return "CASE WHEN count(" + name + ") = 0 THEN 'true' ELSE CAST(coalesce(" + comparison +
             ", false) AS VARCHAR) END";
    };
    if (const std::string least = bound(stats.find("minValues"), field); !least.empty())
      asked.push_back({holds("min(" + name + ") >= " + least), "minimum of " + field.name, "true"});
    if (const std::string most = bound(stats.find("maxValues"), field); !most.empty())
      asked.push_back({holds("max(" + name + ") <= " + most), "maximum of " + field.name, "true"});
  }
  return asked;
}

base::Status check_statistics(Examination& examination, const Table& table, const LiveFile& file) {
  const std::int64_t version = table.log.newest;
  const auto stats = file.stats ? Json::parse(*file.stats) : base::Result<Json>(Json());
  if (!stats || !stats->is_object()) {
    examination.failed("verify.statistics", table, version, file.path, "statistics", "none");
    return {};
  }
  const auto relation = examination.rows.relation({file}, table.state().fields);
  if (!relation) return examination.unreadable(relation.error(), table, version);
  const std::vector<Question> asked = questions(*stats, table.state().fields);
  std::vector<std::string> parts;
  for (const Question& question : asked) parts.push_back(question.sql);
  const auto answers =
      examination.rows.query_file(file, "SELECT " + base::join(parts, ", ") + " FROM (" + *relation + ")");
  if (!answers) return examination.unreadable(answers.error(), table, version);
  bool good = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string& answer = answers->text(0, i);
    if (answer == asked[i].expected) continue;
    good = false;
    const bool is_bound = asked[i].expected == "true";
    examination.failed("verify.statistics", table, version, file.path,
                       is_bound ? "a bound of every value" : answer,
                       asked[i].subject + (is_bound ? " is none" : " says " + asked[i].expected));
  }
  if (good) examination.ok("verify.statistics", table, version, file.path);
  return {};
}

}  // namespace

base::Status check_files(Examination& examination, const Table& table) {
  const std::int64_t version = table.log.newest;
  for (const CheckpointCheck& check : table.log.checkpoints)
    examination.compare("verify.checkpoint", table, check.version, "", std::string("what the entries tell"),
                        check.difference.empty() ? std::string("what the entries tell") : check.difference);
  for (const LiveFile& file : live_files(table.state())) {
    const auto info = examination.rows.files().info(file.absolute);
    if (!info && info.error().kind != base::Kind::not_found) return base::fail(info.error());
    if (!info) {
      examination.failed("verify.file_missing", table, version, file.path, "the file", "nothing");
      continue;
    }
    examination.compare("verify.file_size", table, version, file.path, static_cast<std::int64_t>(info->size),
                        file.size);
    TRY_STATUS(check_statistics(examination, table, file));
  }
  return {};
}

}  // namespace verify
