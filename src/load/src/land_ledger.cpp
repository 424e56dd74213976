#include "land_ledger.h"

#include <algorithm>

#include <base/hash.h>
#include <base/time.h>

#include "receipt.h"

namespace load {

namespace {

using base::Json;

Json names(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(text);
  return list;
}

std::string text_of(const Json& entry, std::string_view name) {
  return std::string(entry.string(name).value_or(""));
}

}  // namespace

base::Json print_ledger(const std::string& batch, const std::vector<LedgerFile>& files) {
  Json list = Json::array();
  for (const LedgerFile& file : files)
    list.push(Json::object({{"path", file.path},
                            {"size", file.size},
                            {"modified_us", file.modified_us},
                            {"sha256", file.sha256},
                            {"rows", file.rows},
                            {"malformed", file.malformed},
                            {"header", names(file.header)},
                            {"columns", names(file.columns)}}));
  return Json::object({{"format", kLedgerFormat}, {"batch", batch}, {"files", std::move(list)}});
}

base::Result<LandedBefore> landed_before(const table::Access& access, const std::string& table_path) {
  LandedBefore before;
  TRY(const std::vector<table::HistoryEntry> entries, table::history(access, table_path));
  before.log_is_whole = !entries.empty() && entries.back().version == 0;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const Json* ledger = entry->commit_info.find(kLedgerMember);
    if (ledger == nullptr) continue;
    if (const auto receipt = receipt_of(entry->commit_info))
      before.ledger_hashes.insert(text_of(*receipt, "ledger_hash"));
    const Json* files = ledger->find("files");
    if (files == nullptr) continue;
    for (const Json& item : files->items()) {
      LedgerFile file;
      file.path = text_of(item, "path");
      file.size = static_cast<std::uint64_t>(item.int64("size").value_or(-1));
      file.modified_us = item.int64("modified_us").value_or(0);
      file.sha256 = text_of(item, "sha256");
      before.path_of_content.emplace(file.sha256, file.path);
      before.newest[file.path] = std::move(file);
    }
  }
  return before;
}

std::string land_app_id(const std::string& path, const std::string& content_sha256) {
  return "tenter/land/" + base::sha256_hex(path + "\n" + content_sha256);
}

std::string make_batch_id(std::int64_t run_at_us, const std::vector<LedgerFile>& files) {
  return base::print_compact_instant(run_at_us) + "-" +
         base::sha256_hex(print_ledger("", files).print()).substr(0, 8);
}

base::Status check_batch_id(const std::string& id) {
  const auto is_letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  const auto fits = [&](char c) { return is_letter(c) || c == '.' || c == '_' || c == '-'; };
  if (!id.empty() && id.size() <= 64 && is_letter(id[0]) && std::all_of(id.begin(), id.end(), fits))
    return {};
  return base::fail(base::Kind::invalid, "land.bad_batch_id", "\"" + id + "\" cannot be a batch's id",
                    "use up to 64 letters, digits, dots, dashes and underscores, a letter or digit first");
}

}  // namespace load
