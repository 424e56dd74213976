// "on failure" of tenter.yml.
#pragma once

#include <contract/document.h>

#include "faults.h"
#include "yaml.h"

namespace contract {

// Nothing when a fault was reported; code "settings.on_failure".
std::optional<FailureHook> read_failure_hook(const Node& node, Faults& faults);

}  // namespace contract
