// What the checks share: the tables under examination and the report that they fill. Each check is a
// free function over an Examination; findings never stop it, errors of the machine do.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <verify/verify.h>

#include "log.h"
#include "receipt.h"
#include "rows.h"

namespace verify {

// One table with the receipts of its entries.
struct Table {
  contract::TableName name;
  Log log;
  std::vector<ReadReceipt> receipts;  // one for each of log.entries

  const State& state() const { return *log.state; }
  const Receipt* receipt(const Entry& entry) const;  // null unless well-formed
};

struct Examination {
  Examination(const Request& of, Report& into)
      : request(of), report(into), rows(*of.world->files, *of.engine) {}

  const Request& request;
  Report& report;
  Scanner rows;
  std::optional<Table> target;
  std::optional<Table> source;      // the table that the contract loads from
  std::optional<Table> malformed;   // of the source
  std::optional<Table> quarantine;  // of the contract

  // The contract that a state's property holds; null when there is none or it cannot be read.
  const contract::Contract* contract_of(const State& state);
  void progress(std::string_view what) const;

  void ok(std::string code, const Table& table, std::int64_t version, std::string subject = {});
  void failed(std::string code, const Table& table, std::int64_t version, std::string subject,
              std::string expected, std::string found);
  void not_covered(std::string code, const Table& table, std::int64_t version, std::string subject,
                   std::string why);
  // ok when both are equal, else failed.
  void compare(std::string code, const Table& table, std::int64_t version, std::string subject,
               const std::string& expected, const std::string& found);
  void compare(std::string code, const Table& table, std::int64_t version, std::string subject,
               std::int64_t expected, std::int64_t found);
  // Turns an error of reading rows into the finding "verify.file_unreadable"; any other is returned.
  base::Status unreadable(const base::Error& error, const Table& table, std::int64_t version);

 private:
  std::map<std::string, std::shared_ptr<const contract::Contract>> contracts_;  // by canonical text
};

base::Result<std::optional<Table>> open_table(Examination& examination, const contract::TableName& name,
                                              std::optional<std::int64_t> version);

// ---- the checks, in their order ---------------------------------------------------------------------

// Any table: receipts, chain, hashes (receipt_checks.cpp); live files (file_checks.cpp).
base::Status check_receipts(Examination& examination, const Table& table);
base::Status check_files(Examination& examination, const Table& table);
// A landing table: ledger against rows (ledger_checks.cpp).
base::Status check_ledgers(Examination& examination, const Table& landing);
// A landing table: each pair of batches of which one stands in the other's place (standing.cpp).
base::Status check_supersessions(Examination& examination, const Table& landing);
// A quarantine: ids of rejects against their values (ledger_checks.cpp).
base::Status check_reject_ids(Examination& examination, const Table& quarantine, const Table& landing);
// The contract on the table and in its rows (contract_checks.cpp).
base::Status check_contract(Examination& examination, const Table& target);
// Counts of loads (count_checks.cpp).
base::Status check_counts(Examination& examination, const Table& target);
// Batches judged anew (deep.cpp).
base::Status check_deep(Examination& examination, const Table& target);

// ---- shared by several checks -----------------------------------------------------------------------

// The fields that a state's table hash is taken over.
std::vector<Field> hashed_fields(Examination& examination, const State& state);
std::vector<Field> declared_fields(const contract::Contract& contract);
std::string load_app_id(const std::string& source_id, const std::string& batch);
// Batches that a state of the target says are loaded, in order of their names.
std::vector<std::string> loaded_batches(const State& target, const std::string& landing_id);
// The version of the quarantine that a load's sources name, else the newest that a run not later than
// it wrote; -1: none yet; nothing: its entries are not in the log any more.
std::optional<std::int64_t> quarantine_version(const Table& quarantine, const Receipt& load);
// The table's state after a version that is in its log, or at its start.
const State* state_at(const Table& table, std::int64_t version);
bool is_landing(const Table& table);

}  // namespace verify
