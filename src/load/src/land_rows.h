// The records of new text files on their way into the landing table: one pass that writes them, adds up
// their hash and, for a contract table that the same run loads next, judges them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/actions.h>
#include <delta/schema.h>
#include <load/load.h>
#include <table/table.h>

#include "early_judgement.h"
#include "land_source.h"
#include "table_hash.h"

namespace load {

struct RowsToLand {
  contract::TableName table;
  std::string path;
  delta::Metadata metadata;
  delta::Schema schema;
  std::vector<SourceFile> files;
  std::string batch;
  std::int64_t loaded_at_us = 0;
  std::optional<contract::TableName> loaded_next;
};

struct LandedRows {
  std::optional<table::DataFile> data;
  std::vector<std::int64_t> rows;  // of each file
  std::vector<std::int64_t> malformed;
  Hashed hashed;  // what was handed to the writer
  std::shared_ptr<EarlyJudgement> early;
};

base::Result<LandedRows> write_landed_rows(const Place& place, const RowsToLand& what);

}  // namespace load
