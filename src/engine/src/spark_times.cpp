// Dates and timestamps: casts to them, their parts and their arithmetic.
#include <base/time.h>
#include <sql/date_pattern.h>

#include <cmath>
#include <limits>
#include <unordered_map>

#include "spark_rows.h"

namespace engine {

namespace {

constexpr std::int64_t kSecond_us = 1'000'000;

bool two_digits(const char* text, int& value) {
  const unsigned tens = static_cast<unsigned>(text[0] - '0');
  const unsigned ones = static_cast<unsigned>(text[1] - '0');
  value = static_cast<int>(tens * 10 + ones);
  return tens < 10 && ones < 10;
}

// yyyy-MM-dd at the start of a text of at least ten bytes.
bool plain_date(std::string_view text, std::int64_t& days) {
  int century = 0, year = 0, month = 0, day = 0;
  const char* p = text.data();
  if (p[4] != '-' || p[7] != '-' || !two_digits(p, century) || !two_digits(p + 2, year) ||
      !two_digits(p + 5, month) || !two_digits(p + 8, day))
    return false;
  year += century * 100;
  if (!base::is_valid_date(year, month, day)) return false;
  days = base::days_from_civil(year, month, day);
  return true;
}

std::optional<std::int32_t> date_of(std::string_view text) {
  std::int64_t days = 0;
  if (text.size() == 10 && plain_date(text, days)) return static_cast<std::int32_t>(days);
  return sql::text_to_date(text);
}

// yyyy-MM-dd HH:mm:ss with up to six digits of a fraction, else the slow path decides.
std::optional<std::int64_t> timestamp_of(std::string_view text, const base::Zone& zone,
                                         const sql::ZoneFinder& zones) {
  std::int64_t days = 0;
  int hour = 0, minute = 0, second = 0;
  const char* p = text.data();
  const bool plain = text.size() >= 19 && text.size() <= 26 && text.size() != 20 && plain_date(text, days) &&
                     (p[10] == ' ' || p[10] == 'T') && p[13] == ':' && p[16] == ':' &&
                     two_digits(p + 11, hour) && two_digits(p + 14, minute) && two_digits(p + 17, second) &&
                     hour < 24 && minute < 60 && second < 60 && (text.size() == 19 || p[19] == '.');
  if (!plain) return sql::text_to_timestamp(text, zone, zones);
  std::int64_t micros = 0;
  for (std::size_t i = 20; i < 26; ++i) {
    const char c = i < text.size() ? p[i] : '0';
    if (c < '0' || c > '9') return sql::text_to_timestamp(text, zone, zones);
    micros = micros * 10 + (c - '0');
  }
  const std::int64_t seconds = days * 86'400 + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second;
  return zone.instant_us(seconds * kSecond_us + micros);
}

void text_to_date(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int32_t>([&](idx_t row) { return date_of(call.column(0).text(row)); });
}

void timestamp_to_date(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(1);
  if (!zone) return;
  call.each<std::int32_t>([&](idx_t row) {
    return std::optional(sql::timestamp_to_date(call.column(0).at<std::int64_t>(row), *zone));
  });
}

// Seconds as microseconds, at the ends of what 64 bits hold as Java does it.
std::int64_t saturated(std::int64_t seconds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kSecond_us;
  if (seconds > kMost) return std::numeric_limits<std::int64_t>::max();
  if (seconds < -kMost) return std::numeric_limits<std::int64_t>::min();
  return seconds * kSecond_us;
}

std::optional<std::int64_t> timestamp_of_seconds(double seconds, bool strict) {
  if (!std::isfinite(seconds)) return std::nullopt;
  return sql::double_to_integer(seconds * 1e6, 64, strict);
}

template <bool kStrict>
void to_timestamp(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(1);
  if (!zone) return;
  const Column& column = call.column(0);
  const auto each = [&](const auto& compute) {
    call.each<std::int64_t>([&](idx_t row) { return std::optional<std::int64_t>(compute(row)); });
  };
  switch (type_of(call.vector(0)).id()) {
    case DUCKDB_TYPE_VARCHAR:
      return each([&](idx_t row) { return timestamp_of(column.text(row), *zone, call.zones()); });
    case DUCKDB_TYPE_DATE:
      return each([&](idx_t row) { return sql::date_to_timestamp(column.at<std::int32_t>(row), *zone); });
    case DUCKDB_TYPE_TINYINT:
      return each([&](idx_t row) { return saturated(column.at<std::int8_t>(row)); });
    case DUCKDB_TYPE_SMALLINT:
      return each([&](idx_t row) { return saturated(column.at<std::int16_t>(row)); });
    case DUCKDB_TYPE_INTEGER:
      return each([&](idx_t row) { return saturated(column.at<std::int32_t>(row)); });
    case DUCKDB_TYPE_BIGINT:
      return each([&](idx_t row) { return saturated(column.at<std::int64_t>(row)); });
    case DUCKDB_TYPE_FLOAT:
      return each([&](idx_t row) {
        return timestamp_of_seconds(static_cast<double>(column.at<float>(row)), kStrict);
      });
    case DUCKDB_TYPE_DOUBLE:
      return each([&](idx_t row) { return timestamp_of_seconds(column.at<double>(row), kStrict); });
    case DUCKDB_TYPE_DECIMAL: {
      const DecimalColumn decimal(call.vector(0));
      return each([&](idx_t row) { return sql::decimal_to_timestamp(decimal.at(row), decimal.scale()); });
    }
    default:
      call.refuse_type("timestamp");
  }
}

void instant(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int64_t>([&](idx_t row) { return std::optional(call.column(0).at<std::int64_t>(row)); });
}

using DatePart = std::int32_t (*)(std::int64_t days, const base::Civil& civil);

std::int32_t day_of_year(std::int64_t days, const base::Civil& civil) {
  return static_cast<std::int32_t>(days - base::days_from_civil(civil.year, 1, 1)) + 1;
}
// 0 is Monday.
std::int64_t weekday(std::int64_t days) {
  return ((days + 3) % 7 + 7) % 7;
}
std::int32_t year_of(std::int64_t, const base::Civil& civil) {
  return static_cast<std::int32_t>(civil.year);
}
std::int32_t month_of(std::int64_t, const base::Civil& civil) {
  return civil.month;
}
std::int32_t day_of(std::int64_t, const base::Civil& civil) {
  return civil.day;
}
std::int32_t quarter_of(std::int64_t, const base::Civil& civil) {
  return (civil.month - 1) / 3 + 1;
}
// 1 is Sunday.
std::int32_t day_of_week(std::int64_t days, const base::Civil&) {
  return static_cast<std::int32_t>((weekday(days) + 1) % 7 + 1);
}
// The week that holds the year's first Thursday is its first.
std::int32_t week_of_year(std::int64_t days, const base::Civil&) {
  const std::int64_t thursday = days - weekday(days) + 3;
  const base::Civil civil = base::civil_from_days(thursday);
  return (day_of_year(thursday, civil) - 1) / 7 + 1;
}

template <DatePart kPart>
void date_part(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int32_t>([&](idx_t row) {
    const std::int64_t days = call.column(0).at<std::int32_t>(row);
    return std::optional(kPart(days, base::civil_from_days(days)));
  });
}

template <std::int64_t kUnit_s, std::int64_t kUnits>
void clock_part(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(1);
  if (!zone) return;
  call.each<std::int32_t>([&](idx_t row) {
    const std::int64_t local = sql::local_us(call.column(0).at<std::int64_t>(row), *zone);
    const std::int64_t day_us = ((local % base::kDay_us) + base::kDay_us) % base::kDay_us;
    return std::optional(static_cast<std::int32_t>(day_us / kSecond_us / kUnit_s % kUnits));
  });
}

template <int kSign>
void add_days(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int32_t>([&](idx_t row) {
    const std::int64_t days = call.column(0).at<std::int32_t>(row);
    return std::optional(
        static_cast<std::int32_t>(days + kSign * std::int64_t{call.column(1).at<std::int32_t>(row)}));
  });
}

void days_between(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int32_t>([&](idx_t row) {
    const std::int64_t end = call.column(0).at<std::int32_t>(row);
    return std::optional(static_cast<std::int32_t>(end - call.column(1).at<std::int32_t>(row)));
  });
}

void truncate(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(2);
  if (!zone) return;
  call.each<std::int64_t>([&](idx_t row) {
    return std::optional(
        sql::truncate_timestamp(call.column(0).text(row), call.column(1).at<std::int64_t>(row), *zone));
  });
}

// Patterns are literals; each thread keeps those it met.
const sql::DatePattern* pattern_of(std::string_view text) {
  thread_local std::unordered_map<std::string, std::optional<sql::DatePattern>> known;
  if (known.size() > 64) known.clear();
  const auto [entry, is_new] = known.try_emplace(std::string(text));
  if (is_new) {
    base::Result<sql::DatePattern> parsed = sql::DatePattern::parse(text);
    if (parsed) entry->second = *std::move(parsed);
  }
  return entry->second ? &*entry->second : nullptr;
}

void pattern_to_date(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<std::int32_t>([&](idx_t row) -> std::optional<std::int32_t> {
    const sql::DatePattern* pattern = pattern_of(call.column(1).text(row));
    const auto local = pattern ? pattern->read(call.column(0).text(row)) : std::nullopt;
    if (!local) return std::nullopt;
    return static_cast<std::int32_t>(local->days);
  });
}

void pattern_to_timestamp(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  const std::shared_ptr<const base::Zone> zone = call.zone(2);
  if (!zone) return;
  call.each<std::int64_t>([&](idx_t row) -> std::optional<std::int64_t> {
    const sql::DatePattern* pattern = pattern_of(call.column(1).text(row));
    const auto local = pattern ? pattern->read(call.column(0).text(row)) : std::nullopt;
    if (!local) return std::nullopt;
    return zone->instant_us(local->days * base::kDay_us + local->day_us);
  });
}

template <DatePart kPart>
void add_date_part(SparkRegistrar& registrar, const std::string& name) {
  registrar.add("spark_" + name, {DUCKDB_TYPE_DATE}, DUCKDB_TYPE_INTEGER, date_part<kPart>);
}

}  // namespace

void add_spark_times(SparkRegistrar& registrar) {
  constexpr duckdb_type kDate = DUCKDB_TYPE_DATE;
  constexpr duckdb_type kTimestamp = DUCKDB_TYPE_TIMESTAMP_TZ;
  constexpr duckdb_type kText = DUCKDB_TYPE_VARCHAR;
  constexpr duckdb_type kInt = DUCKDB_TYPE_INTEGER;
  registrar.add("spark_date", {kText}, kDate, text_to_date);
  registrar.add("spark_date", {kTimestamp, kText}, kDate, timestamp_to_date);
  registrar.add("spark_timestamp", {DUCKDB_TYPE_ANY, kText}, kTimestamp, to_timestamp<false>);
  registrar.add("spark_try_timestamp", {DUCKDB_TYPE_ANY, kText}, kTimestamp, to_timestamp<true>);
  registrar.add("spark_instant", {DUCKDB_TYPE_BIGINT}, kTimestamp, instant);
  add_date_part<year_of>(registrar, "year");
  add_date_part<month_of>(registrar, "month");
  add_date_part<day_of>(registrar, "day");
  add_date_part<quarter_of>(registrar, "quarter");
  add_date_part<day_of_week>(registrar, "dayofweek");
  add_date_part<day_of_year>(registrar, "dayofyear");
  add_date_part<week_of_year>(registrar, "weekofyear");
  registrar.add("spark_hour", {kTimestamp, kText}, kInt, clock_part<3600, 24>);
  registrar.add("spark_minute", {kTimestamp, kText}, kInt, clock_part<60, 60>);
  registrar.add("spark_second", {kTimestamp, kText}, kInt, clock_part<1, 60>);
  registrar.add("spark_date_add", {kDate, kInt}, kDate, add_days<1>);
  registrar.add("spark_date_sub", {kDate, kInt}, kDate, add_days<-1>);
  registrar.add("spark_datediff", {kDate, kDate}, kInt, days_between);
  registrar.add("spark_date_trunc", {kText, kTimestamp, kText}, kTimestamp, truncate);
  registrar.add("spark_to_date", {kText, kText}, kDate, pattern_to_date);
  registrar.add("spark_to_timestamp", {kText, kText, kText}, kTimestamp, pattern_to_timestamp);
}

}  // namespace engine
