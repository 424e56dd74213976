// The table quarantine.<object>_malformed: records that could not be split, with their bytes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <load/load.h>
#include <table/table.h>

#include "land_ledger.h"
#include "land_source.h"

namespace load {

struct MalformedBatch {
  std::string batch;
  std::string ledger_hash;
  std::int64_t loaded_at_us = 0;
  std::vector<LedgerFile> files;  // of the whole landing, with their counts
  std::vector<SourceFile> sources;
};

class MalformedTable {
 public:
  MalformedTable(const Place& place, const contract::Landing& landing);

  // Takes away what a run that was cut before its bronze commit left: the records of landings whose
  // ledger bronze does not know.
  base::Status remove_orphans(const table::Snapshot* bronze, const LandedBefore& before);
  // Commits the malformed records of a landing that is about to be committed.
  base::Status add(const MalformedBatch& batch);
  // After the bronze commit: another landing that ran beside may have taken them for orphans.
  base::Status make_sure();
  // Records that add() committed, by code.
  const std::map<std::string, std::int64_t>& codes() const { return codes_; }

 private:
  base::Result<std::vector<std::string>> orphans(const table::Snapshot& malformed,
                                                 const table::Snapshot* bronze,
                                                 const LandedBefore& before) const;
  // Another landing of the same batch and files has committed the same records, and they are live.
  base::Result<bool> is_there(const table::Snapshot& malformed) const;
  base::Status count_codes();
  base::Status commit_adds();

  const Place& place_;
  table::Access access_;
  contract::TableName name_;
  std::string path_;
  // What add() committed, for make_sure().
  std::optional<table::DataFile> added_;
  std::string receipt_batch_;
  std::string ledger_hash_;
  std::vector<LedgerFile> files_;
  std::map<std::string, std::int64_t> codes_;
};

}  // namespace load
