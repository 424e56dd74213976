#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include <engine/engine.h>

namespace engine {

// An open engine with one connection, and a folder of its own.
class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tenter_engine_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    Settings settings;
    settings.threads = 2;
    settings.zone_named = [this](const std::string& zone_name) { return zone_named(zone_name); };
    auto opened = Engine::open(settings);
    ASSERT_TRUE(opened) << base::print(opened.error());
    engine_ = *std::move(opened);
    connection_ = *engine_->connect();
  }

  // The zones that this test's engine knows beside UTC.
  virtual std::optional<base::Zone> zone_named(const std::string&) { return std::nullopt; }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  Rows query(const std::string& sql) {
    auto rows = connection_->query(sql);
    if (!rows) throw std::runtime_error(base::print(rows.error()) + "\n" + sql);
    return *std::move(rows);
  }

  // The only value of a query's only row.
  Value value(const std::string& sql) {
    const Rows rows = query(sql);
    EXPECT_EQ(rows.size(), 1U) << sql;
    return rows.size() == 1 ? rows.at(0, 0) : Value();
  }

  std::string text(const std::string& sql) {
    const Value found = value(sql);
    const auto* string = std::get_if<std::string>(&found);
    EXPECT_NE(string, nullptr) << sql;
    return string ? *string : "";
  }

  std::int64_t number(const std::string& sql) {
    const Value found = value(sql);
    const auto* integer = std::get_if<std::int64_t>(&found);
    EXPECT_NE(integer, nullptr) << sql;
    return integer ? *integer : -1;
  }

  base::Error error(const std::string& sql) {
    const auto rows = connection_->query(sql);
    EXPECT_FALSE(rows) << sql;
    return rows ? base::Error() : rows.error();
  }

  std::string file(const std::string& name) const { return (std::filesystem::path(folder_) / name).string(); }

  std::string folder_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace engine
