// Data files and commits.
#include <base/hash.h>

#include <thread>

#include "table_fixture.h"

namespace table {

namespace {

using base::Kind;

TEST_F(TableTest, CreatesAppendsAndReadsBack) {
  EXPECT_EQ(create_numbers().version, 0);
  EXPECT_TRUE(exists(access_, path_));
  EXPECT_EQ(rows(), Lines{});
  EXPECT_EQ(must(append(access_, path_, "SELECT 1::BIGINT AS a, 'x' AS t")).version, 1);
  EXPECT_EQ(must(append(access_, path_, "SELECT 'y' AS t, 2::INTEGER AS A")).version, 2);
  EXPECT_EQ(must(append(access_, path_, "SELECT 3::BIGINT AS a")).version, 3);
  EXPECT_EQ(rows(), (Lines{"1|x", "2|y", "3|NULL"}));
  EXPECT_EQ(open_now().rows(), 3);
  EXPECT_EQ(open_now().warnings, Lines{});
}

TEST_F(TableTest, SaysWhenThereIsNoTable) {
  EXPECT_FALSE(exists(access_, path_));
  EXPECT_EQ(open(access_, path_).error().code, "delta.no_table");
  std::filesystem::create_directories(path_ + "/_delta_log");
  EXPECT_FALSE(exists(access_, path_));
  EXPECT_EQ(open(access_, path_).error().kind, Kind::not_found);
}

TEST_F(TableTest, WritesNothingForNoRows) {
  create_numbers();
  EXPECT_EQ(must(append(access_, path_, "SELECT 1::BIGINT AS a WHERE false")).version, 0);
  EXPECT_EQ(data_files(), 0U);
  EXPECT_FALSE(std::filesystem::exists(log_file("00000000000000000001.json")));
}

TEST_F(TableTest, RecordsTheExactSizeOfEveryFile) {
  create_numbers();
  must(append(access_, path_, "SELECT range AS a, 'text ' || range AS t FROM range(1000)"));
  must(append(access_, path_, "SELECT range AS a FROM range(5)"));
  const Snapshot snapshot = open_now();
  ASSERT_EQ(snapshot.files().size(), 2U);
  for (const delta::Add& add : snapshot.files()) {
    EXPECT_EQ(static_cast<std::uintmax_t>(add.size), std::filesystem::file_size(path_ + "/" + add.path));
    EXPECT_TRUE(add.path.starts_with("part-00000-")) << add.path;
    EXPECT_TRUE(add.path.ends_with("-c000.zstd.parquet")) << add.path;
    EXPECT_EQ(add.modified_ms, kNow_us / 1000);
  }
}

TEST_F(TableTest, ReadsOlderVersions) {
  create_numbers();
  must(append(access_, path_, "SELECT 1::BIGINT AS a, 'x' AS t"));
  must(overwrite(access_, path_, "SELECT 2::BIGINT AS a, 'y' AS t"));
  EXPECT_EQ(rows(), Lines{"2|y"});
  EXPECT_EQ(rows_of(must(open(access_, path_, 1))), Lines{"1|x"});
  EXPECT_EQ(rows_of(must(open(access_, path_, 0))), Lines{});
  EXPECT_EQ(open(access_, path_, 3).error().code, "delta.version_missing");
  const delta::Remove removed = open_now().state.removed.begin()->second;
  EXPECT_EQ(removed.extended_file_metadata, true);
  EXPECT_EQ(removed.deleted_ms, kNow_us / 1000);
  EXPECT_EQ(static_cast<std::uintmax_t>(removed.size.value_or(0)),
            std::filesystem::file_size(path_ + "/" + removed.path));
}

TEST_F(TableTest, RefusesRowsThatDoNotFitTheSchema) {
  create({field("a", "long"), field("d", "decimal(10,2)"), field("n", "string", false)});
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"SELECT 'x' AS n, 1.5::DOUBLE AS a", "column a to write is DOUBLE; the table's is BIGINT"},
      {"SELECT 'x' AS n, '1' AS a", "VARCHAR"},
      {"SELECT 'x' AS n, 1::HUGEINT AS a", "HUGEINT"},
      {"SELECT 'x' AS n, 1::DECIMAL(10,3) AS d", "DECIMAL(10,3)"},
      {"SELECT 'x' AS n, 1::BIGINT AS d", "BIGINT"},
      {"SELECT 'x' AS n, 1 AS other", "column other"},
      {"SELECT 1::BIGINT AS a", "no column n"},
  };
  for (const auto& [sql, words] : bad) {
    const auto done = append(access_, path_, sql);
    ASSERT_FALSE(done) << sql;
    EXPECT_EQ(done.error().code, "table.schema_mismatch") << sql;
    EXPECT_NE(done.error().message.find(words), std::string::npos) << done.error().message;
  }
  EXPECT_EQ(data_files(), 0U);
  must(append(access_, path_, "SELECT 'x' AS n, 7::TINYINT AS a, 1.5::DECIMAL(3,1) AS d"));
  EXPECT_EQ(rows(), Lines{"7|1.50|x"});
}

TEST_F(TableTest, RefusesANullInAColumnThatIsNotNullOnTheVeryFirstWrite) {
  create({field("id", "integer", false), field("b", "boolean", false)});
  const auto first = append(access_, path_, "SELECT * FROM (VALUES (1, true), (2, NULL)) v(id, b)");
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, "table.not_null_violated");
  EXPECT_NE(first.error().message.find("1 row would have a null in column b"), std::string::npos);
  EXPECT_EQ(data_files(), 0U);
  must(append(access_, path_, "SELECT 1 AS id, true AS b"));
  const std::string null_row = "SELECT 1 AS id, NULL::BOOLEAN AS b";
  EXPECT_EQ(append(access_, path_, null_row).error().code, "table.not_null_violated");
  EXPECT_EQ(overwrite(access_, path_, null_row).error().code, "table.not_null_violated");
  EXPECT_EQ(merge(access_, path_, null_row, {"id"}).error().code, "table.not_null_violated");
  EXPECT_EQ(merge(access_, path_, "SELECT 5 AS id, NULL::BOOLEAN AS b", {"id"}).error().code,
            "table.not_null_violated");
  EXPECT_EQ(open_now().version(), 1);
}

TEST_F(TableTest, RefusesRowsThatBreakACheckAndSaysWhenItWasNull) {
  create({field("irradiance", "float")}, {{"delta.constraints.irradiance_ge_0", "irradiance >= 0"}});
  EXPECT_EQ(open_now().state.protocol, (delta::Protocol{1, 3, {}, {}}));
  const auto null_row = append(access_, path_, "SELECT * FROM (VALUES (200.0::FLOAT), (NULL)) v(irradiance)");
  ASSERT_FALSE(null_row);
  EXPECT_EQ(null_row.error().code, "table.check_violated");
  EXPECT_NE(null_row.error().message.find("irradiance_ge_0"), std::string::npos);
  EXPECT_NE(null_row.error().message.find("for all of them it is null"), std::string::npos)
      << null_row.error().message;
  const auto negative = append(access_, path_, "SELECT -1::FLOAT AS irradiance");
  EXPECT_NE(negative.error().message.find("1 row would break"), std::string::npos);
  EXPECT_EQ(negative.error().message.find("null"), std::string::npos);
  EXPECT_EQ(data_files(), 0U);
  must(append(access_, path_, "SELECT 200::FLOAT AS irradiance"));
}

TEST_F(TableTest, AcceptsNullWhereTheCheckDoes) {
  create({field("irradiance", "float")}, {{"delta.constraints.ok", "irradiance IS NULL OR irradiance >= 0"}});
  must(append(access_, path_, "SELECT * FROM (VALUES (200.0::FLOAT), (NULL)) v(irradiance)"));
  EXPECT_EQ(rows(), (Lines{"200.0", "NULL"}));
}

TEST_F(TableTest, RefusesToWriteUnderACheckThatItCannotEvaluate) {
  create({field("a", "long")}, {{"delta.constraints.odd", "made_up_function(a)"}});
  const auto done = append(access_, path_, "SELECT 1::BIGINT AS a");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "table.check_not_understood");
  EXPECT_NE(done.error().message.find("odd"), std::string::npos);
}

TEST_F(TableTest, AddsAConstraintOnlyWhenTheRowsHoldIt) {
  create_numbers();
  must(append(access_, path_, "SELECT -5::BIGINT AS a"));
  const auto refused = add_constraint(access_, path_, "Positive", "a > 0");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "table.check_violated");
  must(add_constraint(access_, path_, "Small", "a < 100"));
  const Snapshot snapshot = open_now();
  EXPECT_EQ(delta::check_constraints(*snapshot.state.metadata).size(), 1U);
  EXPECT_TRUE(delta::check_constraints(*snapshot.state.metadata).contains("small"));
  EXPECT_EQ(snapshot.state.protocol->writer_version, 3);
  EXPECT_EQ(commit_info(2).string("operation"), "ADD CONSTRAINT");
  EXPECT_EQ(append(access_, path_, "SELECT 100::BIGINT AS a").error().code, "table.check_violated");
  EXPECT_EQ(add_constraint(access_, path_, "SMALL", "a < 99").error().code, "table.constraint_exists");
}

TEST_F(TableTest, KeepsAnAppendOnlyTableFromChanging) {
  create({field("a", "long")}, {{"delta.appendOnly", "true"}});
  must(append(access_, path_, "SELECT 1::BIGINT AS a"));
  const auto done = overwrite(access_, path_, "SELECT 2::BIGINT AS a");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "table.append_only");
  EXPECT_EQ(rows(), Lines{"1"});
  EXPECT_EQ(data_files(), 1U);
}

TEST_F(TableTest, AddsColumnsAndReadsOlderFilesWithNulls) {
  create_numbers();
  must(append(access_, path_, "SELECT 1::BIGINT AS a, 'x' AS t"));
  const Snapshot before = open_now();
  delta::Schema wider = before.schema;
  wider.fields.push_back(field("added later", "timestamp"));
  Commit change;
  change.operation = "WRITE";
  change.metadata = before.state.metadata;
  change.metadata->schema_text = delta::print_schema(wider);
  change.adds.push_back(
      *must(write_data_file(access_, path_, *change.metadata,
                            "SELECT 2::BIGINT AS a, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS "
                            "\"added later\"")));
  change.depends_on_table = false;
  must(commit(access_, path_, &before, change));
  EXPECT_EQ(rows(), (Lines{"1|x|NULL", "2|NULL|2026-01-01 00:00:00+00"}));
  EXPECT_EQ(rows_of(must(open(access_, path_, 1))), Lines{"1|x"});
}

TEST_F(TableTest, RefusesSchemaChangesThatOldFilesCannotFollow) {
  create_numbers();
  must(append(access_, path_, "SELECT 1::BIGINT AS a, 'x' AS t"));
  const Snapshot base = open_now();
  const std::vector<std::pair<std::vector<delta::Field>, std::string>> bad = {
      {{field("a", "long")}, "t would be dropped"},
      {{field("a", "string"), field("t", "string")}, "a would change its type"},
      {{field("a", "long", false), field("t", "string")}, "a would become NOT NULL"},
      {{field("a", "long"), field("t", "string"), field("z", "long", false)}, "z is NOT NULL"},
  };
  for (const auto& [fields, words] : bad) {
    Commit change;
    change.operation = "ALTER";
    change.metadata = base.state.metadata;
    change.metadata->schema_text = delta::print_schema({fields});
    const auto done = commit(access_, path_, &base, change);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "table.schema_change_refused");
    EXPECT_NE(done.error().message.find(words), std::string::npos) << done.error().message;
  }
}

TEST_F(TableTest, WritesCommitInfoFirstWithWhatReadersExpect) {
  create_numbers();
  const DataFile file =
      *must(write_data_file(access_, path_, *open_now().state.metadata, "SELECT 1::BIGINT AS a"));
  const Snapshot base = open_now();
  Commit change;
  change.operation = "WRITE";
  change.parameters = base::Json::object({{"mode", "Append"}});
  change.user_metadata = "{\"tenter\":{}}";
  change.extra = {{"tenterLedger", base::Json::object({{"format", 1}})}};
  change.adds = {file};
  change.txns = {{"tenter/load/x/1", 1, std::nullopt}};
  change.depends_on_table = false;
  const Committed committed = must(commit(access_, path_, &base, change));
  const base::Json info = commit_info(1);
  EXPECT_EQ(info.int64("timestamp"), kNow_us / 1000);
  EXPECT_EQ(info.string("operation"), "WRITE");
  EXPECT_EQ(info.find("operationParameters")->string("mode"), "Append");
  EXPECT_EQ(info.boolean("isBlindAppend"), true);
  EXPECT_TRUE(info.string("engineInfo")->starts_with("Tenter/"));
  EXPECT_EQ(info.string("userMetadata"), "{\"tenter\":{}}");
  EXPECT_EQ(info.find("tenterLedger")->print(), "{\"format\":1}");
  EXPECT_EQ(committed.previous_sha256, base::sha256_hex(must(read_entry(access_, path_, 0))));
  EXPECT_EQ(open_now().txn("tenter/load/x/1"), 1);
  EXPECT_EQ(open_now().txn("tenter/load/x/2"), std::nullopt);
  const auto entries = must(history(access_, path_, 1));
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].version, 1);
  EXPECT_EQ(entries[0].commit_info, info);
  EXPECT_EQ(must(history(access_, path_)).size(), 2U);
}

TEST_F(TableTest, MergesUpdatesAndInsertsAndTouchesNoOtherFile) {
  create_numbers();
  must(append(access_, path_, "SELECT * FROM (VALUES (1, 'x'), (2, 'y')) v(a, t)"));
  must(append(access_, path_, "SELECT 3 AS a, 'z' AS t"));
  const std::string kept = must(read_entry(access_, path_, 2));
  must(merge(access_, path_, "SELECT * FROM (VALUES (2, 'new'), (3, 'z'), (4, 'w'), (NULL, 'n')) v(a, t)",
             {"a"}));
  EXPECT_EQ(rows(), (Lines{"1|x", "2|new", "3|z", "4|w", "NULL|n"}));
  int removes = 0;
  for (const delta::Action& action : entry(3))
    if (const auto* remove = std::get_if<delta::Remove>(&action)) {
      ++removes;
      EXPECT_EQ(kept.find(remove->path), std::string::npos);
    }
  EXPECT_EQ(removes, 1);
  EXPECT_EQ(commit_info(3).boolean("isBlindAppend"), false);
}

TEST_F(TableTest, MergesNothingWhenNothingChanges) {
  create_numbers();
  must(append(access_, path_, "SELECT * FROM (VALUES (1, 'x'), (2, NULL)) v(a, t)"));
  EXPECT_EQ(must(merge(access_, path_, "SELECT * FROM (VALUES (1, 'x'), (2, NULL)) v(a, t)", {"a"})).version,
            1);
  EXPECT_EQ(data_files(), 1U);
  const auto twice = merge(access_, path_, "SELECT * FROM (VALUES (1, 'x'), (1, 'y')) v(a, t)", {"a"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, "table.multiple_matches");
  EXPECT_EQ(merge(access_, path_, "SELECT 'x' AS t", {"a"}).error().code, "table.schema_mismatch");
  EXPECT_EQ(merge(access_, path_, "SELECT 'x' AS a", {"a"}).error().code, "table.schema_mismatch");
}

// ---- several writers ----------------------------------------------------------------------------

TEST_F(TableTest, RebasesBlindAppendsOnTopOfOthers) {
  create_numbers();
  const Snapshot stale = open_now();
  must(append(access_, path_, "SELECT 1::BIGINT AS a"));
  must(append(access_, path_, "SELECT 2::BIGINT AS a"));
  Commit change;
  change.operation = "WRITE";
  change.adds = {*must(write_data_file(access_, path_, *stale.state.metadata, "SELECT 3::BIGINT AS a"))};
  change.depends_on_table = false;
  std::vector<std::string> asked;
  const auto committed = must(commit(access_, path_, &stale, change, [&](const std::string& previous) {
    asked.push_back(previous);
    return "previous " + previous;
  }));
  EXPECT_EQ(committed.version, 3);
  EXPECT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked.back(), base::sha256_hex(must(read_entry(access_, path_, 2))));
  EXPECT_EQ(commit_info(3).string("userMetadata"), "previous " + asked.back());
  EXPECT_EQ(rows().size(), 3U);
}

TEST_F(TableTest, NeverRebasesWhatDependsOnTheTable) {
  create_numbers();
  must(append(access_, path_, "SELECT 1::BIGINT AS a"));
  const Snapshot stale = open_now();
  must(append(access_, path_, "SELECT 2::BIGINT AS a"));
  Commit change;
  change.operation = "WRITE";
  change.removes = {stale.files().front().path};
  const auto conflicted = commit(access_, path_, &stale, change);
  ASSERT_FALSE(conflicted);
  EXPECT_EQ(conflicted.error().kind, Kind::conflict);
  EXPECT_EQ(conflicted.error().code, "delta.conflict_append");
  EXPECT_EQ(open_now().version(), 2);
}

TEST_F(TableTest, LetsOnlyOneCommitOfATransactionWin) {
  create_numbers();
  const Snapshot stale = open_now();
  Commit change;
  change.operation = "WRITE";
  change.txns = {{"app", 1, std::nullopt}};
  change.depends_on_table = false;
  must(commit(access_, path_, &stale, change));
  EXPECT_EQ(commit(access_, path_, &stale, change).error().code, "delta.conflict_txn");
  Commit metadata;
  metadata.operation = "SET TBLPROPERTIES";
  metadata.metadata = stale.state.metadata;
  metadata.metadata->configuration["tenter.x"] = "1";
  metadata.depends_on_table = false;
  must(commit(access_, path_, &stale, metadata));
  Commit blind;
  blind.operation = "WRITE";
  blind.depends_on_table = false;
  EXPECT_EQ(commit(access_, path_, &stale, blind).error().code, "delta.conflict_metadata");
}

TEST_F(TableTest, KeepsEveryRowOfManyWritersAtOnce) {
  create_numbers();
  constexpr int kWriters = 8;
  std::vector<std::thread> writers;
  std::vector<std::string> faults(kWriters);
  world_.random = world::machine_random();
  for (int i = 0; i < kWriters; ++i)
    writers.emplace_back([&, i] {
      engine::Settings settings;
      settings.threads = 1;
      engine::LazyEngine engine(settings);
      const Access own{&world_, &engine};
      const auto done = append(own, path_, "SELECT " + std::to_string(i) + "::BIGINT AS a");
      if (!done) faults[static_cast<std::size_t>(i)] = base::print(done.error());
    });
  for (std::thread& writer : writers) writer.join();
  for (const std::string& fault : faults) EXPECT_EQ(fault, "");
  EXPECT_EQ(open_now().version(), kWriters);
  EXPECT_EQ(rows().size(), static_cast<std::size_t>(kWriters));
}

TEST_F(TableTest, NeverRemovesAFileThatTheLogCameToName) {
  create_numbers();
  const auto file =
      must(write_data_file(access_, path_, *open_now().state.metadata, "SELECT 1 AS a, 'x' AS t"));
  const auto other =
      must(write_data_file(access_, path_, *open_now().state.metadata, "SELECT 2 AS a, 'y' AS t"));
  Commit change;
  change.operation = "WRITE";
  change.adds = {*file};
  const Snapshot before = open_now();
  must(commit(access_, path_, &before, change));
  discard(access_, {*file, *other});  // as when the commit's answer was lost
  EXPECT_EQ(rows(), Lines{"1|x"});
  EXPECT_EQ(data_files(), 1U);

  Commit removal;
  removal.operation = "DELETE";
  removal.removes = {file->add.path};
  const Snapshot now = open_now();
  must(commit(access_, path_, &now, removal));
  discard(access_, {*file});
  EXPECT_EQ(rows_of(must(open(access_, path_, 1))), Lines{"1|x"}) << "an older version needs it";
}

TEST_F(TableTest, MakesATableOnlyOnce) {
  create_numbers();
  Commit again;
  again.operation = "CREATE TABLE";
  again.metadata = new_metadata(access_, delta::Schema{{field("a", "long")}}, {});
  const auto second = commit(access_, path_, nullptr, again);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Kind::conflict);
}

}  // namespace
}  // namespace table
