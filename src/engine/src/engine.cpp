#include <base/text.h>

#include "connection.h"
#include "functions.h"
#include "zones.h"

namespace engine {

namespace {

using base::Kind;

base::Error open_error(std::string message) {
  return base::Error{Kind::internal, "engine.open", "cannot open the engine: " + std::move(message), {}, {}};
}

class Configuration {
 public:
  Configuration() { duckdb_create_config(&config_); }
  ~Configuration() { duckdb_destroy_config(&config_); }
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  void set(const char* name, const std::string& value) {
    if (duckdb_set_config(config_, name, value.c_str()) != DuckDBSuccess && fault_.empty())
      fault_ = std::string(name) + " cannot be '" + value + "'";
  }
  duckdb_config get() const { return config_; }
  const std::string& fault() const { return fault_; }  // of the first setting that was refused

 private:
  std::string fault_;
  duckdb_config config_ = nullptr;
};

class Database final : public Engine {
 public:
  Database(duckdb_database database, Zones::Source zones)
      : database_(database), shared_(std::make_shared<Shared>(std::move(zones))) {}
  ~Database() override { duckdb_close(&database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  base::Status prepare();
  base::Result<std::unique_ptr<Connection>> connect() override;
  std::uint64_t add(std::shared_ptr<RowFunction> function) override {
    return shared_->registry->add(std::move(function));
  }
  std::uint64_t add(std::shared_ptr<RowSource> source) override {
    return shared_->registry->add(std::move(source));
  }
  void forget(std::uint64_t id) override { shared_->registry->forget(id); }
  base::Status lock_down(const std::vector<std::string>& directories) override;

 private:
  base::Result<std::unique_ptr<DatabaseConnection>> connect_raw();

  duckdb_database database_;
  std::shared_ptr<Shared> shared_;
};

base::Result<std::unique_ptr<DatabaseConnection>> Database::connect_raw() {
  duckdb_connection connection = nullptr;
  if (duckdb_connect(database_, &connection) != DuckDBSuccess)
    return base::fail(open_error("no connection to the database"));
  return std::make_unique<DatabaseConnection>(connection, shared_);
}

base::Result<std::unique_ptr<Connection>> Database::connect() {
  TRY(auto connection, connect_raw());
  return std::unique_ptr<Connection>(std::move(connection));
}

base::Status Database::prepare() {
  TRY(const auto connection, connect_raw());
  TRY_STATUS(connection->execute("SET GLOBAL TimeZone = 'UTC'"));
  TRY_STATUS(register_call(connection->raw(), shared_->registry));
  TRY_STATUS(register_source(connection->raw(), shared_->registry));
  TRY_STATUS(register_payload(connection->raw()));
  return shared_->spark_functions.register_all(connection->raw());
}

base::Status Database::lock_down(const std::vector<std::string>& directories) {
  TRY(const auto connection, connect_raw());
  std::vector<std::string> quoted;
  for (const std::string& directory : directories) quoted.push_back(base::sql_quote(directory));
  TRY_STATUS(connection->execute("SET GLOBAL allowed_directories = [" + base::join(quoted, ", ") + "]"));
  TRY_STATUS(connection->execute("SET GLOBAL enable_external_access = false"));
  TRY_STATUS(connection->execute("SET GLOBAL lock_configuration = true"));
  shared_->locked_down = true;
  return {};
}

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::open(const Settings& settings) {
  Configuration configuration;
  configuration.set("autoinstall_known_extensions", "false");
  configuration.set("autoload_known_extensions", "false");
  configuration.set("allow_community_extensions", "false");
  configuration.set("preserve_insertion_order", settings.keep_order ? "true" : "false");
  configuration.set("temp_directory", settings.temp_directory);
  if (settings.threads > 0) configuration.set("threads", std::to_string(settings.threads));
  if (!settings.memory_limit.empty()) configuration.set("memory_limit", settings.memory_limit);
  if (!configuration.fault().empty()) return base::fail(open_error(configuration.fault()));
  duckdb_database database = nullptr;
  char* message = nullptr;
  if (duckdb_open_ext(":memory:", &database, configuration.get(), &message) != DuckDBSuccess) {
    const std::string text = message ? message : "no reason given";
    duckdb_free(message);
    return base::fail(open_error(text));
  }
  auto engine = std::make_unique<Database>(database, settings.zone_named);
  TRY_STATUS(engine->prepare());
  return std::unique_ptr<Engine>(std::move(engine));
}

std::string library_version() {
  return duckdb_library_version();
}

base::Result<Engine*> LazyEngine::engine() {
  if (!engine_) {
    TRY(engine_, Engine::open(settings_));
  }
  return engine_.get();
}

base::Result<Connection*> LazyEngine::connection() {
  if (!connection_) {
    TRY(Engine* const opened, engine());
    TRY(connection_, opened->connect());
  }
  return connection_.get();
}

}  // namespace engine
