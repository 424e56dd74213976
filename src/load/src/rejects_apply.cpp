// Apply: a file of corrected rows lands as its own batch and is loaded; rows that name a reject stand for it.
#include <load/rejects.h>

#include <algorithm>
#include <array>
#include <map>

#include <base/text.h>

#include "bronze.h"
#include "land_header.h"
#include "land_ledger.h"
#include "land_source.h"
#include "quarantine_shape.h"
#include "rejects.h"

namespace load {

using base::Kind;

namespace {

// What `tenter rejects --format csv` writes beside the values that were sent.
constexpr std::array<std::string_view, 13> kTold = {
    "kind",         "state",         "_batch_id",      "_source_file",    "_source_line",
    "_loaded_at",   "_reject_codes", "_reject_reason", "_quarantined_at", "_raw",
    "_resolved_at", "_resolved_by",  "_malformed"};

base::Error refusal(const ApplyOptions& options, std::string code, std::string message, std::string hint,
                    std::int64_t line = 0) {
  return base::Error{Kind::invalid, std::move(code), std::move(message), std::move(hint),
                     base::Place{options.path, line, 0}};
}

// For each column of the file its bronze name; empty: it is left out.
base::Result<std::vector<std::string>> landed_names(const std::vector<std::string>& header,
                                                    const delta::Schema& bronze,
                                                    const ApplyOptions& options) {
  const bool is_export = std::find(header.begin(), header.end(), kRejectId) != header.end();
  std::vector<std::string> known;
  for (const delta::Field& field : bronze.fields)
    if (!is_metadata(field.name)) known.push_back(field.name);
  const auto find = [&](std::string_view name) -> const std::string* {
    for (const std::string& column : known)
      if (base::equal_ignoring_case(column, name)) return &column;
    return nullptr;
  };
  std::vector<std::string> names;
  for (const std::string& sent : header) {
    const bool has_prefix = sent.starts_with("raw_");
    const std::string* column =
        is_export && has_prefix ? find(sent.substr(4)) : find(contract::bronze_name(sent));
    if (column == nullptr && has_prefix) column = find(sent.substr(4));
    const bool is_told = is_export && std::find(kTold.begin(), kTold.end(), sent) != kTold.end();
    if (sent == kRejectId)
      names.emplace_back(kRejectId);
    else if (is_told)
      names.emplace_back();
    else if (column != nullptr)
      names.push_back(*column);
    else {
      const std::string near = base::closest(has_prefix ? sent.substr(4) : sent, known);
      return base::fail(refusal(
          options, "apply.unknown_column",
          "the header has \"" + sent + "\", which is no column of the landing table",
          near.empty() ? "the columns are: " + base::join(known, ", ") : "did you mean " + near + "?"));
    }
  }
  return names;
}

struct Named {
  std::string id;
  std::int64_t line = 0;
};

// The rejects that the file names, and whether it has any row.
struct Content {
  std::vector<Named> named;
  std::int64_t rows = 0;
};

base::Result<Content> read_content(const Place& place, const std::shared_ptr<const RecordFile>& file,
                                   const std::vector<std::string>& names, const ApplyOptions& options) {
  TRY(engine::Engine * engine, place.engine->engine());
  TRY(engine::Connection * connection, place.engine->connection());
  const bool has_ids = std::find(names.begin(), names.end(), kRejectId) != names.end();
  const auto counts = std::make_shared<std::vector<SourceCounts>>(1);
  const std::vector<std::string> columns =
      has_ids ? std::vector<std::string>{std::string(kRejectId)} : std::vector<std::string>{};
  const RegisteredSource source(*engine,
                                row_source({SourceFile{file, options.path, names}}, columns, counts, 1));
  const std::string id = has_ids ? "_reject_id" : "NULL::VARCHAR";
  TRY(const engine::Rows rows, connection->query("SELECT trim(" + id + "), _source_line FROM " +
                                                 source.sql() + " ORDER BY _source_line"));
  Content content;
  content.rows = static_cast<std::int64_t>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows.is_null(i, 0) && !rows.text(i, 0).empty())
      content.named.push_back(Named{rows.text(i, 0), rows.int64(i, 1)});
  return content;
}

// Every id that the table's rejects and malformed records have, and whether it is resolved.
base::Result<std::map<std::string, bool>> known_rejects(const Place& place,
                                                        const contract::Contract& contract,
                                                        const std::vector<Named>& named) {
  const table::Access access{place.world, place.engine};
  std::map<std::string, bool> known;
  if (named.empty()) return known;
  std::vector<std::string> ids;
  for (const Named& one : named) ids.push_back(base::sql_quote(one.id));
  TRY(engine::Connection * connection, place.engine->connection());
  const contract::TableName malformed{"quarantine", contract.from.object + "_malformed"};
  for (const contract::TableName& name : {contract.quarantine, malformed}) {
    const std::string path = place.table_path(name);
    if (!table::exists(access, path)) continue;
    TRY(const table::Snapshot snapshot, table::open(access, path));
    TRY(const std::string scan, snapshot.scan());
    const std::string resolved = snapshot.schema.find("_resolved_at") ? "_resolved_at IS NOT NULL" : "false";
    TRY(const engine::Rows rows,
        connection->query("SELECT _reject_id, bool_and(" + resolved + ")::BIGINT FROM (" + scan +
                          ") WHERE _reject_id IN (" + base::join(ids, ", ") + ") GROUP BY 1"));
    for (std::size_t i = 0; i < rows.size(); ++i) known[rows.text(i, 0)] = rows.int64(i, 1) != 0;
  }
  return known;
}

base::Status check_named(const Place& place, const contract::Contract& contract,
                         const std::vector<Named>& named, const ApplyOptions& options) {
  TRY(const auto known, known_rejects(place, contract, named));
  std::map<std::string, std::int64_t> seen;
  for (const Named& one : named) {
    if (const auto [first, is_first] = seen.emplace(one.id, one.line); !is_first)
      return base::fail(refusal(
          options, "apply.repeated_reject",
          "the reject " + one.id + " was corrected in line " + std::to_string(first->second) + " already",
          "one row corrects one reject", one.line));
  }
  for (const Named& one : named) {
    const auto at = known.find(one.id);
    if (at == known.end())
      return base::fail(refusal(options, "apply.unknown_reject",
                                contract.name.text() + " has no reject " + one.id,
                                "tenter rejects " + contract.name.text() +
                                    " lists them; a reject of another table is corrected there",
                                one.line));
    if (at->second)
      return base::fail(
          refusal(options, "apply.resolved_reject", "the reject " + one.id + " is resolved already",
                  "take the row out of the file, or empty its _reject_id to send it as a new row", one.line));
  }
  return {};
}

base::Status check_batch(const std::vector<Batch>& landed, const ApplyOptions& options) {
  if (!options.batch) return {};
  for (const Batch& batch : landed)
    if (batch.id == *options.batch)
      return base::fail(
          Kind::invalid, "apply.batch_exists",
          "there is a batch " + batch.id + " already; corrected rows land as a batch of their own",
          "choose another id, or leave --batch out");
  return {};
}

base::Result<contract::Landing> landing_of_corrections(const contract::Landing& landing,
                                                       const table::Snapshot& bronze) {
  if (landing.format == contract::FileFormat::parquet || landing.format == contract::FileFormat::delta)
    return base::fail(Kind::unsupported, "apply.typed_landing",
                      bronze.path.substr(bronze.path.rfind('/') + 1) +
                          " holds typed columns; corrected rows for it cannot be applied yet",
                      "deliver the corrected rows as the others were");
  contract::Landing corrections = landing;
  corrections.format = contract::FileFormat::csv;
  corrections.csv = contract::CsvFormat{};
  corrections.refuses_malformed = true;
  corrections.refuses_new_columns = false;  // looked at here
  return corrections;
}

// The batch as which this file, as it is, landed before.
base::Result<Batch> landed_earlier(const Place& place, const contract::TableName& landing,
                                   const ApplyOptions& options) {
  TRY(const std::vector<Batch> landed, landed_batches(place, landing));
  for (auto batch = landed.rbegin(); batch != landed.rend(); ++batch)
    for (const BatchFile& file : batch->files)
      if (file.path == options.path && batch->applied) return *batch;
  return base::fail(
      refusal(options, "apply.not_a_correction", options.path + " was landed as a delivery before",
              "its rows are in the landing table already; correct them in a file of another name"));
}

// Lands the file when it is new and tells as which batch.
base::Result<std::string> land_corrections(const Place& place, const contract::Contract& contract,
                                           const contract::Landing& landing, const LandOptions& land_options,
                                           const ApplyOptions& options, ApplyReport& report) {
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(contract.from);
  if (!table::exists(access, path))
    return base::fail(Kind::not_found, "apply.nothing_landed", contract.from.text() + " holds no rows yet",
                      "there is nothing to correct");
  TRY(const table::Snapshot bronze, open_bronze(access, path));
  TRY(const contract::Landing corrections, landing_of_corrections(landing, bronze));
  TRY(auto delivered, place.world->files->open(options.absolute));
  TRY(const auto csv,
      CsvFile::open(std::move(delivered), options.path, corrections.csv, land_options.limits));
  const std::shared_ptr<const RecordFile> file = csv;
  TRY(const std::vector<std::string> names, landed_names(file->header(), bronze.schema, options));
  LandOptions land_one = land_options;
  land_one.batch = options.batch;
  land_one.except.clear();
  land_one.correction = LandOptions::Correction{options.path, options.absolute, names, options.because};
  const bool is_known = bronze.txn(land_app_id(options.path, file->sha256())).has_value();
  if (!is_known) {
    TRY(const std::vector<Batch> landed, landed_batches(place, contract.from));
    TRY_STATUS(check_batch(landed, options));
    TRY(const Content content, read_content(place, file, names, options));
    if (content.rows == 0)
      return base::fail(
          refusal(options, "apply.no_rows", "the file has no rows", "write the corrected rows"));
    TRY_STATUS(check_named(place, contract, content.named, options));
    TRY(const LandReport land, load::land(place, corrections, land_one));
    if (!land.refused.empty()) return base::fail(land.refused.front());
    report.rows = land.rows;
    if (land.batch) return *land.batch;
  }
  report.landed_before = true;
  TRY(const Batch earlier, landed_earlier(place, contract.from, options));
  return earlier.id;
}

}  // namespace

base::Result<ApplyReport> apply_rejects(const Place& place, const contract::TableName& target,
                                        const contract::Landing& landing, const LandOptions& land_options,
                                        const ApplyOptions& options) {
  TRY(const std::optional<Installed> current, installed(place, target));
  if (!current)
    return base::fail(Kind::not_found, "load.not_built", target.text() + " is not built",
                      "run: tenter build " + target.text());
  TRY_STATUS(finish_resolving(place, target));
  ApplyReport report;
  TRY(report.batch, land_corrections(place, current->contract, landing, land_options, options, report));
  TRY(const std::vector<Batch> landed, landed_batches(place, current->contract.from));
  TRY(const Batch batch, find_batch(landed, report.batch));
  TRY(report.load, load_batch(place, target, batch, {}));
  report.resolved = report.load.resolved;
  return report;
}

// ---- an applied batch in a load --------------------------------------------------------------------------

base::Result<std::string> with_original_instants(const Run& run, const std::string& rows) {
  if (run.bronze.schema.find(kRejectId) == nullptr) return rows;
  const contract::TableName malformed{"quarantine", run.contract.from.object + "_malformed"};
  std::vector<std::string> scans;
  for (const contract::TableName& name : {run.contract.quarantine, malformed}) {
    const std::string path = run.place.table_path(name);
    if (!table::exists(run.access, path)) continue;
    TRY(const table::Snapshot snapshot, table::open(run.access, path));
    TRY(const std::string scan, snapshot.scan());
    scans.push_back("SELECT _reject_id, _loaded_at FROM (" + scan + ")");
  }
  if (scans.empty()) return rows;
  return "SELECT b.* REPLACE (coalesce(o.la, b._loaded_at) AS _loaded_at) FROM (" + rows +
         ") b LEFT JOIN (SELECT _reject_id, min(_loaded_at) AS la FROM (" + base::join(scans, " UNION ALL ") +
         ") GROUP BY 1) o ON o._reject_id = trim(b._reject_id)";
}

namespace {

bool is_recomputing(const Run& run) {
  return run.place.elsewhere.contains(run.place.path_in_home(run.contract.name)) &&
         !run.place.elsewhere.contains(run.place.path_in_home(run.contract.quarantine));
}

}  // namespace

base::Status prepare_applied(Run& run, BatchRows& rows, const table::Snapshot& target) {
  if (run.bronze.schema.find(kRejectId) == nullptr) return {};
  TRY(const engine::Rows found,
      run.connection.query("SELECT count(_reject_id), epoch_us(max(_loaded_at)) FROM (" + rows.select + ")"));
  if (found.int64(0, 0) == 0) return {};
  run.manner.strict_before_us = found.int64(0, 1);
  TRY(rows.select, with_original_instants(run, rows.select));
  // A recomputation loads into a double, whose versions are nobody's.
  const std::string path = run.place.table_path(run.contract.quarantine);
  if (!table::exists(run.access, path) || is_recomputing(run)) return {};
  TRY(const table::Snapshot quarantine, table::open(run.access, path));
  run.manner.resolving_app_id = resolving_app_id(quarantine.id());
  run.manner.resolving = target.txn(run.manner.resolving_app_id);
  return {};
}

base::Result<std::int64_t> resolve_applied(Run& run, const table::Snapshot& target) {
  const std::string path = run.place.table_path(run.contract.quarantine);
  if (run.manner.resolving_app_id.empty() || !table::exists(run.access, path)) return 0;
  TRY(const table::Snapshot quarantine, table::open(run.access, path));
  TRY(const std::string rejects, quarantine.scan());
  TRY(const BatchRows rows, batch_rows(run.access, run.bronze, run.batch.id));
  Resolution resolution;
  resolution.passed = "SELECT trim(b._reject_id) AS _reject_id FROM (" + rows.select +
                      ") b WHERE b._reject_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM (" + rejects +
                      ") q WHERE q._batch_id = " + base::sql_quote(run.batch.id) +
                      " AND q._source_file = b._source_file AND q._source_line = b._source_line)";
  resolution.by = "apply " + run.batch.id;
  if (run.report.committed) {
    resolution.target_id = target.id();
    resolution.target_version = run.report.version;
  }
  return write_resolution(run, resolution);
}

}  // namespace load
