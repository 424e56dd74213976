#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include <base/text.h>
#include <table/table.h>

namespace table {

constexpr std::int64_t kNow_us = 1'772'366'400'000'000;  // 2026-03-01T12:00:00Z

// A real folder (the engine writes there), a standing clock and seeded chance.
class TableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tenter_table_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    world_.files = world::machine_files();
    world_.clock = world::fixed_clock(kNow_us);
    world_.random = world::seeded_random(7);
    access_ = {&world_, &engine_};
    path_ = folder_ + "/orders";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  template <typename T>
  static T must(base::Result<T> result) {
    if (!result) throw std::runtime_error(base::print(result.error()));
    return *std::move(result);
  }
  static void must(const base::Status& status) {
    if (!status) throw std::runtime_error(base::print(status.error()));
  }

  static delta::Field field(const std::string& name, const std::string& type, bool nullable = true) {
    delta::Field one;
    one.name = name;
    one.type = type;
    one.nullable = nullable;
    return one;
  }

  // A new table of these columns, without rows.
  Committed create(std::vector<delta::Field> fields, const delta::Properties& properties = {}) {
    Commit change;
    change.operation = "CREATE TABLE";
    change.metadata = new_metadata(access_, delta::Schema{std::move(fields)}, properties);
    return must(commit(access_, path_, nullptr, std::move(change)));
  }
  Committed create_numbers() { return create({field("a", "long"), field("t", "string")}); }

  Snapshot open_now() { return must(open(access_, path_)); }

  engine::Rows query(const std::string& sql) { return must(must(engine_.connection())->query(sql)); }

  // The table's rows as sorted lines "1|x".
  std::vector<std::string> rows_of(const Snapshot& snapshot) {
    const auto rows = query("SELECT concat_ws('|', " + columns_as_text(snapshot.schema) + ") FROM (" +
                            must(snapshot.scan()) + ") ORDER BY 1");
    std::vector<std::string> lines;
    for (std::size_t row = 0; row < rows.size(); ++row) lines.push_back(rows.text(row, 0));
    return lines;
  }
  std::vector<std::string> rows() { return rows_of(open_now()); }

  std::string log_file(const std::string& name) const { return path_ + "/_delta_log/" + name; }
  std::string read(const std::string& file) { return must(world_.files->read(file)); }
  void write(const std::string& file, std::string_view bytes) { must(world_.files->replace(file, bytes)); }

  std::vector<delta::Action> entry(std::int64_t version) {
    return must(delta::decode_commit(must(read_entry(access_, path_, version)), "entry"));
  }
  base::Json commit_info(std::int64_t version) {
    return std::get<delta::CommitInfo>(entry(version).front()).content;
  }

  std::size_t data_files() const {
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(path_))
      if (file.is_regular_file()) ++count;
    return count;
  }

  std::string folder_;
  std::string path_;
  world::World world_ = world::memory_world();
  engine::LazyEngine engine_{engine::Settings{}};
  Access access_;

 private:
  static std::string columns_as_text(const delta::Schema& schema) {
    std::vector<std::string> parts;
    for (const delta::Field& one : schema.fields)
      parts.push_back("coalesce(CAST(" + base::sql_name(one.name) + " AS VARCHAR), 'NULL')");
    return base::join(parts, ", ");
  }
};

using Lines = std::vector<std::string>;

}  // namespace table
