// A small shop written by hand: two days of orders as landing table, malformed records, quarantine and
// contract table, with logs and receipts as a loader would leave them. Tests falsify one thing before
// or after write() and see what verify finds.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <contract/model.h>
#include <verify/verify.h>

namespace verify {

// One log entry before it is written.
struct Draft {
  std::vector<base::Json> actions;
  base::Json info = base::Json::object();      // members of commitInfo
  std::optional<base::Json> receipt;           // without previous_sha256
  std::optional<std::string> previous_sha256;  // in place of the right one
};

class Shop {
 public:
  Shop();
  ~Shop();
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;

  contract::Contract contract;  // changed before build() only
  void build();                 // fills the drafts and writes the data files
  void write();                 // writes the logs
  base::Result<Report> verify(bool deep = false, std::optional<std::int64_t> version = std::nullopt,
                              const std::string& table = "silver.orders");

  std::vector<Draft> bronze, malformed, quarantine, silver;

  // Replaces the data file of an add action by the rows of `select` over the relation `rows`, and
  // makes size and statistics follow.
  void rewrite(Draft& draft, const std::string& table, const std::string& select);
  std::string path(const std::string& table) const;
  base::Json& action(Draft& draft, const std::string& name, std::size_t which = 0);
  engine::Connection& connection() { return *connection_; }

 private:
  struct Column {
    std::string name;
    std::string type;  // Delta's
    bool nullable = true;
  };
  static std::vector<Column> malformed_columns();
  base::Json schema(const std::vector<Column>& columns) const;
  base::Json metadata(const std::string& id, const std::vector<Column>& columns,
                      base::Json configuration) const;
  base::Json add(const std::string& table, const std::string& file, const std::string& select);
  std::string hash(const std::string& table, const std::vector<std::string>& files,
                   const std::vector<std::string>& columns);
  base::Json receipt(const std::string& kind, const std::string& table, const std::string& run_at) const;
  void build_bronze();
  void build_rejects();
  void build_silver();
  void write_log(const std::string& table, const std::vector<Draft>& drafts);
  engine::Rows query(const std::string& sql);

  std::string folder_;
  world::World world_;
  std::unique_ptr<engine::LazyEngine> engine_;
  engine::Connection* connection_ = nullptr;
};

// "verify.count inserted" for each failed finding, sorted and distinct.
std::vector<std::string> failures(const Report& report);
std::vector<std::string> gaps(const Report& report);  // the same for what is not covered

}  // namespace verify
