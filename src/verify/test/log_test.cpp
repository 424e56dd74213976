// The log replay: what is cleaned away is said per version, what is not understood is refused by name.
#include <filesystem>
#include <fstream>

#include <base/text.h>

#include "shop.h"

namespace verify {
namespace {

using base::Json;
using Texts = std::vector<std::string>;

class VerifyLog : public ::testing::Test {
 protected:
  void SetUp() override { shop.build(); }

  std::string log_file(std::int64_t version, const std::string& ending) {
    std::string name = std::to_string(version);
    name.insert(0, 20 - name.size(), '0');
    return shop.path("silver.orders") + "/_delta_log/" + name + ending;
  }
  std::string refusal() {
    shop.write();
    const auto report = shop.verify();
    if (report) return "no refusal";
    EXPECT_EQ(report.error().code, "verify.unsupported");
    return report.error().message;
  }
  // A checkpoint of the state after version 1, as a writer would leave it.
  void write_checkpoint() {
    const Json metadata = *shop.action(shop.silver[0], "metaData").find("metaData");
    const Json add = *shop.action(shop.silver[1], "add").find("add");
    const Json txn = *shop.action(shop.silver[1], "txn").find("txn");
    const auto quoted = [](const Json& value) { return base::sql_quote(value.print()); };
    const std::string metadata_type =
        "{\"id\":\"VARCHAR\",\"schemaString\":\"VARCHAR\",\"partitionColumns\":[\"VARCHAR\"],"
        "\"configuration\":\"MAP(VARCHAR, VARCHAR)\"}";
    const std::string rows =
        "SELECT {'minReaderVersion': 1, 'minWriterVersion': 3} AS protocol, NULL AS metaData, NULL AS add, "
        "NULL AS txn "
        "UNION ALL SELECT NULL, from_json(" +
        quoted(metadata) + ", '" + metadata_type +
        "'), NULL, NULL "
        "UNION ALL SELECT NULL, NULL, from_json(" +
        quoted(add) +
        ", '{\"path\":\"VARCHAR\",\"size\":\"BIGINT\",\"dataChange\":\"BOOLEAN\",\"stats\":\"VARCHAR\"}'), "
        "NULL "
        "UNION ALL SELECT NULL, NULL, NULL, from_json(" +
        quoted(txn) + ", '{\"appId\":\"VARCHAR\",\"version\":\"BIGINT\"}')";
    const auto written = shop.connection().write_parquet(rows, log_file(1, ".checkpoint.parquet"), {});
    ASSERT_TRUE(written) << base::print(written.error());
  }

  Shop shop;
};

TEST_F(VerifyLog, SaysPerVersionWhatTheLogDoesNotHoldAnyMore) {
  shop.write();
  write_checkpoint();
  std::filesystem::remove(log_file(0, ".json"));
  std::filesystem::remove(log_file(1, ".json"));
  const auto report = shop.verify(true);
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(failures(*report), Texts{});
  EXPECT_EQ(gaps(*report), (Texts{"verify.chain", "verify.retention"}));
  EXPECT_EQ(report->versions, (std::vector<std::int64_t>{2, 3}));
  std::vector<std::int64_t> missing;
  for (const Finding& finding : report->findings)
    if (finding.code == "verify.retention") missing.push_back(finding.version);
  EXPECT_EQ(missing, (std::vector<std::int64_t>{0, 1}));
}

TEST_F(VerifyLog, StillFindsAFaultAfterACheckpoint) {
  Json counts = *shop.silver[2].receipt->find("counts");
  counts.set("updated", 2);
  shop.silver[2].receipt->set("counts", counts);
  shop.write();
  write_checkpoint();
  std::filesystem::remove(log_file(0, ".json"));
  const auto report = shop.verify();
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(failures(*report), (Texts{"verify.balance", "verify.count updated"}));
}

TEST_F(VerifyLog, HoldsACheckpointAgainstTheEntriesThatItStandsFor) {
  shop.write();
  write_checkpoint();
  const auto honest = shop.verify();
  ASSERT_TRUE(honest) << base::print(honest.error());
  EXPECT_EQ(failures(*honest), Texts{});

  // The same checkpoint claims to stand for version 2, whose entry it knows nothing of.
  std::filesystem::rename(log_file(1, ".checkpoint.parquet"), log_file(2, ".checkpoint.parquet"));
  const auto lying = shop.verify();
  ASSERT_TRUE(lying) << base::print(lying.error());
  EXPECT_EQ(failures(*lying), Texts{"verify.checkpoint"});

  std::filesystem::resize_file(log_file(2, ".checkpoint.parquet"), 10);
  const auto torn = shop.verify();
  ASSERT_TRUE(torn) << base::print(torn.error());
  EXPECT_EQ(failures(*torn), Texts{"verify.checkpoint"});
}

TEST_F(VerifyLog, RefusesAGap) {
  shop.write();
  std::filesystem::remove(log_file(1, ".json"));
  const auto report = shop.verify();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "verify.log");
  EXPECT_NE(report.error().message.find("version 1 is missing"), std::string::npos) << report.error().message;
}

TEST_F(VerifyLog, DoesNotJudgeVersionsWhoseFilesAreGone) {
  shop.write();
  std::filesystem::remove(shop.path("silver.orders") + "/s1.parquet");
  const auto report = shop.verify(true);
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(failures(*report), Texts{});
  EXPECT_EQ(gaps(*report), (Texts{"verify.count inserted, updated, deleted", "verify.deep_count day-1",
                                  "verify.deep_count day-2", "verify.hash_after", "verify.hash_before",
                                  "verify.keys_unique"}));
}

TEST_F(VerifyLog, RefusesATableFeatureByItsName) {
  shop.action(shop.silver[0], "protocol") = *Json::parse(
      "{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,"
      "\"readerFeatures\":[\"madeUpFeature\"],\"writerFeatures\":[\"madeUpFeature\"]}}");
  EXPECT_NE(refusal().find("madeUpFeature"), std::string::npos);
}

TEST_F(VerifyLog, RefusesADeletionVector) {
  Json& line = shop.action(shop.silver[2], "add");
  Json add = *line.find("add");
  add.set("deletionVector", Json::object({{"storageType", "u"}}));
  line.set("add", add);
  EXPECT_NE(refusal().find("deletion vector of s2.parquet"), std::string::npos);
}

TEST_F(VerifyLog, RefusesAnActionByItsName) {
  shop.silver[2].actions.push_back(*Json::parse("{\"domainMetadata\":{\"domain\":\"d\"}}"));
  EXPECT_NE(refusal().find("the action domainMetadata"), std::string::npos);
}

TEST_F(VerifyLog, RefusesPartitionsAndColumnMappingByTheirNames) {
  Json& line = shop.action(shop.silver[0], "metaData");
  const Json right = *line.find("metaData");
  Json metadata = right;
  metadata.set("partitionColumns", Json::array({"order_id"}));
  line.set("metaData", metadata);
  EXPECT_NE(refusal().find("partitioned by order_id"), std::string::npos);
  metadata = right;
  Json configuration = *metadata.find("configuration");
  configuration.set("delta.columnMapping.mode", "id");
  metadata.set("configuration", configuration);
  line.set("metaData", metadata);
  EXPECT_NE(refusal().find("column mapping by id"), std::string::npos);
}

TEST_F(VerifyLog, RefusesALineThatIsNoJson) {
  shop.write();
  std::ofstream(log_file(3, ".json"), std::ios::app) << "{broken\n";
  const auto report = shop.verify();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "verify.log");
  EXPECT_EQ(report.error().place.line, 3);
}

}  // namespace
}  // namespace verify
