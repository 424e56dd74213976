#include "receipt.h"

#include <base/hash.h>
#include <base/time.h>

namespace load {

using base::Json;

base::Json print_counts(const Counts& counts) {
  Json json = Json::object({{"read", counts.read},
                            {"inserted", counts.inserted},
                            {"updated", counts.updated},
                            {"unchanged", counts.unchanged},
                            {"older", counts.older},
                            {"superseded", counts.superseded},
                            {"duplicates", counts.duplicates},
                            {"deleted_claims", counts.deleted_claims},
                            {"quarantined", counts.quarantined},
                            {"malformed", counts.malformed}});
  if (counts.deleted > 0) json.set("deleted", counts.deleted);
  return json;
}

namespace {

Json print_files(const std::vector<ReceiptFile>& files) {
  Json list = Json::array();
  for (const ReceiptFile& file : files)
    list.push(Json::object({{"path", file.path}, {"sha256", file.sha256}}));
  return list;
}

Json print_batches(const std::vector<std::string>& batches) {
  Json list = Json::array();
  for (const std::string& batch : batches) list.push(batch);
  return list;
}

Json print_decision(const ReceiptDecision& decision) {
  return Json::object({{"what", decision.what},
                       {"because", decision.because},
                       {"user", decision.user},
                       {"at", base::print_instant(decision.at_us)}});
}

Json print_decisions(const std::vector<BatchDecision>& decisions) {
  Json list = Json::array();
  for (const BatchDecision& one : decisions) {
    Json entry = Json::object({{"batch", one.batch}});
    const Json decision = print_decision(one.decision);
    for (const auto& [name, value] : decision.members()) entry.set(name, value);
    list.push(std::move(entry));
  }
  return list;
}

Json print_body(const Receipt& receipt, const std::string& previous_sha256) {
  Json body = Json::object({{"format", kReceiptFormat}, {"kind", receipt.kind}, {"table", receipt.table}});
  if (!receipt.contract_hash.empty()) body.set("contract_hash", receipt.contract_hash);
  if (!receipt.batch.empty()) body.set("batch", receipt.batch);
  if (!receipt.superseded_by.empty()) body.set("superseded_by", receipt.superseded_by);
  if (!receipt.stands_for.empty()) body.set("stands_for", receipt.stands_for);
  if (receipt.kind == "from_bronze") body.set("batches", print_batches(receipt.batches));
  if (!receipt.sources.empty()) {
    Json sources = Json::array();
    for (const ReceiptSource& source : receipt.sources)
      sources.push(Json::object({{"table", source.table}, {"id", source.id}, {"version", source.version}}));
    body.set("sources", std::move(sources));
  }
  if (!receipt.ledger_hash.empty()) body.set("ledger_hash", receipt.ledger_hash);
  if (receipt.counts) body.set("counts", print_counts(*receipt.counts));
  if (receipt.counts) {
    Json rejects = Json::object();
    for (const auto& [code, count] : receipt.rejects) rejects.set(code, count);
    body.set("rejects", std::move(rejects));
  }
  if (!receipt.warnings.empty()) {
    Json warnings = Json::object();
    for (const auto& [check, count] : receipt.warnings) warnings.set(check, count);
    body.set("warnings", std::move(warnings));
  }
  if (receipt.conflicting) body.set("conflicting", *receipt.conflicting);
  if (receipt.hash)
    body.set("hash", Json::object({{"before", receipt.hash->before},
                                   {"after", receipt.hash->after},
                                   {"rows", receipt.hash->rows}}));
  if (!receipt.files.empty()) body.set("files", print_files(receipt.files));
  body.set("previous_sha256", previous_sha256);
  if (receipt.decision) body.set("decision", print_decision(*receipt.decision));
  if (!receipt.decisions.empty()) body.set("decisions", print_decisions(receipt.decisions));
  body.set("run_at", base::print_instant(receipt.run_at_us));
  return body;
}

}  // namespace

std::string print_receipt(const Receipt& receipt, const std::string& previous_sha256) {
  Json body = print_body(receipt, previous_sha256);
  std::string text = Json::object({{"tenter", body}}).print();
  if (text.size() < kReceiptBytesMax) return text;
  if (!receipt.files.empty()) body.set("files", base::sha256_hex(print_files(receipt.files).print()));
  if (!receipt.batches.empty()) body.set("batches", base::sha256_hex(print_batches(receipt.batches).print()));
  if (!receipt.decisions.empty())
    body.set("decisions", base::sha256_hex(print_decisions(receipt.decisions).print()));
  return Json::object({{"tenter", std::move(body)}}).print();
}

std::optional<base::Json> receipt_of(const base::Json& commit_info) {
  const auto text = commit_info.string("userMetadata");
  if (!text) return std::nullopt;
  const auto parsed = Json::parse(*text);
  if (!parsed) return std::nullopt;
  const Json* body = parsed->find("tenter");
  if (body == nullptr || !body->is_object()) return std::nullopt;
  return *body;
}

}  // namespace load
