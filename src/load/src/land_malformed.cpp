#include "land_malformed.h"

#include <algorithm>

#include <base/text.h>
#include <base/time.h>

#include "land_header.h"
#include "receipt.h"
#include "table_hash.h"

namespace load {

namespace {

constexpr int kTriesMax = 5;

delta::Schema malformed_schema() {
  delta::Schema schema;
  const auto add = [&](std::string_view name, std::string_view type) {
    delta::Field field;
    field.name = std::string(name);
    field.type = std::string(type);
    schema.fields.push_back(std::move(field));
  };
  add("_reject_id", "string");
  add(kSourceFile, "string");
  add(kSourceLine, "long");
  add(kBatchId, "string");
  add(kLoadedAt, "timestamp");
  add("_raw", "binary");
  add("_reject_codes", "string");
  add("_reject_reason", "string");
  add("_quarantined_at", "timestamp");
  return schema;
}

std::int64_t total(const std::map<std::string, std::int64_t>& codes) {
  std::int64_t sum = 0;
  for (const auto& [code, count] : codes) sum += count;
  return sum;
}

}  // namespace

base::Result<std::optional<base::Error>> first_malformed(const RecordFile& file) {
  constexpr std::size_t kRowsMax = 2048;
  std::optional<MalformedRecord> first;
  std::size_t count = 0;
  const std::unique_ptr<RecordScan> scan = file.begin(0, file.block_count(), {});
  RecordBatch batch;
  for (;;) {
    TRY(const bool more, scan->read(kRowsMax, batch));
    if (!more) break;
    count += batch.malformed.size();
    if (!first && !batch.malformed.empty()) first = batch.malformed.front();
  }
  if (!first) return std::optional<base::Error>();
  std::string message = "a record cannot be split: " + first->reason;
  if (count > 1) message += ", and " + std::to_string(count - 1) + " more in the file";
  return std::optional(base::Error{
      base::Kind::invalid, "land.malformed_record", std::move(message),
      "correct the file, leave it out with --except, or write Malformed rows: quarantine",
      base::Place{file.name(), static_cast<int>(std::min<std::int64_t>(first->line, INT32_MAX)), 0}});
}

MalformedTable::MalformedTable(const Place& place, const contract::Landing& landing)
    : place_(place),
      access_{place.world, place.engine},
      name_{"quarantine", landing.name.object + "_malformed"},
      path_(place.table_path(name_)) {}

namespace {

// Files that a version added and that are live still.
base::Result<std::vector<std::string>> live_adds(const table::Access& access, const table::Snapshot& snapshot,
                                                 std::int64_t version) {
  TRY(const std::string bytes, table::read_entry(access, snapshot.path, version));
  TRY(const std::vector<delta::Action> actions, delta::decode_commit(bytes, delta::entry_name(version)));
  std::vector<std::string> paths;
  for (const delta::Action& action : actions) {
    const auto* add = std::get_if<delta::Add>(&action);
    if (add != nullptr && snapshot.state.files.contains(add->path)) paths.push_back(add->path);
  }
  return paths;
}

bool holds_any(const table::Snapshot& bronze, const base::Json& files) {
  return std::any_of(files.items().begin(), files.items().end(), [&](const base::Json& file) {
    const auto path = file.string("path");
    const auto sha256 = file.string("sha256");
    return path && sha256 && bronze.txn(land_app_id(std::string(*path), std::string(*sha256)));
  });
}

}  // namespace

// Each landing writes its records as files of their own, so an orphan goes as a whole.
base::Result<std::vector<std::string>> MalformedTable::orphans(const table::Snapshot& malformed,
                                                               const table::Snapshot* bronze,
                                                               const LandedBefore& before) const {
  std::vector<std::string> paths;
  TRY(const std::vector<table::HistoryEntry> entries, table::history(access_, path_));
  for (const table::HistoryEntry& entry : entries) {
    if (entry.version > noted_version_) continue;
    const auto receipt = receipt_of(entry.commit_info);
    if (!receipt || receipt->string("kind") != "malformed" || !receipt->string("ledger_hash")) continue;
    if (before.ledger_hashes.contains(std::string(*receipt->string("ledger_hash")))) continue;
    // A foreign clean-up took ledgers away: what may be known is kept.
    const base::Json* files = receipt->find("files");
    const bool names_files = files != nullptr && files->is_array();
    if (!before.log_is_whole && (!names_files || (bronze != nullptr && holds_any(*bronze, *files)))) continue;
    TRY(const std::vector<std::string> added, live_adds(access_, malformed, entry.version));
    paths.insert(paths.end(), added.begin(), added.end());
  }
  return paths;
}

base::Status MalformedTable::note_version() {
  if (!table::exists(access_, path_)) return {};
  TRY(const table::Snapshot snapshot, table::open(access_, path_));
  noted_version_ = snapshot.version();
  return {};
}

// False when another commit was first.
base::Result<bool> MalformedTable::remove(const table::Snapshot& malformed, std::vector<std::string> paths) {
  table::Commit change;
  change.operation = "DELETE";
  change.removes = std::move(paths);
  Receipt receipt;
  receipt.kind = "malformed";
  receipt.table = name_.text();
  receipt.run_at_us = place_.run_at_us;
  TRY(receipt.hash,
      hash_of_change(access_, FileChange{&malformed, malformed.schema, {}, change.removes, {}}));
  const auto done =
      table::commit(access_, path_, &malformed, std::move(change),
                    [&](const std::string& previous) { return print_receipt(receipt, previous); });
  if (!done && done.error().kind != base::Kind::conflict) return base::fail(done.error());
  return done.has_value();
}

base::Status MalformedTable::remove_orphans(const table::Snapshot* bronze, const LandedBefore& before) {
  if (!table::exists(access_, path_)) return {};
  for (int tries = 1; tries <= kTriesMax; ++tries) {
    TRY(const table::Snapshot snapshot, table::open(access_, path_));
    TRY(std::vector<std::string> paths, orphans(snapshot, bronze, before));
    if (paths.empty()) return {};
    TRY(const bool done, remove(snapshot, std::move(paths)));
    if (done) return {};
  }
  return {};  // the next landing finds them again
}

base::Status MalformedTable::take_back() {
  for (int tries = 1; added_ && tries <= kTriesMax; ++tries) {
    TRY(const table::Snapshot snapshot, table::open(access_, path_));
    if (!snapshot.state.files.contains(added_->add.path)) return {};
    TRY(const bool done, remove(snapshot, {added_->add.path}));
    if (done) return {};
  }
  return {};  // the next landing that is committed takes them for orphans
}

base::Status MalformedTable::add(const MalformedBatch& batch) {
  TRY(engine::Engine* const engine, place_.engine->engine());
  const RegisteredSource source(*engine, malformed_source(batch.sources, place_.world->processors));
  const std::string select =
      "SELECT _reject_id, _source_file, _source_line, " + base::sql_quote(batch.batch) + " AS _batch_id, " +
      instant_sql(batch.loaded_at_us) + " AS _loaded_at, _raw, _reject_codes, _reject_reason, " +
      instant_sql(place_.run_at_us) + " AS _quarantined_at FROM " + source.sql();
  delta::Metadata metadata = table::new_metadata(access_, malformed_schema(), {});
  if (table::exists(access_, path_)) {
    TRY(const table::Snapshot snapshot, table::open(access_, path_));
    metadata = *snapshot.state.metadata;
  }
  TRY(added_, table::write_data_file(access_, path_, metadata, select));
  if (!added_)
    return base::fail(base::Kind::internal, "internal.malformed_lost",
                      "malformed records were counted but not found");
  receipt_batch_ = batch.batch;
  ledger_hash_ = batch.ledger_hash;
  files_ = batch.files;
  const base::Status counted = count_codes();
  const base::Status committed = counted ? commit_adds() : counted;
  if (!committed) table::discard(access_, {*added_});
  return committed;
}

base::Status MalformedTable::count_codes() {
  TRY(engine::Connection* const connection, place_.engine->connection());
  TRY(const engine::Rows rows,
      connection->query("SELECT _reject_codes, count(*) FROM read_parquet(" +
                        base::sql_quote(added_->absolute_path) + ") GROUP BY 1 ORDER BY 1"));
  codes_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) codes_[rows.text(i, 0)] = rows.int64(i, 1);
  return {};
}

base::Status MalformedTable::commit_adds() {
  Receipt receipt;
  receipt.kind = "malformed";
  receipt.table = name_.text();
  receipt.batch = receipt_batch_;
  receipt.ledger_hash = ledger_hash_;
  receipt.counts = Counts{};
  receipt.counts->read = receipt.counts->quarantined = receipt.counts->malformed = total(codes_);
  receipt.rejects = codes_;
  for (const LedgerFile& file : files_) receipt.files.push_back({file.path, file.sha256});
  receipt.run_at_us = place_.run_at_us;
  for (int tries = 1;; ++tries) {
    std::optional<table::Snapshot> snapshot;
    if (table::exists(access_, path_)) {
      TRY(snapshot, table::open(access_, path_));
    }
    table::Commit change;
    change.operation = "WRITE";
    change.parameters = base::Json::object({{"mode", "Append"}});
    change.adds = {*added_};
    // The receipt states the hash of the whole table, so it holds for this version only.
    change.depends_on_table = true;
    TRY(receipt.hash, hash_of_change(access_, FileChange{snapshot ? &*snapshot : nullptr,
                                                         snapshot ? snapshot->schema : malformed_schema(),
                                                         added_,
                                                         {}}));
    if (!snapshot) change.metadata = table::new_metadata(access_, malformed_schema(), {});
    const auto done =
        table::commit(access_, path_, snapshot ? &*snapshot : nullptr, std::move(change),
                      [&](const std::string& previous) { return print_receipt(receipt, previous); });
    if (done) return {};
    if (done.error().kind != base::Kind::conflict || tries == kTriesMax) return base::fail(done.error());
  }
}

}  // namespace load
