// Rejects that were taken up again: what a retry judged, and batches whose rows stand for rejects.
#pragma once

#include <optional>
#include <string>

#include "deep.h"

namespace verify {

// Contracts know a source column by its clean name, also where the landing table keeps it as sent.
std::vector<Field> clean_fields(const State& landed);

// How the rows of one commit were compared with the table, and where they came from.
struct Manner {
  std::string rows;      // SELECT of them, in the landing table's columns, with the instants that count
  std::string others;    // SELECT of the rows of every batch that was loaded by then, likewise
  std::string strict;    // SQL over j: a row that gives way to one as old as itself
  std::string snapshot;  // SQL: when the newest full snapshot landed; empty: it does not matter
  bool is_retry = false;
  bool is_snapshot = false;  // deletes what it lacks
};
base::Result<Manner> manner_of(Examination& examination, const Batch& batch);

// The quarantine as the run that finished this retry left it; nothing when none is in the log.
const State* after_retry(const Examination& examination, const Entry& entry);

// SELECT of the rejects that a retry judged, as the quarantine held them.
base::Result<std::string> retried_rejects(Examination& examination, const Entry& entry,
                                          const Receipt& receipt, const State& quarantine);

// What a retry's receipt counts, from the quarantine before and after it (see count_checks.cpp).
base::Status check_retry(Examination& examination, const Table& target, const Entry& entry,
                         const Receipt& receipt);

}  // namespace verify
