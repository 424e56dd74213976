// One connection to the database, and what its errors mean.
#pragma once

#include <duckdb.h>

#include <atomic>
#include <memory>

#include "registry.h"
#include "spark_functions.h"

namespace engine {

// What an engine and its connections have in common.
struct Shared {
  explicit Shared(Zones::Source zones) : spark_functions(std::make_shared<const Zones>(std::move(zones))) {}
  std::shared_ptr<Registry> registry = std::make_shared<Registry>();
  SparkFunctions spark_functions;
  std::atomic<bool> locked_down = false;
};

class DatabaseConnection final : public Connection {
 public:
  DatabaseConnection(duckdb_connection connection, std::shared_ptr<Shared> shared)
      : connection_(connection), shared_(std::move(shared)) {}
  ~DatabaseConnection() override { duckdb_disconnect(&connection_); }
  DatabaseConnection(const DatabaseConnection&) = delete;
  DatabaseConnection& operator=(const DatabaseConnection&) = delete;

  duckdb_connection raw() const { return connection_; }

  base::Status execute(const std::string& sql) override;
  base::Result<Rows> query(const std::string& sql) override;
  base::Status query_each(const std::string& sql,
                          const std::function<base::Status(const Rows& chunk)>& on_chunk) override;
  base::Result<ParquetFile> write_parquet(const std::string& select, const std::string& path,
                                          const ParquetOptions& options) override;

 private:
  using OnChunk = std::function<base::Status(const Rows& chunk)>;

  base::Status stream(const std::string& sql, const OnChunk& on_chunk, bool& is_interrupted);
  base::Status make_ready(const std::string& sql);
  base::Status check_allowed(const std::string& sql) const;
  base::Error prepare_error(const char* message) const;
  base::Error error_of(duckdb_error_type type, const char* message) const;

  duckdb_connection connection_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace engine
