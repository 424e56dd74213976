// Rejects have a life: judged again under the contract of today (retry), or corrected in a file that lands as
// a batch of its own (apply). Either brings rows into the contract table by one commit of the target and
// marks the rejects as resolved by one commit of the quarantine after it; a run that is cut between the two
// is finished by the next one (`finish_resolving`).
//
// For one thread; two processes may do this at once (commits decide).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <load/land.h>
#include <load/load.h>

namespace load {

struct RetryOptions {
  std::optional<std::string> batch;   // id; else every batch that has open rejects
  std::optional<std::string> reason;  // only rejects with this code
};

struct Retried {
  LoadReport load;  // counts.quarantined: rows that still fail, and stay open
  std::int64_t resolved = 0;
};

struct RetryReport {
  std::vector<Retried> batches;  // in the order in which their rows landed
  struct PassedOver {
    std::string batch;
    BatchState state = BatchState::pending;
  };
  std::vector<PassedOver> passed_over;  // batches that are not loaded: their rows are not in the table
  std::int64_t never_retried = 0;  // open rejects that only say that their key stands in the batch already
};

// Judges open rejects of loaded batches under the installed contract, each with the file, line, instant and
// batch that it came with. One commit for each batch in which a row passes. Codes: "load.not_built",
// "rejects.batch_not_loaded" (a batch was named), and those of load_batch.
base::Result<RetryReport> retry_rejects(const Place& place, const contract::TableName& target,
                                        const RetryOptions& options);

struct ApplyOptions {
  std::string path;                  // of the file of corrected rows, as it will stand in _source_file
  std::string absolute;              // where it can be opened
  std::optional<std::string> batch;  // the new batch's id
  std::string because;
};

struct ApplyReport {
  std::string batch;
  bool landed_before = false;  // by an earlier run: it was cut, or is said again
  std::int64_t rows = 0;       // that landed now
  LoadReport load;
  std::int64_t resolved = 0;
};

// Lands a CSV file with a header as its own batch and loads that. Columns are named as in the landing table,
// or raw_<name> as `tenter rejects --format csv` writes them; what else that writes is left out. A row with a
// `_reject_id` takes the `_loaded_at` of that reject and resolves it when it is accepted. Nothing is written
// unless the whole file is sound: codes "apply.unknown_column", "apply.unknown_reject",
// "apply.resolved_reject", "apply.repeated_reject", "apply.no_rows", "apply.typed_landing",
// "apply.batch_exists", "apply.not_a_correction", "land.*".
base::Result<ApplyReport> apply_rejects(const Place& place, const contract::TableName& target,
                                        const contract::Landing& landing, const LandOptions& land_options,
                                        const ApplyOptions& options);

// Marks what a run that was cut had resolved. Cheap when nothing is due.
base::Status finish_resolving(const Place& place, const contract::TableName& target);

}  // namespace load
