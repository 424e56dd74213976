// Recomputations of a whole table from its loaded batches: kind from_bronze.
#pragma once

#include <string>
#include <vector>

#include "examination.h"

namespace verify {

// `batches` in landing order, one that stands for another where that one stood: by the first _loaded_at of
// each that counts. A batch without rows comes first.
base::Result<std::vector<std::string>> batches_in_order(Examination& examination, const State& landed,
                                                        std::vector<std::string> batches);

// The receipt lists `loaded` and no others, in landing order.
base::Status check_recomputed_batches(Examination& examination, const Table& target, const Entry& entry,
                                      const Receipt& receipt, const State& landed,
                                      std::vector<std::string> loaded);

}  // namespace verify
