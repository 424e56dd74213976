// A run with everything that it borrows, for callers that have no better place for it.
#pragma once

#include <memory>
#include <string>

#include <world/zones.h>

#include "run.h"

namespace load {

// What a run is about.
struct RunInput {
  Place place;
  contract::Contract contract;
  std::string contract_hash;
  table::Snapshot bronze;
  Batch batch;
};

class BatchRun {
 public:
  // Over the landed rows of the batch, or over `rows`, which may be none yet.
  static base::Result<std::unique_ptr<BatchRun>> prepare(RunInput input);
  BatchRun(const BatchRun&) = delete;
  BatchRun& operator=(const BatchRun&) = delete;

  void set_rows(BatchRows rows) {
    rows_ = std::move(rows);
    states_ = RowStates(rows_.numbers.size());
  }
  Run& run() { return run_; }

 private:
  BatchRun(RunInput input, Judge judge, engine::Engine& engine, engine::Connection& connection)
      : input_(std::move(input)),
        judge_(std::move(judge)),
        run_{input_.place,
             table::Access{input_.place.world, input_.place.engine},
             engine,
             connection,
             input_.contract,
             input_.contract_hash,
             input_.batch,
             input_.bronze,
             judge_,
             rows_,
             states_,
             report_,
             {},
             {},
             {}} {}

  RunInput input_;
  Judge judge_;
  BatchRows rows_{"", RowNumbers({})};
  RowStates states_{0};
  LoadReport report_;
  Run run_;
};

}  // namespace load
