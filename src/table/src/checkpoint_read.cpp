// A checkpoint in one Parquet file, read through the engine as the JSON of its actions.
#include <base/text.h>

#include <set>

#include "columns.h"
#include "log_folder.h"

namespace table {

namespace {

using base::Json;
using base::Kind;

// In the order of a log entry: what the others are judged by comes first.
constexpr const char* kActionNames[] = {"protocol", "metaData", "txn", "add", "remove", "domainMetadata"};
// Their presence means that the file is only a part of the truth.
constexpr const char* kPartialNames[] = {"sidecar"};

// Some writers keep statistics only as a struct; the count of rows is taken from there.
void fill_stats(Json& content) {
  if (content.string("stats")) return;
  const Json* parsed = content.find("stats_parsed");
  const auto count = parsed ? parsed->int64("numRecords") : std::nullopt;
  if (count) content.set("stats", Json::object({{"numRecords", *count}}).print());
}

base::Status read_kind(engine::Connection& connection, const std::string& file, const std::string& name,
                       std::vector<delta::Action>& actions) {
  const std::string column = base::sql_name(name);
  const std::string sql =
      "SELECT to_json(" + column + ") FROM " + read_files({file}) + " WHERE " + column + " IS NOT NULL";
  const base::Place where{file, 0, 0};
  return connection.query_each(sql, [&](const engine::Rows& rows) -> base::Status {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      TRY(Json content, Json::parse(rows.text(row, 0)));
      if (name == "add") fill_stats(content);
      const Json action = Json::object({{name, std::move(content)}});
      TRY(delta::Action decoded, delta::decode_action(action.print(), where));
      actions.push_back(std::move(decoded));
    }
    return {};
  });
}

}  // namespace

base::Result<std::vector<delta::Action>> read_checkpoint(const Access& access, const std::string& table_path,
                                                         std::int64_t version) {
  const std::string file = log_file(table_path, delta::checkpoint_name(version));
  TRY(engine::Connection* const connection, access.engine->connection());
  const auto shape = connection->query("DESCRIBE SELECT * FROM " + read_files({file}));
  if (!shape)
    return base::fail(Kind::corrupt, "table.checkpoint_unreadable",
                      "the checkpoint " + file + " cannot be read: " + shape.error().message,
                      "remove it if the log entries before it are still there");
  std::set<std::string> columns;
  for (std::size_t row = 0; row < shape->size(); ++row) columns.insert(shape->text(row, 0));
  for (const char* partial : kPartialNames) {
    if (!columns.contains(partial)) continue;
    TRY(const auto rows, connection->query("SELECT 1 FROM " + read_files({file}) + " WHERE " +
                                           base::sql_name(partial) + " IS NOT NULL LIMIT 1"));
    if (rows.size() > 0)
      return base::fail(Kind::unsupported, "delta.feature_unsupported",
                        "the checkpoint " + file + " needs v2Checkpoint, which is not built");
  }
  std::vector<delta::Action> actions;
  for (const char* name : kActionNames)
    if (columns.contains(name)) TRY_STATUS(read_kind(*connection, file, name, actions));
  return actions;
}

}  // namespace table
