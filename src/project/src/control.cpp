#include "control.h"

#include <sqlite3.h>

namespace project {

namespace {

// A database that closes itself; statements are run one at a time.
class Database {
 public:
  static base::Result<Database> open(const std::string& path) {
    Database database;
    if (sqlite3_open_v2(path.c_str(), &database.handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        nullptr) != SQLITE_OK)
      return base::fail(database.error("open " + path));
    sqlite3_busy_timeout(database.handle_, 5'000);
    TRY_STATUS(
        database.run("CREATE TABLE IF NOT EXISTS failed_tries (table_key TEXT NOT NULL, batch TEXT NOT "
                     "NULL, code TEXT NOT NULL, message TEXT NOT NULL, at_us INTEGER NOT NULL, PRIMARY KEY "
                     "(table_key, batch)) STRICT",
                     {}, nullptr));
    TRY_STATUS(database.run(
        "CREATE TABLE IF NOT EXISTS told_failures (table_key TEXT NOT NULL, batch TEXT NOT NULL, at_us "
        "INTEGER NOT NULL, PRIMARY KEY (table_key, batch)) STRICT",
        {}, nullptr));
    return database;
  }
  Database(Database&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Database& operator=(Database&&) = delete;
  ~Database() { sqlite3_close(handle_); }

  base::Status run(const char* text, const std::vector<std::string>& values, std::vector<FailedTry>* rows) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, text, -1, &statement, nullptr) != SQLITE_OK)
      return base::fail(error("prepare"));
    for (std::size_t i = 0; i < values.size(); ++i)
      sqlite3_bind_text(statement, static_cast<int>(i + 1), values[i].data(),
                        static_cast<int>(values[i].size()), nullptr);
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
      if (rows != nullptr) rows->push_back(read_row(statement));
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE) return base::fail(error("write"));
    return {};
  }

  int changed_rows() const { return sqlite3_changes(handle_); }

 private:
  Database() = default;
  static FailedTry read_row(sqlite3_stmt* statement) {
    const auto text = [&](int column) {
      const unsigned char* bytes = sqlite3_column_text(statement, column);
      const int size = sqlite3_column_bytes(statement, column);
      std::string value;
      for (int i = 0; i < size; ++i) value += static_cast<char>(bytes[i]);
      return value;
    };
    return FailedTry{text(0), text(1), text(2), sqlite3_column_int64(statement, 3)};
  }
  base::Error error(const std::string& what) const {
    return base::Error{base::Kind::io,
                       "home.control",
                       "control.db: cannot " + what + ": " + sqlite3_errmsg(handle_),
                       "control.db is only a cache; deleting it is safe",
                       {}};
  }
  sqlite3* handle_ = nullptr;
};

}  // namespace

base::Status note_failed_try(const std::string& database, const std::string& table_key,
                             const FailedTry& failed) {
  TRY(Database open, Database::open(database));
  return open.run("INSERT OR REPLACE INTO failed_tries VALUES (?, ?, ?, ?, CAST(? AS INTEGER))",
                  {table_key, failed.batch, failed.code, failed.message, std::to_string(failed.at_us)},
                  nullptr);
}

base::Status forget_failed_try(const std::string& database, const std::string& table_key,
                               const std::string& batch) {
  TRY(Database open, Database::open(database));
  TRY_STATUS(
      open.run("DELETE FROM told_failures WHERE table_key = ? AND batch = ?", {table_key, batch}, nullptr));
  return open.run("DELETE FROM failed_tries WHERE table_key = ? AND batch = ?", {table_key, batch}, nullptr);
}

base::Result<bool> claim_telling_once(const std::string& database, const std::string& table_key,
                                      const std::string& batch, std::int64_t at_us) {
  TRY(Database open, Database::open(database));
  TRY_STATUS(open.run("INSERT OR IGNORE INTO told_failures VALUES (?, ?, CAST(? AS INTEGER))",
                      {table_key, batch, std::to_string(at_us)}, nullptr));
  return open.changed_rows() == 1;
}

base::Result<std::vector<FailedTry>> failed_tries(const std::string& database, const std::string& table_key) {
  std::vector<FailedTry> rows;
  TRY(Database open, Database::open(database));
  TRY_STATUS(
      open.run("SELECT batch, code, message, at_us FROM failed_tries WHERE table_key = ? ORDER BY at_us",
               {table_key}, &rows));
  return rows;
}

}  // namespace project
