#include "documents.h"

namespace contract {
namespace {

// "! code" for each breaking change, "code" for each compatible one.
std::string changes(const std::string& from, const std::string& to) {
  std::string text;
  for (const Change& change : compare(contract_of(from), contract_of(to))) {
    if (!text.empty()) text += " ";
    text += (change.breaking ? "!" : "") + change.code;
    EXPECT_FALSE(change.text.empty());
  }
  return text;
}
std::string after(std::string_view from, std::string_view to) {
  return changes(kOrders, changed(kOrders, from, to));
}

TEST(Compare, FindsNothingWhereNothingChanged) {
  EXPECT_EQ(changes(kOrders, kOrders), "");
}

TEST(Compare, CallsAdditionsAndTextsCompatible) {
  EXPECT_EQ(after("  currency: string\n", "  currency: string\n  channel: string\n"), "column_added");
  EXPECT_EQ(after("order_total >= 0", "order_total > 0"), "check_changed");
  EXPECT_EQ(after("  order_total_non_negative: order_total >= 0\n",
                  "  order_total_non_negative: order_total >= 0\n  b: order_total < 9\n"),
            "check_added");
  EXPECT_EQ(after("Allowed values:\n  currency: [AUD, NZD, USD]\n", ""), "check_dropped");
  EXPECT_EQ(after("5%", "6%"), "limit_changed");
  EXPECT_EQ(after("Owner: Sales data team", "Owner: Ann"), "text_changed");
  EXPECT_EQ(after("decimal(18,2)", "decimal(20,2)"), "type_widened");
  EXPECT_EQ(after("[customer_id, order_date]", "[customer_id]"), "not_null_dropped");
  EXPECT_EQ(after("trim(order_id)", "upper(order_id)"), "clean_changed");
  EXPECT_EQ(after("[AUD, NZD, USD]", "{values: [AUD, NZD, USD], reason: odd}"), "reason_changed");
}

TEST(Compare, CallsWhatConsumersWouldNoticeBreaking) {
  EXPECT_EQ(after("decimal(18,2)", "decimal(18,3)"), "!type_changed");
  EXPECT_EQ(after("order_date: date", "order_date: string"), "!type_changed");
  EXPECT_EQ(after("[customer_id, order_date]", "[customer_id, order_date, currency]"), "!not_null_added");
  EXPECT_EQ(after("Primary key: order_id", "Primary key: order_id, currency"),
            "!grain_changed !not_null_added");
  EXPECT_EQ(after("From: bronze.orders_raw", "From: bronze.other"), "!source_changed");
  EXPECT_EQ(after("Version column: source_updated_at\n", ""), "!version_changed not_null_dropped");
  EXPECT_EQ(after("  currency: string\n", "  currency: string\n  n: {type: string, not null: true}\n"),
            "!required_column_added");
}

TEST(Compare, ShowsARenameAsADropAndAnAddition) {
  EXPECT_EQ(changes(changed(kOrders, "  currency: [AUD, NZD, USD]", "  order_id: [a]"),
                    changed(changed(kOrders, "  currency: [AUD, NZD, USD]", "  order_id: [a]"),
                            "  currency: string", "  money: string")),
            "!column_dropped column_added");
}

}  // namespace
}  // namespace contract
