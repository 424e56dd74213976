#include <gtest/gtest.h>

#include <random>

#include <delta/actions.h>

namespace delta {

namespace {

const base::Place kWhere{"00000000000000000003.json", 7, 0};

Action decoded(const std::string& line) {
  auto action = decode_action(line, kWhere);
  if (!action) throw std::runtime_error(base::print(action.error()));
  return *std::move(action);
}

TEST(DecodeAction, ReadsAnAddAsSparkWritesIt) {
  const Action action = decoded(
      R"({"add":{"path":"part-00000-a%20b.snappy.parquet","partitionValues":{"d":null,"e":"x"},"size":452,)"
      R"("modificationTime":1587968586000,"dataChange":true,"stats":"{\"numRecords\":1}","tags":{"k":"v"},)"
      R"("futureMember":[1,2]}})");
  const auto& add = std::get<Add>(action);
  EXPECT_EQ(add.path, "part-00000-a b.snappy.parquet");
  EXPECT_EQ(add.partition_values.at("d"), std::nullopt);
  EXPECT_EQ(add.partition_values.at("e"), "x");
  EXPECT_EQ(add.size, 452);
  EXPECT_EQ(add.modified_ms, 1587968586000);
  EXPECT_TRUE(add.data_change);
  EXPECT_EQ(add.stats, "{\"numRecords\":1}");
  EXPECT_EQ(add.tags.at("k"), "v");
}

TEST(DecodeAction, ReadsProtocolAndMetadata) {
  const auto protocol = std::get<Protocol>(decoded(
      R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["a"],"writerFeatures":["a","b"]}})"));
  EXPECT_EQ(protocol, (Protocol{3, 7, {"a"}, {"a", "b"}}));
  const auto metadata = std::get<Metadata>(
      decoded(R"({"metaData":{"id":"i","name":null,"format":{"provider":"parquet","options":{}},)"
              R"("schemaString":"{}","partitionColumns":["p"],"configuration":{"k":"v"},"createdTime":5}})"));
  EXPECT_EQ(metadata.id, "i");
  EXPECT_EQ(metadata.name, std::nullopt);
  EXPECT_EQ(metadata.partition_columns, std::vector<std::string>{"p"});
  EXPECT_EQ(metadata.configuration.at("k"), "v");
  EXPECT_EQ(metadata.created_ms, 5);
}

TEST(DecodeAction, KeepsActionsThatItDoesNotKnow) {
  const auto other = std::get<Other>(decoded(R"({"somethingNew":{"a":1}})"));
  EXPECT_EQ(other.name, "somethingNew");
  EXPECT_EQ(other.content.int64("a"), 1);
}

TEST(DecodeAction, RefusesLinesThatBreakTheirForm) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "no JSON"},
      {"{", "no JSON"},
      {"[]", "0 actions"},
      {"{}", "0 actions"},
      {"7", "0 actions"},
      {R"({"add":{},"remove":{}})", "2 actions"},
      {R"({"add":[]})", "expected an object"},
      {R"({"add":null})", "expected an object"},
      {R"({"add":{"path":"a","size":1,"modificationTime":1}})", "no dataChange"},
      {R"({"add":{"path":"a","size":-1,"modificationTime":1,"dataChange":true}})", "negative size"},
      {R"({"add":{"path":"a","size":1.5,"modificationTime":1,"dataChange":true}})",
       "size = 1.5, expected an integer"},
      {R"({"add":{"path":"a","size":"1","modificationTime":1,"dataChange":true}})", "expected an integer"},
      {R"({"add":{"path":"a","size":1,"modificationTime":1,"dataChange":"true"}})", "expected true or false"},
      {R"({"add":{"path":"a%2","size":1,"modificationTime":1,"dataChange":true}})", "wrong path"},
      {R"({"add":{"path":"","size":1,"modificationTime":1,"dataChange":true}})", "empty path"},
      {R"({"add":{"path":7,"size":1,"modificationTime":1,"dataChange":true}})", "expected a string"},
      {R"({"add":{"path":"a","size":1,"modificationTime":1,"dataChange":true,"stats":{}}})",
       "expected a string"},
      {R"({"add":{"path":"a","size":1,"modificationTime":1,"dataChange":true,"partitionValues":{"p":1}}})",
       "expected strings"},
      {R"({"remove":{"path":"a"}})", "no dataChange"},
      {R"({"txn":{"appId":"a"}})", "no version"},
      {R"({"txn":{"appId":"a","version":99999999999999999999}})", "expected an integer"},
      {R"({"protocol":{"minReaderVersion":0,"minWriterVersion":2}})", "below 1"},
      {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"writerFeatures":[]}})",
       "without readerFeatures"},
      {R"({"protocol":{"minReaderVersion":1,"minWriterVersion":7}})", "without writerFeatures"},
      {R"({"protocol":{"minReaderVersion":1,"minWriterVersion":7,"readerFeatures":["a"],"writerFeatures":["a"]}})",
       "only reader version 3"},
      {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":3,"readerFeatures":[],"writerFeatures":["a"]}})",
       "only writer version 7"},
      {R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[1],"writerFeatures":[]}})",
       "expected strings"},
      {R"({"metaData":{"schemaString":"{}"}})", "no id"},
      {R"({"metaData":{"id":"i"}})", "no schemaString"},
      {R"({"metaData":{"id":"i","schemaString":"{}","configuration":[]}})", "expected an object of strings"},
      {R"({"commitInfo":1})", "expected an object"},
  };
  for (const auto& [line, words] : bad) {
    const auto action = decode_action(line, kWhere);
    ASSERT_FALSE(action) << line;
    EXPECT_EQ(action.error().code, "delta.action") << line;
    EXPECT_EQ(action.error().place, kWhere) << line;
    EXPECT_NE(action.error().message.find(words), std::string::npos) << line << "\n"
                                                                     << action.error().message;
  }
}

TEST(DecodeAction, RefusesOtherFileFormatsByName) {
  const auto action =
      decode_action(R"({"metaData":{"id":"i","schemaString":"{}","format":{"provider":"orc"}}})", kWhere);
  ASSERT_FALSE(action);
  EXPECT_EQ(action.error().code, "delta.feature_unsupported");
  EXPECT_NE(action.error().message.find("orc"), std::string::npos);
}

TEST(DecodeAction, SurvivesAnyDamageToALine) {
  const std::string line =
      R"({"add":{"path":"a%20b","partitionValues":{"d":null},"size":452,"modificationTime":1,"dataChange":true,)"
      R"("stats":"{}","deletionVector":{"storageType":"u","sizeInBytes":3},"baseRowId":4}})";
  const unsigned seed = 20260301;
  std::mt19937 random(seed);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = line;
    for (unsigned k = 0; k <= random() % 3; ++k) {
      const std::size_t at = random() % damaged.size();
      if (random() % 2 == 0)
        damaged[at] = static_cast<char>(random() % 256);
      else
        damaged.erase(at, random() % 5 + 1);
      if (damaged.empty()) damaged = "{";
    }
    const auto action = decode_action(damaged, kWhere);
    if (action) continue;
    ++refused;
    ASSERT_FALSE(action.error().message.empty()) << "seed " << seed << ": " << damaged;
  }
  EXPECT_GT(refused, 10'000);
}

TEST(EncodeAction, ComesBackTheSame) {
  Add add;
  add.path = "part-0 é%+:x.parquet";
  add.partition_values = {{"a", std::nullopt}, {"b", "c"}};
  add.size = 12;
  add.modified_ms = 34;
  add.data_change = false;
  add.stats = R"({"numRecords":3})";
  add.tags = {{"t", "u"}};
  add.base_row_id = 5;
  Remove remove;
  remove.path = "s3://bucket/a b";
  remove.deleted_ms = 6;
  remove.extended_file_metadata = true;
  remove.size = 7;
  Metadata metadata;
  metadata.id = "i";
  metadata.name = "n";
  metadata.schema_text = R"({"type":"struct","fields":[]})";
  metadata.configuration = {{"delta.appendOnly", "true"}};
  metadata.created_ms = 8;
  const std::vector<Action> actions = {
      CommitInfo{base::Json::object({{"operation", "WRITE"}})},
      Protocol{3, 7, {"x"}, {"x", "y"}},
      Protocol{1, 3, {}, {}},
      metadata,
      add,
      remove,
      Txn{"app", 9, 10},
      Other{"domainMetadata", base::Json::object({{"domain", "d"}})},
  };
  const auto back = decode_commit(encode_commit(actions), "f");
  ASSERT_TRUE(back) << base::print(back.error());
  EXPECT_EQ(*back, actions);
}

TEST(EncodeAction, WritesLegacyProtocolsWithoutFeatureLists) {
  EXPECT_EQ(encode_action(Protocol{1, 3, {}, {}}),
            R"({"protocol":{"minReaderVersion":1,"minWriterVersion":3}})");
}

TEST(DecodeCommit, NamesFileAndLineOfADamagedAction) {
  const auto actions =
      decode_commit("{\"txn\":{\"appId\":\"a\",\"version\":1}}\r\n\n{\"add\":1}\n", "x.json");
  ASSERT_FALSE(actions);
  EXPECT_EQ(actions.error().place, (base::Place{"x.json", 3, 0}));
}

TEST(Paths, AreEncodedAsTheProtocolAsks) {
  EXPECT_EQ(encode_path("part-00000-a1b2.c000.zstd.parquet"), "part-00000-a1b2.c000.zstd.parquet");
  EXPECT_EQ(encode_path("d=2026 01/ü%?#:.parquet"), "d=2026%2001/%C3%BC%25%3F%23%3A.parquet");
  EXPECT_EQ(encode_path("abfss://c@h/x y"), "abfss://c%40h/x%20y");
  EXPECT_EQ(*decode_path("a+b%2fc"), "a+b/c");
  EXPECT_FALSE(decode_path("a%"));
  EXPECT_FALSE(decode_path("a%4"));
  EXPECT_FALSE(decode_path("%zz"));
  EXPECT_EQ(*decode_path("%41"), "A");
}

TEST(DecodeCommit, refuses_an_entry_without_actions) {
  for (const char* bytes : {"", "\n", "\r\n\n"}) {
    const auto actions = decode_commit(bytes, "00000000000000000003.json");
    ASSERT_FALSE(actions.has_value());
    EXPECT_EQ(actions.error().code, "delta.empty_entry");
    EXPECT_EQ(actions.error().place.file, "00000000000000000003.json");
  }
}

}  // namespace
}  // namespace delta
