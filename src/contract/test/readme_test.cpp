#include "documents.h"

namespace contract {
namespace {

TEST(Readme, SaysTheFivePromisesFirst) {
  const Landing landing = landing_of(kLanding);
  const std::string text = print_readme(contract_of(kOrders), &landing);
  std::size_t at = 0;
  for (const std::string promise :
       {"| Grain | One row per `order_id`; the latest `source_updated_at` wins |",
        "| Required columns | `order_id`, `customer_id`, `order_date`, `source_updated_at`",
        "| Allowed values | `currency in ('AUD', 'NZD', 'USD')`; `order_total >= 0` |",
        "| Failure behaviour | A bad row goes to `quarantine.orders`", "| Owner | Sales data team |",
        "## Columns", "## Checks", "`landing/orders/*.csv`"}) {
    const std::size_t found = text.find(promise, at);
    ASSERT_NE(found, std::string::npos) << promise << "\n" << text;
    at = found;
  }
}

TEST(Readme, KeepsBarsAndLineEndsOutOfItsTables) {
  const std::string text =
      print_readme(contract_of(changed(kOrders, "Owner: Sales data team", "Owner: \"a | b\\nc\"")), nullptr);
  EXPECT_NE(text.find("| Owner | a \\| b c |"), std::string::npos) << text;
}

TEST(Readme, SaysTheLimitsOfABatch) {
  const std::string text =
      print_readme(contract_of(changed(kOrders, "5%", "2.5%, at least 20 rows") + "Min rows: 7\n"), nullptr);
  EXPECT_NE(text.find("no rows or fewer than 7"), std::string::npos) << text;
  EXPECT_NE(text.find("more than 2.5% of its rows and at least 20 rows are rejected"), std::string::npos)
      << text;
}

TEST(Readme, NamesTheEmptyTextAmongTheNullValues) {
  const std::string text = print_readme(contract_of(kOrders + "Null values: [\"\", n/a]\n"), nullptr);
  EXPECT_NE(text.find("Read as null: empty text, `n/a`."), std::string::npos) << text;
}

}  // namespace
}  // namespace contract
