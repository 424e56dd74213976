// The judgement of a batch in the pass that lands it: one contract's rules, run over the records on their
// way into the landing table, so that they are not read a second time. The rules are those of judge.h; only
// the place where they run differs. Rows are known by file and line here, as the landed rows name them, and
// the load's later passes split the delivered files again, which costs less than reading what was landed.
// Such a file must be as it was: the load asks before each of its commits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <engine/engine.h>
#include <load/load.h>
#include <table/table.h>

#include "batch_rows.h"
#include "judge.h"
#include "land_source.h"
#include "row_states.h"
#include "run.h"

namespace load {

class EarlyJudgement {
 public:
  // Of the rows of `files` under the contract that is installed on `target`, in a landing table with
  // `schema`. Nothing when they cannot be judged here: the table is not built or loads from elsewhere, its
  // rules read other tables or know delete claims, or lines do not name rows.
  static base::Result<std::shared_ptr<EarlyJudgement>> prepare(const Place& place,
                                                               const contract::TableName& target,
                                                               const contract::TableName& landing,
                                                               const delta::Schema& schema,
                                                               const std::vector<SourceFile>& files);

  // SQL of `rows` (bronze columns and _file_index) judged. The rows that are to be judged must pass the tap.
  std::string relation(const std::string& rows) const;
  const std::shared_ptr<JudgeTap>& tap() const { return tap_; }
  const Judge& judge() const { return *judge_; }

  // Once the rows are written and their commit is made.
  void landed(const std::string& landing_id, LandedAs as, const table::DataFile& file);

  // Whether it is of this batch as the landing table holds it, under this contract.
  bool fits(const contract::TableName& target, const std::string& contract_hash, const Batch& batch,
            const table::Snapshot& bronze) const;
  // The batch's rows, known by the numbers that the states have. Once.
  BatchRows rows(engine::Engine& engine, int scans_max);
  // Fails with `kContractChanged` when a delivered file is no longer the one that was landed.
  base::Status check_files(const world::Files& files) const;
  RowStates take_states() { return std::move(*states_); }
  // Of each bronze column, as the writer of the file counted them; nothing when it did not.
  std::optional<std::vector<std::int64_t>> not_null() const;

 private:
  contract::TableName target_;
  std::string contract_hash_;
  delta::Schema schema_;
  std::vector<SourceFile> files_;
  std::unique_ptr<Judge> judge_;
  std::unique_ptr<RowNumbers> numbers_;
  std::unique_ptr<RowStates> states_;
  std::shared_ptr<JudgeTap> tap_;
  std::string landing_id_;
  LandedAs as_;
  std::optional<table::DataFile> file_;
  bool is_used_ = false;
};

}  // namespace load
