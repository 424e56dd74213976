// The rejected rows of a batch as a relation.
#pragma once

#include <memory>
#include <string>

#include "run.h"

namespace load {

// SQL of the rejected rows and why: the judged relation with the row's state, of those rows alone.
class Rejected {
 public:
  explicit Rejected(const Run& run)
      : lookup_(run.engine, std::make_shared<StateLookup>(run.rows.numbers, run.states)) {
    const std::string rows = rows_where(run, is_rejected(lookup_.call(kRowOfFile)));
    select_ = "SELECT *, " + lookup_.call("fi, fr") + " AS state FROM (" + run.judge.judged(rows) + ")";
  }
  const std::string& select() const { return select_; }

 private:
  Registered lookup_;
  std::string select_;
};

}  // namespace load
