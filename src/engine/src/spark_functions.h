// Spark 3.5's meaning where the engine's own differs: the functions named spark_… that sql::print_engine
// writes. None of them raises an error for any row; NULL in gives NULL unless said otherwise.
// One per database; safe to share between threads (each with its own connection).
#pragma once

#include <duckdb.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <base/result.h>

#include "zones.h"

namespace engine {

class SparkFunctions {
 public:
  explicit SparkFunctions(std::shared_ptr<const Zones> zones) : zones_(std::move(zones)) {}

  // Once per database, when it is opened.
  base::Status register_all(duckdb_connection connection);
  // Before each statement: functions that give a DECIMAL carry its width and scale in their name
  // (spark_decimal_18_2) and are registered when first named. Cheap when the text names none.
  base::Status ensure_decimals(duckdb_connection connection, std::string_view sql);

 private:
  std::shared_ptr<const Zones> zones_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> decimals_;
};

}  // namespace engine
