// history --rejects: how large a share of each batch was rejected, by reason code, over the receipts.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <base/text.h>
#include <table/table.h>

#include "commands.h"

namespace app {

using base::Json;

namespace {

// What the newest receipt of one batch says.
struct BatchRejects {
  std::string batch;
  std::int64_t read = 0;
  std::map<std::string, std::int64_t> rows;  // by code; the empty code is all rejects together

  std::int64_t rows_of(const std::string& code) const {
    const auto found = rows.find(code);
    return found == rows.end() ? 0 : found->second;
  }
};

std::optional<BatchRejects> read_batch(const Json& commit_info) {
  const auto text = commit_info.string("userMetadata");
  const auto parsed = text ? Json::parse(*text) : base::Result<Json>(Json());
  const Json* receipt = parsed ? parsed->find("tenter") : nullptr;
  const Json* counts = receipt != nullptr ? receipt->find("counts") : nullptr;
  if (counts == nullptr) return std::nullopt;
  const std::string kind(receipt->string("kind").value_or(""));
  if (kind != "load" && kind != "replay") return std::nullopt;
  BatchRejects batch;
  batch.batch = std::string(receipt->string("batch").value_or(""));
  batch.read = counts->int64("read").value_or(0);
  batch.rows[""] = counts->int64("quarantined").value_or(0);
  if (const Json* rejects = receipt->find("rejects"))
    for (const auto& [code, count] : rejects->members()) batch.rows[code] = count.as_int64().value_or(0);
  return batch;
}

// The newest receipt of each batch, the newest batch first.
std::vector<BatchRejects> read_batches(const std::vector<table::HistoryEntry>& entries,
                                       std::optional<std::int64_t> limit) {
  std::vector<BatchRejects> batches;
  std::set<std::string> seen;
  for (const table::HistoryEntry& entry : entries) {
    if (limit && static_cast<std::int64_t>(batches.size()) >= *limit) break;
    auto batch = read_batch(entry.commit_info);
    if (batch && seen.insert(batch->batch).second) batches.push_back(*std::move(batch));
  }
  return batches;
}

// A share in millionths.
std::int64_t millionths(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : std::llround(static_cast<long double>(part) * 1'000'000 / whole);
}

Json print_ratio(std::int64_t in_millionths) {
  std::string digits = std::to_string(in_millionths % 1'000'000);
  digits.insert(0, 6 - digits.size(), '0');
  return Json::number(std::to_string(in_millionths / 1'000'000) + "." + digits);
}

std::string tell_ratio(std::int64_t in_millionths) {
  const std::int64_t hundredths = (in_millionths + 50) / 100;
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." + (digits.size() < 2 ? "0" : "") + digits + " %";
}

// One code (or all of them) over the batches.
struct Trend {
  std::int64_t batches = 0;  // that have it
  std::int64_t rows = 0;
  std::vector<std::int64_t> ratios;  // millionths, by batch, rising
  std::int64_t overall = 0;
  std::int64_t newest = 0;

  // The smallest ratio that at least this many percent of the batches do not exceed.
  std::int64_t percentile(std::size_t percent) const {
    const std::size_t rank = (ratios.size() * percent + 99) / 100;
    return ratios.empty() ? 0 : ratios[std::max<std::size_t>(rank, 1) - 1];
  }
};

Trend trend_of(const std::vector<BatchRejects>& batches, const std::string& code) {
  Trend trend;
  std::int64_t read = 0;
  for (const BatchRejects& batch : batches) {
    const std::int64_t rows = batch.rows_of(code);
    trend.ratios.push_back(millionths(rows, batch.read));
    trend.rows += rows;
    trend.batches += rows > 0 ? 1 : 0;
    read += batch.read;
  }
  if (!batches.empty()) trend.newest = trend.ratios.front();
  trend.overall = millionths(trend.rows, read);
  std::sort(trend.ratios.begin(), trend.ratios.end());
  return trend;
}

Json print_trend(const std::string& code, const Trend& trend) {
  return Json::object({{"code", code.empty() ? Json() : Json(code)},
                       {"batches", trend.batches},
                       {"rows", trend.rows},
                       {"ratio", print_ratio(trend.overall)},
                       {"p50", print_ratio(trend.percentile(50))},
                       {"p90", print_ratio(trend.percentile(90))},
                       {"p99", print_ratio(trend.percentile(99))},
                       {"max", print_ratio(trend.percentile(100))},
                       {"newest", print_ratio(trend.newest)}});
}

base::Result<Answer> tell_trend(Context& context, const std::string& table_text,
                                std::optional<std::int64_t> limit) {
  TRY(const contract::TableName name, project::parse_table_name(table_text));
  TRY(const project::HomeTable table, context.home().find(context.world(), name));
  const table::Access access{&context.world(), &context.engine()};
  TRY(const auto entries, table::history(access, table.path));
  const std::vector<BatchRejects> batches = read_batches(entries, limit);
  std::set<std::string> codes = {""};
  for (const BatchRejects& batch : batches)
    for (const auto& [code, rows] : batch.rows) codes.insert(code);
  Answer answer;
  Json list = Json::array();
  TextTable text({"code", "batches", "rows", "ratio", "p50", "p90", "p99", "max", "newest"});
  for (const std::string& code : codes) {
    const Trend trend = trend_of(batches, code);
    list.push(print_trend(code, trend));
    text.add({code.empty() ? "all" : code, std::to_string(trend.batches), std::to_string(trend.rows),
              tell_ratio(trend.overall), tell_ratio(trend.percentile(50)), tell_ratio(trend.percentile(90)),
              tell_ratio(trend.percentile(99)), tell_ratio(trend.percentile(100)), tell_ratio(trend.newest)});
  }
  const bool is_whole = entries.empty() || entries.back().version == 0;
  answer.result = Json::object({{"table", table.name.text()},
                                {"batches", static_cast<std::int64_t>(batches.size())},
                                {"newest_batch", batches.empty() ? Json() : Json(batches.front().batch)},
                                {"log_is_whole", is_whole},
                                {"rejects", std::move(list)}});
  answer.text = batches.empty() ? "no receipts of loads\n"
                                : text.print() + "over " + std::to_string(batches.size()) +
                                      (batches.size() == 1 ? " loaded batch\n" : " loaded batches\n");
  if (!is_whole) answer.warnings.push_back("older receipts are not in the log any more");
  return answer;
}

}  // namespace

Answer reject_trend(Context& context, const std::string& table, std::optional<std::int64_t> limit) {
  if (const auto opened = context.open_home(); !opened) return failed(opened.error());
  auto answer = tell_trend(context, table, limit);
  return answer ? *std::move(answer) : failed(answer.error());
}

}  // namespace app
