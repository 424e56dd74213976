// The room that proves: it derives every number of every receipt anew from the log and the Parquet
// files, with a log replay of its own and the engine's Parquet reader, and says where a table and
// its receipts, constraints, statistics or keys differ. It never writes.
//
// A contract table is examined together with its landing table, its quarantine and that one's
// neighbour for malformed records. Any other table is examined as far as its receipts reach.
//
// Table hash: over the declared columns (contract table) or all columns (any other), in the order
// of the commit's own schema; `before` is the previous version's rows under those same columns.
//
// One call at a time per engine. Errors (as opposed to findings) mean that nothing could be said:
// "verify.no_table", "verify.version_missing", "verify.unsupported" (by name), "verify.log" and the
// machine's own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <engine/engine.h>
#include <world/world.h>

namespace verify {

struct Request {
  world::World* world = nullptr;         // borrowed for the call
  engine::LazyEngine* engine = nullptr;  // borrowed for the call
  std::string tables_root;               // folder that holds <schema>/<object>
  contract::TableName table;
  std::optional<std::int64_t> version;  // newest version to examine; none: the newest there is
  bool deep = false;                    // judge every loaded batch anew from bronze
  // Told what is examined next ("silver.orders version 3"); may be empty.
  std::function<void(std::string_view)> progress;
};

enum class Verdict {
  ok,
  failed,       // found and expected differ
  not_covered,  // cannot be said: the log or a file was cleaned away, or the rule reads the clock
};
std::string_view verdict_name(Verdict verdict);

struct Finding {
  Verdict verdict = Verdict::ok;
  std::string code;           // "verify.hash_after"; README.md of this room lists all
  std::string table;          // "silver.orders"
  std::int64_t version = -1;  // the version that it is about; -1: the table as a whole
  std::string subject;        // the count, column, file, constraint or batch; may be empty
  std::string expected;       // what was derived anew, or what the contract asks
  std::string found;          // what the receipt, the log or the table says
};
// One line for people: "silver.orders version 3: inserted: receipt says 5, the rows say 4 (verify.count)".
std::string print(const Finding& finding);

struct Report {
  std::string table;
  std::int64_t version = -1;  // of the table, as examined
  bool deep = false;
  std::vector<std::int64_t> versions;  // of the table, whose receipts were examined
  // Everything that was proven, failed or could not be said, in the order of tables and versions.
  std::vector<Finding> findings;

  bool ok() const;  // nothing failed
  std::int64_t count(Verdict verdict) const;
};

base::Result<Report> verify(const Request& request);

}  // namespace verify
