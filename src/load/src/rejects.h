// What retry, apply and the finishing of either share.
#pragma once

#include <string>

#include "batch_run.h"

namespace load {

// tenter_call(id, file, row) -> 1: gives the rows that it is told of one state.
class StateTap final : public engine::RowFunction {
 public:
  StateTap(const RowNumbers& numbers, RowStates& states, RowState state)
      : numbers_(numbers), states_(states), state_(state) {}
  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 1;
      states_.set(numbers_.of(input.int64s(0)[i], input.int64s(1)[i]), state_);
    }
    return {};
  }

 private:
  const RowNumbers& numbers_;
  RowStates& states_;
  const RowState state_;
};

// What becomes of rejects that were taken up again, by their ids.
struct Resolution {
  std::string passed;  // SELECT of the ids that are resolved
  // SELECT of ids as `id` that are not, with today's `_reject_reason`, `_reject_codes` and declared columns;
  // empty: none are looked at.
  std::string failed;
  std::string by;                   // _resolved_by
  std::string target_id;            // the target's table id,
  std::int64_t target_version = 0;  // and the version that resolved them; 0: none was committed
};
// One commit of the quarantine, or none when nothing is to be changed. Gives the number of rejects resolved
// by it.
base::Result<std::int64_t> write_resolution(const Run& run, const Resolution& resolution);

// Open rejects of the run's batch that may be retried, as rows of the landing table, with their `_reject_id`.
base::Result<BatchRows> open_rejects(const Run& run, const table::Snapshot& quarantine);
// Judges them: fills the states and the report. Gives the number of rows.
base::Result<std::int64_t> judge_open(Run& run, const table::Snapshot& target);
// After the commit: resolves what passed and gives what did not today's reasons.
base::Result<std::int64_t> resolve_retried(Run& run, const table::Snapshot& target);

// Before a batch that holds corrected rows is judged: gives them the instants of what they stand for.
base::Status prepare_applied(Run& run, BatchRows& rows, const table::Snapshot& target);
// After the commit of an applied batch: resolves the rejects that its accepted rows stand for.
base::Result<std::int64_t> resolve_applied(Run& run, const table::Snapshot& target);
// The batch's rows with the `_loaded_at` of the rejects that they stand for; the rows as they are where none
// does.
base::Result<std::string> with_original_instants(const Run& run, const std::string& rows);

// Among accepted rows of a retry: those that would put a key into the target twice are rejected after all.
base::Status reject_collisions(Run& run, const table::Snapshot& target);

// When the newest full snapshot landed that is loaded in `target`; nothing for other contracts.
base::Result<std::optional<std::int64_t>> newest_snapshot(const Run& run, const table::Snapshot& target);

}  // namespace load
