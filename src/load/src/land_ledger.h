// The ledger: which files a landing took in. It stands in the commit's commitInfo.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <table/table.h>

namespace load {

inline constexpr std::string_view kLedgerMember = "tenterLedger";
inline constexpr int kLedgerFormat = 1;

struct LedgerFile {
  std::string path;
  std::uint64_t size = 0;
  std::int64_t modified_us = 0;
  std::string sha256;
  std::int64_t rows = 0;
  std::int64_t malformed = 0;
  std::vector<std::string> header;   // as sent
  std::vector<std::string> columns;  // bronze names
};

// Files sorted by path; the text of this value is what the ledger hash is made of.
base::Json print_ledger(const std::string& batch, const std::vector<LedgerFile>& files);

// What the log of a landing table still tells.
struct LandedBefore {
  std::map<std::string, LedgerFile> newest;            // by path; only path, size, time and hash
  std::map<std::string, std::string> path_of_content;  // sha256 -> the first path that had it
  std::set<std::string> ledger_hashes;
  bool log_is_whole = true;  // from version 0 on
};
base::Result<LandedBefore> landed_before(const table::Access& access, const std::string& table_path);

// The appId of the txn action of one landed file.
std::string land_app_id(const std::string& path, const std::string& content_sha256);

// "20260301T120000Z-" and 8 hex digits of the hash of the ledger whose batch is still empty.
std::string make_batch_id(std::int64_t run_at_us, const std::vector<LedgerFile>& files);
base::Status check_batch_id(const std::string& id);  // code "land.bad_batch_id"

}  // namespace load
