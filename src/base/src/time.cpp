#include <base/time.h>

#include <array>
#include <cstdio>

namespace base {

std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  // Years start in March, so that the leap day is the last of its year; 400 years are an era.
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

Civil civil_from_days(std::int64_t days) {
  const std::int64_t z = days + 719'468;
  const std::int64_t era = (z >= 0 ? z : z - 146'096) / 146'097;
  const std::int64_t day_of_era = z - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  Civil civil;
  civil.day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  civil.month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  civil.year = year_of_era + era * 400 + (civil.month <= 2 ? 1 : 0);
  return civil;
}

bool is_valid_date(std::int64_t year, int month, int day) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

std::string print_date(std::int64_t days) {
  const Civil civil = civil_from_days(days);
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04lld-%02d-%02d", static_cast<long long>(civil.year),
                civil.month, civil.day);
  return buffer.data();
}

namespace {

struct Clock {
  std::int64_t days;
  int hour, minute, second, micros;
};

Clock clock_of(std::int64_t us) {
  std::int64_t days = us / kDay_us;
  std::int64_t rest = us % kDay_us;
  if (rest < 0) {
    rest += kDay_us;
    --days;
  }
  const std::int64_t seconds = rest / kSecond_us;
  return Clock{days, static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60 % 60),
               static_cast<int>(seconds % 60), static_cast<int>(rest % kSecond_us)};
}

}  // namespace

std::string print_instant(std::int64_t us) {
  const Clock clock = clock_of(us);
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "T%02d:%02d:%02d.%06dZ", clock.hour, clock.minute, clock.second,
                clock.micros);
  return print_date(clock.days) + buffer.data();
}

std::string print_compact_instant(std::int64_t us) {
  const Clock clock = clock_of(us);
  const Civil civil = civil_from_days(clock.days);
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04lld%02d%02dT%02d%02d%02dZ",
                static_cast<long long>(civil.year), civil.month, civil.day, clock.hour, clock.minute,
                clock.second);
  return buffer.data();
}

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool digits(int count, std::int64_t& value) {
    value = 0;
    for (int i = 0; i < count; ++i) {
      if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] > '9') return false;
      value = value * 10 + (text_[at_++] - '0');
    }
    return true;
  }
  bool one_of(std::string_view wanted) {
    if (at_ >= text_.size() || wanted.find(text_[at_]) == std::string_view::npos) return false;
    last_ = text_[at_++];
    return true;
  }
  bool at_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }
  bool at_end() const { return at_ == text_.size(); }
  char last() const { return last_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  char last_ = 0;
};

}  // namespace

Result<std::int64_t> parse_instant(std::string_view text) {
  const auto bad = [&] {
    return fail(Kind::invalid, "time.syntax", "'" + std::string(text) + "' is no instant",
                "write it as 2026-03-01T12:00:00Z");
  };
  Reader reader(text);
  std::int64_t year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, micros = 0;
  if (!reader.digits(4, year) || !reader.one_of("-") || !reader.digits(2, month) || !reader.one_of("-") ||
      !reader.digits(2, day) || !reader.one_of("Tt ") || !reader.digits(2, hour) || !reader.one_of(":") ||
      !reader.digits(2, minute) || !reader.one_of(":") || !reader.digits(2, second))
    return bad();
  if (reader.one_of(".")) {
    std::int64_t scale = 100'000;
    if (!reader.at_digit()) return bad();
    while (reader.at_digit()) {
      std::int64_t digit = 0;
      reader.digits(1, digit);
      micros += digit * scale;
      scale /= 10;
    }
  }
  if (!reader.one_of("Zz+-")) return bad();
  std::int64_t offset = 0;
  if (reader.last() == '+' || reader.last() == '-') {
    const std::int64_t sign = reader.last() == '+' ? 1 : -1;
    std::int64_t hours = 0, minutes = 0;
    if (!reader.digits(2, hours) || !reader.one_of(":") || !reader.digits(2, minutes)) return bad();
    offset = sign * (hours * 3600 + minutes * 60);
  }
  if (!reader.at_end() || hour > 23 || minute > 59 || second > 59 ||
      !is_valid_date(year, static_cast<int>(month), static_cast<int>(day)))
    return bad();
  const std::int64_t days = days_from_civil(year, static_cast<int>(month), static_cast<int>(day));
  return (days * 86'400 + hour * 3600 + minute * 60 + second - offset) * kSecond_us + micros;
}

}  // namespace base
