// Receipts: what every commit says of itself (docs/receipt.schema.json).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <load/load.h>

namespace load {

struct ReceiptSource {
  std::string table;
  std::string id;
  std::int64_t version = -1;
};

struct ReceiptHash {
  std::string before;  // 32 hex digits
  std::string after;
  std::int64_t rows = 0;
};

struct ReceiptDecision {
  std::string what;
  std::string because;
  std::string user;
  std::int64_t at_us = 0;
};

struct BatchDecision {
  std::string batch;
  ReceiptDecision decision;
};

struct ReceiptFile {
  std::string path;
  std::string sha256;
};

// Members that do not apply stay out of the text.
struct Receipt {
  std::string kind;
  std::string table;
  std::string contract_hash;
  std::string batch;
  std::string superseded_by;         // of a superseded batch
  std::string stands_for;            // of a batch that is loaded in another's place
  std::vector<std::string> batches;  // of a recomputation, in landing order
  std::vector<ReceiptSource> sources;
  std::string ledger_hash;
  std::optional<Counts> counts;
  std::map<std::string, std::int64_t> rejects;
  std::map<std::string, std::int64_t> warnings;  // by check; stays out of the text when empty
  std::optional<std::int64_t> conflicting;
  std::optional<ReceiptHash> hash;
  std::vector<ReceiptFile> files;
  std::optional<ReceiptDecision> decision;
  std::vector<BatchDecision> decisions;  // of a recomputation: those that belong to its batches
  std::int64_t run_at_us = 0;
};

inline constexpr int kReceiptFormat = 1;
inline constexpr std::size_t kReceiptBytesMax = std::size_t{64} * 1024;

// The text for userMetadata. At the size limit `files`, `batches` and `decisions` become one hash each.
std::string print_receipt(const Receipt& receipt, const std::string& previous_sha256);

// The "tenter" object of a commit's userMetadata, when it carries a receipt.
std::optional<base::Json> receipt_of(const base::Json& commit_info);

}  // namespace load
