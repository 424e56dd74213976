#include <gtest/gtest.h>

#include <delta/replay.h>

namespace delta {

namespace {

constexpr const char* kSchema =
    R"({"type":"struct","fields":[{"name":"a","type":"long","nullable":true,"metadata":{}}]})";

Metadata metadata(Properties configuration = {}, const std::string& schema = kSchema) {
  Metadata one;
  one.id = "i";
  one.schema_text = schema;
  one.configuration = std::move(configuration);
  return one;
}

Add add(const std::string& path, bool data_change = true) {
  Add one;
  one.path = path;
  one.data_change = data_change;
  return one;
}

Remove remove(const std::string& path, bool data_change = true) {
  Remove one;
  one.path = path;
  one.data_change = data_change;
  return one;
}

State state_of(const std::vector<Action>& actions) {
  State state;
  if (const auto status = state.apply(0, actions); !status)
    throw std::runtime_error(base::print(status.error()));
  return state;
}

// ---- replay ----

TEST(Replay, KeepsTheLastWordOnEverything) {
  State state = state_of({Protocol{}, metadata(), add("a"), add("b"), Txn{"app", 1, {}}});
  ASSERT_TRUE(state.apply(1, {remove("a"), add("c"), Txn{"app", 2, {}}, Protocol{1, 3, {}, {}}}));
  ASSERT_TRUE(state.apply(2, {add("a"), metadata({{"k", "v"}})}));
  EXPECT_EQ(state.version, 2);
  EXPECT_EQ(state.files.size(), 3U);
  EXPECT_TRUE(state.removed.empty());
  EXPECT_EQ(state.txns.at("app").version, 2);
  EXPECT_EQ(state.protocol->writer_version, 3);
  EXPECT_EQ(state.metadata->configuration.at("k"), "v");
  ASSERT_TRUE(state.apply(3, {remove("b")}));
  EXPECT_EQ(state.files.size(), 2U);
  EXPECT_TRUE(state.removed.contains("b"));
}

TEST(Replay, RefusesEntriesThatContradictThemselvesOrTheOrder) {
  const State start = state_of({Protocol{}, metadata(), add("a")});
  const std::vector<std::pair<std::int64_t, std::vector<Action>>> bad = {
      {2, {add("b")}},
      {0, {add("b")}},
      {1, {add("b"), add("b")}},
      {1, {remove("a"), add("a")}},
      {1, {Protocol{}, Protocol{}}},
      {1, {metadata(), metadata()}},
      {1, {Txn{"x", 1, {}}, Txn{"x", 2, {}}}},
  };
  for (const auto& [version, actions] : bad) {
    State state = start;
    const auto status = state.apply(version, actions);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "delta.replay");
  }
}

TEST(Replay, LetsADeletionVectorReplaceAnother) {
  State state = state_of({Protocol{}, metadata(), add("a")});
  Add masked = add("a");
  masked.deletion_vector = base::Json::object({{"storageType", "u"}});
  ASSERT_TRUE(state.apply(1, {remove("a"), masked}));
  EXPECT_TRUE(state.files.at("a").deletion_vector);
}

TEST(Replay, KeepsDomainsUntilTheyAreRemoved) {
  State state =
      state_of({Protocol{}, metadata(), Other{"domainMetadata", base::Json::object({{"domain", "d"}})}});
  EXPECT_TRUE(state.domains.contains("d"));
  ASSERT_TRUE(
      state.apply(1, {Other{"domainMetadata", base::Json::object({{"domain", "d"}, {"removed", true}})}}));
  EXPECT_FALSE(state.domains.contains("d"));
}

// ---- names and plans ----

std::string part_name(std::int64_t version, int part, int parts) {
  const auto ten = [](int number) {
    const std::string digits = std::to_string(number);
    return std::string(10 - digits.size(), '0') + digits;
  };
  return entry_name(version).substr(0, 20) + ".checkpoint." + ten(part) + "." + ten(parts) + ".parquet";
}

std::vector<std::string> entries(std::int64_t first, std::int64_t last) {
  std::vector<std::string> names;
  for (std::int64_t version = first; version <= last; ++version) names.push_back(entry_name(version));
  return names;
}

TEST(LogNames, AreRecognised) {
  EXPECT_EQ(entry_name(12), "00000000000000000012.json");
  EXPECT_EQ(checkpoint_name(10), "00000000000000000010.checkpoint.parquet");
  EXPECT_EQ(parse_log_name(entry_name(12)).kind, LogName::Kind::entry);
  EXPECT_EQ(parse_log_name(entry_name(12)).version, 12);
  EXPECT_EQ(parse_log_name(checkpoint_name(10)).kind, LogName::Kind::checkpoint);
  const LogName part = parse_log_name(part_name(4, 2, 3));
  EXPECT_EQ(part.kind, LogName::Kind::checkpoint_part);
  EXPECT_EQ(part.part, 2);
  EXPECT_EQ(part.parts, 3);
  EXPECT_EQ(parse_log_name("00000000000000000010.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json").kind,
            LogName::Kind::checkpoint_v2);
  EXPECT_EQ(parse_log_name("00000000000000000001.00000000000000000003.compacted.json").kind,
            LogName::Kind::compacted);
}

TEST(LogNames, OfOtherFilesMeanNothing) {
  for (const char* name :
       {"", "_last_checkpoint", "12.json", "0000000000000000001x.json", "00000000000000000012.json.tmp",
        ".00000000000000000012.json.crc", "00000000000000000012.crc", "99999999999999999999.json",
        "09223372036854775807.json", "00000000000000000004.checkpoint.0000000003.0000000002.parquet",
        "00000000000000000004.checkpoint.parquet.tmp", "00000000000000000004.checkpoint.short.json"})
    EXPECT_EQ(parse_log_name(name).kind, LogName::Kind::other) << name;
}

TEST(PlanLog, ReadsEntriesFromTheStartWithoutACheckpoint) {
  const auto plan = plan_log(entries(0, 3), std::nullopt);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->version, 3);
  EXPECT_EQ(plan->checkpoint, std::nullopt);
  EXPECT_EQ(plan->entries, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(plan_log(entries(0, 3), 1)->entries, (std::vector<std::int64_t>{0, 1}));
}

TEST(PlanLog, StartsAtTheNewestCheckpointThatIsNotTooNew) {
  auto names = entries(5, 25);
  names.push_back(checkpoint_name(10));
  names.push_back(checkpoint_name(20));
  const auto plan = plan_log(names, std::nullopt);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->checkpoint, 20);
  EXPECT_EQ(plan->entries, (std::vector<std::int64_t>{21, 22, 23, 24, 25}));
  EXPECT_EQ(plan_log(names, 12)->checkpoint, 10);
  EXPECT_EQ(plan_log(names, 20)->entries.size(), 0U);
  EXPECT_EQ(plan_log({checkpoint_name(7)}, std::nullopt)->version, 7);
}

TEST(PlanLog, SaysWhatIsMissing) {
  EXPECT_EQ(plan_log({}, std::nullopt).error().code, "delta.no_table");
  EXPECT_EQ(plan_log({"_last_checkpoint"}, std::nullopt).error().code, "delta.no_table");
  EXPECT_EQ(plan_log(entries(0, 3), 4).error().code, "delta.version_missing");
  EXPECT_EQ(plan_log(entries(0, 3), -1).error().code, "delta.version_missing");
  auto cleaned = entries(8, 12);
  cleaned.push_back(checkpoint_name(10));
  EXPECT_EQ(plan_log(cleaned, 9).error().code, "delta.version_missing");
  EXPECT_TRUE(plan_log(cleaned, 12));
  auto holed = entries(0, 5);
  holed.erase(holed.begin() + 2);
  const auto gap = plan_log(holed, std::nullopt);
  EXPECT_EQ(gap.error().code, "delta.log_gap");
  EXPECT_NE(gap.error().message.find("entry 2 "), std::string::npos);
}

TEST(PlanLog, PassesOverOtherCheckpointsWhenItCanDoWithout) {
  auto names = entries(0, 5);
  names.push_back(part_name(4, 1, 2));
  names.push_back(part_name(4, 2, 2));
  EXPECT_EQ(plan_log(names, std::nullopt)->entries.size(), 6U);
  names.push_back(checkpoint_name(4));
  EXPECT_EQ(plan_log(names, std::nullopt)->checkpoint, 4);
}

TEST(PlanLog, RefusesByNameWhenOnlyAnotherKindOfCheckpointHelps) {
  auto names = entries(5, 6);
  names.push_back(part_name(4, 1, 2));
  EXPECT_EQ(plan_log(names, std::nullopt).error().code, "delta.log_gap");
  names.push_back(part_name(4, 2, 2));
  const auto multi = plan_log(names, std::nullopt);
  EXPECT_EQ(multi.error().code, "delta.feature_unsupported");
  EXPECT_NE(multi.error().message.find("multi-part checkpoint"), std::string::npos);
  auto second = entries(5, 6);
  second.push_back("00000000000000000005.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.parquet");
  EXPECT_NE(plan_log(second, std::nullopt).error().message.find("v2Checkpoint"), std::string::npos);
}

// ---- features ----

std::string refusal(const base::Status& status) {
  if (status) return "accepted";
  EXPECT_EQ(status.error().code, "delta.feature_unsupported");
  return status.error().message;
}

TEST(CheckReadable, RefusesAnUnknownReaderFeatureByName) {
  const State state =
      state_of({Protocol{3, 7, {"deletionVectors", "madeUpFeature"}, {"madeUpFeature"}}, metadata()});
  EXPECT_NE(refusal(check_readable(state)).find("madeUpFeature"), std::string::npos);
}

TEST(CheckReadable, RefusesWhatWouldBeMisread) {
  Add masked = add("a");
  masked.deletion_vector = base::Json::object();
  Metadata partitioned = metadata();
  partitioned.partition_columns = {"p"};
  const std::vector<std::pair<State, std::string>> cases = {
      {state_of({Protocol{4, 8, {}, {}}, metadata()}), "reader version 4"},
      {state_of({Protocol{2, 5, {}, {}}, metadata({{"delta.columnMapping.mode", "id"}})}),
       "columnMapping (mode id)"},
      {state_of({Protocol{3, 7, {"deletionVectors"}, {"deletionVectors"}}, metadata(), masked}),
       "deletionVectors"},
      {state_of({Protocol{}, partitioned}), "partition columns (p)"},
      {state_of({Protocol{3, 7, {"typeWidening"}, {"typeWidening"}}, metadata()}), "typeWidening"},
  };
  for (const auto& [state, words] : cases)
    EXPECT_NE(refusal(check_readable(state)).find(words), std::string::npos) << words;
  EXPECT_TRUE(check_readable(state_of({Protocol{}, metadata({{"delta.columnMapping.mode", "none"}})})));
  EXPECT_TRUE(check_readable(
      state_of({Protocol{3, 7, {"deletionVectors"}, {"deletionVectors"}}, metadata(), add("a")})));
}

TEST(CheckReadable, CallsALogWithoutProtocolOrMetadataDamaged) {
  EXPECT_EQ(check_readable(state_of({metadata()})).error().code, "delta.replay");
  EXPECT_EQ(check_readable(state_of({Protocol{}})).error().code, "delta.replay");
}

std::string schema_with(const std::string& field_metadata) {
  return R"({"type":"struct","fields":[{"name":"a","type":"long","nullable":true,"metadata":)" +
         field_metadata + "}]}";
}

constexpr const char* kMapped = R"({"delta.columnMapping.id":1,"delta.columnMapping.physicalName":"col-1"})";

TEST(CheckReadable, KnowsColumnsThatAreMappedByName) {
  const auto mapped = [](const std::string& mode, const std::string& field) {
    return check_readable(state_of(
        {Protocol{2, 5, {}, {}}, metadata({{"delta.columnMapping.mode", mode}}, schema_with(field))}));
  };
  EXPECT_TRUE(mapped("name", kMapped));
  EXPECT_EQ(mapped("name", "{}").error().code, "delta.schema");
  EXPECT_EQ(mapped("name", R"({"delta.columnMapping.physicalName":"col-1"})").error().code, "delta.schema");
  EXPECT_NE(refusal(mapped("none", kMapped)).find("turned off (column a)"), std::string::npos);
  EXPECT_TRUE(mapped("none", R"({"delta.columnMapping.id":1,"delta.columnMapping.physicalName":"a"})"));
  const Schema schema = parse_schema(schema_with(kMapped)).value();
  EXPECT_EQ(physical_name(schema.fields[0]), "col-1");
  EXPECT_EQ(column_id(schema.fields[0]), 1);
  EXPECT_EQ(physical_name(parse_schema(schema_with("{}"))->fields[0]), "a");
  EXPECT_FALSE(column_id(parse_schema(schema_with("{}"))->fields[0]));
}

TEST(CheckReadable, RefusesTwoColumnsUnderOneNameInTheFiles) {
  const std::string field = R"({"name":")";
  const std::string rest = R"(","type":"long","nullable":true,"metadata":)" + std::string(kMapped) + "}";
  const std::string text =
      R"({"type":"struct","fields":[)" + field + "a" + rest + "," + field + "b" + rest + "]}";
  const auto status = check_readable(
      state_of({Protocol{2, 5, {}, {}}, metadata({{"delta.columnMapping.mode", "name"}}, text)}));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "delta.schema");
}

TEST(CheckWritable, RefusesWhatWouldBeBroken) {
  const std::vector<std::pair<State, std::string>> cases = {
      {state_of({Protocol{1, 8, {}, {}}, metadata()}), "writer version 8"},
      {state_of({Protocol{1, 7, {}, {"rowTracking"}}, metadata()}), "rowTracking"},
      {state_of({Protocol{3, 7, {"v2Checkpoint"}, {"v2Checkpoint"}}, metadata()}), "v2Checkpoint"},
      {state_of({Protocol{1, 4, {}, {}}, metadata({{"delta.enableChangeDataFeed", "true"}})}),
       "changeDataFeed"},
      {state_of({Protocol{1, 7, {}, {}}, metadata({{"delta.enableInCommitTimestamps", "true"}})}),
       "inCommitTimestamp"},
      {state_of({Protocol{1, 2, {}, {}}, metadata({}, schema_with(R"({"delta.invariants":"{}"})"))}),
       "invariants"},
      {state_of({Protocol{1, 4, {}, {}}, metadata({}, schema_with(R"({"delta.generationExpression":"b"})"))}),
       "generatedColumns"},
      {state_of({Protocol{1, 6, {}, {}}, metadata({}, schema_with(R"({"delta.identity.start":1})"))}),
       "identityColumns"},
      {state_of({Protocol{1, 7, {}, {"allowColumnDefaults"}},
                 metadata({}, schema_with(R"({"CURRENT_DEFAULT":"1"})"))}),
       "allowColumnDefaults"},
      {state_of({Protocol{}, metadata({}, schema_with(R"x({"__CHAR_VARCHAR_TYPE_STRING":"char(3)"})x"))}),
       "char"},
  };
  for (const auto& [state, words] : cases)
    EXPECT_NE(refusal(check_writable(state)).find(words), std::string::npos) << words;
}

TEST(CheckWritable, AcceptsWritersWhoseFeaturesAreAsleep) {
  EXPECT_TRUE(check_writable(state_of({Protocol{1, 6, {}, {}}, metadata()})));
  EXPECT_TRUE(check_writable(state_of(
      {Protocol{
           1, 7, {}, {"appendOnly", "invariants", "checkConstraints", "changeDataFeed", "generatedColumns"}},
       metadata()})));
}

TEST(ProtocolFor, IsTheLowestThatSuffices) {
  EXPECT_EQ(protocol_for(metadata(), std::nullopt), (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(protocol_for(metadata({{"delta.constraints.c", "a > 0"}}), std::nullopt),
            (Protocol{1, 3, {}, {}}));
  const Properties named = {{"delta.columnMapping.mode", "name"}, {"delta.appendOnly", "true"}};
  EXPECT_EQ(protocol_for(metadata(named), std::nullopt),
            (Protocol{3, 7, {"columnMapping"}, {"columnMapping", "appendOnly"}}));
  EXPECT_EQ(protocol_for(metadata(named), Protocol{2, 5, {}, {}}), (Protocol{2, 5, {}, {}}));
  EXPECT_EQ(protocol_for(metadata(), Protocol{1, 1, {}, {}}), (Protocol{1, 1, {}, {}}));
  EXPECT_EQ(protocol_for(metadata({{"delta.appendOnly", "true"}}), Protocol{1, 1, {}, {}}),
            (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(protocol_for(metadata({{"delta.constraints.c", "a > 0"}}), Protocol{1, 2, {}, {}}),
            (Protocol{1, 3, {}, {}}));
  EXPECT_EQ(protocol_for(metadata({{"delta.constraints.c", "a > 0"}}), Protocol{1, 4, {}, {}}),
            (Protocol{1, 4, {}, {}}));
  EXPECT_EQ(protocol_for(metadata(), Protocol{2, 5, {}, {}}), (Protocol{2, 5, {}, {}}));
  EXPECT_EQ(protocol_for(metadata({{"delta.constraints.c", "a > 0"}}), Protocol{1, 7, {}, {"appendOnly"}}),
            (Protocol{1, 7, {}, {"appendOnly", "checkConstraints"}}));
}

TEST(CheckConstraints, AreFoundByLowerCaseName) {
  const auto checks =
      check_constraints(metadata({{"delta.constraints.Total_OK", "a > 0"}, {"delta.appendOnly", "x"}}));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks.at("total_ok"), "a > 0");
}

// ---- conflicts ----

std::string judged(const Intent& intent, const std::vector<Action>& winner) {
  const auto status = check_conflict(intent, 4, winner);
  if (status) return "none";
  EXPECT_EQ(status.error().kind, base::Kind::conflict);
  return status.error().code;
}

TEST(Conflicts, FollowTheProtocol) {
  const Intent blind;
  Intent reader;
  reader.reads_whole_table = true;
  Intent rewriter;
  rewriter.removes = {"a"};
  Intent batch;
  batch.app_ids = {"app"};

  EXPECT_EQ(judged(blind, {add("x"), remove("y"), CommitInfo{}}), "none");
  EXPECT_EQ(judged(blind, {metadata()}), "delta.conflict_metadata");
  EXPECT_EQ(judged(blind, {Protocol{}}), "delta.conflict_protocol");
  EXPECT_EQ(judged(reader, {add("x")}), "delta.conflict_append");
  EXPECT_EQ(judged(reader, {remove("x")}), "delta.conflict_delete");
  EXPECT_EQ(judged(reader, {add("x", false), remove("y", false)}), "none");
  EXPECT_EQ(judged(rewriter, {remove("a", false)}), "delta.conflict_delete");
  EXPECT_EQ(judged(rewriter, {remove("b"), add("c")}), "none");
  EXPECT_EQ(judged(batch, {Txn{"app", 1, {}}}), "delta.conflict_txn");
  EXPECT_EQ(judged(batch, {Txn{"other", 1, {}}}), "none");
}

}  // namespace
}  // namespace delta
