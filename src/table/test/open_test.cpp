// Reading the log: checkpoints, hints, damage, features.
#include "table_fixture.h"

namespace table {

namespace {

class LogTest : public TableTest {
 protected:
  // Versions 0 to `last`: one row each from version 1 on.
  void grow(std::int64_t last) {
    create_numbers();
    for (std::int64_t version = 1; version <= last; ++version)
      must(append(access_, path_, "SELECT " + std::to_string(version) + "::BIGINT AS a"));
  }
  std::string checkpoint(std::int64_t version) const { return log_file(delta::checkpoint_name(version)); }
  std::string hint() const { return log_file("_last_checkpoint"); }

  // The state as the JSON entries alone tell it.
  delta::State json_only(std::int64_t last) {
    delta::State state;
    for (std::int64_t version = 0; version <= last; ++version) must(state.apply(version, entry(version)));
    return state;
  }

  std::string as_text(const delta::State& state) {
    std::string text =
        delta::encode_action(*state.protocol) + "\n" + delta::encode_action(*state.metadata) + "\n";
    for (auto [path, add] : state.files) {
      add.data_change = false;
      text += delta::encode_action(add) + "\n";
    }
    for (auto [path, remove] : state.removed) {
      remove.data_change = false;
      text += delta::encode_action(remove) + "\n";
    }
    for (const auto& [app, txn] : state.txns) text += delta::encode_action(txn) + "\n";
    return text;
  }
};

TEST_F(LogTest, WritesACheckpointEveryTenVersionsThatSaysWhatTheEntriesSay) {
  create({field("a", "long"), field("t", "string", false)},
         {{"delta.constraints.c", "a > 0"}, {"tenter.note", "quote \" back \\ é"}});
  for (int i = 1; i <= 9; ++i) {
    Snapshot base = open_now();
    Commit change;
    change.operation = "WRITE";
    change.adds = {*must(write_data_file(access_, path_, *base.state.metadata,
                                         "SELECT " + std::to_string(i) + "::BIGINT AS a, 'x' AS t"))};
    change.txns = {{"app " + std::to_string(i), i, std::nullopt}};
    if (i == 9) change.removes = {base.files().front().path};
    must(commit(access_, path_, &base, change));
  }
  EXPECT_FALSE(std::filesystem::exists(checkpoint(9)));
  must(append(access_, path_, "SELECT 10::BIGINT AS a, 'y' AS t"));
  ASSERT_TRUE(std::filesystem::exists(checkpoint(10)));
  EXPECT_EQ(must(base::Json::parse(read(hint()))).int64("version"), 10);
  for (const auto& file : std::filesystem::directory_iterator(path_ + "/_delta_log"))
    EXPECT_EQ(file.path().filename().string().find("tmp"), std::string::npos) << file.path();

  const delta::State by_json = json_only(10);
  for (int version = 0; version < 10; ++version)
    std::filesystem::remove(log_file(delta::entry_name(version)));
  const Snapshot snapshot = open_now();
  EXPECT_EQ(as_text(snapshot.state), as_text(by_json));
  EXPECT_EQ(snapshot.warnings, Lines{});
  EXPECT_EQ(rows().size(), 9U);
  EXPECT_EQ(open(access_, path_, 5).error().code, "delta.version_missing");
}

TEST_F(LogTest, OpensTheNewestVersionWhateverTheHintSays) {
  grow(21);
  const auto opened = [&] {
    const Snapshot snapshot = open_now();
    EXPECT_EQ(snapshot.version(), 21);
    EXPECT_EQ(snapshot.files().size(), 21U);
    return snapshot.warnings;
  };
  EXPECT_EQ(opened(), Lines{});
  const std::string good = read(hint());
  write(hint(), good.substr(0, 10));
  ASSERT_EQ(opened().size(), 1U);
  EXPECT_NE(opened()[0].find("cannot be read"), std::string::npos);
  write(hint(), R"({"version":10,"size":12})");
  ASSERT_EQ(opened().size(), 1U);
  EXPECT_NE(opened()[0].find("names version 10"), std::string::npos);
  std::filesystem::remove(hint());
  ASSERT_EQ(opened().size(), 1U);
  EXPECT_NE(opened()[0].find("is missing"), std::string::npos);
  write(hint(), good);
  std::filesystem::remove(checkpoint(20));
  ASSERT_EQ(opened().size(), 1U);
  EXPECT_NE(opened()[0].find("not there"), std::string::npos);
  must(append(access_, path_, "SELECT 22::BIGINT AS a"));
  EXPECT_EQ(rows().size(), 22U);
}

TEST_F(LogTest, PassesOverACheckpointThatIsOnlyHalfThere) {
  grow(20);
  const std::string whole = read(checkpoint(20));
  write(checkpoint(20), whole.substr(0, whole.size() / 2));
  const Snapshot snapshot = open_now();
  EXPECT_EQ(snapshot.version(), 20);
  EXPECT_EQ(snapshot.files().size(), 20U);
  ASSERT_EQ(snapshot.warnings.size(), 1U);
  EXPECT_NE(snapshot.warnings[0].find("checkpoint of version 20 was passed over"), std::string::npos);
  write(checkpoint(10), "");
  EXPECT_EQ(open_now().files().size(), 20U);
  std::filesystem::remove(log_file(delta::entry_name(3)));
  const auto lost = open(access_, path_);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, "table.checkpoint_unreadable");
}

TEST_F(LogTest, NeverReplacesACheckpointOfSomebodyElse) {
  grow(3);
  write(checkpoint(3), "somebody else's");
  must(write_checkpoint(access_, open_now()));
  EXPECT_EQ(read(checkpoint(3)), "somebody else's");
}

TEST_F(LogTest, DropsTombstonesThatNobodyCanNeed) {
  grow(1);
  must(overwrite(access_, path_, "SELECT 5::BIGINT AS a"));
  const Snapshot before = open_now();
  EXPECT_EQ(before.state.removed.size(), 1U);
  world_.clock = world::fixed_clock(kNow_us + std::int64_t{8} * 86'400 * 1'000'000);
  must(write_checkpoint(access_, before));
  std::filesystem::remove(log_file(delta::entry_name(1)));
  EXPECT_EQ(open_now().state.removed.size(), 0U);
  EXPECT_EQ(rows(), Lines{"5|NULL"});
}

TEST_F(LogTest, NamesTheDamagedLineOfALog) {
  grow(2);
  write(log_file(delta::entry_name(2)), "{\"commitInfo\":{}}\n{\"add\":{\"path\":\"x\"}}\n");
  const auto opened = open(access_, path_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "delta.action");
  EXPECT_EQ(opened.error().place.line, 2);
  EXPECT_TRUE(opened.error().place.file.ends_with("00000000000000000002.json"));
}

TEST_F(LogTest, RefusesAHoleInTheLog) {
  grow(4);
  std::filesystem::remove(log_file(delta::entry_name(2)));
  EXPECT_EQ(open(access_, path_).error().code, "delta.log_gap");
}

TEST_F(LogTest, RefusesAnUnknownReaderFeatureAtOpen) {
  grow(1);
  write(log_file(delta::entry_name(2)),
        R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["deletionVectors",)"
        R"("madeUpFeature"],"writerFeatures":["deletionVectors","madeUpFeature"]}})");
  const auto opened = open(access_, path_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, "delta.feature_unsupported");
  EXPECT_NE(opened.error().message.find("madeUpFeature"), std::string::npos);
}

TEST_F(LogTest, RefusesToWriteWhatItMayOnlyRead) {
  grow(1);
  write(log_file(delta::entry_name(2)),
        R"({"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["rowTracking"]}})");
  EXPECT_EQ(rows().size(), 1U);
  const auto done = append(access_, path_, "SELECT 2::BIGINT AS a");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, "delta.feature_unsupported");
  EXPECT_NE(done.error().message.find("rowTracking"), std::string::npos);
  const Snapshot base = open_now();
  Commit change;
  change.operation = "WRITE";
  EXPECT_EQ(commit(access_, path_, &base, change).error().code, "delta.feature_unsupported");
}

TEST_F(LogTest, NumbersFilesAndRowsForTheScan) {
  grow(0);
  must(append(access_, path_, "SELECT range AS a FROM range(10) ORDER BY a"));
  must(append(access_, path_, "SELECT range + 100 AS a FROM range(10) ORDER BY a"));
  const Snapshot snapshot = open_now();
  const auto rows =
      query("SELECT a, _file_index, _file_row FROM (" + must(snapshot.scan(true)) + ") ORDER BY a");
  ASSERT_EQ(rows.size(), 20U);
  EXPECT_EQ(rows.type(1), "BIGINT");
  EXPECT_EQ(rows.int64(3, 2), 3);
  EXPECT_EQ(rows.int64(0, 1) + rows.int64(19, 1), 1);
  const std::size_t second = static_cast<std::size_t>(rows.int64(19, 1));
  const auto only = query("SELECT min(a), min(_file_index), max(_file_index) FROM (" +
                          must(snapshot.scan(true, std::vector<std::size_t>{second})) + ")");
  EXPECT_EQ(only.int64(0, 0), 100);
  EXPECT_EQ(only.int64(0, 1), static_cast<std::int64_t>(second));
  EXPECT_EQ(only.int64(0, 2), static_cast<std::int64_t>(second));
  EXPECT_EQ(query(must(snapshot.scan(true, std::vector<std::size_t>{}))).size(), 0U);
}

TEST_F(LogTest, ReadsTablesInFoldersWithOddNames) {
  path_ = folder_ + "/k=1 [x]*'s ü%20";
  grow(2);
  must(merge(access_, path_, "SELECT 1::BIGINT AS a, 'm' AS t", {"a"}));
  EXPECT_EQ(rows(), (Lines{"1|m", "2|NULL"}));
}

TEST_F(LogTest, TakesNoColumnFromTheNameOfAFolder) {
  path_ = folder_ + "/a=9";
  grow(2);
  EXPECT_EQ(rows(), (Lines{"1|NULL", "2|NULL"}));
}

TEST_F(LogTest, RefusesNestedTypesByName) {
  create_numbers();
  write(log_file(delta::entry_name(1)),
        R"({"metaData":{"id":"i","format":{"provider":"parquet","options":{}},"partitionColumns":[],)"
        R"("configuration":{},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"tags\",\"type\":)"
        R"({\"type\":\"array\",\"elementType\":\"string\",\"containsNull\":true},\"nullable\":true,)"
        R"(\"metadata\":{}}]}"}})");
  const auto scan = open_now().scan();
  ASSERT_FALSE(scan);
  EXPECT_EQ(scan.error().code, "delta.feature_unsupported");
  EXPECT_NE(scan.error().message.find("tags is of type array"), std::string::npos);
}

}  // namespace
}  // namespace table
