// Whole operations: append, overwrite, merge, adding a constraint.
#include <base/text.h>

#include <set>

#include "columns.h"
#include "constraints.h"

namespace table {

namespace {

using base::Json;
using base::Kind;

constexpr const char* kSource = "tenter_merge_source";

// Commits, or removes the files that the commit would have named.
base::Result<Committed> commit_or_discard(const Access& access, const Snapshot& snapshot, Commit change) {
  const std::vector<DataFile> files = change.adds;
  auto committed = commit(access, snapshot.path, &snapshot, std::move(change));
  if (!committed) discard(access, files);
  return committed;
}

Committed unchanged(const Access& access, const Snapshot& snapshot) {
  return Committed{snapshot.version(), access.world->clock->now_us() / 1'000, {}};
}

Json output_metrics(const std::vector<DataFile>& files) {
  std::int64_t rows = 0, bytes = 0;
  for (const DataFile& file : files) {
    rows += file.rows;
    bytes += file.add.size;
  }
  return Json::object({{"numFiles", std::to_string(files.size())},
                       {"numOutputRows", std::to_string(rows)},
                       {"numOutputBytes", std::to_string(bytes)}});
}

// ---- merge ------------------------------------------------------------------------------------

class Merge {
 public:
  Merge(const Access& access, const Snapshot& snapshot, const std::vector<std::string>& key)
      : access_(access), snapshot_(snapshot), key_(key) {}

  base::Result<Committed> run(engine::Connection& connection, const std::string& select) {
    TRY_STATUS(check_key(connection, select));
    TRY(const std::string rows, shape_rows(connection, snapshot_.schema, select));
    TRY_STATUS(connection.execute(std::string("CREATE OR REPLACE TEMP TABLE ") + kSource + " AS " + rows));
    auto committed = settle(connection);
    // The rows are needed no more, whatever became of them.
    if (const auto dropped = connection.execute(std::string("DROP TABLE ") + kSource); !dropped && committed)
      return base::fail(dropped.error());
    return committed;
  }

 private:
  base::Result<Committed> settle(engine::Connection& connection) {
    TRY_STATUS(check_unique(connection));
    TRY(const std::vector<std::size_t> touched, touched_files(connection));
    TRY(const std::string rows, new_rows(touched));
    TRY(const auto file, write_data_file(access_, snapshot_.path, *snapshot_.state.metadata, rows));
    if (!file && touched.empty()) return unchanged(access_, snapshot_);
    Commit change;
    change.operation = "MERGE";
    change.parameters = Json::object({{"predicate", join_condition("target", "source")}});
    if (file) change.adds.push_back(*file);
    change.metrics = output_metrics(change.adds);
    const auto live = snapshot_.files();
    for (const std::size_t index : touched) change.removes.push_back(live[index].path);
    return commit_or_discard(access_, snapshot_, std::move(change));
  }

  base::Status check_key(engine::Connection& connection, const std::string& select) const {
    TRY(const auto rows, connection.query("DESCRIBE " + select));
    std::set<std::string> given;
    for (std::size_t row = 0; row < rows.size(); ++row) given.insert(base::ascii_lower(rows.text(row, 0)));
    for (const std::string& column : key_)
      if (!snapshot_.schema.find_ignoring_case(column) || !given.contains(base::ascii_lower(column)))
        return base::fail(Kind::invalid, "table.schema_mismatch",
                          "the key column " + column + " is missing in the table or in the rows to merge");
    return {};
  }

  base::Status check_unique(engine::Connection& connection) const {
    std::vector<std::string> names, present;
    for (const std::string& column : key_) {
      names.push_back(base::sql_name(column));
      present.push_back(base::sql_name(column) + " IS NOT NULL");
    }
    TRY(const auto rows, connection.query(std::string("SELECT count(*) FROM (SELECT 1 FROM ") + kSource +
                                          " WHERE " + base::join(present, " AND ") + " GROUP BY " +
                                          base::join(names, ", ") + " HAVING count(*) > 1)"));
    if (rows.int64(0, 0) == 0) return {};
    return base::fail(
        Kind::invalid, "table.multiple_matches",
        "keys that occur more than once in the rows to merge: " + std::to_string(rows.int64(0, 0)),
        "keep one row for each key");
  }

  std::string join_condition(const std::string& left, const std::string& right) const {
    std::vector<std::string> parts;
    for (const std::string& column : key_)
      parts.push_back(left + "." + base::sql_name(column) + " = " + right + "." + base::sql_name(column));
    return base::join(parts, " AND ");
  }

  // Indexes of the files that hold a row which the merge changes.
  base::Result<std::vector<std::size_t>> touched_files(engine::Connection& connection) const {
    std::vector<std::string> differs;
    for (const delta::Field& field : snapshot_.schema.fields) {
      const std::string name = base::sql_name(field.name);
      differs.push_back("t." + name + " IS DISTINCT FROM s." + name);
    }
    TRY(const std::string scan, snapshot_.scan(true));
    TRY(const auto rows, connection.query("SELECT DISTINCT t._file_index FROM (" + scan + ") AS t JOIN " +
                                          kSource + " AS s ON " + join_condition("t", "s") + " WHERE " +
                                          base::join(differs, " OR ") + " ORDER BY 1"));
    std::vector<std::size_t> indexes;
    for (std::size_t row = 0; row < rows.size(); ++row)
      indexes.push_back(static_cast<std::size_t>(rows.int64(row, 0)));
    return indexes;
  }

  // The rows of the touched files, updated, and the rows that are new.
  base::Result<std::string> new_rows(const std::vector<std::size_t>& touched) const {
    const std::string is_matched = "s." + base::sql_name(key_.front()) + " IS NOT NULL";
    std::vector<std::string> merged;
    for (const delta::Field& field : snapshot_.schema.fields) {
      const std::string name = base::sql_name(field.name);
      merged.push_back("CASE WHEN " + is_matched + " THEN s." + name + " ELSE t." + name + " END AS " + name);
    }
    TRY(const std::string all, snapshot_.scan());
    const std::string inserted = std::string("SELECT s.* FROM ") + kSource +
                                 " AS s WHERE NOT EXISTS (SELECT 1 FROM (" + all + ") AS t WHERE " +
                                 join_condition("t", "s") + ")";
    if (touched.empty()) return inserted;
    TRY(const std::string rewritten, snapshot_.scan(false, touched));
    return "SELECT " + base::join(merged, ", ") + " FROM (" + rewritten + ") AS t LEFT JOIN " + kSource +
           " AS s ON " + join_condition("t", "s") + " UNION ALL " + inserted;
  }

  const Access& access_;
  const Snapshot& snapshot_;
  const std::vector<std::string>& key_;
};

}  // namespace

base::Result<Committed> append(const Access& access, const std::string& path, const std::string& select) {
  TRY(const Snapshot snapshot, open(access, path));
  TRY_STATUS(delta::check_writable(snapshot.state));
  TRY(const auto file, write_data_file(access, path, *snapshot.state.metadata, select));
  if (!file) return unchanged(access, snapshot);
  Commit change;
  change.operation = "WRITE";
  change.parameters = Json::object({{"mode", "Append"}, {"partitionBy", "[]"}});
  change.adds = {*file};
  change.metrics = output_metrics(change.adds);
  change.depends_on_table = false;
  return commit_or_discard(access, snapshot, std::move(change));
}

base::Result<Committed> overwrite(const Access& access, const std::string& path, const std::string& select) {
  TRY(const Snapshot snapshot, open(access, path));
  TRY_STATUS(delta::check_writable(snapshot.state));
  TRY(const auto file, write_data_file(access, path, *snapshot.state.metadata, select));
  Commit change;
  change.operation = "WRITE";
  change.parameters = Json::object({{"mode", "Overwrite"}, {"partitionBy", "[]"}});
  if (file) change.adds = {*file};
  change.metrics = output_metrics(change.adds);
  for (const delta::Add& add : snapshot.files()) change.removes.push_back(add.path);
  return commit_or_discard(access, snapshot, std::move(change));
}

base::Result<Committed> merge(const Access& access, const std::string& path, const std::string& select,
                              const std::vector<std::string>& key) {
  if (key.empty())
    return base::fail(Kind::invalid, "table.schema_mismatch", "a merge needs at least one key column");
  TRY(const Snapshot snapshot, open(access, path));
  TRY_STATUS(delta::check_writable(snapshot.state));
  TRY(engine::Connection* const connection, access.engine->connection());
  return Merge(access, snapshot, key).run(*connection, select);
}

base::Result<Committed> add_constraint(const Access& access, const std::string& path, const std::string& name,
                                       const std::string& check) {
  TRY(const Snapshot snapshot, open(access, path));
  const std::string lower = base::ascii_lower(name);
  if (delta::check_constraints(*snapshot.state.metadata).contains(lower))
    return base::fail(Kind::invalid, "table.constraint_exists",
                      "the table already has a CHECK named " + lower, "choose another name");
  TRY(const std::string text, table_text(snapshot.schema, check));
  TRY(const Violations violations, count_violations(access, snapshot, Rule{text}));
  if (violations.count > 0)
    return base::fail(Kind::denied, "table.check_violated",
                      std::to_string(violations.count) + " rows of the table break CHECK " + lower + " (" +
                          text + "); for " + std::to_string(violations.null_count) + " of them it is null",
                      "correct the rows first");
  Commit change;
  change.operation = "ADD CONSTRAINT";
  change.parameters = Json::object({{"name", name}, {"expr", text}});
  change.metadata = snapshot.state.metadata;
  change.metadata->configuration["delta.constraints." + lower] = text;
  return commit(access, path, &snapshot, std::move(change));
}

}  // namespace table
