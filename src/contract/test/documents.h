// Sample documents for the tests, and short ways to read and change them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <base/text.h>
#include <contract/document.h>

namespace contract {

inline const std::string kOrders = R"(Description: One row per order; the newest version wins.
Owner: Sales data team
From: bronze.orders_raw
Primary key: order_id
Version column: source_updated_at
Not null: [customer_id, order_date]
Clean:
  order_id: trim(order_id)
Allowed values:
  currency: [AUD, NZD, USD]
Checks:
  order_total_non_negative: order_total >= 0
Max reject ratio: 5%
Schema:
  order_id: string
  customer_id: string
  order_date: date
  order_total: decimal(18,2)
  currency: string
  source_updated_at: timestamp
)";

inline const std::string kLanding = R"(Description: Orders exactly as the shop sent them.
Landing: landing/orders/*.csv
Format: csv
)";

inline Checked check_orders(std::string_view text) {
  return check_document(text, {"silver.orders.yml", {"silver", "orders"}, "UTC"});
}

inline Checked check_landing(std::string_view text) {
  return check_document(text, {"bronze.orders_raw.yml", {"bronze", "orders_raw"}, "UTC"});
}

// The text with one part changed; the part must be there.
inline std::string changed(const std::string& text, std::string_view from, std::string_view to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return base::replace_all(text, from, to);
}

inline Contract contract_of(const std::string& text) {
  Checked checked = check_orders(text);
  for (const base::Error& error : checked.errors) ADD_FAILURE() << base::print(error);
  return checked.document ? std::get<Contract>(*checked.document) : Contract();
}

inline Landing landing_of(const std::string& text) {
  Checked checked = check_landing(text);
  for (const base::Error& error : checked.errors) ADD_FAILURE() << base::print(error);
  return checked.document ? std::get<Landing>(*checked.document) : Landing();
}

// "code line:column" of the only error, or all errors printed.
inline std::string only_error(const Checked& checked) {
  if (checked.errors.size() == 1) {
    const base::Error& error = checked.errors[0];
    return error.code + " " + std::to_string(error.place.line) + ":" + std::to_string(error.place.column);
  }
  std::string all = std::to_string(checked.errors.size()) + " errors";
  for (const base::Error& error : checked.errors) all += "\n" + base::print(error);
  return all;
}

}  // namespace contract
