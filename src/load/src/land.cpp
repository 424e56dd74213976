// One landing, in order: which files, what is in them, may they land, write the rows, commit the
// malformed records, commit the rows with the ledger. Nothing is written before every file passed.
#include <load/land.h>

#include <algorithm>
#include <set>

#include <base/hash.h>
#include <base/text.h>
#include <base/time.h>
#include <load/json_records.h>

#include "land_delta.h"
#include "land_files.h"
#include "land_header.h"
#include "land_ledger.h"
#include "land_malformed.h"
#include "land_rows.h"
#include "land_source.h"
#include "land_types.h"
#include "parquet_file.h"
#include "receipt.h"
#include "run.h"

namespace load {

namespace {

using base::Kind;

constexpr int kTriesMax = 5;

// A delivered file, opened anew for each read, so that thousands can land at once.
class DeliveredFile final : public world::ReadFile {
 public:
  DeliveredFile(std::shared_ptr<world::Files> files, std::string path)
      : files_(std::move(files)), path_(std::move(path)) {}
  base::Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t count) const override {
    TRY(const auto file, files_->open(path_));
    return file->read_at(offset, into, count);
  }
  base::Result<world::FileInfo> info() const override { return files_->info(path_); }

 private:
  std::shared_ptr<world::Files> files_;
  std::string path_;
};

// A file that will land.
struct NewFile {
  FoundFile found;
  std::shared_ptr<const RecordFile> records;
  std::vector<std::string> columns;
  std::size_t report_index = 0;
};

base::Error still_written(const std::string& path) {
  return base::Error{Kind::conflict, "land.changed", path + " is still being written",
                     "run again when it is complete", base::Place{path, 0, 0}};
}

base::Result<FoundFiles> find_delivered(const Place& place, const contract::Landing& landing,
                                        const LandOptions& options) {
  const std::string files_root = world::path_join(world::path_parent(place.tables_root), "Files");
  const GlobPlace where{options.project_root, options.home_root, files_root};
  if (landing.format == contract::FileFormat::delta)
    return find_delta_versions(*place.world->files, where, landing.globs);
  return find_files(*place.world->files, where, landing.globs);
}

base::Result<std::shared_ptr<const RecordFile>> open_records(const contract::Landing& landing,
                                                             std::shared_ptr<const world::ReadFile> file,
                                                             const std::string& name,
                                                             const CsvLimits& limits) {
  if (landing.format == contract::FileFormat::csv) {
    TRY(auto csv, CsvFile::open(std::move(file), name, landing.csv, limits));
    return std::shared_ptr<const RecordFile>(std::move(csv));
  }
  const bool is_lines = landing.format == contract::FileFormat::jsonl;
  TRY(auto json, JsonFile::open(std::move(file), name, JsonFormat{is_lines, landing.compression}, limits));
  return std::shared_ptr<const RecordFile>(std::move(json));
}

class LandRun {
 public:
  LandRun(const Place& place, const contract::Landing& landing, const LandOptions& options)
      : place_(place),
        landing_(landing),
        options_(options),
        access_{place.world, place.engine},
        path_(place.table_path(landing.name)),
        malformed_table_(place, landing) {}

  base::Result<LandReport> run() {
    if (options_.batch) TRY_STATUS(check_batch_id(*options_.batch));
    TRY_STATUS(look_for_files());
    if (!report_.refused.empty()) return std::move(report_);
    if (new_files_.empty() || options_.only_look) return std::move(report_);
    TRY_STATUS(plan());
    const base::Status written = write_rows();
    if (!written && written.error().code != "land.changed") return base::fail(written.error());
    if (!written) report_.refused.push_back(written.error());
    TRY_STATUS(refuse_changed());
    if (!report_.refused.empty()) {
      discard();
      return nothing_landed();
    }
    const base::Status committed = commit();
    if (!committed) {
      if (committed.error().kind == Kind::conflict) TRY_STATUS(malformed_table_.take_back());
      discard();
      return base::fail(committed.error());
    }
    TRY_STATUS(malformed_table_.remove_orphans(bronze_ ? &*bronze_ : nullptr, before_));
    TRY_STATUS(look_again());
    return std::move(report_);
  }

 private:
  // ---- which files, and may they land ----

  base::Status look_for_files() {
    TRY(FoundFiles found, find());
    report_.warnings = std::move(found.warnings);
    if (found.files.empty())
      report_.warnings.push_back("no file matches " + base::join(landing_.globs, ", "));
    if (table::exists(access_, path_)) {
      TRY(bronze_, table::open(access_, path_));
      report_.version = bronze_->version();
      TRY(before_, landed_before(access_, path_));
      TRY(columns_, BronzeColumns::of(landing_.name.text(), bronze_->schema, is_typed()));
      TRY_STATUS(check_names_kept());
      types_ = ColumnTypes(landing_.name.text(), bronze_->schema);
    }
    if (landing_.keeps_names) columns_.keep_names();
    for (const FoundFile& file : found.files) TRY_STATUS(examine(file));
    return {};
  }

  // How columns are called is settled when the table is made.
  base::Status check_names_kept() const {
    const bool is_mapped = bronze_->properties().contains(delta::kMappingMode);
    if (is_mapped == landing_.keeps_names) return {};
    return base::fail(Kind::invalid, "land.column_names",
                      "the table " + landing_.name.text() + " was made with column names " +
                          (is_mapped ? "as sent" : "cleaned") + ", and the document asks for the other",
                      std::string(is_mapped ? "write Column names: as sent" : "leave Column names out") +
                          ", or land in another table");
  }

  base::Result<FoundFiles> find() const {
    if (!options_.correction) return find_delivered(place_, landing_, options_);
    TRY(const world::FileInfo info, place_.world->files->info(options_.correction->absolute));
    FoundFiles found;
    found.files.push_back(
        FoundFile{options_.correction->path, options_.correction->absolute, info.size, info.modified_us});
    return found;
  }

  // The names under which a file's columns land; those that are empty do not.
  base::Result<std::vector<std::string>> names_of(const RecordFile& file) const {
    if (!options_.correction) return file.header();
    if (options_.correction->columns.size() != file.header().size())
      return base::fail(still_written(file.name()));
    return options_.correction->columns;
  }

  base::Status check_names(const RecordFile& file) {
    TRY(std::vector<std::string> names, names_of(file));
    if (options_.correction)
      std::erase_if(names, [](const std::string& name) { return name.empty() || name == kRejectId; });
    for (base::Error& error : check_header(file.name(), names, options_.declared_columns))
      report_.refused.push_back(std::move(error));
    return {};
  }

  base::Status examine(const FoundFile& found) {
    LandedFile file;
    file.path = found.path;
    file.size = found.size;
    if (std::find(options_.except.begin(), options_.except.end(), found.path) != options_.except.end()) {
      file.outcome = LandedFile::Outcome::excepted;
      report_.files.push_back(std::move(file));
      return {};
    }
    if (const auto refusal = refuse_by_name(found.path)) {
      report_.refused.push_back(*refusal);
      return {};
    }
    const auto known = before_.newest.find(found.path);
    if (known != before_.newest.end() && known->second.size == found.size &&
        known->second.modified_us == found.modified_us) {
      file.outcome = LandedFile::Outcome::not_read;
      report_.files.push_back(std::move(file));
      return {};
    }
    report_progress(place_, "reading " + found.path);
    const auto records = open(found);
    if (!records) return refuse_or_fail(found.path, records.error());
    file.sha256 = (*records)->sha256();
    if (is_landed(**records)) {
      file.outcome = LandedFile::Outcome::already_there;
      report_.files.push_back(std::move(file));
      return {};
    }
    if (const auto checked = check_names(**records); !checked)
      return refuse_or_fail(found.path, checked.error());
    TRY_STATUS(refuse_by_policy(**records));
    refuse_by_type(**records);
    warn_of_repetition(found.path, file.sha256, known != before_.newest.end());
    new_files_.push_back(NewFile{found, *records, {}, report_.files.size()});
    report_.files.push_back(std::move(file));
    return {};
  }

  bool is_landed(const RecordFile& file) const {
    const auto* const typed = dynamic_cast<const TypedFile*>(&file);
    if (typed != nullptr && !typed->has_news()) return true;
    return bronze_ && bronze_->txn(land_app_id(file.name(), file.sha256()));
  }

  bool is_typed() const {
    return landing_.format == contract::FileFormat::parquet || landing_.format == contract::FileFormat::delta;
  }

  base::Result<std::shared_ptr<const RecordFile>> open(const FoundFile& found) {
    if (landing_.format == contract::FileFormat::delta) {
      TRY(auto version, DeltaVersion::open(access_, found, before_));
      if (!version->warning().empty()) report_.warnings.push_back(version->warning());
      return std::shared_ptr<const RecordFile>(std::move(version));
    }
    const auto file = std::make_shared<DeliveredFile>(place_.world->files, found.absolute);
    if (!is_typed()) return open_records(landing_, file, found.path, options_.limits);
    TRY(engine::Connection* const connection, place_.engine->connection());
    TRY(auto parquet, ParquetFile::open(*file, found.absolute, found.path, *connection));
    return std::shared_ptr<const RecordFile>(std::move(parquet));
  }

  void refuse_by_type(const RecordFile& file) {
    const auto* const typed = dynamic_cast<const TypedFile*>(&file);
    if (typed == nullptr) return;
    std::vector<std::string> names;
    for (const std::string& sent : file.header()) names.push_back(contract::bronze_name(sent));
    for (base::Error& error : types_.add(file.name(), names, typed->types()))
      report_.refused.push_back(std::move(error));
  }

  // What the document's own words refuse.
  base::Status refuse_by_policy(const RecordFile& file) {
    if (landing_.refuses_new_columns && bronze_)
      for (base::Error& error : check_known(file.name(), file.header(), columns_))
        report_.refused.push_back(std::move(error));
    if (!landing_.refuses_malformed) return {};
    auto first = first_malformed(file);
    if (!first) return refuse_or_fail(file.name(), first.error());
    if (*first) report_.refused.push_back(std::move(**first));
    return {};
  }

  base::Status refuse_or_fail(const std::string& path, const base::Error& error) {
    if (error.kind == Kind::not_found) {
      report_.refused.push_back(still_written(path));
    } else if (error.code == "land.changed") {
      report_.refused.push_back(still_written(path));
    } else if (error.code.starts_with("land.")) {
      report_.refused.push_back(error);
    } else {
      return base::fail(error);
    }
    return {};
  }

  void warn_of_repetition(const std::string& path, const std::string& sha256, bool path_is_known) {
    if (path_is_known)
      report_.warnings.push_back(path + " was landed before with other bytes; it lands as a new file");
    const auto [at, is_new] = before_.path_of_content.emplace(sha256, path);
    if (!is_new && at->second != path)
      report_.warnings.push_back(path + " has the same bytes as " + at->second + ", which was landed");
  }

  // ---- what will be written ----

  base::Status plan() {
    for (NewFile& file : new_files_) {
      TRY(const std::vector<std::string> names, names_of(*file.records));
      for (const std::string& name : names)
        file.columns.push_back(name.empty() ? std::string() : columns_.add({name}).front());
    }
    report_.new_columns = columns_.added();
    if (is_typed())
      for (const std::string& column : columns_.added()) columns_.set_type(column, types_.type_of(column));
    schema_ = columns_.schema();
    metadata_ = bronze_ ? *bronze_->state.metadata
                        : table::new_metadata(
                              access_, schema_,
                              {{"delta.appendOnly", "true"}, {"delta.enableExpiredLogCleanup", "false"}});
    if (landing_.keeps_names) table::map_columns(access_, schema_, metadata_.configuration);
    metadata_.schema_text = delta::print_schema(schema_);
    for (const NewFile& file : new_files_) {
      LedgerFile entry;
      entry.path = file.found.path;
      entry.size = file.records->size();
      entry.modified_us = file.found.modified_us;
      entry.sha256 = file.records->sha256();
      entry.header = file.records->header();
      entry.columns = file.columns;
      ledger_.push_back(std::move(entry));
    }
    TRY_STATUS(name_batch());
    TRY(const std::int64_t last_us, last_loaded_at());
    loaded_at_us_ = std::max(place_.run_at_us, last_us + 1);
    return {};
  }

  base::Status name_batch() {
    batch_ = options_.batch ? *options_.batch : make_batch_id(place_.run_at_us, ledger_);
    TRY(const std::vector<Batch> batches, landed_batches(place_, landing_.name));
    report_.extended =
        std::any_of(batches.begin(), batches.end(), [&](const Batch& batch) { return batch.id == batch_; });
    TRY(const std::string decided, decision());
    return decided.empty() ? base::Status() : base::fail(too_late(decided));
  }

  // What a table that loads from this one has decided of the batch, for people; empty: nothing yet.
  base::Result<std::string> decision() const {
    if (!report_.extended) return std::string();
    for (const contract::TableName& reader : options_.readers) {
      TRY(const std::vector<BatchState> states,
          batch_states(place_, reader, landing_.name, {Batch{.id = batch_}}));
      if (states.front() == BatchState::pending) continue;
      return "for " + reader.text() + " it is " + std::string(state_name(states.front()));
    }
    return std::string();
  }

  base::Error too_late(const std::string& decided) const {
    return base::Error{Kind::invalid,
                       "land.batch_decided",
                       "the batch " + batch_ + " cannot take in more files: " + decided,
                       "land the new files under another batch id",
                       {}};
  }

  // A load may have decided the batch between the last look and the commit. What it read is told by its
  // receipt; these rows it did not read, and nothing would load them.
  base::Status look_again() const {
    TRY(const std::string decided, decision());
    if (decided.empty()) return {};
    return base::fail(Kind::denied, "land.batch_decided_meanwhile",
                      "the batch " + batch_ + " took in new files while it was being decided: " + decided,
                      "load it again, by its name: tenter load S.O --batch " + batch_);
  }

  // The newest _loaded_at in the table, from the statistics where every file has them.
  base::Result<std::int64_t> last_loaded_at() const {
    if (!bronze_) return INT64_MIN / 2;
    std::int64_t last_us = INT64_MIN / 2;
    for (const delta::Add& file : bronze_->files()) {
      const auto stats = base::Json::parse(file.stats.value_or(""));
      const base::Json* maxima = stats ? stats->find("maxValues") : nullptr;
      const delta::Field* const field = bronze_->schema.find(kLoadedAt);
      const auto text = maxima == nullptr ? std::nullopt : maxima->string(delta::physical_name(*field));
      const auto us = text ? base::parse_instant(*text) : base::fail(Kind::corrupt, "time.syntax", "");
      if (!us) return last_loaded_at_of_rows();
      last_us = std::max(last_us, *us);
    }
    return last_us;
  }

  base::Result<std::int64_t> last_loaded_at_of_rows() const {
    TRY(const std::string scan, bronze_->scan());
    TRY(engine::Connection* const connection, place_.engine->connection());
    TRY(const engine::Rows rows, connection->query("SELECT epoch_us(max(_loaded_at)) FROM (" + scan + ")"));
    return rows.is_null(0, 0) ? INT64_MIN / 2 : rows.int64(0, 0);
  }

  // ---- writing ----

  std::vector<SourceFile> sources() const {
    std::vector<SourceFile> all;
    for (const NewFile& file : new_files_)
      all.push_back(SourceFile{file.records, file.found.path, file.columns, file.found.absolute,
                               file.found.modified_us});
    return all;
  }

  base::Status write_rows() {
    const bool has_records = std::any_of(new_files_.begin(), new_files_.end(),
                                         [](const NewFile& file) { return file.records->size() > 0; });
    if (!has_records) return {};
    report_progress(place_,
                    "landing " + std::to_string(new_files_.size()) + " files in " + landing_.name.text());
    TRY_STATUS(is_typed() ? write_typed_rows() : write_text_rows());
    if (report_.rows != (data_ ? data_->rows : 0))
      return base::fail(Kind::internal, "internal.landed_rows",
                        std::to_string(report_.rows) + " rows were read, " +
                            std::to_string(data_ ? data_->rows : 0) + " written");
    return {};
  }

  // The engine reads the files; what it wrote must be what their footers said.
  base::Status write_typed_rows() {
    std::vector<delta::Field> fields;
    for (const std::string& column : sent_columns(schema_, sources()))
      fields.push_back(*schema_.find(column));
    std::vector<std::string> selects;
    for (std::size_t i = 0; i < new_files_.size(); ++i) {
      const auto& typed = dynamic_cast<const TypedFile&>(*new_files_[i].records);
      if (typed.size() == 0) continue;
      TRY(std::string select, typed.select(fields, new_files_[i].columns));
      selects.push_back(std::move(select));
      report_.files[new_files_[i].report_index].rows = ledger_[i].rows = typed.rows();
      report_.rows += typed.rows();
    }
    return write_selected("SELECT *, " + batch_columns() + " FROM (" + base::join(selects, " UNION ALL ") +
                          ")");
  }

  std::string batch_columns() const {
    return instant_sql(loaded_at_us_) + " AS _loaded_at, " + base::sql_quote(batch_) + " AS _batch_id";
  }

  base::Status write_selected(const std::string& select) {
    TRY(data_, table::write_data_file(access_, path_, metadata_, select));
    return {};
  }

  base::Status write_text_rows() {
    RowsToLand what{landing_.name, path_, metadata_, schema_, sources(), batch_, loaded_at_us_, {}};
    // Contracts know columns by their clean names, which are not at hand here.
    if (!report_.extended && !landing_.keeps_names) what.loaded_next = options_.loaded_next;
    TRY(LandedRows landed, write_landed_rows(place_, what));
    data_ = std::move(landed.data);
    hashed_ = landed.hashed;
    early_ = std::move(landed.early);
    for (std::size_t i = 0; i < new_files_.size(); ++i) {
      LandedFile& file = report_.files[new_files_[i].report_index];
      file.rows = ledger_[i].rows = landed.rows[i];
      file.malformed = ledger_[i].malformed = landed.malformed[i];
      report_.rows += file.rows;
      report_.malformed += file.malformed;
    }
    if (hashed_->rows != report_.rows)
      return base::fail(
          Kind::internal, "internal.landed_rows",
          std::to_string(report_.rows) + " rows were read, " + std::to_string(hashed_->rows) + " hashed");
    return {};
  }

  base::Status refuse_changed() {
    for (const NewFile& file : new_files_) {
      const auto now = place_.world->files->info(file.found.absolute);
      if (!now && now.error().kind != Kind::not_found) return base::fail(now.error());
      const bool is_same = now && now->size == file.records->size() && now->size == file.found.size &&
                           now->modified_us == file.found.modified_us;
      const auto is_listed = [&](const base::Error& error) { return error.place.file == file.found.path; };
      if (is_same || std::any_of(report_.refused.begin(), report_.refused.end(), is_listed)) continue;
      report_.refused.push_back(still_written(file.found.path));
    }
    return {};
  }

  LandReport nothing_landed() {
    for (const NewFile& file : new_files_) {
      report_.files[file.report_index].rows = 0;
      report_.files[file.report_index].malformed = 0;
    }
    report_.rows = report_.malformed = 0;
    report_.extended = false;
    report_.new_columns.clear();
    return std::move(report_);
  }

  void discard() {
    if (data_) table::discard(access_, {*data_});
  }

  // ---- committing ----

  base::Status commit() {
    TRY(const std::string decided, decision());
    if (!decided.empty()) return base::fail(too_late(decided));
    const base::Json ledger = print_ledger(batch_, ledger_);
    const std::string ledger_hash = base::sha256_hex(ledger.print());
    TRY_STATUS(malformed_table_.note_version());
    if (report_.malformed > 0) {
      MalformedBatch malformed{batch_, ledger_hash, loaded_at_us_, ledger_, {}};
      const std::vector<SourceFile> all = sources();
      for (std::size_t i = 0; i < all.size(); ++i)
        if (ledger_[i].malformed > 0) malformed.sources.push_back(all[i]);
      TRY_STATUS(malformed_table_.add(malformed));
    }
    table::Commit change;
    change.operation = "WRITE";
    change.parameters = base::Json::object({{"mode", "Append"}});
    change.metrics = base::Json::object(
        {{"numFiles", std::to_string(data_ ? 1 : 0)}, {"numOutputRows", std::to_string(report_.rows)}});
    change.extra.emplace_back(kLedgerMember, ledger);
    if (data_) change.adds.push_back(*data_);
    for (const LedgerFile& file : ledger_)
      change.txns.push_back(delta::Txn{land_app_id(file.path, file.sha256), 1, place_.run_at_us / 1'000});
    if (!bronze_ || !columns_.added().empty()) change.metadata = metadata_;
    // Another landing would break the order of _loaded_at.
    change.depends_on_table = true;
    Receipt receipt = make_receipt(ledger_hash);
    TRY(receipt.hash,
        hash_of_change(access_, FileChange{bronze_ ? &*bronze_ : nullptr, schema_, data_, {}, hashed_}));
    TRY(const table::Committed committed,
        table::commit(access_, path_, bronze_ ? &*bronze_ : nullptr, std::move(change),
                      [&](const std::string& previous) { return print_receipt(receipt, previous); }));
    report_.batch = batch_;
    report_.version = committed.version;
    if (early_ && data_) {
      early_->landed(metadata_.id, LandedAs{batch_, loaded_at_us_}, *data_);
      report_.early = early_;
    }
    return {};
  }

  Receipt make_receipt(const std::string& ledger_hash) const {
    Receipt receipt;
    receipt.kind = "land";
    receipt.table = landing_.name.text();
    receipt.batch = batch_;
    receipt.ledger_hash = ledger_hash;
    receipt.counts = Counts{};
    receipt.counts->read = report_.rows + report_.malformed;
    receipt.counts->inserted = report_.rows;
    receipt.counts->quarantined = receipt.counts->malformed = report_.malformed;
    receipt.rejects = malformed_table_.codes();
    for (const LedgerFile& file : ledger_) receipt.files.push_back({file.path, file.sha256});
    if (options_.correction)
      receipt.decision =
          ReceiptDecision{"apply", options_.correction->because, place_.user, place_.run_at_us};
    receipt.run_at_us = place_.run_at_us;
    return receipt;
  }

  const Place& place_;
  const contract::Landing& landing_;
  const LandOptions& options_;
  table::Access access_;
  std::string path_;
  MalformedTable malformed_table_;
  std::optional<table::Snapshot> bronze_;
  LandedBefore before_;
  BronzeColumns columns_;
  ColumnTypes types_;
  std::vector<NewFile> new_files_;
  delta::Schema schema_;  // as the commit leaves it
  delta::Metadata metadata_;
  std::vector<LedgerFile> ledger_;
  std::string batch_;
  std::int64_t loaded_at_us_ = 0;
  std::optional<table::DataFile> data_;
  std::optional<Hashed> hashed_;  // its rows, on their way there
  std::shared_ptr<EarlyJudgement> early_;
  LandReport report_;
};

}  // namespace

base::Result<std::vector<std::string>> delivered_files(const Place& place, const contract::Landing& landing,
                                                       const LandOptions& options) {
  TRY(const FoundFiles found, find_delivered(place, landing, options));
  std::vector<std::string> paths;
  for (const FoundFile& file : found.files) paths.push_back(file.path);
  return paths;
}

base::Result<LandReport> land(const Place& place, const contract::Landing& landing,
                              const LandOptions& options) {
  for (int tries = 1;; ++tries) {
    base::Result<LandReport> report = LandRun(place, landing, options).run();
    if (report || report.error().kind != Kind::conflict) return report;
    if (tries == kTriesMax)
      return base::fail(Kind::conflict, "land.race",
                        "other landings in " + landing.name.text() + " were first " +
                            std::to_string(kTriesMax) + " times: " + report.error().message,
                        "run again");
  }
}

}  // namespace load
