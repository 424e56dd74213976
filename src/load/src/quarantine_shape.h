// The columns of a quarantine: what a contract needs there, and how a table that is there already grows to it
// without losing a value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run.h"

namespace load {

// Who resolved which rejects of a quarantine last: the appId of a txn in the quarantine, whose version is the
// target's version that did so; and of the one in the target that asks for it.
std::string resolved_app_id(const std::string& target_id);
std::string resolving_app_id(const std::string& quarantine_id);

// The columns that rejects of this contract need, in the order of a new quarantine.
delta::Schema quarantine_schema(const Run& run);

// `current` with the missing columns of `wanted` at its end; nothing when none is missing.
std::optional<delta::Schema> widened(const delta::Schema& current, const delta::Schema& wanted);

// Moves columns that `wanted` has with another type out of the way, in one commit: the old values of `amount`
// stand in `was_int_amount` from then on, and the name is free. The newest snapshot.
base::Result<table::Snapshot> move_retyped(const Run& run, table::Snapshot quarantine,
                                           const delta::Schema& wanted);

// A receipt of kind quarantine without counts.
Receipt quarantine_receipt(const Run& run);

}  // namespace load
