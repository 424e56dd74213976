// A landing table as contracts see it: every column under its clean name, whatever the table calls it.
#pragma once

#include <string>

#include <base/result.h>
#include <table/table.h>

namespace load {

// For reading only: the snapshot's schema is not the table's own where names are kept as sent.
base::Result<table::Snapshot> open_bronze(const table::Access& access, const std::string& path);

}  // namespace load
