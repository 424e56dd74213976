// Our own code inside the engine's pipelines.
#include <atomic>

#include "engine_fixture.h"

namespace engine {

namespace {

class SumOfArguments final : public RowFunction {
 public:
  base::Status call(const Input& input, std::span<std::int64_t> out) override {
    for (std::size_t row = 0; row < input.rows(); ++row) {
      out[row] = input.is_null(0, row) ? -1 : input.int64s(0)[row];
      if (input.columns() > 1 && !input.is_null(1, row))
        out[row] += static_cast<std::int64_t>(input.text(1, row).size());
    }
    seen += static_cast<std::int64_t>(input.rows());
    return {};
  }
  std::atomic<std::int64_t> seen = 0;
};

class Refusal final : public RowFunction {
 public:
  base::Status call(const Input&, std::span<std::int64_t>) override {
    return base::fail(base::Kind::conflict, "test.refused", "this row is not welcome", "go away",
                      {"f", 3, 4});
  }
};

// Numbers 0…count-1, a text and a time for each, dealt out in blocks.
class Numbers final : public RowSource {
 public:
  explicit Numbers(std::int64_t count) : count_(count) {}
  std::vector<SourceColumn> columns() const override {
    return {{"n", SourceType::int64},
            {"t", SourceType::text},
            {"moment", SourceType::timestamp},
            {"b", SourceType::blob}};
  }
  int scans_max() const override { return 2; }
  base::Result<std::unique_ptr<SourceScan>> begin(const std::vector<std::size_t>& wanted) override;

  std::int64_t count_;
  std::atomic<std::int64_t> next_ = 0;
  std::atomic<std::size_t> widest_ = 0;
};

class NumbersScan final : public SourceScan {
 public:
  NumbersScan(Numbers& source, std::vector<std::size_t> wanted)
      : source_(source), wanted_(std::move(wanted)) {}
  base::Status next(Output& output) override {
    const auto capacity = static_cast<std::int64_t>(output.capacity());
    const std::int64_t first = source_.next_.fetch_add(capacity);
    const std::int64_t rows = std::clamp<std::int64_t>(source_.count_ - first, 0, capacity);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < wanted_.size(); ++k)
        fill(output, k, static_cast<std::size_t>(i), first + i);
    output.set_rows(static_cast<std::size_t>(rows));
    return {};
  }

 private:
  void fill(Output& output, std::size_t k, std::size_t row, std::int64_t number) {
    switch (wanted_[k]) {
      case 0:
        return output.set_int64(k, row, number);
      case 1:
        if (number % 10 == 3) return output.set_null(k, row);
        if (number % 2 == 0) return output.set_borrowed_text(k, row, kLong);
        return output.set_text(k, row, "a copied text of number " + std::to_string(number));
      case 2:
        return output.set_int64(k, row, number * 1'000'000);
      default:
        return output.set_text(k, row, std::string_view("\0\xFF", 2));
    }
  }
  static constexpr std::string_view kLong = "a borrowed text longer than a slot";
  Numbers& source_;
  std::vector<std::size_t> wanted_;
};

base::Result<std::unique_ptr<SourceScan>> Numbers::begin(const std::vector<std::size_t>& wanted) {
  widest_ = std::max<std::size_t>(widest_, wanted.size());
  return std::make_unique<NumbersScan>(*this, wanted);
}

class BrokenSource final : public RowSource {
 public:
  explicit BrokenSource(bool at_begin) : at_begin_(at_begin) {}
  std::vector<SourceColumn> columns() const override { return {{"n", SourceType::int64}}; }
  int scans_max() const override { return 1; }
  base::Result<std::unique_ptr<SourceScan>> begin(const std::vector<std::size_t>&) override {
    if (at_begin_) return base::fail(base::Kind::io, "test.begin", "no begin");
    return std::make_unique<Scan>();
  }

 private:
  class Scan final : public SourceScan {
    base::Status next(Output&) override { return base::fail(base::Kind::io, "test.next", "no next"); }
  };
  bool at_begin_;
};

TEST_F(EngineTest, CallsARowFunctionForEveryRowAndNeverFoldsIt) {
  auto function = std::make_shared<SumOfArguments>();
  const std::string id = std::to_string(engine_->add(function));
  EXPECT_EQ(number("SELECT sum(tenter_call(" + id + ", range, 'abc'))::BIGINT FROM range(100000)"),
            4999950000 + 300000);
  EXPECT_EQ(function->seen, 100000);
  function->seen = 0;
  query("SELECT tenter_call(" + id + ", 1::BIGINT) FROM range(5000)");
  EXPECT_EQ(function->seen, 5000);
}

TEST_F(EngineTest, TellsARowFunctionWhichArgumentsAreNull) {
  const std::string id = std::to_string(engine_->add(std::make_shared<SumOfArguments>()));
  EXPECT_EQ(number("SELECT tenter_call(" + id + ", NULL, NULL)"), -1);
  EXPECT_EQ(number("SELECT tenter_call(" + id +
                   ", CASE WHEN range > 5 THEN range END, NULL::VARCHAR) "
                   "FROM range(6)  LIMIT 1"),
            -1);
}

TEST_F(EngineTest, RefusesArgumentTypesThatARowFunctionCannotSee) {
  const std::string id = std::to_string(engine_->add(std::make_shared<SumOfArguments>()));
  const base::Error found = error("SELECT tenter_call(" + id + ", 1::BIGINT, DATE '2026-01-01')");
  EXPECT_EQ(found.code, "engine.argument_type");
  EXPECT_NE(found.message.find("argument 2 of tenter_call is DATE"), std::string::npos) << found.message;
}

TEST_F(EngineTest, HandsAnErrorOfARowFunctionBackUnchanged) {
  const std::string id = std::to_string(engine_->add(std::make_shared<Refusal>()));
  const base::Error found = error("SELECT tenter_call(" + id + ") FROM range(10)");
  EXPECT_EQ(
      found,
      (base::Error{base::Kind::conflict, "test.refused", "this row is not welcome", "go away", {"f", 3, 4}}));
}

TEST_F(EngineTest, HandsAnErrorBackUnchangedOutOfAStreamToo) {
  const std::string id = std::to_string(engine_->add(std::make_shared<Refusal>()));
  for (int round = 0; round < 20; ++round) {
    const auto status = connection_->query_each(
        "SELECT CASE WHEN range > 90000 THEN tenter_call(" + id + ") ELSE 0 END FROM range(100000)",
        [](const Rows&) { return base::Status(); });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, "test.refused") << status.error().message;
  }
}

TEST_F(EngineTest, KnowsNothingThatWasForgotten) {
  const std::uint64_t function = engine_->add(std::make_shared<SumOfArguments>());
  const std::uint64_t source = engine_->add(std::make_shared<Numbers>(3));
  engine_->forget(function);
  engine_->forget(source);
  EXPECT_EQ(error("SELECT tenter_call(" + std::to_string(function) + ")").code, "engine.unknown_function");
  EXPECT_EQ(error("FROM tenter_source(" + std::to_string(source) + ")").code, "engine.unknown_source");
}

TEST_F(EngineTest, ScansARowSourceFromSeveralThreads) {
  auto source = std::make_shared<Numbers>(1'000'000);
  const Rows rows = query(
      "SELECT sum(n)::BIGINT, count(t), min(epoch_us(moment)), max(epoch_us(moment)), "
      "count(*) FILTER (b = '\\x00\\xFF'::BLOB), sum(length(t))::BIGINT FROM tenter_source(" +
      std::to_string(engine_->add(source)) + ")");
  EXPECT_EQ(rows.int64(0, 0), 499999500000);
  EXPECT_EQ(rows.int64(0, 1), 900000);
  EXPECT_EQ(rows.int64(0, 2), 0);
  EXPECT_EQ(rows.int64(0, 3), 999999000000);
  EXPECT_EQ(rows.int64(0, 4), 1000000);
  // Half are borrowed (34 characters); of the others one in five is null.
  EXPECT_GT(rows.int64(0, 5), 500000 * 34 + 400000 * 25);
  EXPECT_EQ(source->widest_, 4U);
}

TEST_F(EngineTest, AsksARowSourceOnlyForTheColumnsOfTheQuery) {
  auto source = std::make_shared<Numbers>(100);
  EXPECT_EQ(number("SELECT sum(n)::BIGINT FROM tenter_source(" + std::to_string(engine_->add(source)) + ")"),
            4950);
  EXPECT_EQ(source->widest_, 1U);
  auto counted = std::make_shared<Numbers>(5000);
  EXPECT_EQ(number("SELECT count(*) FROM tenter_source(" + std::to_string(engine_->add(counted)) + ")"),
            5000);
  EXPECT_LE(counted->widest_, 1U);
}

TEST_F(EngineTest, HandsAnErrorOfARowSourceBackUnchanged) {
  const std::string begin = std::to_string(engine_->add(std::make_shared<BrokenSource>(true)));
  const std::string next = std::to_string(engine_->add(std::make_shared<BrokenSource>(false)));
  EXPECT_EQ(error("SELECT n FROM tenter_source(" + begin + ")").code, "test.begin");
  EXPECT_EQ(error("SELECT n FROM tenter_source(" + next + ")").code, "test.next");
}

TEST_F(EngineTest, KeepsBorrowedTextThroughACopyToParquet) {
  auto source = std::make_shared<Numbers>(200'000);
  const auto written = connection_->write_parquet(
      "SELECT n, t FROM tenter_source(" + std::to_string(engine_->add(source)) + ") WHERE n % 7 <> 0",
      file("s.parquet"), {});
  ASSERT_TRUE(written) << base::print(written.error());
  EXPECT_EQ(number("SELECT count(*) FROM '" + file("s.parquet") +
                   "' WHERE n % 2 = 0 AND "
                   "t IS DISTINCT FROM 'a borrowed text longer than a slot'"),
            0);
  EXPECT_EQ(number("SELECT count(*) FROM '" + file("s.parquet") +
                   "' WHERE n % 2 = 1 AND n % 10 <> 3 AND "
                   "t IS DISTINCT FROM 'a copied text of number ' || n"),
            0);
}

}  // namespace
}  // namespace engine
