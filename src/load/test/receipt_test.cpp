#include "receipt.h"

#include <gtest/gtest.h>

#include "run.h"

namespace load {
namespace {

Receipt some_receipt() {
  Receipt receipt;
  receipt.kind = "load";
  receipt.table = "silver.orders";
  receipt.batch = "day-1";
  Counts counts;
  counts.read = 3;
  counts.inserted = 2;
  counts.quarantined = 1;
  receipt.counts = counts;
  receipt.rejects["missing.id"] = 1;
  receipt.hash = ReceiptHash{std::string(32, '0'), std::string(32, 'a'), 2};
  receipt.run_at_us = 0;
  return receipt;
}

base::Json commit_info(const std::string& user_metadata) {
  return base::Json::object({{"userMetadata", user_metadata}});
}

TEST(Receipt, is_found_again_in_a_commit) {
  const auto found = receipt_of(commit_info(print_receipt(some_receipt(), "abc")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->string("kind"), "load");
  EXPECT_EQ(found->find("counts")->int64("inserted"), 2);
  EXPECT_EQ(found->find("rejects")->int64("missing.id"), 1);
  EXPECT_EQ(found->find("hash")->string("after"), std::string(32, 'a'));
  EXPECT_EQ(found->string("previous_sha256"), "abc");
  EXPECT_EQ(found->find("decision"), nullptr);
}

TEST(Receipt, of_somebody_else_is_none) {
  EXPECT_FALSE(receipt_of(base::Json::object()));
  EXPECT_FALSE(receipt_of(commit_info("hello")));
  EXPECT_FALSE(receipt_of(commit_info(R"({"other":{}})")));
}

TEST(Receipt, stays_below_64_kib_by_hashing_its_files) {
  Receipt receipt = some_receipt();
  for (int i = 0; i < 2'000; ++i)
    receipt.files.push_back(ReceiptFile{"file-" + std::to_string(i), std::string(64, 'a')});
  const std::string text = print_receipt(receipt, "");
  EXPECT_LT(text.size(), kReceiptBytesMax);
  const auto found = receipt_of(commit_info(text));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->string("files")->size(), 64U);
}

TEST(Receipt, of_a_recomputation_stays_below_64_kib_by_hashing_its_batches) {
  Receipt receipt;
  receipt.kind = "from_bronze";
  receipt.batches = {"monday", "tuesday"};
  receipt.decisions.push_back(BatchDecision{"monday", ReceiptDecision{"accept_rejects", "why", "you", 0}});
  const auto small = receipt_of(commit_info(print_receipt(receipt, "")));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->find("batches")->print(), R"(["monday","tuesday"])");
  EXPECT_EQ(small->find("decisions")->items().front().string("batch"), "monday");
  for (int i = 0; i < 10'000; ++i) receipt.batches.push_back("batch-" + std::to_string(i));
  const std::string text = print_receipt(receipt, "");
  EXPECT_LT(text.size(), kReceiptBytesMax);
  const auto large = receipt_of(commit_info(text));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->string("batches")->size(), 64U);
  EXPECT_EQ(large->string("decisions")->size(), 64U);
  EXPECT_EQ(large->find("files"), nullptr);
}

TEST(Counts, balance) {
  Counts counts;
  counts.read = 10;
  counts.inserted = 4;
  counts.older = 1;
  counts.quarantined = 5;
  EXPECT_TRUE(counts.balanced());
  counts.duplicates = 1;
  EXPECT_FALSE(counts.balanced());
}

TEST(TableHash, sums_wrap_at_128_bits) {
  const std::string ones(32, 'f');
  const std::string one = std::string(31, '0') + "1";
  EXPECT_EQ(hash_sum(ones, one), std::string(32, '0'));
  EXPECT_EQ(hash_difference(std::string(32, '0'), one), ones);
  EXPECT_EQ(hash_difference(hash_sum("0123456789abcdef0123456789abcdef", ones), ones),
            "0123456789abcdef0123456789abcdef");
}

}  // namespace
}  // namespace load
