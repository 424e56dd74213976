// Rejected rows: kept with their original values and all their reasons, in one commit that replaces the
// batch's earlier open ones.
#include <algorithm>
#include <charconv>

#include <base/text.h>
#include <base/time.h>

#include "rejected.h"

namespace load {

namespace {

const std::vector<delta::Field>& closing_fields() {
  static const std::vector<delta::Field> fields = [] {
    std::vector<delta::Field> list;
    for (const auto& [name, type] :
         std::vector<std::pair<std::string, std::string>>{{"_source_file", "string"},
                                                          {"_source_line", "long"},
                                                          {"_loaded_at", "timestamp"},
                                                          {"_reject_id", "string"},
                                                          {"_reject_reason", "string"},
                                                          {"_reject_codes", "string"},
                                                          {"_batch_id", "string"},
                                                          {"_quarantined_at", "timestamp"},
                                                          {"_resolved_at", "timestamp"},
                                                          {"_resolved_by", "string"}}) {
      delta::Field field;
      field.name = name;
      field.type = type;
      list.push_back(std::move(field));
    }
    return list;
  }();
  return fields;
}

delta::Field nullable(const std::string& name, const std::string& type) {
  delta::Field field;
  field.name = name;
  field.type = type;
  return field;
}

// The columns that rejects of this batch need, in the order of a new quarantine.
delta::Schema wanted_schema(const Run& run) {
  delta::Schema schema;
  for (const contract::Column& column : run.contract.columns)
    schema.fields.push_back(nullable(column.name, sql::delta_type(column.type)));
  for (const std::string& name : run.judge.bronze_columns()) {
    const delta::Field* field = run.bronze.schema.find(name);
    schema.fields.push_back(nullable("raw_" + name, field->type));
  }
  for (const delta::Field& field : closing_fields()) schema.fields.push_back(field);
  return schema;
}

// `current` with the missing columns of `wanted` at its end; nothing when none is missing.
base::Result<std::optional<delta::Schema>> widened(const delta::Schema& current,
                                                   const delta::Schema& wanted) {
  delta::Schema schema = current;
  bool changed = false;
  for (const delta::Field& field : wanted.fields) {
    const delta::Field* present = current.find_ignoring_case(field.name);
    if (present == nullptr) {
      schema.fields.push_back(field);
      changed = true;
    } else if (present->type != field.type) {
      return base::fail(base::Kind::unsupported, "quarantine.retyped_column",
                        "quarantine column " + field.name + " is " + present->type +
                            ", the contract now says " + field.type +
                            "; keeping both beside each other is not built yet");
    }
  }
  if (!changed) return std::optional<delta::Schema>();
  return std::optional<delta::Schema>(std::move(schema));
}

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

std::string rejects_select(const Run& run, const Rejected& rejected) {
  const Judge& judge = run.judge;
  std::string text = "SELECT ";
  for (std::size_t i = 0; i < run.contract.columns.size(); ++i)
    text += "t" + std::to_string(i) + " AS " + base::sql_name(run.contract.columns[i].name) + ", ";
  for (std::size_t k = 0; k < judge.bronze_columns().size(); ++k)
    text += "r" + std::to_string(k) + " AS " + base::sql_name("raw_" + judge.bronze_columns()[k]) + ", ";
  // A landing file and line name one row, so equal rows differ already; the ordinal stays for sources
  // without lines.
  text += "sf AS _source_file, sl AS _source_line, la AS _loaded_at, " + reject_id(run, "'0'") +
          " AS _reject_id, " + judge.reason_text("state") + " AS _reject_reason, " +
          judge.reason_codes("state") + " AS _reject_codes, " + base::sql_quote(run.batch.id) +
          " AS _batch_id, make_timestamptz(" + std::to_string(run.place.run_at_us) +
          "::BIGINT) AS _quarantined_at, NULL::TIMESTAMPTZ AS _resolved_at, NULL::VARCHAR AS _resolved_by";
  return text + " FROM (" + rejected.select() + ")";
}

std::string column_list(const delta::Schema& schema, bool with_times) {
  std::vector<std::string> names;
  for (const delta::Field& field : schema.fields)
    if (with_times || field.name != "_quarantined_at") names.push_back(base::sql_name(field.name));
  return base::join(names, ", ");
}

struct Earlier {
  std::vector<std::size_t> files;  // that hold rows of the batch
  std::int64_t open = 0;           // rows of the batch
};

base::Result<Earlier> earlier_rejects(const Run& run, const table::Snapshot& quarantine) {
  Earlier earlier;
  const auto candidates = files_that_may_hold(quarantine, "_batch_id", run.batch.id);
  if (candidates.empty()) return earlier;
  TRY(const std::string scan, quarantine.scan(true, candidates));
  TRY(const engine::Rows found, run.connection.query("SELECT _file_index, count(*) FROM (" + scan +
                                                     ") WHERE _batch_id = " + base::sql_quote(run.batch.id) +
                                                     " GROUP BY 1 ORDER BY 1"));
  for (std::size_t i = 0; i < found.size(); ++i) {
    earlier.files.push_back(static_cast<std::size_t>(found.int64(i, 0)));
    earlier.open += found.int64(i, 1);
  }
  return earlier;
}

// True when the rejects are the ones already there, times aside.
base::Result<bool> is_same(const Run& run, const table::Snapshot& quarantine, const Earlier& earlier,
                           const delta::Schema& wanted, const std::string& rejects) {
  TRY(const std::string scan, quarantine.scan(false, earlier.files));
  const std::string columns = column_list(wanted, false);
  const std::string before =
      "SELECT " + columns + " FROM (" + scan + ") WHERE _batch_id = " + base::sql_quote(run.batch.id);
  const std::string now = "SELECT " + columns + " FROM (" + rejects + ")";
  TRY(const engine::Rows differences,
      run.connection.query("SELECT (SELECT count(*) FROM (" + before + " EXCEPT ALL " + now +
                           ")), (SELECT count(*) "
                           "FROM (" +
                           now + " EXCEPT ALL " + before + "))"));
  return differences.int64(0, 0) == 0 && differences.int64(0, 1) == 0;
}

Receipt quarantine_receipt(const Run& run) {
  Receipt receipt;
  receipt.kind = "quarantine";
  receipt.table = run.contract.quarantine.text();
  receipt.contract_hash = run.contract_hash;
  receipt.batch = run.batch.id;
  receipt.sources.push_back(ReceiptSource{run.contract.from.text(), run.bronze.id(), run.bronze.version()});
  receipt.ledger_hash = run.batch.ledger_hash;
  Counts counts;
  counts.read = run.report.counts.read - run.report.counts.malformed;
  counts.quarantined = run.report.counts.quarantined - run.report.counts.malformed;
  receipt.counts = counts;
  for (const auto& [code, count] : run.report.rejects)
    if (!code.starts_with("malformed.")) receipt.rejects[code] = count;
  receipt.run_at_us = run.place.run_at_us;
  return receipt;
}

// One try; kind conflict when somebody else committed meanwhile.
base::Status replace_rejects(Run& run, std::int64_t count) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  std::optional<table::Snapshot> quarantine;
  if (table::exists(run.access, path)) {
    TRY(quarantine, table::open(run.access, path));
  }
  const auto names = [&](const std::string& id, std::int64_t version) {
    run.quarantined = ReceiptSource{run.contract.quarantine.text(), id, version};
  };
  if (!quarantine && count == 0) return {};
  if (quarantine) names(quarantine->id(), quarantine->version());
  const Rejected rejected(run);
  const std::string rejects = rejects_select(run, rejected);
  const delta::Schema wanted = wanted_schema(run);

  Earlier earlier;
  table::Commit change;
  delta::Metadata metadata;
  if (quarantine) {
    TRY(earlier, earlier_rejects(run, *quarantine));
    if (earlier.files.empty() && count == 0) return {};
    metadata = *quarantine->state.metadata;
    TRY(const std::optional<delta::Schema> wider, widened(quarantine->schema, wanted));
    if (wider) {
      metadata.schema_text = delta::print_schema(*wider);
      change.metadata = metadata;
    } else if (earlier.open == count) {
      TRY(const bool same, is_same(run, *quarantine, earlier, wanted, rejects));
      if (same) return {};
    }
  } else {
    metadata = table::new_metadata(run.access, wanted, {});
    metadata.description = "Rejected rows of " + run.contract.name.text();
    change.metadata = metadata;
  }
  std::string select = rejects;
  if (!earlier.files.empty()) {
    // Rows of other batches, and resolved ones, stay.
    TRY(const std::string kept, quarantine->scan(false, earlier.files));
    select = "SELECT " + column_list(wanted, true) + " FROM (" + rejects +
             ") UNION ALL BY NAME SELECT * FROM (" + kept + ") WHERE _batch_id IS DISTINCT FROM " +
             base::sql_quote(run.batch.id) + " OR _resolved_at IS NOT NULL";
    const auto files = quarantine->files();
    for (const std::size_t index : earlier.files) change.removes.push_back(files[index].path);
  }
  TRY(const std::optional<table::DataFile> file, table::write_data_file(run.access, path, metadata, select));
  if (file) change.adds.push_back(*file);
  change.operation = "WRITE";
  change.parameters = base::Json::object({{"mode", "Overwrite"}});
  Receipt receipt = quarantine_receipt(run);
  TRY(const delta::Schema schema, delta::parse_schema(metadata.schema_text));
  TRY(receipt.hash,
      hash_of_change(run.access,
                     FileChange{quarantine ? &*quarantine : nullptr, schema, file, change.removes, {}}));
  const auto committed =
      table::commit(run.access, path, quarantine ? &*quarantine : nullptr, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); });
  if (!committed) {
    if (file) table::discard(run.access, {*file});
    return base::fail(committed.error());
  }
  names(metadata.id, committed->version);
  return {};
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
