// Batches that stand in the place of another: `tenter batch supersede OLD NEW`. Each pair is a transaction
// of the landing table, whose version is the instant that NEW's rows take over from OLD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <load/load.h>
#include <table/table.h>

namespace load {

struct Standing {
  std::string old;
  std::string by;
  std::int64_t loaded_at_us = 0;  // at which the rows of `by` count as loaded
};

std::string supersede_app_id(const std::string& old, const std::string& by);
std::vector<Standing> standings(const table::Snapshot& bronze);
// The pair that puts another batch in the place of `old`; null when there is none.
const Standing* find_standing(const std::vector<Standing>& pairs, const std::string& old);

// Marks both batches of each pair and moves the later one behind the one in whose place it stands.
void put_in_place(const std::vector<Standing>& pairs, std::vector<Batch>& batches);

// `scan` over the landing table, in which rows of a batch that stands for another have that one's
// _loaded_at.
std::string in_place(const table::Snapshot& bronze, const std::string& scan);

// Fails with "batch.superseded" unless the table loaded the batch before it was superseded; `txn`: what its
// log says of the batch.
base::Status refuse_superseded(const contract::TableName& target, const Batch& batch,
                               std::optional<std::int64_t> txn);

}  // namespace load
