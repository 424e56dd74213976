#include <algorithm>

#include <base/text.h>
#include <base/time.h>

#include "run.h"
#include "standing.h"

namespace load {

std::string Place::path_in_home(const contract::TableName& name) const {
  return world::path_join(world::path_join(tables_root, name.schema), name.object);
}

std::string Place::table_path(const contract::TableName& name) const {
  const std::string path = path_in_home(name);
  const auto other = elsewhere.find(path);
  return other == elsewhere.end() ? path : other->second;
}

std::string_view state_name(BatchState state) {
  switch (state) {
    case BatchState::pending:
      return "pending";
    case BatchState::loaded:
      return "loaded";
    case BatchState::loaded_with_rejects:
      return "loaded with rejects accepted";
    case BatchState::skipped:
      return "skipped";
    case BatchState::superseded:
      return "superseded";
  }
  return "pending";
}

std::int64_t Batch::rows() const {
  std::int64_t total = 0;
  for (const BatchFile& file : files) total += file.rows;
  return total;
}

std::int64_t Batch::malformed() const {
  std::int64_t total = 0;
  for (const BatchFile& file : files) total += file.malformed;
  return total;
}

std::string txn_app_id(const std::string& landing_id, const std::string& batch) {
  return "tenter/load/" + landing_id + "/" + batch;
}

void report_progress(const Place& place, std::string_view what) {
  if (place.progress) place.progress(what);
}

namespace {

Batch batch_from_ledger(const base::Json& ledger, std::int64_t version, const base::Json& commit_info) {
  Batch batch;
  batch.version = version;
  batch.id = std::string(ledger.string("batch").value_or(""));
  batch.landed_at_us = commit_info.int64("timestamp").value_or(0) * 1'000;
  if (const auto receipt = receipt_of(commit_info)) {
    batch.ledger_hash = std::string(receipt->string("ledger_hash").value_or(""));
    if (const base::Json* decision = receipt->find("decision")) {
      batch.applied = decision->string("what") == "apply";
      batch.because = std::string(decision->string("because").value_or(""));
      batch.decided_by = std::string(decision->string("user").value_or(""));
      batch.decided_at_us = base::parse_instant(decision->string("at").value_or("")).value_or(0);
    }
  }
  if (const base::Json* files = ledger.find("files")) {
    for (const base::Json& entry : files->items()) {
      BatchFile file;
      file.path = std::string(entry.string("path").value_or(""));
      file.rows = entry.int64("rows").value_or(0);
      file.malformed = entry.int64("malformed").value_or(0);
      if (const base::Json* columns = entry.find("columns"))
        for (const base::Json& column : columns->items())
          file.columns.push_back(contract::bronze_name(column.as_string().value_or("")));
      batch.files.push_back(std::move(file));
    }
  }
  return batch;
}

// The malformed records of a landing table as rows (batch, file, 0, 1); none where it has no such table.
base::Result<std::string> malformed_rows(const Place& place, const table::Access& access,
                                         const contract::TableName& landing) {
  const std::string path = place.table_path({"quarantine", landing.object + "_malformed"});
  if (!table::exists(access, path)) return std::string();
  TRY(const table::Snapshot malformed, table::open(access, path));
  TRY(const std::string scan, malformed.scan());
  return " UNION ALL SELECT _batch_id, _source_file, NULL, 0, 1 FROM (" + scan + ")";
}

// Files that bronze, or the table of malformed records, holds but whose landing commit was cleaned away by
// somebody else. What their headers carried is not known any more.
base::Status add_unlisted(const Place& place, const contract::TableName& landing, const table::Access& access,
                          const table::Snapshot& bronze, std::vector<Batch>& batches) {
  TRY(const std::string scan, bronze.scan());
  TRY(const std::string malformed, malformed_rows(place, access, landing));
  TRY(engine::Connection * connection, access.engine->connection());
  TRY(const engine::Rows found,
      connection->query(
          "SELECT batch, file, sum(good)::BIGINT, sum(bad)::BIGINT, coalesce(epoch_us(min(landed)), 0) "
          "FROM (SELECT _batch_id AS batch, _source_file AS file, _loaded_at AS landed, 1 AS good, 0 AS "
          "bad FROM (" +
          scan + ")" + malformed + ") GROUP BY 1, 2 ORDER BY 5, 1, 2"));
  std::vector<Batch> unlisted;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& id = found.text(i, 0);
    const auto find = [&](std::vector<Batch>& among) {
      const auto at = std::find_if(among.begin(), among.end(), [&](const Batch& b) { return b.id == id; });
      return at == among.end() ? nullptr : &*at;
    };
    Batch* batch = find(batches);
    if (batch == nullptr) batch = find(unlisted);
    if (batch == nullptr) {
      unlisted.emplace_back();
      batch = &unlisted.back();
      batch->id = id;
    }
    const std::string& path = found.text(i, 1);
    const auto is_path = [&](const BatchFile& file) { return file.path == path; };
    if (std::any_of(batch->files.begin(), batch->files.end(), is_path)) continue;
    batch->has_ledger = false;
    if (batch->landed_at_us == 0) batch->landed_at_us = found.int64(i, 4);
    batch->files.push_back(BatchFile{path, found.int64(i, 2), found.int64(i, 3), {}});
  }
  std::stable_sort(unlisted.begin(), unlisted.end(),
                   [](const Batch& a, const Batch& b) { return a.landed_at_us < b.landed_at_us; });
  batches.insert(batches.begin(), unlisted.begin(), unlisted.end());
  return {};
}

}  // namespace

base::Result<std::vector<Batch>> landed_batches(const Place& place, const contract::TableName& landing) {
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(landing);
  std::vector<Batch> batches;
  if (!table::exists(access, path)) return batches;
  TRY(const table::Snapshot bronze, table::open(access, path));
  TRY(const std::vector<table::HistoryEntry> entries, table::history(access, path));
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const base::Json* ledger = entry->commit_info.find("tenterLedger");
    if (ledger == nullptr) continue;
    // The ledger is stored as its text, whose hash the receipt holds.
    base::Json parsed = *ledger;
    if (const auto text = ledger->as_string()) {
      TRY(parsed, base::Json::parse(*text));
    }
    Batch batch = batch_from_ledger(parsed, entry->version, entry->commit_info);
    const auto same = std::find_if(batches.begin(), batches.end(),
                                   [&](const Batch& other) { return other.id == batch.id; });
    if (same == batches.end()) {
      batches.push_back(std::move(batch));
    } else {  // a batch that later files extended
      same->files.insert(same->files.end(), batch.files.begin(), batch.files.end());
      same->ledger_hash = batch.ledger_hash;
    }
  }
  const bool log_is_whole = !entries.empty() && entries.back().version == 0;
  if (!log_is_whole) TRY_STATUS(add_unlisted(place, landing, access, bronze, batches));
  for (Batch& batch : batches) batch.listed_version = bronze.version();
  put_in_place(standings(bronze), batches);
  return batches;
}

base::Result<Batch> find_batch(const std::vector<Batch>& batches, const std::string& prefix) {
  std::vector<std::string> matching;
  for (const Batch& batch : batches) {
    if (batch.id == prefix) return batch;
    if (batch.id.starts_with(prefix)) matching.push_back(batch.id);
  }
  if (matching.size() == 1)
    return *std::find_if(batches.begin(), batches.end(),
                         [&](const Batch& b) { return b.id == matching.front(); });
  if (matching.empty())
    return base::fail(base::Kind::not_found, "batch.unknown", "no batch is called " + prefix,
                      "`tenter batches` lists them");
  return base::fail(base::Kind::invalid, "batch.ambiguous",
                    prefix + " begins the names of " + std::to_string(matching.size()) +
                        " batches: " + base::join(matching, ", "),
                    "give more of the name");
}

base::Result<std::vector<BatchState>> batch_states(const Place& place, const contract::TableName& target,
                                                   const contract::TableName& landing,
                                                   const std::vector<Batch>& batches) {
  const table::Access access{place.world, place.engine};
  std::vector<BatchState> states(batches.size(), BatchState::pending);
  const std::string path = place.table_path(target);
  const std::string landing_path = place.table_path(landing);
  if (!table::exists(access, landing_path)) return states;
  TRY(const table::Snapshot bronze, table::open(access, landing_path));
  std::optional<table::Snapshot> snapshot;
  if (table::exists(access, path)) {
    TRY(snapshot, table::open(access, path));
  }
  const std::vector<Standing> pairs = standings(bronze);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto version = snapshot ? snapshot->txn(txn_app_id(bronze.id(), batches[i].id)) : std::nullopt;
    if (version && *version >= 1 && *version <= 4) states[i] = static_cast<BatchState>(*version);
    const bool is_loaded = version && *version <= 2;
    if (!is_loaded && find_standing(pairs, batches[i].id) != nullptr) states[i] = BatchState::superseded;
  }
  return states;
}

}  // namespace load
