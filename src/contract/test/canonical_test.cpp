#include "documents.h"

namespace contract {
namespace {

const std::string kFull =
    changed(changed(kOrders, "  currency: string", "  currency: {type: string, from: Curr ency, note: ISO}"),
            "order_total >= 0", "{rule: order_total >= 0, reason: negative, on table: false}") +
    "Null values: [z, a]\nOptional: currency\nMin rows: 3\nNotes: n\n";

TEST(Canonical, RoundTripsToTheSameText) {
  for (const std::string& text : {kOrders, kFull}) {
    const std::string printed = print_canonical(contract_of(text));
    const auto parsed = parse_canonical(printed);
    ASSERT_TRUE(parsed.has_value()) << base::print(parsed.error());
    EXPECT_EQ(print_canonical(*parsed), printed);
    EXPECT_TRUE(compare(contract_of(text), *parsed).empty());
  }
}

TEST(Canonical, HoldsItsFormatAndTheTimeZone) {
  Contract contract = contract_of(kOrders);
  contract.time_zone = "Europe/Oslo";
  const std::string printed = print_canonical(contract);
  EXPECT_TRUE(printed.starts_with("{\"format\":1,\"table\":\"silver.orders\","));
  EXPECT_NE(printed.find("\"time_zone\":\"Europe/Oslo\""), std::string::npos);
  EXPECT_NE(contract_hash(printed), contract_hash(print_canonical(contract_of(kOrders))));
}

TEST(Canonical, IsOneTextForOneMeaning) {
  const std::string other =
      changed(changed(kOrders, "5%", "0.05"), "Primary key: order_id", "primary_key: [order_id]");
  EXPECT_EQ(print_canonical(contract_of(other)), print_canonical(contract_of(kOrders)));
  EXPECT_EQ(print_canonical(contract_of(changed(kFull, "[z, a]", "[a, z]"))),
            print_canonical(contract_of(kFull)));
}

// A contract that uses no later key keeps its text, so its hash outlives an upgrade.
TEST(Canonical, PrintsLaterMembersOnlyWhenTheyAreNotAtTheirDefaults) {
  const std::string plain = print_canonical(contract_of(kOrders));
  for (const std::string_view member :
       {"severity", "load", "absent_rows", "rejected_rows", "delete_when", "tie_break", "unique_keys"})
    EXPECT_EQ(plain.find("\"" + std::string(member) + "\""), std::string::npos) << member;
  EXPECT_EQ(print_canonical(contract_of(kOrders + "Load: upsert\nAbsent rows: keep\n")), plain);
  const std::string snapshot =
      print_canonical(contract_of(kOrders + "Absent rows: delete\nRejected rows: delete\n"));
  EXPECT_NE(snapshot.find("\"absent_rows\":\"delete\",\"rejected_rows\":\"delete\""), std::string::npos);
  const auto read = parse_canonical(snapshot);
  ASSERT_TRUE(read);
  EXPECT_EQ(print_canonical(*read), snapshot);
}

TEST(Canonical, RefusesWhatItDidNotPrint) {
  const std::string good = print_canonical(contract_of(kOrders));
  const auto code = [](std::string_view text) {
    const auto parsed = parse_canonical(text);
    return parsed ? std::string("none") : parsed.error().code;
  };
  EXPECT_EQ(code("{"), "contract.installed");
  EXPECT_EQ(code("[]"), "contract.installed");
  EXPECT_EQ(code(changed(good, "\"format\":1", "\"format\":2")), "contract.installed_format");
  EXPECT_EQ(code(changed(good, "\"owner\"", "\"boss\"")), "contract.installed");
  EXPECT_EQ(code(changed(good, "\"type\":\"date\"", "\"type\":\"dat\"")), "contract.installed");
  EXPECT_EQ(code(changed(good, "\"denominator\":100", "\"denominator\":0")), "contract.installed");
  EXPECT_EQ(code(changed(good, "\"primary_key\":[\"order_id\"]", "\"primary_key\":[\"x\"]")),
            "contract.installed");
}

TEST(Canonical, HashesToHex) {
  EXPECT_EQ(contract_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace contract
