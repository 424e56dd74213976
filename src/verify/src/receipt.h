// The receipt in a commit's userMetadata, read strictly as docs/receipt.schema.json has it. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>

namespace verify {

struct ReceiptSource {
  std::string table;
  std::string id;
  std::int64_t version = -1;
};

struct ReceiptHash {
  std::string before;
  std::string after;
  std::int64_t rows = 0;
};

struct ReceiptDecision {
  std::string what;
  std::string because;
  std::string user;
  std::string at;
};

struct Receipt {
  std::string kind;
  std::string table;
  std::optional<std::string> contract_hash;
  std::optional<std::string> batch;
  std::optional<std::string> superseded_by;
  std::optional<std::string> stands_for;
  std::optional<base::Json> batches;  // of a recomputation: a list, or at the size limit one hash
  std::vector<ReceiptSource> sources;
  std::optional<std::string> ledger_hash;
  std::optional<std::map<std::string, std::int64_t>> counts;
  std::map<std::string, std::int64_t> rejects;
  std::map<std::string, std::int64_t> warnings;
  std::int64_t conflicting = 0;
  std::optional<ReceiptHash> hash;
  std::optional<base::Json> files;  // a list, or at the size limit one hash
  std::string previous_sha256;
  std::optional<ReceiptDecision> decision;
  std::string run_at;
  std::int64_t run_at_us = 0;

  std::int64_t count(const std::string& term) const;  // 0 when absent
  bool loads_batch() const;                           // load, replay, apply: counts of one whole batch
  bool settles_rows() const;                          // those, and a retry
};

// The terms whose sum is `read`.
const std::vector<std::string>& balance_terms();

struct ReadReceipt {
  bool present = false;               // userMetadata holds a "tenter" object
  std::vector<std::string> problems;  // why it is not well-formed
  Receipt receipt;                    // as far as it could be read
};
ReadReceipt read_receipt(const base::Json& commit_info);

}  // namespace verify
