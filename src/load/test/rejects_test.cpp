// Rejects taken up again, where a case file cannot go: corrected rows that name their reject, runs that are
// cut between their two commits, and two runs at once.
#include <contract/document.h>
#include <load/rejects.h>

#include <base/time.h>

#include "land_fixture.h"

namespace {

using load_test::Texts;

std::string document(const std::string& load, const std::string& currencies) {
  return "Description: One row a key.\nOwner: Data team\nFrom: bronze.orders_raw\n" + load +
         "Max reject ratio: 100%\nAllowed values: {currency: [" + currencies +
         "]}\nSchema: {k: string, v: int, currency: string}\n";
}

const std::string kUpsert = "Primary key: k\nVersion column: v\n";
const std::string kAppend = "Load: append\n";

class taken_up : public load_test::LandFixture {
 protected:
  void build(const std::string& text) {
    const auto checked =
        contract::check_document(text, {"silver.orders.yml", contract::TableName{"silver", "orders"}, "UTC"});
    ASSERT_TRUE(checked.document.has_value());
    const auto report = load::build(place_, std::get<contract::Contract>(*checked.document));
    ASSERT_TRUE(report.has_value()) << base::print(report.error());
  }
  // A batch with one good row and one of an unknown currency.
  void begin(const std::string& load) {
    deliver("landing/a.csv", "k,v,currency\na,1,AUD\nb,1,EUR\nc,x,AUD\n");
    run("first");
    build(document(load, "AUD"));
    later();
    load_batch("first");
    build(document(load, "AUD, EUR"));
  }
  void later() { place_.run_at_us += base::kSecond_us; }
  void load_batch(const std::string& id) {
    const auto batch = load::find_batch(*load::landed_batches(place_, landing_.name), id);
    ASSERT_TRUE(batch.has_value());
    const auto report = load::load_batch(place_, target_, *batch, {});
    ASSERT_TRUE(report.has_value()) << base::print(report.error());
    ASSERT_FALSE(report->stopped.has_value());
  }
  base::Result<load::RetryReport> retry() {
    later();
    return load::retry_rejects(place_, target_, {});
  }
  base::Result<load::ApplyReport> apply(const std::string& file, const std::string& bytes) {
    later();
    deliver(file, bytes);
    load::LandOptions options = options_;
    options.readers = {target_};
    options.declared_columns = {"k", "v", "currency"};
    return load::apply_rejects(place_, target_, landing_, options, {file, root_ + "/" + file, {}, "asked"});
  }
  std::string reject_id(const std::string& key) {
    return rows("SELECT _reject_id FROM t WHERE raw_k = '" + key + "' AND _resolved_at IS NULL",
                "quarantine/orders")
        .at(0);
  }
  Texts silver() { return rows("SELECT k, v, currency FROM t ORDER BY ALL", "silver/orders"); }
  Texts resolved() {
    return rows("SELECT raw_k, coalesce(regexp_replace(_resolved_by, ' .*', ''), 'open') FROM t ORDER BY ALL",
                "quarantine/orders");
  }
  std::string failed(const base::Result<load::ApplyReport>& report) {
    return report ? "applied" : report.error().code;
  }

  const contract::TableName target_{"silver", "orders"};
};

TEST_F(taken_up, rows_that_are_corrected_resolve_the_rejects_that_they_name) {
  begin(kUpsert);
  const auto report =
      apply("fix.csv", "_reject_id,raw_k,raw_v,raw_currency\n" + reject_id("c") + ",c,7,AUD\n");
  ASSERT_TRUE(report.has_value()) << base::print(report.error());
  EXPECT_EQ(report->resolved, 1);
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "c|7|AUD"}));
  EXPECT_EQ(resolved(), (Texts{"b|open", "c|apply"}));
  EXPECT_EQ(
      rows("SELECT DISTINCT (_loaded_at = (SELECT min(_loaded_at) FROM t))::VARCHAR FROM t", "silver/orders"),
      Texts{"true"});
}

TEST_F(taken_up, a_correction_of_a_correction_resolves_both) {
  begin(kUpsert);
  const std::string first = reject_id("c");
  ASSERT_TRUE(apply("fix.csv", "_reject_id,k,v,currency\n" + first + ",c,y,AUD\n").has_value());
  const auto second = rows("SELECT _reject_id FROM t WHERE raw_v = 'y'", "quarantine/orders").at(0);
  ASSERT_NE(first, second);
  const auto report = apply("again.csv", "_reject_id,k,v,currency\n" + second + ",c,7,AUD\n");
  ASSERT_TRUE(report.has_value()) << base::print(report.error());
  EXPECT_EQ(report->resolved, 2);
  EXPECT_EQ(resolved(), (Texts{"b|open", "c|apply", "c|apply"}));
}

TEST_F(taken_up, a_reject_that_is_resolved_is_not_corrected_again) {
  begin(kUpsert);
  const std::string id = reject_id("c");
  ASSERT_TRUE(apply("fix.csv", "_reject_id,k,v,currency\n" + id + ",c,7,AUD\n").has_value());
  EXPECT_EQ(failed(apply("again.csv", "_reject_id,k,v,currency\n" + id + ",c,8,AUD\n")),
            "apply.resolved_reject");
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "c|7|AUD"}));
}

TEST_F(taken_up, a_retry_that_was_cut_is_finished_once) {
  begin(kUpsert);
  files_->refused_part = "quarantine/orders/_delta_log";
  EXPECT_FALSE(retry().has_value());
  files_->refused_part.clear();
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "b|1|EUR"}));
  EXPECT_EQ(resolved(), (Texts{"b|open", "c|open"}));
  const auto finished = load::finish_resolving(place_, target_);
  ASSERT_TRUE(finished.has_value()) << base::print(finished.error());
  EXPECT_EQ(resolved(), (Texts{"b|retry", "c|open"}));
  const auto version = table::open(access(), table_path("quarantine/orders"))->version();
  ASSERT_TRUE(load::finish_resolving(place_, target_).has_value());
  EXPECT_EQ(table::open(access(), table_path("quarantine/orders"))->version(), version);
}

TEST_F(taken_up, a_retry_that_was_cut_appends_nothing_twice) {
  begin(kAppend);
  files_->refused_part = "quarantine/orders/_delta_log";
  EXPECT_FALSE(retry().has_value());
  files_->refused_part.clear();
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "b|1|EUR"}));
  ASSERT_TRUE(retry().has_value());
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "b|1|EUR"}));
  EXPECT_EQ(resolved(), (Texts{"b|retry", "c|open"}));
}

TEST_F(taken_up, an_apply_that_was_cut_is_finished_by_the_next_load) {
  begin(kUpsert);
  const std::string text = "_reject_id,k,v,currency\n" + reject_id("c") + ",c,7,AUD\n";
  files_->refused_part = "quarantine/orders/_delta_log";
  EXPECT_FALSE(apply("fix.csv", text).has_value());
  files_->refused_part.clear();
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "c|7|AUD"}));
  load_batch("first");
  EXPECT_EQ(resolved(), (Texts{"c|apply"}));
}

TEST_F(taken_up, two_retries_at_once_append_each_row_once) {
  begin(kAppend);
  bool ran = false;
  files_->before_put = [&](const std::string& path) {
    if (ran || path.find("silver/orders/_delta_log") == std::string::npos) return;
    ran = true;
    load::Place other = place_;
    other.run_at_us += 1;
    EXPECT_TRUE(load::retry_rejects(other, target_, {}).has_value());
  };
  const auto report = retry();
  ASSERT_TRUE(report.has_value()) << base::print(report.error());
  EXPECT_TRUE(ran);
  EXPECT_EQ(silver(), (Texts{"a|1|AUD", "b|1|EUR"}));
  EXPECT_EQ(resolved(), (Texts{"b|retry", "c|open"}));
}

}  // namespace
