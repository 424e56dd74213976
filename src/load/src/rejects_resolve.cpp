// The quarantine's side of retry and apply: which rejects are resolved, and by what.
#include <algorithm>

#include <base/text.h>

#include "quarantine_shape.h"
#include "rejects.h"

namespace load {

namespace {

constexpr int kTries = 5;

std::string instant_of(std::int64_t us) {
  return "make_timestamptz(" + std::to_string(us) + "::BIGINT)";
}

// The file's rows under the columns of `schema`, brought up to what became of them.
std::string resolved_rows(const Run& run, const Resolution& resolution, const table::Snapshot& quarantine,
                          const delta::Schema& schema, const std::string& scan) {
  std::vector<std::string> columns;
  const auto is_declared = [&](const std::string& name) { return run.contract.find(name) != nullptr; };
  for (const delta::Field& field : schema.fields) {
    const std::string name = base::sql_name(field.name);
    const bool is_there = quarantine.schema.find(field.name) != nullptr;
    const std::string kept = is_there ? "q." + name : "NULL";
    if (field.name == "_resolved_at")
      columns.push_back("CASE WHEN is_open AND q._reject_id IN (SELECT id FROM passed_rejects) THEN " +
                        instant_of(run.place.run_at_us) + " ELSE q._resolved_at END AS _resolved_at");
    else if (field.name == "_resolved_by")
      columns.push_back("CASE WHEN is_open AND q._reject_id IN (SELECT id FROM passed_rejects) THEN " +
                        base::sql_quote(resolution.by) + " ELSE q._resolved_by END AS _resolved_by");
    else if (!resolution.failed.empty() &&
             (field.name == "_reject_reason" || field.name == "_reject_codes" || is_declared(field.name)))
      columns.push_back("CASE WHEN is_open AND f.id IS NOT NULL THEN f." + name + " ELSE " + kept +
                        " END AS " + name);
    else if (is_there)
      columns.push_back(kept + " AS " + name);
  }
  return "SELECT " + base::join(columns, ", ") + " FROM (SELECT *, _resolved_at IS NULL AS is_open FROM (" +
         scan + ")) q" +
         (resolution.failed.empty() ? "" : " LEFT JOIN failed_rejects f ON f.id = q._reject_id");
}

struct Touched {
  std::vector<std::size_t> files;
  std::int64_t resolved = 0;
};

// Files that hold a row which is to be changed.
base::Result<Touched> touched_files(const Run& run, const Resolution& resolution,
                                    const table::Snapshot& quarantine) {
  TRY(const std::string scan, quarantine.scan(true));
  const std::string passes = "_reject_id IN (SELECT id FROM passed_rejects)";
  std::string changes = passes;
  if (!resolution.failed.empty())
    changes +=
        " OR EXISTS (SELECT 1 FROM failed_rejects f WHERE f.id = q._reject_id AND (f._reject_reason IS "
        "DISTINCT FROM q._reject_reason OR f._reject_codes IS DISTINCT FROM q._reject_codes))";
  TRY(const engine::Rows found,
      run.connection.query("SELECT _file_index, count(*) FILTER (WHERE " + passes + ") FROM (" + scan +
                           ") q WHERE _resolved_at IS NULL AND (" + changes + ") GROUP BY 1 ORDER BY 1"));
  Touched touched;
  for (std::size_t i = 0; i < found.size(); ++i) {
    touched.files.push_back(static_cast<std::size_t>(found.int64(i, 0)));
    touched.resolved += found.int64(i, 1);
  }
  return touched;
}

base::Status commit_resolution(const Run& run, const Resolution& resolution,
                               const table::Snapshot& quarantine, const Touched& touched) {
  table::Commit change;
  change.operation = "WRITE";
  change.parameters = base::Json::object({{"mode", "Overwrite"}});
  delta::Metadata metadata = *quarantine.state.metadata;
  delta::Schema schema = quarantine.schema;
  std::optional<table::DataFile> file;
  if (!touched.files.empty()) {
    if (auto wider = widened(quarantine.schema, quarantine_schema(run))) {
      schema = std::move(*wider);
      metadata.schema_text = delta::print_schema(schema);
      change.metadata = metadata;
    }
    TRY(const std::string scan, quarantine.scan(false, touched.files));
    TRY(file, table::write_data_file(run.access, quarantine.path, metadata,
                                     resolved_rows(run, resolution, quarantine, schema, scan)));
    const auto files = quarantine.files();
    for (const std::size_t index : touched.files) change.removes.push_back(files[index].path);
  }
  if (file) change.adds.push_back(*file);
  Receipt receipt = quarantine_receipt(run);
  if (resolution.target_version > 0) {
    change.txns.push_back(delta::Txn{resolved_app_id(resolution.target_id), resolution.target_version, {}});
    receipt.sources.push_back(
        ReceiptSource{run.contract.name.text(), resolution.target_id, resolution.target_version});
  }
  TRY(receipt.hash, hash_of_change(run.access, FileChange{&quarantine, schema, file, change.removes}));
  const auto committed =
      table::commit(run.access, quarantine.path, &quarantine, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); });
  if (committed) return {};
  if (file) table::discard(run.access, {*file});
  return base::fail(committed.error());
}

base::Result<std::int64_t> write_once(const Run& run, const Resolution& resolution) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  if (!table::exists(run.access, path)) return 0;
  TRY(table::Snapshot quarantine, table::open(run.access, path));
  if (resolution.target_version > 0) {
    const auto done = quarantine.txn(resolved_app_id(resolution.target_id));
    if (done && *done >= resolution.target_version) return 0;
  }
  TRY(quarantine, move_retyped(run, std::move(quarantine), quarantine_schema(run)));
  TRY(const Touched touched, touched_files(run, resolution, quarantine));
  if (touched.files.empty() && resolution.target_version == 0) return 0;
  TRY_STATUS(commit_resolution(run, resolution, quarantine, touched));
  return touched.resolved;
}

// The ids that are resolved. A reject whose row stood for another one resolves that one with itself.
base::Result<std::string> all_passed(const Run& run, const Resolution& resolution) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  const std::string passed = "SELECT _reject_id AS id FROM (" + resolution.passed + ")";
  if (run.bronze.schema.find("_reject_id") == nullptr || !table::exists(run.access, path)) return passed;
  TRY(const table::Snapshot quarantine, table::open(run.access, path));
  TRY(const std::string rejects, quarantine.scan());
  TRY(const std::string landed, run.bronze.scan());
  return "WITH RECURSIVE stood AS (SELECT q._reject_id AS id, trim(b._reject_id) AS other FROM (" + landed +
         ") b JOIN (" + rejects +
         ") q ON q._batch_id = b._batch_id AND q._source_file = b._source_file AND q._source_line = "
         "b._source_line WHERE b._reject_id IS NOT NULL), passed AS (" +
         passed +
         " UNION SELECT stood.other FROM passed JOIN stood ON stood.id = passed.id) SELECT id FROM passed";
}

}  // namespace

base::Result<std::int64_t> write_resolution(const Run& run, const Resolution& resolution) {
  TRY(const std::string passed, all_passed(run, resolution));
  TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE passed_rejects AS " + passed));
  if (!resolution.failed.empty())
    TRY_STATUS(run.connection.execute("CREATE OR REPLACE TEMP TABLE failed_rejects AS " + resolution.failed));
  base::Result<std::int64_t> written = 0;
  for (int i = 0; i < kTries; ++i) {
    written = write_once(run, resolution);
    if (written || written.error().kind != base::Kind::conflict) break;
  }
  TRY_STATUS(run.connection.execute("DROP TABLE IF EXISTS passed_rejects"));
  TRY_STATUS(run.connection.execute("DROP TABLE IF EXISTS failed_rejects"));
  return written;
}

}  // namespace load
