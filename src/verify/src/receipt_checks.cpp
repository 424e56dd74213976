// Every commit that changes rows carries a well-formed receipt, receipts are chained by the hash of
// the entry before, and their table hashes are what the Parquet files give.
#include <base/text.h>

#include "examination.h"

namespace verify {

namespace {

void check_presence(Examination& examination, const Table& table, const Entry& entry,
                    const ReadReceipt& read) {
  if (!read.present) {
    if (!entry.changes_rows) return;
    const std::string by(entry.commit_info.string("engineInfo").value_or("an unnamed writer"));
    examination.failed("verify.receipt_missing", table, entry.version, "", "a receipt",
                       "a commit without one, by " + by);
    return;
  }
  if (!read.problems.empty()) {
    examination.failed("verify.receipt_malformed", table, entry.version, "", "a well-formed receipt",
                       base::join(read.problems, "; "));
    return;
  }
  if (!base::equal_ignoring_case(read.receipt.table, table.name.text())) {
    examination.failed("verify.receipt_table", table, entry.version, "", table.name.text(),
                       read.receipt.table);
    return;
  }
  examination.ok("verify.receipt", table, entry.version, read.receipt.kind);
}

void check_chain(Examination& examination, const Table& table, const Entry& entry, const Receipt& receipt) {
  if (entry.version > 0 && entry.previous_sha256.empty())
    examination.not_covered("verify.chain", table, entry.version, "",
                            "the entry before is not in the log any more");
  else
    examination.compare("verify.chain", table, entry.version, "", entry.previous_sha256,
                        receipt.previous_sha256);
}

void check_contract_hash(Examination& examination, const Table& table, const Entry& entry,
                         const Receipt& receipt) {
  const std::string text = entry.after->property("tenter.contract");
  if (text.empty()) return;
  examination.compare("verify.contract_hash", table, entry.version, "receipt", contract::contract_hash(text),
                      receipt.contract_hash.value_or(""));
}

// Rows of a state under given fields; nothing when a file is gone (said as not covered).
base::Result<std::optional<RowsHash>> hash_rows(Examination& examination, const Table& table,
                                                const Entry& entry, const State& state,
                                                const std::vector<Field>& fields, const std::string& side) {
  const std::vector<LiveFile> files = live_files(state);
  if (const std::string gone = examination.rows.missing(files); !gone.empty()) {
    examination.not_covered("verify.hash_" + side, table, entry.version, "", "the file " + gone + " is gone");
    return std::optional<RowsHash>();
  }
  auto hash = examination.rows.hash(files, fields);
  if (!hash) {
    TRY_STATUS(examination.unreadable(hash.error(), table, entry.version));
    return std::optional<RowsHash>();
  }
  return std::optional<RowsHash>(*hash);
}

base::Status check_hash(Examination& examination, const Table& table, const Entry& entry,
                        const Receipt& receipt) {
  if (!receipt.hash) {
    if (entry.changes_rows)
      examination.not_covered("verify.hash_after", table, entry.version, "",
                              "the receipt holds no table hash");
    return {};
  }
  const std::vector<Field> fields = hashed_fields(examination, *entry.after);
  TRY(const auto before, hash_rows(examination, table, entry, *entry.before, fields, "before"));
  if (before)
    examination.compare("verify.hash_before", table, entry.version, "", before->text(), receipt.hash->before);
  TRY(const auto after, hash_rows(examination, table, entry, *entry.after, fields, "after"));
  if (!after) return {};
  examination.compare("verify.hash_after", table, entry.version, "", after->text(), receipt.hash->after);
  examination.compare("verify.rows", table, entry.version, "", after->rows, receipt.hash->rows);
  return {};
}

// A commit that says that it only moved rows (as another engine's compaction does) left them alone.
base::Status check_moved_rows(Examination& examination, const Table& table, const Entry& entry) {
  if (entry.changes_rows || (entry.adds.empty() && entry.removes.empty())) return {};
  const std::vector<Field> fields = entry.after->fields;
  TRY(const auto before, hash_rows(examination, table, entry, *entry.before, fields, "before"));
  TRY(const auto after, hash_rows(examination, table, entry, *entry.after, fields, "after"));
  if (before && after)
    examination.compare("verify.rows_moved", table, entry.version, "", before->text(), after->text());
  return {};
}

}  // namespace

base::Status check_receipts(Examination& examination, const Table& table) {
  for (std::int64_t version = 0; version < table.log.first; ++version)
    examination.not_covered("verify.retention", table, version, "", "its entry is not in the log any more");
  for (const Entry& entry : table.log.entries) {
    examination.progress(table.name.text() + " version " + std::to_string(entry.version));
    const ReadReceipt& read = table.receipts[static_cast<std::size_t>(entry.version - table.log.first)];
    check_presence(examination, table, entry, read);
    if (const Receipt* receipt = table.receipt(entry)) {
      check_chain(examination, table, entry, *receipt);
      check_contract_hash(examination, table, entry, *receipt);
      TRY_STATUS(check_hash(examination, table, entry, *receipt));
    }
    TRY_STATUS(check_moved_rows(examination, table, entry));
  }
  return {};
}

}  // namespace verify
