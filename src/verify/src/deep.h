// The steps of judging batches anew, shared by loads of one batch and recomputations of many.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "examination.h"
#include "judgement.h"

namespace verify {

// A commit that loaded, under examination.
struct Load {
  const Entry& entry;
  const Receipt& receipt;
  const contract::Contract& contract;
  const State& landed;      // the landing table as the load read it
  const State* quarantine;  // as that run left it; may be null
};

// One batch of it.
struct Batch {
  const Load& load;
  std::string id;
  std::string target;               // SELECT of the target's rows before it: declared columns, _loaded_at
  std::vector<std::string> loaded;  // batches that were loaded by then
};

using Numbers = std::map<std::string, std::int64_t>;

// Makes the tables verify_ranked (every row, its fate within the batch) and verify_settled (accepted
// rows, their fate against the target).
base::Result<Judgement> judge(Examination& examination, const Batch& batch);
base::Result<Numbers> count_fates(Examination& examination);
base::Result<Numbers> count_warnings(Examination& examination, const Judgement& judgement);
void compare_terms(Examination& examination, const Table& target, const Load& load, Numbers fates);
void compare_warnings(Examination& examination, const Table& target, const Load& load,
                      const Numbers& warnings);
// The rejects of the batch in the load's quarantine.
base::Status compare_rejects(Examination& examination, const Table& target, const Batch& batch,
                             const Judgement& judgement);
// Says under `code` whether two relations with the same columns hold the same rows.
base::Status compare_relations(Examination& examination, std::string code, const Table& table,
                               std::int64_t version, const std::string& subject, const std::string& expected,
                               const std::string& found);

// A recomputation: all its batches, one after the other, from nothing (deep_recomputed.cpp).
base::Status check_recomputation(Examination& examination, const Table& target, const Load& load);

}  // namespace verify
