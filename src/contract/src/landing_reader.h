// Reads a landing table's document into the model.
#pragma once

#include <contract/document.h>
#include <contract/model.h>

#include "faults.h"

namespace contract {

// Complete only when no fault was reported.
Landing read_landing(const Node& root, const DocumentPlace& place, Faults& faults);

}  // namespace contract
