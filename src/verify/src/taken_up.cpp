#include "taken_up.h"

#include <base/text.h>

#include "settled.h"
#include "standing.h"

namespace verify {

namespace {

std::string has_code(const std::string& code) {
  return "list_contains(string_split(_reject_codes, ';'), " + base::sql_quote(code) + ")";
}

// Batches of corrected rows, as the landing's receipts tell.
std::string applied_batches(const Table& source) {
  std::string list = "''";
  for (const Entry& entry : source.log.entries) {
    const Receipt* receipt = source.receipt(entry);
    if (receipt && receipt->kind == "land" && receipt->decision && receipt->decision->what == "apply")
      list += ", " + base::sql_quote(receipt->batch.value_or(""));
  }
  return list;
}

std::string listed(const std::vector<std::string>& batches) {
  std::string list = "''";
  for (const std::string& batch : batches) list += ", " + base::sql_quote(batch);
  return list;
}

// Landed rows with the instants of the rejects that they stand for.
base::Result<std::string> with_instants(Examination& examination, const State& landed,
                                        const std::string& rows) {
  if (!landed.find("_reject_id")) return rows;
  std::string known;
  for (const std::optional<Table>* table : {&examination.quarantine, &examination.malformed}) {
    if (!*table) continue;
    const State& state = (*table)->state();
    TRY(const std::string relation, examination.rows.relation(live_files(state), state.fields));
    known += (known.empty() ? "" : " UNION ALL ") +
             std::string("SELECT _reject_id AS id, _loaded_at AS at FROM (") + relation + ")";
  }
  if (known.empty()) return rows;
  return "SELECT l.* REPLACE (coalesce((SELECT min(k.at) FROM (" + known +
         ") k WHERE k.id = trim(l._reject_id)), l._loaded_at) AS _loaded_at) FROM (" + rows + ") l";
}

base::Result<Manner> manner_of_retry(Examination& examination, const Entry& entry, const Receipt& receipt,
                                     const State& landed, const State& quarantine) {
  Manner manner;
  manner.is_retry = true;
  manner.strict = "true";
  TRY(const std::string rejects, retried_rejects(examination, entry, receipt, quarantine));
  std::string columns;
  for (const Field& field : clean_fields(landed)) {
    const std::string name = base::sql_name(field.name);
    if (field.name == "_source_file" || field.name == "_source_line" || field.name == "_loaded_at" ||
        field.name == "_batch_id" || field.name == "_reject_id")
      columns += ", " + name;
    else if (quarantine.find("raw_" + field.name))
      columns += ", " + base::sql_name("raw_" + field.name) + " AS " + name;
    else
      columns += ", CAST(NULL AS " + sql::engine_type(field.type) + ") AS " + name;
  }
  manner.rows = "SELECT " + columns.substr(2) + " FROM (" + rejects + ")";
  return manner;
}

}  // namespace

std::vector<Field> clean_fields(const State& landed) {
  std::vector<Field> fields = landed.fields;
  for (Field& field : fields) field.name = contract::bronze_name(field.name);
  return fields;
}

base::Result<std::string> retried_rejects(Examination& examination, const Entry& entry,
                                          const Receipt& receipt, const State& quarantine) {
  TRY(const std::string relation, examination.rows.relation(live_files(quarantine), quarantine.fields));
  std::string text = "SELECT * FROM (" + relation + ") WHERE _resolved_at IS NULL AND _batch_id = " +
                     base::sql_quote(receipt.batch.value_or("")) + " AND NOT " +
                     has_code("duplicate_primary_key");
  const base::Json* parameters = entry.commit_info.find("operationParameters");
  if (const auto reason = parameters ? parameters->string("reason") : std::nullopt)
    text += " AND " + has_code(std::string(*reason));
  return text;
}

base::Result<Manner> manner_of(Examination& examination, const Batch& batch) {
  const Load& load = batch.load;
  TRY(const std::string rows, examination.rows.relation(live_files(load.landed), clean_fields(load.landed)));
  const std::string landed = in_place(load.landed, rows);
  const std::string own = "SELECT * FROM (" + landed + ") WHERE _batch_id = " + base::sql_quote(batch.id);
  Manner manner;
  const std::string applied = applied_batches(*examination.source);
  const bool is_applied = applied.find(base::sql_quote(batch.id)) != std::string::npos;
  if (load.receipt.kind == "retry") {
    TRY(manner, manner_of_retry(examination, load.entry, load.receipt, load.landed, *load.quarantine));
  } else {
    manner.is_snapshot = load.contract.delete_absent && !is_applied;
    TRY(manner.rows, with_instants(examination, load.landed, own));
    if (load.landed.find("_reject_id"))
      manner.strict = "(SELECT count(o._reject_id) > 0 AND j.la < max(o._loaded_at) FROM (" + own + ") o)";
  }
  manner.others = "SELECT * FROM (" + landed + ") WHERE false";
  if (load.contract.delete_when) {
    TRY(manner.others, with_instants(examination, load.landed,
                                     "SELECT * FROM (" + landed + ") WHERE _batch_id IN (" +
                                         listed(batch.loaded) + ", " + base::sql_quote(batch.id) + ")"));
  }
  if (load.contract.delete_absent && !manner.is_snapshot)
    manner.snapshot = "(SELECT max(_loaded_at) FROM (" + landed + ") WHERE _batch_id IN (" +
                      listed(batch.loaded) + ") AND _batch_id NOT IN (" + applied + "))";
  return manner;
}

const State* after_retry(const Examination& examination, const Entry& entry) {
  if (!examination.quarantine) return nullptr;
  for (const Entry& later : examination.quarantine->log.entries) {
    const Receipt* receipt = examination.quarantine->receipt(later);
    if (!receipt || receipt->kind != "quarantine") continue;
    for (const ReceiptSource& source : receipt->sources)
      if (source.id == entry.after->id && source.version == entry.version) return later.after.get();
  }
  return nullptr;
}

base::Status check_retry(Examination& examination, const Table& target, const Entry& entry,
                         const Receipt& receipt) {
  const auto before = quarantine_state(examination, receipt);
  const State* after = after_retry(examination, entry);
  const auto lost = [&](const std::string& why) -> base::Status {
    examination.not_covered("verify.count", target, entry.version, "read, quarantined", why);
    return {};
  };
  if (!before || !*before) return lost("the quarantine of that time is not in its log any more");
  if (!after)
    return lost("what it resolved is not marked in the quarantine; the next load of the table does that");
  std::vector<LiveFile> files = live_files(**before);
  for (const LiveFile& file : live_files(*after)) files.push_back(file);
  if (const std::string gone = examination.rows.missing(files); !gone.empty())
    return lost("the file " + gone + " is gone");
  const auto rejects = retried_rejects(examination, entry, receipt, **before);
  if (!rejects) return examination.unreadable(rejects.error(), target, entry.version);
  TRY(const std::string left, examination.rows.relation(live_files(*after), after->fields));
  const std::string still = "SELECT unnest(string_split(a._reject_codes, ';')) AS code, a._reject_id FROM (" +
                            left + ") a SEMI JOIN (" + *rejects +
                            ") r ON r._reject_id = a._reject_id WHERE a._resolved_at IS NULL";
  const auto counts = examination.rows.query("SELECT (SELECT count(*) FROM (" + *rejects +
                                             ")), (SELECT count(DISTINCT _reject_id) FROM (" + still + "))");
  if (!counts) return examination.unreadable(counts.error(), target, entry.version);
  examination.compare("verify.count", target, entry.version, "read", counts->int64(0, 0),
                      receipt.count("read"));
  examination.compare("verify.count", target, entry.version, "quarantined", counts->int64(0, 1),
                      receipt.count("quarantined"));
  const auto codes =
      examination.rows.query("SELECT code, count(*) FROM (" + still + ") GROUP BY 1 ORDER BY 1");
  if (!codes) return examination.unreadable(codes.error(), target, entry.version);
  std::map<std::string, std::int64_t> expected;
  for (const auto& [code, count] : receipt.rejects) expected[code] = 0;
  for (std::size_t i = 0; i < codes->size(); ++i) expected[codes->text(i, 0)] = codes->int64(i, 1);
  for (const auto& [code, count] : expected) {
    const auto said = receipt.rejects.find(code);
    examination.compare("verify.rejects", target, entry.version, code, count,
                        said == receipt.rejects.end() ? 0 : said->second);
  }
  return {};
}

}  // namespace verify
