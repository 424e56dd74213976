#include <sql/date_pattern.h>

#include <base/text.h>
#include <base/time.h>

#include <algorithm>
#include <array>

namespace sql {

namespace {

constexpr std::string_view kLetters = "yMdHhmsSa";
constexpr std::array<int, 9> kCountMost = {6, 4, 2, 2, 2, 2, 2, 9, 1};
constexpr int kDigitsMost = 18;  // of a field without a width

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::unexpected<base::Error> refuse(std::size_t at, std::string message) {
  return base::fail(base::Kind::invalid, "sql.pattern", std::move(message),
                    "a date pattern has y M d H h m s S a, other signs, and quoted text",
                    base::Place{{}, 1, static_cast<std::int64_t>(at) + 1});
}

// Quoted text, '' for a quote; `at` moves behind it.
std::optional<std::string> quoted_text(std::string_view pattern, std::size_t& at) {
  std::string text;
  for (++at; at < pattern.size(); ++at) {
    if (pattern[at] != '\'') {
      text += pattern[at];
    } else if (at + 1 < pattern.size() && pattern[at + 1] == '\'') {
      text += pattern[at++];
    } else {
      ++at;
      return text.empty() ? "'" : text;
    }
  }
  return std::nullopt;
}

// What the fields of one text say; nothing where no field said it.
struct Fields {
  std::optional<std::int64_t> year, month, day, hour, half_hour, minute, second, micros, half;

  static bool set(std::optional<std::int64_t>& field, std::int64_t value) {
    if (field && *field != value) return false;
    field = value;
    return true;
  }
};

class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }

  bool literal(std::string_view wanted) {
    if (!base::equal_ignoring_case(text_.substr(at_, wanted.size()), wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  // Digits, as Java counts them: those that later fields of fixed width need are left to them.
  bool number(int least, int most, int reserved, std::int64_t& value) {
    std::size_t end = at_;
    const auto limit = static_cast<std::size_t>(most) + static_cast<std::size_t>(reserved);
    while (end < text_.size() && is_digit(text_[end]) && end - at_ < limit) ++end;
    int width = static_cast<int>(end - at_);
    if (reserved > 0) width = std::max(least, width - reserved);
    if (width < least || at_ + static_cast<std::size_t>(width) > end) return false;
    value = 0;
    for (int i = 0; i < width; ++i) value = value * 10 + (text_[at_++] - '0');
    digits_ = width;
    return true;
  }
  int digits() const { return digits_; }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool month_name(bool whole, std::int64_t& value) {
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      value = static_cast<std::int64_t>(i) + 1;
      if (literal(whole ? kMonths[i] : kMonths[i].substr(0, 3))) return true;
    }
    return false;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int digits_ = 0;
};

bool read_year(PatternReader& reader, int count, int reserved, Fields& fields) {
  std::int64_t year = 0;
  if (count == 2) return reader.number(2, 2, reserved, year) && Fields::set(fields.year, 2000 + year);
  const bool negative = reader.take('-');
  const bool plus = !negative && count >= 4 && reader.take('+');
  if (!reader.number(count == 1 ? 1 : count, kDigitsMost, reserved, year)) return false;
  if (negative && year == 0) return false;
  // From four letters on, more digits than letters want a plus, and only then.
  if (count >= 4 && !negative && plus != (reader.digits() > count)) return false;
  return Fields::set(fields.year, negative ? -year : year);
}

bool read_fraction(PatternReader& reader, int count, Fields& fields) {
  std::int64_t value = 0;
  if (!reader.number(1, count, 0, value)) return false;
  int digits = reader.digits();
  for (; digits < 6; ++digits) value *= 10;
  for (; digits > 6; --digits) value /= 10;
  return Fields::set(fields.micros, value);
}

bool read_field(PatternReader& reader, char letter, int count, int reserved, Fields& fields) {
  std::int64_t value = 0;
  if (letter == 'y') return read_year(reader, count, reserved, fields);
  if (letter == 'S') return read_fraction(reader, count, fields);
  if (letter == 'a') {
    if (reader.literal("am")) return Fields::set(fields.half, 0);
    return reader.literal("pm") && Fields::set(fields.half, 1);
  }
  if (letter == 'M' && count > 2)
    return reader.month_name(count == 4, value) && Fields::set(fields.month, value);
  if (!reader.number(count, count == 1 ? kDigitsMost : count, reserved, value)) return false;
  switch (letter) {
    case 'M':
      return Fields::set(fields.month, value);
    case 'd':
      return Fields::set(fields.day, value);
    case 'H':
      return Fields::set(fields.hour, value);
    case 'h':
      return value >= 1 && value <= 12 && Fields::set(fields.half_hour, value % 12);
    case 'm':
      return Fields::set(fields.minute, value);
    default:
      return Fields::set(fields.second, value);
  }
}

std::optional<std::int64_t> hour_of(const Fields& fields) {
  if (fields.hour) {
    if (*fields.hour > 23) return std::nullopt;
    if (fields.half && *fields.half != *fields.hour / 12) return std::nullopt;
    if (fields.half_hour && *fields.half_hour != *fields.hour % 12) return std::nullopt;
    return fields.hour;
  }
  return fields.half_hour.value_or(0) + 12 * fields.half.value_or(0);
}

}  // namespace

base::Result<DatePattern> DatePattern::parse(std::string_view pattern) {
  DatePattern result;
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    const std::size_t start = at;
    Part part;
    if (is_letter(c)) {
      const std::size_t known = kLetters.find(c);
      if (known == std::string_view::npos)
        return refuse(at, std::string("the pattern letter '") + c + "' is not understood");
      while (at < pattern.size() && pattern[at] == c) ++at;
      part.letter = c;
      part.count = static_cast<int>(at - start);
      if (part.count > kCountMost[known]) return refuse(start, std::string("too many '") + c + "' in a row");
    } else if (c == '\'') {
      std::optional<std::string> text = quoted_text(pattern, at);
      if (!text) return refuse(start, "this quote is never closed");
      part.text = *std::move(text);
    } else if (std::string_view("[]{}#").find(c) != std::string_view::npos) {
      return refuse(at, std::string("'") + c + "' in a pattern is not understood");
    } else {
      part.text = c;
      ++at;
    }
    result.parts_.push_back(std::move(part));
  }
  if (result.parts_.empty()) return refuse(0, "the pattern is empty");
  // A field gives way to the fixed-width fields that stand directly behind it.
  Part* active = nullptr;
  for (Part& part : result.parts_) {
    const bool numeric = part.letter != 0 && part.letter != 'S' && part.letter != 'a' &&
                         !(part.letter == 'M' && part.count > 2);
    const bool fixed = numeric && part.count == 2;
    if (active != nullptr && fixed) {
      active->reserved += part.count;
    } else {
      active = numeric ? &part : nullptr;
    }
  }
  return result;
}

std::optional<DatePattern::Local> DatePattern::read(std::string_view text) const {
  PatternReader reader(text);
  Fields fields;
  for (const Part& part : parts_) {
    const bool matched = part.letter == 0
                             ? reader.literal(part.text)
                             : read_field(reader, part.letter, part.count, part.reserved, fields);
    if (!matched) return std::nullopt;
  }
  if (!reader.at_end()) return std::nullopt;
  const std::int64_t year = fields.year.value_or(1970);
  const std::int64_t month = fields.month.value_or(1);
  const std::int64_t day = fields.day.value_or(1);
  if (std::abs(year) > 290'000 || month > 12 || day > 31) return std::nullopt;
  if (!base::is_valid_date(year, static_cast<int>(month), static_cast<int>(day))) return std::nullopt;
  const std::optional<std::int64_t> hour = hour_of(fields);
  const std::int64_t minute = fields.minute.value_or(0);
  const std::int64_t second = fields.second.value_or(0);
  if (!hour || minute > 59 || second > 59) return std::nullopt;
  Local local;
  local.days = base::days_from_civil(year, static_cast<int>(month), static_cast<int>(day));
  local.day_us = ((*hour * 60 + minute) * 60 + second) * base::kSecond_us + fields.micros.value_or(0);
  return local;
}

}  // namespace sql
