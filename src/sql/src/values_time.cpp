// Dates, timestamps and zones out of texts, and their arithmetic.
#include <sql/values.h>

#include <base/time.h>

#include <algorithm>
#include <array>

#include "text_scan.h"

namespace sql {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads fields of digits one behind the other.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : text_(trim_all(text)) {}

  bool at_end() const { return at_ == text_.size(); }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Between `least` and `most` digits, all that stand there.
  bool number(int least, int most, std::int64_t& value) {
    int digits = 0;
    value = 0;
    for (; !at_end() && is_digit(text_[at_]); ++at_, ++digits) {
      if (digits == most) return false;
      value = value * 10 + (text_[at_] - '0');
    }
    return digits >= least;
  }
  // Digits of a second's fraction, as microseconds; what is finer is cut.
  std::int64_t fraction() {
    std::int64_t micros = 0;
    int digits = 0;
    for (; !at_end() && is_digit(text_[at_]); ++at_, ++digits)
      if (digits < 6) micros = micros * 10 + (text_[at_] - '0');
    for (; digits < 6; ++digits) micros *= 10;
    return micros;
  }
  std::string_view rest() const { return text_.substr(at_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// [+-]yyyy[-M[-d]]; how many of the three fields were there, 0 when it is no date.
int read_date(FieldReader& reader, int year_digits_most, std::int64_t (&fields)[3]) {
  const bool negative = reader.take('-');
  if (!negative) reader.take('+');
  if (!reader.number(4, year_digits_most, fields[0])) return 0;
  if (negative) fields[0] = -fields[0];
  for (int i = 1; i < 3; ++i) {
    if (!reader.take('-')) return i;
    if (!reader.number(1, 2, fields[i])) return 0;
  }
  return 3;
}

std::optional<std::int64_t> days_of(const std::int64_t (&fields)[3]) {
  const int month = static_cast<int>(fields[1]);
  const int day = static_cast<int>(fields[2]);
  if (!base::is_valid_date(fields[0], month, day)) return std::nullopt;
  return base::days_from_civil(fields[0], month, day);
}

struct ShortName {
  std::string_view name;
  std::string_view zone;
};

// The three-letter names that Java still reads.
constexpr std::array<ShortName, 28> kShortNames = {{
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"EST", "-05:00"},
    {"HST", "-10:00"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"MST", "-07:00"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
}};

// +h, +hh, +hhmm, +hh:mm, +hhmmss, +hh:mm:ss, at most 18 hours.
std::optional<std::int64_t> offset_of(std::string_view text) {
  const std::size_t size = text.size();
  if (size < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const bool colons = size == 6 || size == 9;
  std::array<std::int64_t, 3> fields{};
  const auto two = [&](std::size_t at, std::int64_t& value) {
    if (!is_digit(text[at]) || !is_digit(text[at + 1])) return false;
    value = (text[at] - '0') * 10 + (text[at + 1] - '0');
    return true;
  };
  if (size == 2) {
    if (!is_digit(text[1])) return std::nullopt;
    fields[0] = text[1] - '0';
  } else if (size == 3 || size == 5 || size == 6 || size == 7 || size == 9) {
    const std::size_t step = colons ? 3 : 2;
    const std::size_t count = colons ? size / 3 : (size - 1) / 2;
    for (std::size_t i = 0; i < count; ++i) {
      if (!two(1 + i * step, fields[i])) return std::nullopt;
      if (colons && i > 0 && text[i * step] != ':') return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  const std::int64_t seconds = std::int64_t{fields[0]} * 3600 + std::int64_t{fields[1]} * 60 + fields[2];
  if (fields[1] > 59 || fields[2] > 59 || seconds > std::int64_t{18} * 3600) return std::nullopt;
  return text[0] == '-' ? -seconds : seconds;
}

// +1:00 is +01:00, and a last :5 is :05.
std::string with_two_digits(std::string_view name) {
  std::string text(name);
  const auto is_sign = [](char c) { return c == '+' || c == '-'; };
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (!is_sign(text[i]) || !is_digit(text[i + 1]) || text[i + 2] != ':') continue;
    text.insert(i + 1, "0");
    break;
  }
  const std::size_t n = text.size();
  if (n >= 5 && is_sign(text[n - 5]) && is_digit(text[n - 4]) && is_digit(text[n - 3]) &&
      text[n - 2] == ':' && is_digit(text[n - 1]))
    text.insert(n - 1, "0");
  return text;
}

std::shared_ptr<const base::Zone> fixed_zone(std::int64_t offset_seconds) {
  return std::make_shared<const base::Zone>(base::Zone::fixed(offset_seconds));
}

}  // namespace

std::shared_ptr<const base::Zone> zone_of_text(std::string_view name, const ZoneFinder& zones) {
  std::string text = with_two_digits(name);
  const auto* alias = std::find_if(kShortNames.begin(), kShortNames.end(),
                                   [&](const ShortName& known) { return known.name == text; });
  if (alias != kShortNames.end()) text = alias->zone;
  if (text == "Z") return fixed_zone(0);
  std::string_view offset = text;
  if (text.starts_with("UTC") || text.starts_with("GMT")) {
    offset.remove_prefix(3);
  } else if (text.starts_with("UT")) {
    offset.remove_prefix(2);
  }
  const bool has_prefix = offset.size() < text.size();
  if (has_prefix && offset.empty()) return fixed_zone(0);
  if (!offset.empty() && (offset[0] == '+' || offset[0] == '-')) {
    const std::optional<std::int64_t> seconds = offset_of(offset);
    return seconds ? fixed_zone(*seconds) : nullptr;
  }
  return zones ? zones(text) : nullptr;
}

std::optional<std::int32_t> text_to_date(std::string_view text) {
  FieldReader reader(text);
  std::int64_t fields[3] = {1, 1, 1};
  const int count = read_date(reader, 7, fields);
  if (count == 0) return std::nullopt;
  // Behind a whole date anything may follow a blank or a T, behind less nothing.
  if (!reader.at_end() && (count < 3 || (!reader.take(' ') && !reader.take('T')))) return std::nullopt;
  const std::optional<std::int64_t> days = days_of(fields);
  if (!days || *days > INT32_MAX || *days < INT32_MIN) return std::nullopt;
  return static_cast<std::int32_t>(*days);
}

std::optional<std::int64_t> text_to_timestamp(std::string_view text, const base::Zone& zone,
                                              const ZoneFinder& zones) {
  FieldReader reader(text);
  std::int64_t date[3] = {1, 1, 1};
  const int count = read_date(reader, 6, date);
  if (count == 0) return std::nullopt;
  std::int64_t clock[3] = {0, 0, 0};
  std::int64_t micros = 0;
  std::shared_ptr<const base::Zone> own_zone;
  if (!reader.at_end()) {
    if (count < 3 || (!reader.take(' ') && !reader.take('T'))) return std::nullopt;
    int fields = 0;
    do {
      if (!reader.number(1, 2, clock[fields++])) return std::nullopt;
    } while (fields < 3 && reader.take(':'));
    if (fields == 3) {
      if (reader.take('.')) micros = reader.fraction();
      if (!reader.at_end()) {
        own_zone = zone_of_text(trim_all(reader.rest()), zones);
        if (!own_zone) return std::nullopt;
      }
    }
    if (!reader.at_end() && !own_zone) return std::nullopt;
  }
  const std::optional<std::int64_t> days = days_of(date);
  if (!days || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return std::nullopt;
  // At the ends of what 64 bits of microseconds hold, the zone is asked about a day within.
  constexpr std::int64_t kDaysMost = 106'751'980;
  const std::int64_t asked_days = std::clamp(*days, -kDaysMost, kDaysMost);
  const std::int64_t seconds = asked_days * 86'400 + clock[0] * 3600 + clock[1] * 60 + clock[2];
  const std::int64_t instant = (own_zone ? *own_zone : zone).instant_us(seconds * base::kSecond_us + micros);
  std::int64_t shift = 0, result = 0;
  if (__builtin_mul_overflow(*days - asked_days, base::kDay_us, &shift) ||
      __builtin_add_overflow(instant, shift, &result))
    return std::nullopt;
  return result;
}

std::int64_t local_us(std::int64_t us, const base::Zone& zone) {
  std::int64_t local = 0;
  const std::int64_t offset_us = zone.offset_seconds(us) * base::kSecond_us;
  // At the very ends of the range the wall clock stops.
  if (__builtin_add_overflow(us, offset_us, &local)) return us;
  return local;
}

std::int32_t timestamp_to_date(std::int64_t us, const base::Zone& zone) {
  return static_cast<std::int32_t>(floor_div(local_us(us, zone), base::kDay_us));
}

std::int64_t date_to_timestamp(std::int32_t days, const base::Zone& zone) {
  constexpr std::int64_t kDaysMost = 106'751'990;
  const std::int64_t within = std::clamp<std::int64_t>(days, -kDaysMost, kDaysMost);
  return zone.instant_us(within * base::kDay_us);
}

std::int64_t decimal_to_timestamp(Int128 unscaled, int scale) {
  __extension__ typedef unsigned __int128 Uint128;
  if (scale >= 6) return static_cast<std::int64_t>(unscaled / power_of_ten(scale - 6));
  return static_cast<std::int64_t>(static_cast<Uint128>(unscaled) *
                                   static_cast<Uint128>(power_of_ten(6 - scale)));
}

std::int64_t truncate_timestamp(std::string_view unit, std::int64_t us, const base::Zone& zone) {
  // Within a year of the ends of 64 bits there may be nothing to cut down to.
  constexpr std::int64_t kMost_us = 9'223'000'000'000'000'000;
  if (us > kMost_us || us < -kMost_us) return us;
  const std::int64_t local = local_us(us, zone);
  const std::int64_t offset_us = local - us;
  const auto whole = [&](std::int64_t size_us) {
    // In an overlap the instant keeps its own offset.
    const std::int64_t cut = floor_div(local, size_us) * size_us;
    const std::int64_t same_offset = cut - offset_us;
    const bool still_valid = zone.offset_seconds(same_offset) * base::kSecond_us == offset_us;
    return still_valid ? same_offset : zone.instant_us(cut);
  };
  if (unit == "microsecond") return us;
  if (unit == "millisecond") return whole(1'000);
  if (unit == "second") return whole(base::kSecond_us);
  if (unit == "minute") return whole(60 * base::kSecond_us);
  if (unit == "hour") return whole(3'600 * base::kSecond_us);
  const std::int64_t days = floor_div(local, base::kDay_us);
  const base::Civil civil = base::civil_from_days(days);
  std::int64_t first = days;
  if (unit == "week") first = days - ((days + 3) % 7 + 7) % 7;
  if (unit == "month") first = base::days_from_civil(civil.year, civil.month, 1);
  if (unit == "quarter") first = base::days_from_civil(civil.year, (civil.month - 1) / 3 * 3 + 1, 1);
  if (unit == "year") first = base::days_from_civil(civil.year, 1, 1);
  return zone.instant_us(first * base::kDay_us);
}

}  // namespace sql
