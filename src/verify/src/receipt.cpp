#include "receipt.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <base/time.h>

namespace verify {

namespace {

using base::Json;

constexpr std::array<std::string_view, 11> kKinds = {"land",  "load",        "replay",     "retry",
                                                     "apply", "from_bronze", "quarantine", "malformed",
                                                     "build", "skip",        "supersede"};
constexpr std::array<std::string_view, 10> kCounts = {
    "read",       "inserted",   "updated",        "unchanged",   "older",
    "superseded", "duplicates", "deleted_claims", "quarantined", "malformed"};
constexpr std::array<std::string_view, 20> kMembers = {
    "superseded_by", "stands_for", "batches",         "decisions",   "format", "kind",    "table",
    "contract_hash", "batch",      "sources",         "ledger_hash", "counts", "rejects", "conflicting",
    "hash",          "files",      "previous_sha256", "decision",    "run_at", "warnings"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// Reads members one by one and notes what is wrong with them.
class Reader {
 public:
  Reader(const Json& body, ReadReceipt& result) : body_(body), result_(result) {}

  void read() {
    Receipt& receipt = result_.receipt;
    for (const auto& [name, value] : body_.members())
      if (!is_one_of(name, kMembers)) problem("unknown member " + name);
    if (body_.int64("format") != 1) problem("format is not 1");
    receipt.kind = text("kind");
    if (!is_one_of(receipt.kind, kKinds)) problem("unknown kind \"" + receipt.kind + "\"");
    receipt.table = text("table");
    receipt.contract_hash = hash_text("contract_hash", 64);
    if (const Json* batch = member("batch")) receipt.batch = string_of(*batch, "batch");
    if (const Json* by = member("superseded_by")) receipt.superseded_by = string_of(*by, "superseded_by");
    if (const Json* place = member("stands_for")) receipt.stands_for = string_of(*place, "stands_for");
    if (const Json* batches = member("batches")) receipt.batches = *batches;
    receipt.ledger_hash = hash_text("ledger_hash", 64);
    read_sources();
    read_counts();
    read_hash();
    read_decision();
    read_rest();
    read_needs();
  }

 private:
  void problem(std::string text) { result_.problems.push_back(std::move(text)); }

  // A member that is there and not null.
  const Json* member(std::string_view name) const {
    const Json* value = body_.find(name);
    return value && !value->is_null() ? value : nullptr;
  }

  std::string string_of(const Json& value, const std::string& name) {
    if (const auto content = value.as_string()) return std::string(*content);
    problem(name + " is no text");
    return {};
  }

  std::string text(const std::string& name) {
    if (const Json* value = member(name)) return string_of(*value, name);
    problem(name + " is missing");
    return {};
  }

  std::optional<std::string> hash_text(const std::string& name, std::size_t digits) {
    const Json* value = member(name);
    if (!value) return std::nullopt;
    std::string content = string_of(*value, name);
    if (!is_hex(content, digits)) problem(name + " is not " + std::to_string(digits) + " hex digits");
    return content;
  }

  std::int64_t count_of(const Json& value, const std::string& name) {
    const std::int64_t count = value.as_int64().value_or(-1);
    if (count < 0) problem(name + " is no count");
    return std::max<std::int64_t>(count, 0);
  }

  void read_sources() {
    const Json* sources = member("sources");
    if (!sources) return;
    for (const Json& item : sources->items()) {
      ReceiptSource source;
      source.table = std::string(item.string("table").value_or(""));
      source.id = std::string(item.string("id").value_or(""));
      source.version = item.int64("version").value_or(-1);
      if (source.table.empty() || source.id.empty() || source.version < 0)
        problem("a source without table, id or version");
      result_.receipt.sources.push_back(std::move(source));
    }
  }

  void read_counts() {
    Receipt& receipt = result_.receipt;
    if (const Json* counts = member("counts")) {
      receipt.counts.emplace();
      for (const auto& [name, value] : counts->members()) {
        if (name != "deleted" && !is_one_of(name, kCounts)) problem("unknown count " + name);
        (*receipt.counts)[name] = count_of(value, "counts." + name);
      }
      for (const std::string_view name : kCounts)
        if (!counts->find(name)) problem("counts." + std::string(name) + " is missing");
    }
    if (const Json* rejects = member("rejects"))
      for (const auto& [code, value] : rejects->members())
        receipt.rejects[code] = count_of(value, "rejects." + code);
    if (const Json* warnings = member("warnings"))
      for (const auto& [check, value] : warnings->members())
        receipt.warnings[check] = count_of(value, "warnings." + check);
    if (const Json* conflicting = member("conflicting"))
      receipt.conflicting = count_of(*conflicting, "conflicting");
  }

  void read_hash() {
    const Json* hash = member("hash");
    if (!hash) return;
    ReceiptHash& read = result_.receipt.hash.emplace();
    read.before = std::string(hash->string("before").value_or(""));
    read.after = std::string(hash->string("after").value_or(""));
    read.rows = hash->int64("rows").value_or(-1);
    if (!is_hex(read.before, 32)) problem("hash.before is not 32 hex digits");
    if (!is_hex(read.after, 32)) problem("hash.after is not 32 hex digits");
    if (read.rows < 0) problem("hash.rows is no count");
  }

  void read_decision() {
    const Json* decision = member("decision");
    if (!decision) return;
    ReceiptDecision& read = result_.receipt.decision.emplace();
    const std::pair<const char*, std::string*> parts[] = {
        {"what", &read.what}, {"because", &read.because}, {"user", &read.user}, {"at", &read.at}};
    for (const auto& [name, part] : parts) {
      *part = std::string(decision->string(name).value_or(""));
      if (part->empty()) problem(std::string("decision.") + name + " is missing");
    }
  }

  void read_rest() {
    Receipt& receipt = result_.receipt;
    if (const Json* files = member("files")) receipt.files = *files;
    receipt.previous_sha256 = text("previous_sha256");
    if (!receipt.previous_sha256.empty() && !is_hex(receipt.previous_sha256, 64))
      problem("previous_sha256 is not 64 hex digits");
    receipt.run_at = text("run_at");
    const auto instant = base::parse_instant(receipt.run_at);
    if (!instant) problem("run_at is no instant");
    receipt.run_at_us = instant.value_or(0);
  }

  // What a kind cannot do without.
  void read_needs() {
    const Receipt& receipt = result_.receipt;
    if (receipt.settles_rows() || receipt.kind == "from_bronze") {
      if (!receipt.counts) problem("a " + receipt.kind + " without counts");
      if (!receipt.contract_hash) problem("a " + receipt.kind + " without contract_hash");
      if (receipt.sources.empty()) problem("a " + receipt.kind + " without sources");
    }
    if (receipt.kind == "land" && !receipt.ledger_hash) problem("a land without ledger_hash");
    // Malformed records of landings that never came to be are taken out without naming a batch.
    const bool has_batch =
        receipt.kind != "build" && receipt.kind != "malformed" && receipt.kind != "from_bronze";
    if (has_batch && !receipt.batch) problem("a " + receipt.kind + " without batch");
    const bool is_decision = receipt.kind == "skip" || receipt.kind == "supersede" || receipt.kind == "apply";
    if (is_decision && !receipt.decision) problem("a " + receipt.kind + " without its decision");
    if (receipt.kind == "supersede" && !receipt.superseded_by) problem("a supersede without superseded_by");
    if (receipt.kind == "from_bronze" && !receipt.batches) problem("a from_bronze without batches");
  }

  const Json& body_;
  ReadReceipt& result_;
};

}  // namespace

std::int64_t Receipt::count(const std::string& term) const {
  if (!counts) return 0;
  const auto found = counts->find(term);
  return found == counts->end() ? 0 : found->second;
}

bool Receipt::loads_batch() const {
  return kind == "load" || kind == "replay" || kind == "apply";
}

bool Receipt::settles_rows() const {
  return loads_batch() || kind == "retry";
}

const std::vector<std::string>& balance_terms() {
  static const std::vector<std::string> terms = {"inserted",   "updated",    "unchanged",      "older",
                                                 "superseded", "duplicates", "deleted_claims", "quarantined"};
  return terms;
}

ReadReceipt read_receipt(const Json& commit_info) {
  ReadReceipt result;
  const auto text = commit_info.string("userMetadata");
  if (!text) return result;
  const auto parsed = Json::parse(*text);
  if (!parsed || !parsed->find("tenter")) return result;
  result.present = true;
  const Json* body = parsed->find("tenter");
  if (!body->is_object())
    result.problems.push_back("\"tenter\" is no object");
  else
    Reader(*body, result).read();
  return result;
}

}  // namespace verify
