// What a load's receipt counts, counted again: from the rows of the two versions, from the landing
// table, and from the quarantine; then what the log must say of the batch beside it.
#include <base/text.h>

#include "examination.h"
#include "recomputed.h"
#include "settled.h"
#include "taken_up.h"

namespace verify {

namespace {

using Counts = std::map<std::string, std::int64_t>;

Counts read_counts(const engine::Rows& rows) {
  Counts counts;
  for (std::size_t i = 0; i < rows.size(); ++i) counts[rows.text(i, 0)] = rows.int64(i, 1);
  return counts;
}

// The rows of the batches that a commit loaded.
std::string of_batches(const Entry& entry, const Receipt& receipt) {
  if (receipt.kind != "from_bronze") return "_batch_id = " + base::sql_quote(receipt.batch.value_or(""));
  std::string list;
  for (const std::string& id : loaded_batches(*entry.before, receipt.sources.front().id))
    list += (list.empty() ? "" : ", ") + base::sql_quote(id);
  return list.empty() ? "false" : "_batch_id IN (" + list + ")";
}

base::Result<Counts> count_by(Examination& examination, const State& state, const std::string& batches,
                              const std::string& what) {
  TRY(const std::string relation, examination.rows.relation(live_files(state), state.fields));
  TRY(const engine::Rows rows,
      examination.rows.query("SELECT what, count(*) FROM (SELECT " + what + " AS what FROM (" + relation +
                             ") WHERE " + batches + ") GROUP BY 1"));
  return read_counts(rows);
}

std::int64_t total(const Counts& counts) {
  std::int64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

// What bronze and quarantine say of a batch.
struct Recount {
  std::int64_t read = 0;
  std::int64_t quarantined = 0;
  std::int64_t malformed = 0;
  Counts rejects;  // by code
  // Of them, rejects that were resolved: whether they were rejected again is not told by the quarantine.
  std::int64_t resolved = 0;
  Counts resolved_codes;
};

const State* source_state(const Examination& examination, const Receipt& receipt) {
  if (!examination.source) return nullptr;
  const Table& source = *examination.source;
  // A landing table only grows, and a loaded batch no more: its newest version answers too.
  if (is_landing(source)) return &source.state();
  return receipt.sources.empty() ? nullptr : state_at(source, receipt.sources.front().version);
}

base::Result<std::int64_t> count_source(Examination& examination, const State& state,
                                        const std::string& batches) {
  if (is_landing(*examination.source)) {
    TRY(const Counts rows, count_by(examination, state, batches, "'rows'"));
    return total(rows);
  }
  TRY(const std::string relation, examination.rows.relation(live_files(state), state.fields));
  TRY(const engine::Rows rows, examination.rows.query("SELECT count(*) FROM (" + relation + ")"));
  return rows.int64(0, 0);
}

base::Result<Recount> recount(Examination& examination, const State& source, const State* quarantine,
                              const std::string& batches) {
  Recount result;
  TRY(result.read, count_source(examination, source, batches));
  if (quarantine) {
    TRY(const Counts rows, count_by(examination, *quarantine, batches, "'rows'"));
    result.quarantined = total(rows);
    TRY(result.rejects,
        count_by(examination, *quarantine, batches, "unnest(string_split(_reject_codes, ';'))"));
    const std::string resolved = "CASE WHEN _resolved_at IS NOT NULL THEN _reject_codes ELSE '' END";
    TRY(const Counts lists, count_by(examination, *quarantine, batches, resolved));
    for (const auto& [codes, count] : lists) {
      if (codes.empty()) continue;
      result.resolved += count;
      for (const std::string_view code : base::split(codes, ';'))
        result.resolved_codes[std::string(code)] += count;
    }
  }
  if (examination.malformed && is_landing(*examination.source)) {
    TRY(const Counts codes, count_by(examination, examination.malformed->state(), batches, "_reject_codes"));
    for (const auto& [code, count] : codes) result.rejects[code] += count;
    result.malformed = total(codes);
  }
  result.read += result.malformed;
  result.quarantined += result.malformed;
  return result;
}

// Equal, or less by no more than the rejects that may not have been rejected again.
void compare_rejected(Examination& examination, const std::string& code, const Table& target,
                      std::int64_t version, const std::string& subject, std::int64_t all,
                      std::int64_t resolved, std::int64_t said) {
  if (resolved > 0 && said >= all - resolved && said <= all)
    return examination.ok(code, target, version, subject);
  examination.compare(code, target, version, subject, all, said);
}

void compare_recount(Examination& examination, const Table& target, std::int64_t version,
                     const Receipt& receipt, const Recount& expected) {
  examination.compare("verify.count", target, version, "read", expected.read, receipt.count("read"));
  compare_rejected(examination, "verify.count", target, version, "quarantined", expected.quarantined,
                   expected.resolved, receipt.count("quarantined"));
  examination.compare("verify.count", target, version, "malformed", expected.malformed,
                      receipt.count("malformed"));
  Counts codes = expected.rejects;
  for (const auto& [code, count] : receipt.rejects) codes.try_emplace(code, 0);
  for (const auto& [code, count] : codes) {
    const auto said = receipt.rejects.find(code);
    const auto resolved = expected.resolved_codes.find(code);
    // A row that is rejected again may have other reasons than those for which it was resolved.
    const bool is_sure = expected.resolved == 0;
    compare_rejected(examination, "verify.rejects", target, version, code,
                     is_sure ? count : std::max(count, said == receipt.rejects.end() ? 0 : said->second),
                     is_sure ? 0
                             : std::max(expected.resolved,
                                        resolved == expected.resolved_codes.end() ? 0 : resolved->second),
                     said == receipt.rejects.end() ? 0 : said->second);
  }
}

base::Status check_recount(Examination& examination, const Table& target, const Entry& entry,
                           const Receipt& receipt) {
  const State* source = source_state(examination, receipt);
  if (!source) {
    examination.not_covered("verify.count", target, entry.version, "read, quarantined",
                            "the source's version is not in its log any more");
    return {};
  }
  const auto rejects = quarantine_state(examination, receipt);
  if (!rejects) {
    examination.not_covered("verify.count", target, entry.version, "read, quarantined",
                            "the quarantine of that time is not in its log any more");
    return {};
  }
  std::vector<LiveFile> files = live_files(*source);
  if (*rejects)
    for (const LiveFile& file : live_files(**rejects)) files.push_back(file);
  if (const std::string gone = examination.rows.missing(files); !gone.empty()) {
    examination.not_covered("verify.count", target, entry.version, "read, quarantined",
                            "the file " + gone + " is gone");
    return {};
  }
  const auto expected = recount(examination, *source, *rejects, of_batches(entry, receipt));
  if (!expected) return examination.unreadable(expected.error(), target, entry.version);
  compare_recount(examination, target, entry.version, receipt, *expected);
  return {};
}

base::Status check_changes(Examination& examination, const Table& target, const Entry& entry,
                           const Receipt& receipt, const contract::Contract& contract) {
  std::vector<LiveFile> files = entry.adds;
  files.insert(files.end(), entry.removes.begin(), entry.removes.end());
  if (const std::string gone = examination.rows.missing(files); !gone.empty()) {
    examination.not_covered("verify.count", target, entry.version, "inserted, updated, deleted",
                            "the file " + gone + " is gone");
    return {};
  }
  const auto changes = count_changes(examination, entry, contract);
  if (!changes) return examination.unreadable(changes.error(), target, entry.version);
  examination.compare("verify.count", target, entry.version, "inserted", changes->inserted,
                      receipt.count("inserted"));
  examination.compare("verify.count", target, entry.version, "updated", changes->updated,
                      receipt.count("updated"));
  examination.compare("verify.count", target, entry.version, "deleted", changes->deleted,
                      receipt.count("deleted"));
  examination.compare("verify.managed_columns", target, entry.version, "",
                      "0 rows whose managed columns alone changed",
                      std::to_string(changes->touched) + " rows whose managed columns alone changed");
  return {};
}

void check_balance(Examination& examination, const Table& target, const Entry& entry,
                   const Receipt& receipt) {
  std::int64_t sum = 0;
  for (const std::string& term : balance_terms()) sum += receipt.count(term);
  examination.compare("verify.balance", target, entry.version, "", sum, receipt.count("read"));
}

bool beyond_limit(const contract::RejectLimit& limit, const Receipt& receipt) {
  const std::int64_t rejected = receipt.count("quarantined");
  const std::int64_t read = receipt.count("read");
  const bool ratio = rejected * limit.denominator > read * limit.numerator;
  return ratio && (!limit.rows_least || rejected >= *limit.rows_least);
}

// Gates and limit are for what a source delivers, not for rows that a person took up again.
bool is_taken_up(const Receipt& receipt) {
  return receipt.kind == "retry" || (receipt.decision && receipt.decision->what == "apply");
}

// The batch's state in the log, and the decision that a batch beyond its limit needs.
void check_decision(Examination& examination, const Table& target, const Entry& entry, const Receipt& receipt,
                    const contract::Contract& contract) {
  if (receipt.sources.empty()) return;
  if (examination.source)
    examination.compare("verify.source", target, entry.version, receipt.sources.front().table,
                        examination.source->state().id, receipt.sources.front().id);
  const std::string app = load_app_id(receipt.sources.front().id, receipt.batch.value_or(""));
  const auto& txns = receipt.kind == "replay" || receipt.kind == "retry" ? entry.after->txns : entry.txns;
  const auto txn = txns.find(app);
  if (txn == txns.end() || txn->second < 1 || txn->second > 2) {
    examination.failed("verify.txn", target, entry.version, app, "state 1 (loaded) or 2 (rejects accepted)",
                       txn == txns.end() ? "no such txn" : "state " + std::to_string(txn->second));
    return;
  }
  examination.ok("verify.txn", target, entry.version, app);
  if (txn->second == 2 && receipt.kind == "load" && !receipt.decision)
    examination.failed("verify.decision", target, entry.version, receipt.batch.value_or(""),
                       "the decision to accept the rejects", "none");
  else if (txn->second == 1 && !is_taken_up(receipt) && beyond_limit(contract.max_reject, receipt))
    examination.failed("verify.decision", target, entry.version, receipt.batch.value_or(""),
                       "at most " + contract.max_reject.text + " rejected, or a decision",
                       std::to_string(receipt.count("quarantined")) + " of " +
                           std::to_string(receipt.count("read")) + " and no decision");
  else
    examination.ok("verify.decision", target, entry.version, receipt.batch.value_or(""));
}

// A commit never changes more of the table than the contract admits.
void check_stability(Examination& examination, const Table& target, const Entry& entry,
                     const Receipt& receipt, const contract::Contract& contract) {
  const contract::Stability& stability = contract.stability;
  if (!receipt.hash) return;
  const std::int64_t rows = receipt.hash->rows - receipt.count("inserted") + receipt.count("deleted");
  if (rows == 0 || rows < stability.rows_least) return;
  const auto check = [&](const std::optional<std::int64_t>& percent_max, const std::string& term) {
    if (!percent_max) return;
    const bool beyond = receipt.count(term) * 100 > rows * *percent_max;
    if (!beyond) return examination.ok("verify.stability", target, entry.version, term);
    examination.failed("verify.stability", target, entry.version, term,
                       "at most " + std::to_string(*percent_max) + "% of " + std::to_string(rows) + " rows",
                       std::to_string(receipt.count(term)) + " rows");
  };
  check(stability.deletes_max, "deleted");
  check(stability.updates_max, "updated");
}

// A row-less decision about a batch puts it in its state.
void check_passed_over(Examination& examination, const Table& target, const Entry& entry,
                       const Receipt& receipt, std::int64_t state) {
  const std::string ending = "/" + receipt.batch.value_or("");
  const std::string wanted = state == 3 ? "state 3 (skipped)" : "state 4 (superseded)";
  bool found = false;
  for (const auto& [app, version] : entry.txns)
    found = found || (version == state && app.starts_with("tenter/load/") && app.ends_with(ending));
  examination.compare("verify.txn", target, entry.version, receipt.batch.value_or(""), wanted,
                      found ? wanted : "no such txn");
}

// A recomputation takes every loaded batch and changes the state of none.
base::Status check_recomputed(Examination& examination, const Table& target, const Entry& entry,
                              const Receipt& receipt) {
  check_balance(examination, target, entry, receipt);
  if (examination.source)
    examination.compare("verify.source", target, entry.version, receipt.sources.front().table,
                        examination.source->state().id, receipt.sources.front().id);
  examination.compare("verify.txn", target, entry.version, "from_bronze", "no batch changes its state",
                      entry.txns.empty() ? "no batch changes its state"
                                         : std::to_string(entry.txns.size()) + " batches change their state");
  TRY_STATUS(check_recount(examination, target, entry, receipt));
  const State* landed = source_state(examination, receipt);
  if (!landed || !examination.rows.missing(live_files(*landed)).empty()) return {};
  const base::Status status =
      check_recomputed_batches(examination, target, entry, receipt, *landed,
                               loaded_batches(*entry.before, receipt.sources.front().id));
  return status ? status : examination.unreadable(status.error(), target, entry.version);
}

}  // namespace

base::Status check_counts(Examination& examination, const Table& target) {
  for (const Entry& entry : target.log.entries) {
    const Receipt* receipt = target.receipt(entry);
    const contract::Contract* contract = examination.contract_of(*entry.after);
    if (!receipt || !contract) continue;
    if (receipt->kind == "skip") check_passed_over(examination, target, entry, *receipt, 3);
    if (receipt->kind == "supersede") check_passed_over(examination, target, entry, *receipt, 4);
    if (receipt->kind == "from_bronze") TRY_STATUS(check_recomputed(examination, target, entry, *receipt));
    if (!receipt->settles_rows()) continue;
    check_balance(examination, target, entry, *receipt);
    check_decision(examination, target, entry, *receipt, *contract);
    if (!is_taken_up(*receipt)) check_stability(examination, target, entry, *receipt, *contract);
    TRY_STATUS(check_changes(examination, target, entry, *receipt, *contract));
    TRY_STATUS(receipt->kind == "retry" ? check_retry(examination, target, entry, *receipt)
                                        : check_recount(examination, target, entry, *receipt));
  }
  return {};
}

}  // namespace verify
