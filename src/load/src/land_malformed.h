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

// Where malformed records are refused: the first of the file, and how many there are.
// "land.malformed_record".
base::Result<std::optional<base::Error>> first_malformed(const RecordFile& file);

class MalformedTable {
 public:
  MalformedTable(const Place& place, const contract::Landing& landing);

  // Call before add(): what stands in the table now, of a landing that bronze does not know, is an orphan
  // once the bronze commit is made: whoever wrote it stood on an older bronze, loses and lands anew.
  base::Status note_version();
  // After the bronze commit: takes away the records of landings that were cut before theirs; `before` is
  // bronze as it was before the commit. Records written since note_version() stay: they belong to a landing
  // that may be committed yet.
  base::Status remove_orphans(const table::Snapshot* bronze, const LandedBefore& before);
  // Commits the malformed records of a landing that is about to be committed.
  base::Status add(const MalformedBatch& batch);
  // After a bronze commit that lost the race: removes what add() committed.
  base::Status take_back();
  // Records that add() committed, by code.
  const std::map<std::string, std::int64_t>& codes() const { return codes_; }

 private:
  base::Result<std::vector<std::string>> orphans(const table::Snapshot& malformed,
                                                 const table::Snapshot* bronze,
                                                 const LandedBefore& before) const;
  base::Result<bool> remove(const table::Snapshot& malformed, std::vector<std::string> paths);
  base::Status count_codes();
  base::Status commit_adds();

  const Place& place_;
  table::Access access_;
  contract::TableName name_;
  std::string path_;
  std::int64_t noted_version_ = -1;
  // What add() committed.
  std::optional<table::DataFile> added_;
  std::string receipt_batch_;
  std::string ledger_hash_;
  std::vector<LedgerFile> files_;
  std::map<std::string, std::int64_t> codes_;
};

}  // namespace load
