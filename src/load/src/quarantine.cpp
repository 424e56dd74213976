// Rejected rows: kept with their original values and all their reasons, in one commit that replaces the
// batch's earlier open ones.
#include <algorithm>

#include <base/text.h>

#include "quarantine_shape.h"
#include "rejected.h"

namespace load {

namespace {

// SHA-256 over the payload of table, batch, place, then name and value of each non-null raw column by name,
// then the ordinal among equal rows; the first 32 hex digits.
std::string reject_id(const Run& run, const std::string& ordinal) {
  std::vector<std::string> names = run.judge.bronze_columns();
  // One call, not a chain of operators: the engine bounds how deep an expression is.
  std::string text = "concat(tenter_payload(" + base::sql_quote(run.bronze.id()) + ", " +
                     base::sql_quote(run.batch.id) + ", sf, sl::VARCHAR)";
  std::vector<std::size_t> order(names.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  for (const std::size_t k : order) {
    const std::string raw = "r" + std::to_string(k);
    text += ", CASE WHEN " + raw + " IS NULL THEN '' ELSE tenter_payload(" + base::sql_quote(names[k]) +
            ", tenter_text(" + raw + ")) END";
  }
  return "substr(lower(hex(tenter_sha256(" + text + ", tenter_payload(" + ordinal + "))))), 1, 32)";
}

// Whether equal rows may have to be told apart by an ordinal: several rejected rows of one file and line, as
// of a format without lines, or of one that may hold several records in a line.
base::Result<bool> has_common_places(const Run& run) {
  const Registered states(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states));
  TRY(const engine::Rows found,
      run.connection.query("SELECT count(*) FROM (SELECT 1 FROM (" + run.rows.select + ") WHERE " +
                           is_rejected(states.call(kRowOfFile)) +
                           " GROUP BY _source_file, _source_line HAVING count(*) > 1)"));
  return found.int64(0, 0) > 0;
}

std::string rejects_select(const Run& run, const Rejected& rejected, bool has_ordinals) {
  const Judge& judge = run.judge;
  std::string text = "SELECT ";
  std::string alike = "sf, sl";
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i)
    text += "t" + std::to_string(i) + " AS " + base::sql_name(run.contract.columns[i].name) + ", ";
  for (std::size_t k = 0; k < judge.bronze_columns().size(); ++k) {
    text += "r" + std::to_string(k) + " AS " + base::sql_name("raw_" + judge.bronze_columns()[k]) + ", ";
    alike += ", r" + std::to_string(k);
  }
  text += "sf AS _source_file, sl AS _source_line, la AS _loaded_at, " +
          reject_id(run, has_ordinals ? "ordinal::VARCHAR" : "'0'") + " AS _reject_id, " +
          judge.reason_text("state") + " AS _reject_reason, " + judge.reason_codes("state") +
          " AS _reject_codes, " + base::sql_quote(run.batch.id) + " AS _batch_id, make_timestamptz(" +
          std::to_string(run.place.run_at_us) +
          "::BIGINT) AS _quarantined_at, NULL::TIMESTAMPTZ AS _resolved_at, NULL::VARCHAR AS _resolved_by";
  if (!has_ordinals) return text + " FROM (" + rejected.select() + ")";
  return text + " FROM (SELECT *, row_number() OVER (PARTITION BY " + alike +
         " ORDER BY fi, fr) - 1 AS ordinal FROM (" + rejected.select() + "))";
}

std::string column_list(const delta::Schema& schema, bool with_times) {
  std::vector<std::string> names;
  for (const delta::Field& field : schema.fields)
    if (with_times || field.name != "_quarantined_at") names.push_back(base::sql_name(field.name));
  return base::join(names, ", ");
}

struct Earlier {
  std::vector<std::size_t> files;  // that hold open rows of the batch
  std::int64_t open = 0;           // open rows of the batch
  std::string resolved;            // SELECT of the ids that are resolved already
};

base::Result<Earlier> earlier_rejects(const Run& run, const table::Snapshot& quarantine) {
  Earlier earlier;
  const auto candidates = files_that_may_hold(quarantine, "_batch_id", run.batch.id);
  if (candidates.empty()) return earlier;
  TRY(const std::string scan, quarantine.scan(true, candidates));
  const std::string own = " FROM (" + scan + ") WHERE _batch_id = " + base::sql_quote(run.batch.id);
  TRY(const engine::Rows found,
      run.connection.query("SELECT _file_index, count(*) FILTER (WHERE _resolved_at IS NULL), "
                           "count(*) FILTER (WHERE _resolved_at IS NOT NULL)" +
                           own + " GROUP BY 1 ORDER BY 1"));
  std::int64_t resolved = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.int64(i, 1) > 0) earlier.files.push_back(static_cast<std::size_t>(found.int64(i, 0)));
    earlier.open += found.int64(i, 1);
    resolved += found.int64(i, 2);
  }
  if (resolved > 0) earlier.resolved = "SELECT _reject_id" + own + " AND _resolved_at IS NOT NULL";
  return earlier;
}

// True when the rejects are the ones already there, times aside.
base::Result<bool> is_same(const Run& run, const table::Snapshot& quarantine, const Earlier& earlier,
                           const delta::Schema& wanted, const std::string& rejects) {
  TRY(const std::string scan, quarantine.scan(false, earlier.files));
  const std::string columns = column_list(wanted, false);
  const std::string before = "SELECT " + columns + " FROM (" + scan +
                             ") WHERE _resolved_at IS NULL AND _batch_id = " + base::sql_quote(run.batch.id);
  const std::string now = "SELECT " + columns + " FROM (" + rejects + ")";
  TRY(const engine::Rows differences,
      run.connection.query("SELECT (SELECT count(*) FROM (" + before + " EXCEPT ALL " + now +
                           ")), (SELECT count(*) "
                           "FROM (" +
                           now + " EXCEPT ALL " + before + "))"));
  return differences.int64(0, 0) == 0 && differences.int64(0, 1) == 0;
}

Receipt counted_receipt(const Run& run) {
  Receipt receipt = quarantine_receipt(run);
  Counts counts;
  counts.read = run.report.counts.read - run.report.counts.malformed;
  counts.quarantined = run.report.counts.quarantined - run.report.counts.malformed;
  receipt.counts = counts;
  for (const auto& [code, count] : run.report.rejects)
    if (!code.starts_with("malformed.")) receipt.rejects[code] = count;
  return receipt;
}

// What is written: the batch's rejects of today, and what else stands in the files that are replaced.
struct Replacement {
  table::Commit change;
  delta::Metadata metadata;
  std::string select;
};

base::Status commit_replacement(Run& run, const table::Snapshot* quarantine, Replacement& replacement) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  table::Commit& change = replacement.change;
  TRY(const std::optional<table::DataFile> file,
      table::write_data_file(run.access, path, replacement.metadata, replacement.select));
  if (file) change.adds.push_back(*file);
  change.operation = "WRITE";
  change.parameters = base::Json::object({{"mode", "Overwrite"}});
  Receipt receipt = counted_receipt(run);
  TRY(const delta::Schema schema, delta::parse_schema(replacement.metadata.schema_text));
  TRY(receipt.hash, hash_of_change(run.access, FileChange{quarantine, schema, file, change.removes}));
  if (const base::Status stayed = check_rows_stayed(run); !stayed) {
    if (file) table::discard(run.access, {*file});
    return stayed;
  }
  const auto committed =
      table::commit(run.access, path, quarantine, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); });
  if (!committed) {
    if (file) table::discard(run.access, {*file});
    return base::fail(committed.error());
  }
  run.quarantined =
      ReceiptSource{run.contract.quarantine.text(), replacement.metadata.id, committed->version};
  return {};
}

base::Status make_quarantine(Run& run, const std::string& rejects, const delta::Schema& wanted) {
  Replacement replacement;
  replacement.metadata = table::new_metadata(run.access, wanted, {});
  replacement.metadata.description = "Rejected rows of " + run.contract.name.text();
  replacement.change.metadata = replacement.metadata;
  replacement.select = rejects;
  return commit_replacement(run, nullptr, replacement);
}

// Rows of other batches, and resolved ones. A reject that a corrected row stands for is kept as well when it
// passes by now: that row counts from when the reject landed, which nothing else tells.
std::string rows_that_stay(const Run& run, const std::string& kept, const std::string& rejects) {
  const std::string stays =
      "_batch_id IS DISTINCT FROM " + base::sql_quote(run.batch.id) + " OR _resolved_at IS NOT NULL";
  const auto landed = run.bronze.scan();
  if (run.bronze.schema.find("_reject_id") == nullptr || !landed)
    return "SELECT * FROM (" + kept + ") WHERE " + stays;
  const std::string named =
      "_reject_id IN (SELECT trim(_reject_id) FROM (" + *landed +
      ") WHERE _reject_id IS NOT NULL) AND _reject_id NOT IN (SELECT _reject_id FROM (" + rejects + "))";
  return "SELECT * REPLACE (CASE WHEN " + stays + " THEN _resolved_at ELSE make_timestamptz(" +
         std::to_string(run.place.run_at_us) + "::BIGINT) END AS _resolved_at, CASE WHEN " + stays +
         " THEN _resolved_by ELSE 'replay' END AS _resolved_by) FROM (" + kept + ") WHERE " + stays +
         " OR (" + named + ")";
}

base::Status replace_in(Run& run, table::Snapshot quarantine, std::string rejects, std::int64_t count,
                        const delta::Schema& wanted) {
  run.quarantined = ReceiptSource{run.contract.quarantine.text(), quarantine.id(), quarantine.version()};
  TRY(Earlier earlier, earlier_rejects(run, quarantine));
  if (!earlier.resolved.empty()) {
    // An id that is resolved is not opened again.
    rejects = "SELECT * FROM (" + rejects + ") ANTI JOIN (" + earlier.resolved + ") USING (_reject_id)";
    TRY(const engine::Rows left, run.connection.query("SELECT count(*) FROM (" + rejects + ")"));
    count = left.int64(0, 0);
  }
  if (earlier.files.empty() && count == 0) return {};
  const std::int64_t version = quarantine.version();
  TRY(quarantine, move_retyped(run, std::move(quarantine), wanted));
  if (quarantine.version() != version) {
    TRY(earlier, earlier_rejects(run, quarantine));
  }
  Replacement replacement;
  replacement.metadata = *quarantine.state.metadata;
  if (const auto wider = widened(quarantine.schema, wanted)) {
    replacement.metadata.schema_text = delta::print_schema(*wider);
    replacement.change.metadata = replacement.metadata;
  } else if (earlier.open == count) {
    TRY(const bool same, is_same(run, quarantine, earlier, wanted, rejects));
    if (same) return {};
  }
  replacement.select = rejects;
  if (!earlier.files.empty()) {
    TRY(const std::string kept, quarantine.scan(false, earlier.files));
    replacement.select = "SELECT " + column_list(wanted, true) + " FROM (" + rejects +
                         ") UNION ALL BY NAME " + rows_that_stay(run, kept, rejects);
    const auto files = quarantine.files();
    for (const std::size_t index : earlier.files) replacement.change.removes.push_back(files[index].path);
  }
  return commit_replacement(run, &quarantine, replacement);
}

// One try; kind conflict when somebody else committed meanwhile.
base::Status replace_rejects(Run& run, std::int64_t count) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  std::optional<table::Snapshot> quarantine;
  if (table::exists(run.access, path)) {
    TRY(quarantine, table::open(run.access, path));
  }
  if (!quarantine && count == 0) return {};
  const Rejected rejected(run);
  bool has_ordinals = false;
  if (count > 0) {
    TRY(has_ordinals, has_common_places(run));
  }
  const std::string rejects = rejects_select(run, rejected, has_ordinals);
  const delta::Schema wanted = quarantine_schema(run);
  if (!quarantine) return make_quarantine(run, rejects, wanted);
  return replace_in(run, std::move(*quarantine), rejects, count, wanted);
}

}  // namespace

base::Status quarantine_rows(Run& run) {
  const std::int64_t count = run.states.count_rejected();
  constexpr int kTries = 5;
  base::Status status;
  for (int i = 0; i < kTries; ++i) {
    status = replace_rejects(run, count);
    if (status || status.error().kind != base::Kind::conflict) return status;
  }
  return status;
}

}  // namespace load
