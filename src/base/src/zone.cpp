#include <base/zone.h>

#include <base/time.h>

#include <algorithm>
#include <array>
#include <optional>

namespace base {

namespace {

constexpr std::int64_t kDay_s = 86'400;
constexpr std::int64_t kHour_s = 3'600;
constexpr std::int64_t kCycleYears = 400;
constexpr std::int64_t kCycle_s = 146'097 * kDay_s;
// No two zones are further apart, so an instant lies this near to its local time read as UTC.
constexpr std::int64_t kFarthest_s = 26 * kHour_s;

std::int64_t floor_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// -- the POSIX rule in the footer (RFC 8536, section 3.3) -----------------------------------------

struct DayRule {
  char kind = 'M';  // M: month.week.weekday, J: day 1 to 365 without February 29th, 0: day 0 to 365
  int month = 1, week = 1, day = 0;
  std::int64_t time_seconds = 2 * kHour_s;
};

struct PosixRule {
  std::int64_t standard_offset = 0;
  std::optional<std::int64_t> summer_offset;
  DayRule start, end;
};

class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  std::optional<PosixRule> run() {
    PosixRule rule;
    std::int64_t west = 0;
    if (!name() || !clock(west)) return std::nullopt;
    rule.standard_offset = -west;
    if (at_ == text_.size()) return rule;
    if (!name()) return std::nullopt;
    rule.summer_offset = rule.standard_offset + kHour_s;
    if (peek() != ',') {
      if (!clock(west)) return std::nullopt;
      rule.summer_offset = -west;
    }
    if (!take(',') || !day(rule.start) || !take(',') || !day(rule.end) || at_ != text_.size())
      return std::nullopt;
    return rule;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool name() {
    if (take('<')) {
      while (at_ < text_.size() && peek() != '>') ++at_;
      return take('>');
    }
    const std::size_t start = at_;
    while ((peek() >= 'A' && peek() <= 'Z') || (peek() >= 'a' && peek() <= 'z')) ++at_;
    return at_ - start >= 3;
  }
  bool number(std::int64_t& value) {
    const std::size_t start = at_;
    value = 0;
    while (peek() >= '0' && peek() <= '9' && at_ - start < 4) value = value * 10 + (text_[at_++] - '0');
    return at_ > start;
  }
  // [+-]hh[:mm[:ss]]; up to 167 hours.
  bool clock(std::int64_t& seconds) {
    const bool negative = peek() == '-';
    if (peek() == '-' || peek() == '+') ++at_;
    std::int64_t hours = 0, minutes = 0, rest = 0;
    if (!number(hours)) return false;
    if (take(':') && !number(minutes)) return false;
    if (take(':') && !number(rest)) return false;
    seconds = hours * kHour_s + minutes * 60 + rest;
    if (negative) seconds = -seconds;
    return hours <= 167 && minutes < 60 && rest < 60;
  }
  bool day(DayRule& rule) {
    std::int64_t month = 1, week = 1, day_number = 0;
    if (take('M')) {
      if (!number(month) || !take('.') || !number(week) || !take('.') || !number(day_number)) return false;
      if (month < 1 || month > 12 || week < 1 || week > 5 || day_number > 6) return false;
    } else {
      rule.kind = take('J') ? 'J' : '0';
      if (!number(day_number) || day_number > 365) return false;
    }
    rule.month = static_cast<int>(month);
    rule.week = static_cast<int>(week);
    rule.day = static_cast<int>(day_number);
    return !take('/') || clock(rule.time_seconds);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Seconds of local time, read as UTC, at which the rule strikes in a year.
std::int64_t local_seconds(const DayRule& rule, std::int64_t year) {
  if (rule.kind == 'J') {
    const bool behind_leap_day = rule.day >= 60 && is_valid_date(year, 2, 29);
    return (days_from_civil(year, 1, 1) + rule.day - 1 + (behind_leap_day ? 1 : 0)) * kDay_s +
           rule.time_seconds;
  }
  if (rule.kind == '0') return (days_from_civil(year, 1, 1) + rule.day) * kDay_s + rule.time_seconds;
  const std::int64_t first = days_from_civil(year, rule.month, 1);
  const std::int64_t weekday = ((first + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
  std::int64_t day = 1 + (rule.day - weekday + 7) % 7 + (std::int64_t{rule.week} - 1) * 7;
  while (!is_valid_date(year, rule.month, static_cast<int>(day))) day -= 7;
  return (first + day - 1) * kDay_s + rule.time_seconds;
}

// -- the bytes ------------------------------------------------------------------------------------

struct Header {
  char version = 0;
  std::size_t is_ut = 0, is_standard = 0, leaps = 0, times = 0, types = 0, characters = 0;
  std::size_t data_bytes(std::size_t time_bytes) const {
    return times * (time_bytes + 1) + types * 6 + characters + leaps * (time_bytes + 4) + is_standard + is_ut;
  }
};

constexpr std::size_t kHeaderBytes = 44;

std::int64_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = static_cast<unsigned char>(bytes[at]) >= 0x80 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < count; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return static_cast<std::int64_t>(value);
}

std::optional<Header> read_header(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with("TZif")) return std::nullopt;
  Header header;
  header.version = bytes[4];
  std::array<std::size_t*, 6> counts = {&header.is_ut, &header.is_standard, &header.leaps,
                                        &header.times, &header.types,       &header.characters};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t count = big_endian(bytes, 20 + i * 4, 4);
    if (count < 0 || count > 1'000'000) return std::nullopt;
    *counts[i] = static_cast<std::size_t>(count);
  }
  return header;
}

}  // namespace

Zone Zone::utc() {
  return {};
}

Zone Zone::fixed(std::int64_t offset_seconds) {
  Zone zone;
  zone.first_offset_ = offset_seconds;
  return zone;
}

Result<Zone> Zone::decode(std::string_view tzif_bytes) {
  const auto bad = [](const std::string& what) {
    return fail(Kind::corrupt, "zone.format", "these bytes are no time zone rules: " + what,
                "take a compiled TZif file, as under /usr/share/zoneinfo");
  };
  std::optional<Header> header = read_header(tzif_bytes);
  if (!header) return bad("the header is missing");
  std::string_view data = tzif_bytes.substr(kHeaderBytes);
  std::size_t time_bytes = 4;
  if (header->version >= '2') {  // the old block is only there for old readers
    if (data.size() < header->data_bytes(4)) return bad("they end too early");
    data.remove_prefix(header->data_bytes(4));
    header = read_header(data);
    if (!header) return bad("the second header is missing");
    data.remove_prefix(kHeaderBytes);
    time_bytes = 8;
  }
  if (data.size() < header->data_bytes(time_bytes)) return bad("they end too early");
  if (header->types == 0) return bad("there is no local time type");

  Zone zone;
  const std::size_t types_at = header->times * (time_bytes + 1);
  const auto offset_of = [&](std::size_t type) { return big_endian(data, types_at + type * 6, 4); };
  zone.first_offset_ = offset_of(0);
  for (std::size_t i = 0; i < header->times; ++i) {
    const auto type =
        static_cast<std::size_t>(static_cast<unsigned char>(data[header->times * time_bytes + i]));
    if (type >= header->types) return bad("a change names a type that is not there");
    const std::int64_t at = big_endian(data, i * time_bytes, time_bytes);
    if (!zone.changes_.empty() && at <= zone.changes_.back().at_seconds)
      return bad("changes are out of order");
    zone.changes_.push_back(Change{at, offset_of(type)});
  }
  if (time_bytes == 4) return zone;

  std::string_view footer = data.substr(header->data_bytes(time_bytes));
  if (footer.size() < 2 || footer.front() != '\n' || footer.find('\n', 1) == std::string_view::npos)
    return bad("the footer is missing");
  footer = footer.substr(1, footer.find('\n', 1) - 1);
  if (footer.empty()) return zone;
  const std::optional<PosixRule> rule = RuleReader(footer).run();
  if (!rule) return bad("the footer '" + std::string(footer) + "' is no rule");
  const std::int64_t last = zone.changes_.empty() ? 0 : zone.changes_.back().at_seconds;
  if (!rule->summer_offset) {
    // The rule agrees with the last change, except in files without any.
    if (zone.changes_.empty()) zone.first_offset_ = rule->standard_offset;
    return zone;
  }
  const std::int64_t first_year = civil_from_days(floor_div(last, kDay_s)).year;
  for (std::int64_t year = first_year; year <= first_year + kCycleYears + 1; ++year) {
    std::array<Change, 2> both = {
        Change{local_seconds(rule->start, year) - rule->standard_offset, *rule->summer_offset},
        Change{local_seconds(rule->end, year) - *rule->summer_offset, rule->standard_offset}};
    if (both[1].at_seconds < both[0].at_seconds) std::swap(both[0], both[1]);
    for (const Change& change : both)
      if (zone.changes_.empty() || change.at_seconds > zone.changes_.back().at_seconds)
        zone.changes_.push_back(change);
  }
  zone.repeats_ = true;
  return zone;
}

std::int64_t Zone::offset_at(std::int64_t seconds) const {
  if (changes_.empty() || seconds < changes_.front().at_seconds) return first_offset_;
  if (repeats_ && seconds >= changes_.back().at_seconds) {
    const std::int64_t past = seconds - changes_.back().at_seconds;
    seconds -= (past / kCycle_s + 1) * kCycle_s;
  }
  const auto next =
      std::upper_bound(changes_.begin(), changes_.end(), seconds,
                       [](std::int64_t at, const Change& change) { return at < change.at_seconds; });
  return std::prev(next)->offset_seconds;
}

std::int64_t Zone::offset_seconds(std::int64_t instant_us) const {
  return offset_at(floor_div(instant_us, kSecond_us));
}

std::int64_t Zone::instant_us(std::int64_t local_us) const {
  if (changes_.empty()) return local_us - first_offset_ * kSecond_us;
  std::int64_t local = floor_div(local_us, kSecond_us);
  const std::int64_t rest_us = (local_us % kSecond_us + kSecond_us) % kSecond_us;
  std::int64_t shifted = 0;
  if (repeats_ && local >= changes_.back().at_seconds - kFarthest_s) {
    shifted = ((local - changes_.back().at_seconds + kFarthest_s) / kCycle_s + 1) * kCycle_s;
    local -= shifted;
  }
  const std::int64_t from = local - kFarthest_s;
  std::int64_t offset = from < changes_.front().at_seconds ? first_offset_ : offset_at(from);
  auto change = std::upper_bound(changes_.begin(), changes_.end(), from,
                                 [](std::int64_t at, const Change& next) { return at < next.at_seconds; });
  // Up to the end of a gap and of an overlap the offset before it counts.
  for (; change != changes_.end() && change->at_seconds <= local + kFarthest_s; ++change) {
    if (local < change->at_seconds + std::max(offset, change->offset_seconds)) break;
    offset = change->offset_seconds;
  }
  return (local - offset + shifted) * kSecond_us + rest_us;
}

}  // namespace base
