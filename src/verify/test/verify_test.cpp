// A table that keeps every promise is proven; each falsification is found by its name.
#include <base/hash.h>

#include <filesystem>
#include <fstream>

#include <base/text.h>

#include "shop.h"

namespace verify {
namespace {

using base::Json;
using Texts = std::vector<std::string>;

class Verify : public ::testing::Test {
 protected:
  void SetUp() override { shop.build(); }

  // What verify finds wrong after the logs were written.
  Texts found(bool deep = false) {
    shop.write();
    return find(deep);
  }
  Texts find(bool deep = false) {
    const auto report = shop.verify(deep);
    if (!report) return {"error " + report.error().code + ": " + report.error().message};
    for (const Finding& finding : report->findings)
      if (finding.verdict == Verdict::failed) last_ += print(finding) + "\n";
    return failures(*report);
  }
  void set_count(Draft& draft, const std::string& term, std::int64_t value) {
    Json counts = *draft.receipt->find("counts");
    counts.set(term, value);
    draft.receipt->set("counts", counts);
  }
  std::int64_t count(const Draft& draft, const std::string& term) {
    return *draft.receipt->find("counts")->int64(term);
  }
  void set_property(const std::string& name, const std::optional<std::string>& value) {
    Json& line = shop.action(shop.silver[0], "metaData");
    Json metadata = *line.find("metaData");
    Json configuration = *metadata.find("configuration");
    if (value)
      configuration.set(name, *value);
    else
      configuration.remove(name);
    metadata.set("configuration", configuration);
    line.set("metaData", metadata);
  }
  void set_in_add(Draft& draft, const std::string& name, Json value) {
    Json& line = shop.action(draft, "add");
    Json add = *line.find("add");
    add.set(name, std::move(value));
    line.set("add", add);
  }
  void set_in_stats(Draft& draft, const std::string& group, const std::string& column, Json value) {
    const Json add = *shop.action(draft, "add").find("add");
    Json stats = *Json::parse(*add.string("stats"));
    Json values = *stats.find(group);
    values.set(column, std::move(value));
    stats.set(group, values);
    set_in_add(draft, "stats", stats.print());
  }

  Shop shop;
  std::string last_;  // the findings in words
};

TEST_F(Verify, ProvesATableThatKeepsItsPromises) {
  shop.write();
  const auto report = shop.verify();
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_TRUE(report->ok());
  EXPECT_EQ(failures(*report), Texts{});
  EXPECT_EQ(gaps(*report), Texts{});
  EXPECT_EQ(report->version, 3);
  EXPECT_EQ(report->versions, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_GT(report->count(Verdict::ok), 60);
}

TEST_F(Verify, ProvesItDeeplyToo) {
  shop.write();
  const auto report = shop.verify(true);
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(failures(*report), Texts{});
  EXPECT_EQ(gaps(*report), Texts{});
}

TEST_F(Verify, ExaminesUpToAnAskedVersion) {
  shop.write();
  const auto report = shop.verify(false, 1);
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(report->version, 1);
  EXPECT_EQ(failures(*report), Texts{});
}

TEST_F(Verify, RefusesATableThatIsNotThere) {
  shop.write();
  const auto report = shop.verify(false, std::nullopt, "silver.nothing");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "verify.no_table");
  const auto later = shop.verify(false, 9);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, "verify.version_missing");
}

TEST_F(Verify, ProvesALandingTableByItself) {
  shop.write();
  const auto report = shop.verify(false, std::nullopt, "bronze.orders_raw");
  ASSERT_TRUE(report) << base::print(report.error());
  EXPECT_EQ(failures(*report), Texts{});
  EXPECT_EQ(gaps(*report), Texts{});
}

// ---- values -----------------------------------------------------------------------------------------

TEST_F(Verify, FindsAChangedValueInTheContractTable) {
  shop.rewrite(shop.silver[2], "silver.orders",
               "SELECT * REPLACE (if(order_id = 'F', total + 1, total)::DECIMAL(18,2) AS total) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.hash_after", "verify.hash_before"})) << last_;
  EXPECT_EQ(find(true), (Texts{"verify.deep_rows day-2", "verify.hash_after", "verify.hash_before"}));
}

TEST_F(Verify, FindsAChangedValueInTheLandingTable) {
  shop.rewrite(shop.bronze[0], "bronze.orders_raw",
               "SELECT * REPLACE (if(order_id = 'H', '4', total) AS total) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.hash_after", "verify.hash_before"})) << last_;
  EXPECT_EQ(find(true), (Texts{"verify.deep_rows day-1", "verify.hash_after", "verify.hash_before"}));
}

TEST_F(Verify, FindsAChangedValueInTheQuarantine) {
  shop.rewrite(shop.quarantine[0], "quarantine.orders",
               "SELECT * REPLACE (if(order_id = 'C', '1.00', raw_total) AS raw_total) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.hash_after", "verify.reject_id"})) << last_;
  EXPECT_EQ(find(true), (Texts{"verify.deep_rejects day-1", "verify.hash_after", "verify.reject_id"}));
}

TEST_F(Verify, FindsAnotherReasonInTheQuarantine) {
  shop.rewrite(
      shop.quarantine[0], "quarantine.orders",
      "SELECT * REPLACE (if(order_id = 'C', 'missing total', _reject_reason) AS _reject_reason) FROM rows");
  shop.quarantine[0].receipt->remove("hash");
  EXPECT_EQ(found(), Texts{}) << last_;
  EXPECT_EQ(find(true), (Texts{"verify.deep_rejects day-1"}));
}

TEST_F(Verify, FindsManagedColumnsThatChangeAlone) {
  shop.rewrite(shop.silver[2], "silver.orders",
               "SELECT * REPLACE (if(order_id = 'D', 'elsewhere', _source_file) AS _source_file) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.managed_columns"})) << last_;
}

// ---- rows and keys ----------------------------------------------------------------------------------

TEST_F(Verify, FindsAnAddThatIsGoneFromTheLog) {
  std::erase_if(shop.silver[2].actions, [](const Json& action) { return action.find("add"); });
  EXPECT_EQ(found(), (Texts{"verify.count deleted", "verify.count inserted", "verify.count updated",
                            "verify.hash_after", "verify.hash_before", "verify.rows"}))
      << last_;
}

TEST_F(Verify, FindsARowThatIsThereTwice) {
  shop.rewrite(shop.silver[2], "silver.orders",
               "SELECT * FROM rows UNION ALL SELECT * FROM rows WHERE order_id = 'F'");
  EXPECT_EQ(found(), (Texts{"verify.count inserted", "verify.hash_after", "verify.hash_before",
                            "verify.keys_unique order_id", "verify.rows"}))
      << last_;
}

TEST_F(Verify, FindsARowWithoutAKey) {
  shop.rewrite(shop.silver[2], "silver.orders",
               "SELECT * REPLACE (nullif(order_id, 'F') AS order_id) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.hash_after", "verify.hash_before", "verify.keys_null order_id",
                            "verify.not_null order_id"}))
      << last_;
}

TEST_F(Verify, FindsARowThatBreaksACheck) {
  shop.rewrite(shop.silver[2], "silver.orders",
               "SELECT * REPLACE (if(order_id = 'F', -total, total)::DECIMAL(18,2) AS total) FROM rows");
  EXPECT_EQ(found(), (Texts{"verify.check total_not_negative", "verify.hash_after", "verify.hash_before"}))
      << last_;
}

// ---- the contract on the table ------------------------------------------------------------------------

TEST_F(Verify, FindsADroppedConstraint) {
  set_property("delta.constraints.total_not_negative", std::nullopt);
  EXPECT_EQ(found(), (Texts{"verify.constraint total_not_negative"})) << last_;
}

TEST_F(Verify, FindsAConstraintWithAnotherText) {
  set_property("delta.constraints.total_not_negative", "total >= -1");
  EXPECT_EQ(found(), (Texts{"verify.constraint total_not_negative"})) << last_;
}

TEST_F(Verify, FindsAColumnThatMayBeNullNow) {
  Json& line = shop.action(shop.silver[0], "metaData");
  Json metadata = *line.find("metaData");
  metadata.set("schemaString", base::replace_all(std::string(*metadata.string("schemaString")),
                                                 "\"nullable\":false", "\"nullable\":true"));
  line.set("metaData", metadata);
  EXPECT_EQ(found(), (Texts{"verify.column order_id", "verify.column updated"})) << last_;
}

TEST_F(Verify, FindsAContractThatIsNotTheOneHashed) {
  set_property("tenter.contractHash", base::sha256_hex("another"));
  EXPECT_EQ(found(), (Texts{"verify.contract_hash property"})) << last_;
}

TEST_F(Verify, FindsAReceiptOfAnotherContract) {
  shop.silver[2].receipt->set("contract_hash", base::sha256_hex("another"));
  EXPECT_EQ(found(), (Texts{"verify.contract_hash receipt"})) << last_;
}

TEST_F(Verify, FindsAContractThatWasTakenOff) {
  set_property("tenter.contract", std::nullopt);
  const Texts texts = found();
  EXPECT_NE(std::find(texts.begin(), texts.end(), "verify.contract"), texts.end()) << last_;
}

// ---- receipts and chain -------------------------------------------------------------------------------

TEST_F(Verify, FindsAForeignWritersCommit) {
  Draft foreign;
  foreign.actions = {*Json::parse("{\"remove\":{\"path\":\"s2.parquet\",\"dataChange\":true}}")};
  foreign.info.set("engineInfo", "Somebody/1.0");
  shop.silver.push_back(foreign);
  EXPECT_EQ(found(), (Texts{"verify.receipt_missing"})) << last_;
  EXPECT_NE(last_.find("Somebody/1.0"), std::string::npos);
}

TEST_F(Verify, FindsACompactionThatChangedRows) {
  Draft moved = shop.silver[2];
  moved.receipt.reset();
  std::erase_if(moved.actions, [](const Json& action) { return action.find("txn"); });
  const std::string old = shop.path("silver.orders") + "/s2.parquet";
  std::filesystem::copy_file(old, shop.path("silver.orders") + "/s3.parquet");
  set_in_add(moved, "path", "s3.parquet");
  set_in_add(moved, "dataChange", false);
  shop.action(moved, "remove") = *Json::parse("{\"remove\":{\"path\":\"s2.parquet\",\"dataChange\":false}}");
  shop.silver.push_back(moved);
  EXPECT_EQ(found(), Texts{}) << last_;
  shop.rewrite(shop.silver[4], "silver.orders", "SELECT * FROM rows WHERE order_id <> 'H'");
  set_in_add(shop.silver[4], "dataChange", false);
  EXPECT_EQ(found(), (Texts{"verify.rows_moved"})) << last_;
}

TEST_F(Verify, FindsAMalformedReceipt) {
  shop.silver[3].receipt->remove("decision");
  EXPECT_EQ(found(), (Texts{"verify.receipt_malformed"})) << last_;
  EXPECT_NE(last_.find("without its decision"), std::string::npos);
}

TEST_F(Verify, FindsAReceiptWithAMemberThatItDoesNotKnow) {
  shop.silver[3].receipt->set("colour", "blue");
  EXPECT_EQ(found(), (Texts{"verify.receipt_malformed"})) << last_;
}

TEST_F(Verify, FindsAnEntryThatWasExchangedUnderItsSuccessor) {
  shop.silver[2].previous_sha256 = base::sha256_hex("another entry");
  EXPECT_EQ(found(), (Texts{"verify.chain"})) << last_;
}

TEST_F(Verify, FindsAnotherRowCountInTheReceipt) {
  Json hash = *shop.silver[2].receipt->find("hash");
  hash.set("rows", 5);
  shop.silver[2].receipt->set("hash", hash);
  EXPECT_EQ(found(), (Texts{"verify.rows"})) << last_;
}

// ---- counts -----------------------------------------------------------------------------------------------

TEST_F(Verify, FindsEachChangedCount) {
  for (const std::string term : {"read", "inserted", "updated", "unchanged", "older", "superseded",
                                 "duplicates", "deleted_claims", "quarantined", "malformed"}) {
    const std::int64_t right = count(shop.silver[1], term);
    set_count(shop.silver[1], term, right + 1);
    EXPECT_NE(found(), Texts{}) << term;
    set_count(shop.silver[1], term, right);
  }
  EXPECT_EQ(found(), Texts{}) << last_;
}

TEST_F(Verify, FindsAChangedReasonCount) {
  Json rejects = *shop.silver[1].receipt->find("rejects");
  rejects.set("unparseable.total", 2);
  shop.silver[1].receipt->set("rejects", rejects);
  EXPECT_EQ(found(), (Texts{"verify.rejects unparseable.total"})) << last_;
}

TEST_F(Verify, DeeplyFindsAnyTwoChangedCountsOfOneBalance) {
  const Texts terms = {"inserted",   "updated",    "unchanged",      "older",
                       "superseded", "duplicates", "deleted_claims", "quarantined"};
  for (const std::string& more : terms)
    for (const std::string& less : terms) {
      if (more == less || count(shop.silver[1], less) == 0) continue;
      const std::int64_t a = count(shop.silver[1], more), b = count(shop.silver[1], less);
      set_count(shop.silver[1], more, a + 1);
      set_count(shop.silver[1], less, b - 1);
      const Texts texts = found(true);
      const auto has = [&](const std::string& text) {
        return std::find(texts.begin(), texts.end(), text) != texts.end();
      };
      EXPECT_TRUE(has("verify.deep_count " + more)) << more << " for " << less;
      EXPECT_TRUE(has("verify.deep_count " + less)) << more << " for " << less;
      EXPECT_FALSE(has("verify.balance")) << more << " for " << less;
      set_count(shop.silver[1], more, a);
      set_count(shop.silver[1], less, b);
    }
}

TEST_F(Verify, TakesTheQuarantineThatTheReceiptNames) {
  // A clock that was set back says nothing about which rejects belong to the load.
  shop.quarantine[0].receipt->set("run_at", "2026-03-05T12:00:00.000000Z");
  EXPECT_EQ(found(), (Texts{"verify.count quarantined", "verify.rejects total_not_negative",
                            "verify.rejects unparseable.total"}));
  Json sources = *shop.silver[1].receipt->find("sources");
  sources.push(
      Json::object({{"table", "quarantine.orders"}, {"id", "id-of-quarantine.orders"}, {"version", 0}}));
  shop.silver[1].receipt->set("sources", sources);
  EXPECT_EQ(found(true), Texts{}) << last_;
}

TEST_F(Verify, FindsAChangedCountOfConflictingRows) {
  shop.silver[1].receipt->set("conflicting", 3);
  EXPECT_EQ(found(), Texts{}) << last_;
  EXPECT_EQ(find(true), (Texts{"verify.deep_count conflicting"}));
}

// ---- batches and decisions -------------------------------------------------------------------------------

TEST_F(Verify, FindsABatchWhoseStateIsNotInTheLog) {
  std::erase_if(shop.silver[1].actions, [](const Json& action) { return action.find("txn"); });
  const Texts texts = found();
  ASSERT_EQ(texts.size(), 1U) << last_;
  EXPECT_TRUE(texts.front().starts_with("verify.txn ")) << last_;
}

TEST_F(Verify, FindsASkipWhoseStateIsNotInTheLog) {
  std::erase_if(shop.silver[3].actions, [](const Json& action) { return action.find("txn"); });
  EXPECT_EQ(found(), (Texts{"verify.txn day-3"})) << last_;
}

TEST_F(Verify, FindsARatioThatNobodyAccepted) {
  contract::Contract strict = shop.contract;
  strict.max_reject = {5, 100, {}, "5%"};
  const std::string canonical = contract::print_canonical(strict);
  set_property("tenter.contract", canonical);
  set_property("tenter.contractHash", contract::contract_hash(canonical));
  for (Draft& draft : shop.silver) draft.receipt->set("contract_hash", contract::contract_hash(canonical));
  EXPECT_EQ(found(), (Texts{"verify.decision day-1"})) << last_;
}

TEST_F(Verify, FindsAnAcceptedBatchWithoutItsDecision) {
  Json& line = shop.action(shop.silver[1], "txn");
  Json txn = *line.find("txn");
  txn.set("version", 2);
  line.set("txn", txn);
  EXPECT_EQ(found(), (Texts{"verify.decision day-1"})) << last_;
}

TEST_F(Verify, FindsALoadFromAnotherTable) {
  Json& line = shop.action(shop.bronze[0], "metaData");
  Json metadata = *line.find("metaData");
  metadata.set("id", "another-table");
  line.set("metaData", metadata);
  EXPECT_EQ(found(), (Texts{"verify.reject_id", "verify.source bronze.orders_raw"})) << last_;
}

// ---- files and statistics
// ----------------------------------------------------------------------------------

TEST_F(Verify, FindsAFileOfAnotherSize) {
  set_in_add(shop.silver[2], "size", 12);
  EXPECT_EQ(found(), (Texts{"verify.file_size s2.parquet"})) << last_;
}

TEST_F(Verify, FindsAFileThatIsGone) {
  shop.write();
  std::filesystem::remove(shop.path("silver.orders") + "/s2.parquet");
  EXPECT_EQ(find(), (Texts{"verify.file_missing s2.parquet"})) << last_;
}

TEST_F(Verify, FindsAFileThatCannotBeRead) {
  shop.write();
  const std::string file = shop.path("silver.orders") + "/s2.parquet";
  const auto size = std::filesystem::file_size(file);
  std::ofstream(file, std::ios::binary) << std::string(size, 'x');
  EXPECT_EQ(find(), (Texts{"verify.file_unreadable"})) << last_;
}

TEST_F(Verify, FindsChangedStatistics) {
  set_in_stats(shop.silver[2], "minValues", "order_id", "B");
  EXPECT_EQ(found(), (Texts{"verify.statistics s2.parquet"})) << last_;
}

TEST_F(Verify, FindsEachKindOfFalseStatistics) {
  const Draft right = shop.silver[2];
  const std::vector<std::tuple<std::string, std::string, Json>> lies = {
      {"maxValues", "order_id", "G"},
      {"minValues", "total", Json::number("1.01")},
      {"maxValues", "total", Json::number("11.99")},
      {"minValues", "updated", "2026-03-01T10:00:00.000001Z"},
      {"maxValues", "updated", "2026-03-02T09:59:59.999999Z"},
      {"maxValues", "updated", "no instant"},
      {"nullCount", "total", 1},
  };
  for (const auto& [group, column, value] : lies) {
    shop.silver[2] = right;
    set_in_stats(shop.silver[2], group, column, value);
    EXPECT_EQ(found(), (Texts{"verify.statistics s2.parquet"})) << group << " " << column << "\n" << last_;
  }
}

TEST_F(Verify, FindsMissingStatistics) {
  set_in_add(shop.silver[2], "stats", nullptr);
  EXPECT_EQ(found(), (Texts{"verify.statistics s2.parquet"})) << last_;
}

// ---- ledgers
// ------------------------------------------------------------------------------------------------

TEST_F(Verify, FindsALedgerThatTheReceiptDoesNotHash) {
  Json ledger = *shop.bronze[1].info.find("tenterLedger");
  Json file = ledger.find("files")->items().front();
  file.set("size", 101);
  ledger.set("files", Json::array({file}));
  shop.bronze[1].info.set("tenterLedger", ledger);
  EXPECT_EQ(found(), (Texts{"verify.ledger_hash"})) << last_;
}

TEST_F(Verify, FindsALedgerThatCountsOtherRows) {
  for (const std::string member : {"rows", "malformed"}) {
    const Draft right = shop.bronze[0];
    Json ledger = *shop.bronze[0].info.find("tenterLedger");
    Json file = ledger.find("files")->items().front();
    file.set(member, 5);
    ledger.set("files", Json::array({file}));
    shop.bronze[0].info.set("tenterLedger", ledger);
    shop.bronze[0].receipt->set("ledger_hash", base::sha256_hex(ledger.print()));
    shop.bronze[0].receipt->remove("counts");
    EXPECT_EQ(found(), (Texts{"verify.ledger_" + member + " landing/day1.csv"})) << last_;
    shop.bronze[0] = right;
  }
}

TEST_F(Verify, FindsALandingThatCountsOtherwiseThanItsLedger) {
  set_count(shop.bronze[0], "inserted", 8);
  EXPECT_EQ(found(), (Texts{"verify.count inserted"})) << last_;
}

TEST_F(Verify, FindsALandingWithoutItsLedger) {
  shop.bronze[1].info.remove("tenterLedger");
  EXPECT_EQ(found(), (Texts{"verify.ledger"})) << last_;
}

TEST_F(Verify, FindsFilesThatTheLogDoesNotRemember) {
  std::erase_if(shop.bronze[1].actions, [](const Json& action) { return action.find("txn"); });
  shop.bronze[1].receipt->remove("files");
  EXPECT_EQ(found(), (Texts{"verify.ledger_files", "verify.ledger_txn landing/day2.csv"})) << last_;
}

}  // namespace
}  // namespace verify
