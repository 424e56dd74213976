// A landing or a build that comes between a load's reading and its commit. What happens "meanwhile" is run
// from the load's own progress messages.
#include <contract/document.h>

#include "land_fixture.h"

namespace {

using load_test::Texts;

constexpr const char* kDocument = R"(Description: One row a key.
Owner: Data team
From: bronze.orders_raw
Primary key: k
Schema:
  k: string
  v: string
)";

class loading : public load_test::LandFixture {
 protected:
  static contract::Contract contract_of(const std::string& text) {
    const auto checked =
        contract::check_document(text, {"silver.orders.yml", contract::TableName{"silver", "orders"}, "UTC"});
    EXPECT_TRUE(checked.document.has_value());
    return std::get<contract::Contract>(*checked.document);
  }
  void build(const std::string& text) {
    const auto report = load::build(place_, contract_of(text));
    EXPECT_TRUE(report.has_value()) << (report ? "" : base::print(report.error()));
  }
  load::Batch batch(const std::string& id) {
    return *load::find_batch(*load::landed_batches(place_, landing_.name), id);
  }
  // Loads a batch, with `meanwhile` run once when it has judged its rows.
  base::Result<load::LoadReport> load_with(const std::string& id, const std::function<void()>& meanwhile) {
    bool ran = false;
    place_.progress = [&](std::string_view what) {
      if (ran || !what.starts_with("settling")) return;
      ran = true;
      meanwhile();
    };
    auto report = load::load_batch(place_, target_, batch(id), {});
    EXPECT_TRUE(ran);
    place_.progress = nullptr;
    return report;
  }

  const contract::TableName target_{"silver", "orders"};
};

TEST_F(loading, takes_in_what_extended_its_batch_meanwhile) {
  deliver("landing/a.csv", "k,v\na,1\n");
  run("day");
  build(kDocument);
  options_.readers = {target_};
  const auto report = load_with("day", [&] {
    deliver("landing/b.csv", "k,v\nb,2\n");
    EXPECT_TRUE(run("day").extended);
  });
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(rows("SELECT k FROM t ORDER BY k", "silver/orders"), (Texts{"a", "b"}));
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_TRUE(report->warnings[0].find("extended while it was being loaded") != std::string::npos);
}

TEST_F(loading, is_seen_by_a_landing_that_would_extend_its_batch) {
  deliver("landing/a.csv", "k,v\na,1\n");
  run("day");
  build(kDocument);
  options_.readers = {target_};
  deliver("landing/b.csv", "k,v\nb,2\n");
  const load::Batch day = batch("day");
  place_.progress = [&](std::string_view what) {
    if (!what.starts_with("landing")) return;
    load::Place quiet = place_;
    quiet.progress = nullptr;
    EXPECT_TRUE(load::load_batch(quiet, target_, day, {}).has_value());
  };
  options_.batch = "day";
  EXPECT_EQ(refused_code(), "land.batch_decided");
  EXPECT_EQ(rows("SELECT k FROM t"), (Texts{"a"}));
}

TEST_F(loading, judges_by_the_contract_that_was_built_meanwhile) {
  deliver("landing/a.csv", "k,v\na,1\nb,22\nc,3\n");
  run("day");
  build(kDocument);
  const auto report = load_with("day", [&] {
    build(std::string(kDocument) +
          "Checks:\n  short: {rule: length(v) < 2, on table: false}\nMax reject ratio: 50%\n");
  });
  ASSERT_TRUE(report.has_value()) << base::print(report.error());
  EXPECT_EQ(rows("SELECT k FROM t ORDER BY k", "silver/orders"), (Texts{"a", "c"}));
  EXPECT_EQ(rows("SELECT k, _reject_codes FROM t", "quarantine/orders"), (Texts{"b|short"}));
}

}  // namespace
