// Decisions that were taken about batches, as the logs still tell them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <table/table.h>

#include "receipt.h"

namespace load {

// The decision a receipt holds, if any.
std::optional<ReceiptDecision> decision_in(const base::Json& receipt);

// By batch: the newest decision to accept its rejects that the table's log still holds.
base::Result<std::map<std::string, ReceiptDecision>> accepting_decisions(const table::Access& access,
                                                                         const std::string& table_path);
// By superseded batch: the decision that the landing table's log still holds.
base::Result<std::map<std::string, ReceiptDecision>> superseding_decisions(const table::Access& access,
                                                                           const std::string& landing_path);

}  // namespace load
