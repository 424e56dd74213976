// Batches that stand in the place of others, as the landing table's log tells: one transaction a pair, whose
// version is the instant at which the later batch's rows count as loaded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log.h"

namespace verify {

struct Pair {
  std::string old;
  std::string by;
  std::int64_t loaded_at_us = 0;
};
std::vector<Pair> pairs_of(const std::map<std::string, std::int64_t>& txns);
// Rows of the landing table, with the _loaded_at that counts.
std::string in_place(const State& landed, const std::string& relation);

}  // namespace verify
