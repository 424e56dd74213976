// What a commit did to the rows of a keyed table, from its files alone.
#pragma once

#include <cstdint>
#include <optional>

#include "examination.h"

namespace verify {

struct Changes {
  std::int64_t inserted = 0;
  std::int64_t updated = 0;  // a declared column differs
  std::int64_t deleted = 0;
  std::int64_t touched = 0;  // only a managed column differs
};
// Every file of the entry must be there.
base::Result<Changes> count_changes(Examination& examination, const Entry& entry,
                                    const contract::Contract& contract);

// The quarantine as the run of that receipt left it: a null state when there was none, nothing when
// it cannot be known.
std::optional<const State*> quarantine_state(const Examination& examination, const Receipt& receipt);

}  // namespace verify
