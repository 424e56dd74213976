// verify --deep: each loaded batch judged anew from the landing table, and every term of its receipt,
// its changed rows and its rejects compared with what that gives.
#include "deep.h"

#include <base/text.h>

#include "settled.h"
#include "taken_up.h"

namespace verify {

namespace {

std::vector<Field> source_fields(const State& landed) {
  std::vector<Field> fields;
  for (const Field& field : clean_fields(landed))
    if (field.name != "_source_file" && field.name != "_source_line" && field.name != "_loaded_at" &&
        field.name != "_batch_id" && field.name != "_reject_id")
      fields.push_back(field);
  return fields;
}

std::string with_batch(const std::string& relation, const Batch& batch) {
  return "SELECT * FROM (" + relation + ") WHERE _batch_id = " + base::sql_quote(batch.id);
}

// Copies the values that checks refer to, as the receipt's version has them. What is missing, if anything.
base::Result<std::string> copy_references(Examination& examination, const Receipt& receipt,
                                          const contract::Contract& contract) {
  for (const contract::Check& check : contract.checks) {
    if (!check.reference) continue;
    const std::string name = check.reference->table.text();
    TRY(const auto table, open_table(examination, check.reference->table, std::nullopt));
    const State* state = nullptr;
    for (const ReceiptSource& source : receipt.sources)
      if (table && source.id == table->state().id) state = state_at(*table, source.version);
    if (!state) return "the version of " + name + " that the load read is not in its log";
    if (const std::string gone = examination.rows.missing(live_files(*state)); !gone.empty())
      return "the file " + gone + " of " + name + " is gone";
    const Field field{check.reference->table_column, contract.find(check.reference->column)->type, true};
    TRY(const std::string rows, examination.rows.relation(live_files(*state), {field}));
    TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE " + reference_values(check) +
                                        " AS SELECT " + base::sql_name(field.name) + " AS v FROM (" + rows +
                                        ") WHERE v IS NOT NULL"));
  }
  return std::string();
}

}  // namespace

base::Result<Judgement> judge(Examination& examination, const Batch& batch) {
  sql::Context context;
  context.time_zone = batch.load.contract.time_zone;
  context.now_us = batch.load.receipt.run_at_us;
  TRY(Judgement judgement,
      Judgement::prepare(batch.load.contract, source_fields(batch.load.landed), context));
  TRY(const Manner manner, manner_of(examination, batch));
  TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_judged AS " +
                                      judgement.judged(manner.rows)));
  TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_claims AS " +
                                      judgement.claims(judgement.judged(manner.others))));
  const std::string& target = batch.target;
  std::string ranked = judgement.ranked("SELECT * FROM verify_judged");
  if (manner.is_retry) ranked = judgement.collided(ranked, target, manner.strict);
  TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_ranked AS " + ranked));
  TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_settled AS " +
                                      judgement.settled("SELECT * FROM verify_ranked", target,
                                                        "SELECT * FROM verify_claims",
                                                        {manner.strict, manner.snapshot})));
  TRY_STATUS(
      examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_deleted AS " +
                               judgement.absent("SELECT * FROM verify_ranked", target, manner.is_snapshot)));
  return judgement;
}

base::Result<Numbers> count_fates(Examination& examination) {
  TRY(const engine::Rows rows,
      examination.rows.query(
          "SELECT fate, count(*) FROM (SELECT fate FROM verify_ranked WHERE fate <> 'accepted' "
          "UNION ALL SELECT fate FROM verify_settled) GROUP BY 1 UNION ALL "
          "SELECT 'conflicting', count(*) FROM verify_ranked WHERE conflicting UNION ALL "
          "SELECT 'absent', count(*) FROM verify_deleted"));
  Numbers fates;
  for (std::size_t i = 0; i < rows.size(); ++i) fates[rows.text(i, 0)] = rows.int64(i, 1);
  return fates;
}

void compare_terms(Examination& examination, const Table& target, const Load& load, Numbers fates) {
  const std::int64_t malformed = load.receipt.count("malformed");
  Numbers expected = {{"inserted", fates["inserted"]},
                      {"updated", fates["updated"]},
                      {"unchanged", fates["unchanged"]},
                      {"older", fates["older"]},
                      {"superseded", fates["superseded"]},
                      {"duplicates", fates["duplicate"]},
                      {"deleted_claims", fates["deleting"] + fates["idle"]},
                      {"quarantined", fates["rejected"] + fates["repeated"] + malformed}};
  std::int64_t read = 0;
  for (const std::string& term : balance_terms()) {
    read += expected[term];
    examination.compare("verify.deep_count", target, load.entry.version, term, expected[term],
                        load.receipt.count(term));
  }
  examination.compare("verify.deep_count", target, load.entry.version, "read", read,
                      load.receipt.count("read"));
  examination.compare("verify.deep_count", target, load.entry.version, "deleted",
                      fates["absent"] + fates["deleting"], load.receipt.count("deleted"));
  if (load.contract.version_column)
    examination.compare("verify.deep_count", target, load.entry.version, "conflicting", fates["conflicting"],
                        load.receipt.conflicting);
}

base::Result<Numbers> count_warnings(Examination& examination, const Judgement& judgement) {
  TRY(const engine::Rows rows, examination.rows.query(judgement.warned("SELECT * FROM verify_judged")));
  Numbers warnings;
  for (std::size_t i = 0; i < rows.size(); ++i) warnings[rows.text(i, 0)] = rows.int64(i, 1);
  return warnings;
}

void compare_warnings(Examination& examination, const Table& target, const Load& load,
                      const Numbers& warnings) {
  for (const auto& [check, count] : warnings) {
    const auto said = load.receipt.warnings.find(check);
    examination.compare("verify.deep_count", target, load.entry.version, "warnings." + check, count,
                        said == load.receipt.warnings.end() ? 0 : said->second);
  }
}

base::Status compare_relations(Examination& examination, std::string code, const Table& table,
                               std::int64_t version, const std::string& subject, const std::string& expected,
                               const std::string& found) {
  TRY(const engine::Rows rows,
      examination.rows.query("SELECT (SELECT count(*) FROM ((" + expected + ") EXCEPT ALL (" + found +
                             "))), (SELECT count(*) FROM ((" + found + ") EXCEPT ALL (" + expected + ")))"));
  const std::int64_t lost = rows.int64(0, 0), other = rows.int64(0, 1);
  if (lost == 0 && other == 0)
    examination.ok(std::move(code), table, version, subject);
  else
    examination.failed(std::move(code), table, version, subject,
                       "the rows that the batch gives; " + std::to_string(lost) + " of them are not there",
                       std::to_string(other) + " other rows");
  return {};
}

// Rejects of the batch as the quarantine keeps them.
struct Kept {
  std::string open;
  std::string resolved;  // empty: none is looked for
};

base::Result<Kept> kept_rejects(Examination& examination, const Batch& batch, std::vector<Field> fields) {
  fields.push_back({"_batch_id", {sql::Type::Kind::string}, true});
  fields.push_back({"_reject_id", {sql::Type::Kind::string}, true});
  fields.push_back({"_resolved_at", {sql::Type::Kind::timestamp}, true});
  Kept kept;
  if (batch.load.receipt.kind == "retry") {
    const State& after = *after_retry(examination, batch.load.entry);
    TRY(const std::string left, examination.rows.relation(live_files(after), fields));
    TRY(const std::string judged,
        retried_rejects(examination, batch.load.entry, batch.load.receipt, *batch.load.quarantine));
    kept.open = "SELECT a.* FROM (" + left + ") a SEMI JOIN (" + judged +
                ") r ON r._reject_id = a._reject_id WHERE a._resolved_at IS NULL";
    return kept;
  }
  const std::vector<LiveFile> files =
      batch.load.quarantine ? live_files(*batch.load.quarantine) : std::vector<LiveFile>();
  TRY(const std::string all, examination.rows.relation(files, fields));
  kept.open = with_batch(all, batch) + " AND _resolved_at IS NULL";
  kept.resolved = with_batch(all, batch) + " AND _resolved_at IS NOT NULL";
  return kept;
}

// Whether the judged row is the one that the reject k was made of.
std::string same_place(const Judgement& judgement) {
  std::string text = "k._source_file IS NOT DISTINCT FROM sf AND k._source_line IS NOT DISTINCT FROM sl";
  for (std::size_t k = 0; k < judgement.source().size(); ++k)
    text += " AND k." + base::sql_name("raw_" + judgement.source()[k].name) + " IS NOT DISTINCT FROM s" +
            std::to_string(k);
  return text;
}

// Places, codes, reasons, typed and raw values of the batch's rejects.
base::Status compare_rejects(Examination& examination, const Table& target, const Batch& batch,
                             const Judgement& judgement) {
  std::vector<Field> fields = {{"_source_file", {sql::Type::Kind::string}, true},
                               {"_source_line", {sql::Type::Kind::bigint}, true},
                               {"_loaded_at", {sql::Type::Kind::timestamp}, true},
                               {"_reject_codes", {sql::Type::Kind::string}, true},
                               {"_reject_reason", {sql::Type::Kind::string}, true}};
  const auto with_key_reason = [](const std::string& column) {
    return "CASE WHEN fate = 'repeated' THEN key_code ELSE " + column + " END";
  };
  std::string expected = "SELECT sf, sl, la, " + with_key_reason("codes") + ", " + with_key_reason("reasons");
  for (std::size_t i = 0; i < batch.load.contract.columns.size(); ++i) {
    const contract::Column& column = batch.load.contract.columns[i];
    const Field* kept = batch.load.quarantine ? batch.load.quarantine->find(column.name) : nullptr;
    if (kept && kept->type != column.type) continue;  // retyped since: its values stand beside
    fields.push_back({column.name, column.type, true});
    expected += ", d" + std::to_string(i);
  }
  for (std::size_t k = 0; k < judgement.source().size(); ++k) {
    fields.push_back({"raw_" + judgement.source()[k].name, judgement.source()[k].type, true});
    expected += ", s" + std::to_string(k);
  }
  expected += " FROM verify_ranked WHERE fate IN ('rejected', 'repeated')";
  std::string list;
  for (const Field& field : fields) list += (list.empty() ? "" : ", ") + base::sql_name(field.name);
  TRY(const Kept kept, kept_rejects(examination, batch, fields));
  expected += kept.resolved.empty() ? ""
                                    : " AND NOT EXISTS (SELECT 1 FROM (" + kept.resolved + ") k WHERE " +
                                          same_place(judgement) + ")";
  return compare_relations(examination, "verify.deep_rejects",
                           examination.quarantine ? *examination.quarantine : target,
                           batch.load.quarantine ? batch.load.quarantine->version : -1, batch.id, expected,
                           "SELECT " + list + " FROM (" + kept.open + ")");
}

namespace {

base::Status compare_rows(Examination& examination, const Table& target, const Batch& batch) {
  std::vector<Field> fields = declared_fields(batch.load.contract);
  std::string expected = "SELECT ";
  for (std::size_t i = 0; i < fields.size(); ++i) expected += "d" + std::to_string(i) + ", ";
  expected += "sf, la FROM verify_settled WHERE fate IN ('inserted', 'updated')";
  fields.push_back({"_source_file", {sql::Type::Kind::string}, true});
  fields.push_back({"_loaded_at", {sql::Type::Kind::timestamp}, true});
  TRY(const std::string added, examination.rows.relation(batch.load.entry.adds, fields));
  TRY(const std::string removed, examination.rows.relation(batch.load.entry.removes, fields));
  return compare_relations(examination, "verify.deep_rows", target, batch.load.entry.version, batch.id,
                           expected, "(" + added + ") EXCEPT ALL (" + removed + ")");
}

base::Status check_batch(Examination& examination, const Table& target, const Load& load) {
  std::vector<Field> fields = declared_fields(load.contract);
  fields.push_back({"_loaded_at", {sql::Type::Kind::timestamp}, true});
  TRY(const std::string rows_before, examination.rows.relation(live_files(*load.entry.before), fields));
  const Batch batch{load, load.receipt.batch.value_or(""), rows_before,
                    loaded_batches(*load.entry.before, load.receipt.sources.front().id)};
  TRY(const Judgement judgement, judge(examination, batch));
  TRY(const auto fates, count_fates(examination));
  compare_terms(examination, target, load, fates);
  TRY(const auto warnings, count_warnings(examination, judgement));
  compare_warnings(examination, target, load, warnings);
  TRY_STATUS(compare_rows(examination, target, batch));
  return compare_rejects(examination, target, batch, judgement);
}

// Why a load cannot be judged anew; empty when it can.
std::string obstacle(const Examination& examination, const Entry& entry, const Receipt& receipt,
                     const State*& landed, const State*& quarantine) {
  if (!examination.source || !is_landing(*examination.source)) return "its source is no landing table";
  landed = receipt.sources.empty() ? nullptr : state_at(*examination.source, receipt.sources.front().version);
  if (!landed) return "the landing table's version is not in its log any more";
  const auto rejects = quarantine_state(examination, receipt);
  if (!rejects) return "the quarantine of that time is not in its log any more";
  quarantine = *rejects;
  std::vector<LiveFile> files = live_files(*landed);
  if (receipt.kind == "retry") {
    const State* after = after_retry(examination, entry);
    if (!quarantine || !after) return "what it resolved is not marked in the quarantine";
    for (const LiveFile& file : live_files(*after)) files.push_back(file);
  }
  for (const std::vector<LiveFile>& more : {quarantine ? live_files(*quarantine) : std::vector<LiveFile>(),
                                            live_files(*entry.before), entry.adds})
    files.insert(files.end(), more.begin(), more.end());
  const std::string gone = examination.rows.missing(files);
  return gone.empty() ? std::string() : "the file " + gone + " is gone";
}

}  // namespace

base::Status check_deep(Examination& examination, const Table& target) {
  for (const Entry& entry : target.log.entries) {
    const Receipt* receipt = target.receipt(entry);
    const contract::Contract* contract = examination.contract_of(*entry.after);
    const bool is_recomputed = receipt && receipt->kind == "from_bronze";
    if (!receipt || !contract || !(receipt->settles_rows() || is_recomputed)) continue;
    examination.progress(target.name.text() + " batch " + receipt->batch.value_or(""));
    const State* landed = nullptr;
    const State* quarantine = nullptr;
    TRY(const std::string lost, copy_references(examination, *receipt, *contract));
    if (!lost.empty()) {
      examination.not_covered("verify.deep_count", target, entry.version, receipt->batch.value_or(""), lost);
      continue;
    }
    const std::string why = obstacle(examination, entry, *receipt, landed, quarantine);
    if (landed == nullptr || !why.empty()) {
      examination.not_covered("verify.deep_count", target, entry.version, receipt->batch.value_or(""), why);
      continue;
    }
    const Load load{entry, *receipt, *contract, *landed, quarantine};
    const base::Status status = is_recomputed ? check_recomputation(examination, target, load)
                                              : check_batch(examination, target, load);
    if (!status) TRY_STATUS(examination.unreadable(status.error(), target, entry.version));
  }
  return {};
}

}  // namespace verify
