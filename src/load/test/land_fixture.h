// A project in a temporary folder that lands, and what it takes to read its tables back.
#pragma once

#include <load/land.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <base/hash.h>
#include <base/text.h>
#include <delta/actions.h>
#include <table/table.h>

namespace load_test {

using load::LandedFile;
using load::LandOptions;
using load::LandReport;
using Texts = std::vector<std::string>;

inline constexpr std::int64_t kNow_us = 1'772'366'400'000'000;  // 2026-03-01T12:00:00Z

// The machine's files, with one call that can be made to fail.
class BreakableFiles final : public world::Files {
 public:
  explicit BreakableFiles(std::shared_ptr<world::Files> files) : files_(std::move(files)) {}
  std::string refused_part;  // paths with this in them cannot be created
  std::function<void(const std::string&)> before_put;

  base::Result<std::string> read(const std::string& path) const override { return files_->read(path); }
  base::Result<std::unique_ptr<world::ReadFile>> open(const std::string& path) const override {
    return files_->open(path);
  }
  base::Result<world::FileInfo> info(const std::string& path) const override { return files_->info(path); }
  bool exists(const std::string& path) const override { return files_->exists(path); }
  base::Result<std::vector<world::FileInfo>> list(const std::string& path) const override {
    return files_->list(path);
  }
  base::Result<std::string> real_path(const std::string& path) const override {
    return files_->real_path(path);
  }
  base::Result<world::PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) override {
    if (before_put) before_put(path);
    if (!refused_part.empty() && path.find(refused_part) != std::string::npos)
      return base::fail(base::Kind::io, "world.io", "no space left");
    return files_->put_if_absent(path, bytes);
  }
  base::Status replace(const std::string& path, std::string_view bytes) override {
    return files_->replace(path, bytes);
  }
  base::Status sync(const std::string& path) override { return files_->sync(path); }
  base::Status make_directories(const std::string& path) override { return files_->make_directories(path); }
  base::Status remove(const std::string& path) override { return files_->remove(path); }
  base::Status remove_all(const std::string& path) override { return files_->remove_all(path); }

 private:
  std::shared_ptr<world::Files> files_;
};

class LandFixture : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "land_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    world_ = world::machine_world();
    files_ = std::make_shared<BreakableFiles>(world_.files);
    world_.files = files_;
    world_.clock = world::fixed_clock(kNow_us);
    world_.random = world::seeded_random(1);
    place_.world = &world_;
    place_.engine = &engine_;
    place_.tables_root = root_ + "/.tenter/onelake/w/Shop.Lakehouse/Tables";
    place_.run_at_us = kNow_us;
    place_.user = "tester";
    landing_.name = {"bronze", "orders_raw"};
    landing_.globs = {"landing/*.csv"};
    options_.project_root = root_;
    options_.home_root = root_ + "/.tenter";
  }
  void TearDown() override { EXPECT_TRUE(world_.files->remove_all(root_).has_value()); }

  void deliver(const std::string& path, const std::string& bytes) {
    const std::string absolute = root_ + "/" + path;
    ASSERT_TRUE(world_.files->make_directories(world::path_parent(absolute)).has_value());
    ASSERT_TRUE(world_.files->replace(absolute, bytes).has_value());
  }

  // Gives a file another modification time, its bytes untouched.
  void touch(const std::string& path) {
    const timespec times[2] = {{1'000, 0}, {1'000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (root_ + "/" + path).c_str(), times, 0), 0);
  }

  LandReport run() {
    auto report = load::land(place_, landing_, options_);
    EXPECT_TRUE(report.has_value()) << (report ? "" : base::print(report.error()));
    return report ? *report : LandReport{};
  }
  LandReport run(const std::string& batch) {
    options_.batch = batch;
    LandReport report = run();
    options_.batch.reset();
    return report;
  }
  std::string refused_code() {
    const auto report = load::land(place_, landing_, options_);
    return report ? "landed" : report.error().code;
  }

  table::Access access() { return {&world_, &engine_}; }
  std::string table_path(const std::string& name) { return place_.tables_root + "/" + name; }
  table::Snapshot snapshot(const std::string& name = "bronze/orders_raw") {
    auto opened = table::open(access(), table_path(name));
    EXPECT_TRUE(opened.has_value()) << (opened ? "" : base::print(opened.error()));
    return opened ? *opened : table::Snapshot{};
  }
  bool exists(const std::string& name = "bronze/orders_raw") {
    return table::exists(access(), table_path(name));
  }

  // Rows of `select`, where FROM t is the table: cells joined with |, null as NULL.
  Texts rows(const std::string& select, const std::string& name = "bronze/orders_raw") {
    const auto scan = snapshot(name).scan();
    EXPECT_TRUE(scan.has_value());
    const auto connection = engine_.connection();
    EXPECT_TRUE(connection.has_value());
    const auto found = (*connection)->query("WITH t AS (" + *scan + ") " + select);
    EXPECT_TRUE(found.has_value()) << (found ? "" : base::print(found.error()));
    Texts texts;
    if (!found) return texts;
    for (std::size_t row = 0; row < found->size(); ++row) {
      Texts cells;
      for (std::size_t column = 0; column < found->columns(); ++column)
        cells.push_back(found->is_null(row, column) ? "NULL"
                        : std::holds_alternative<std::int64_t>(found->at(row, column))
                            ? std::to_string(found->int64(row, column))
                            : found->text(row, column));
      texts.push_back(base::join(cells, "|"));
    }
    return texts;
  }

  std::vector<delta::Action> entry(std::int64_t version, const std::string& name = "bronze/orders_raw") {
    const auto bytes = table::read_entry(access(), table_path(name), version);
    EXPECT_TRUE(bytes.has_value());
    auto actions = delta::decode_commit(*bytes, "entry");
    EXPECT_TRUE(actions.has_value());
    return actions ? *actions : std::vector<delta::Action>{};
  }
  base::Json commit_info(std::int64_t version, const std::string& name = "bronze/orders_raw") {
    for (const delta::Action& action : entry(version, name))
      if (const auto* info = std::get_if<delta::CommitInfo>(&action)) return info->content;
    ADD_FAILURE() << "no commitInfo";
    return {};
  }
  base::Json receipt(std::int64_t version, const std::string& name = "bronze/orders_raw") {
    const base::Json info = commit_info(version, name);
    const auto parsed = base::Json::parse(info.string("userMetadata").value_or("{}"));
    EXPECT_TRUE(parsed.has_value());
    const base::Json* body = parsed ? parsed->find("tenter") : nullptr;
    return body == nullptr ? base::Json() : *body;
  }

  static Texts codes(const LandReport& report) {
    Texts texts;
    for (const base::Error& error : report.refused) texts.push_back(error.place.file + " " + error.code);
    return texts;
  }

  std::string root_;
  world::World world_;
  std::shared_ptr<BreakableFiles> files_;
  engine::LazyEngine engine_{engine::Settings{}};
  load::Place place_;
  contract::Landing landing_;
  LandOptions options_;
};

}  // namespace load_test
