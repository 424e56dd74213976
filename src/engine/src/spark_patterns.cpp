// Regular expressions by RE2; the patterns were translated from Java's when the expression was checked.
#include <base/text.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "spark_rows.h"

namespace engine {

namespace {

constexpr int kGroupsMax = 10;  // the whole match and nine groups, what a replacement can name

// Patterns are literals; each thread keeps those it met.
const RE2* pattern_of(std::string_view text) {
  thread_local std::unordered_map<std::string, std::unique_ptr<RE2>> known;
  if (known.size() > 64) known.clear();
  std::unique_ptr<RE2>& pattern = known[std::string(text)];
  if (!pattern) pattern = std::make_unique<RE2>(std::string(text), RE2::Quiet);
  return pattern->ok() ? pattern.get() : nullptr;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

// The matches of a pattern one behind the other, as Java's find() gives them: behind an empty match
// the search goes on one character further.
class Matches {
 public:
  Matches(const RE2& pattern, std::string_view text, std::size_t from)
      : pattern_(pattern),
        text_(text),
        next_(from),
        groups_(std::min(pattern.NumberOfCapturingGroups() + 1, kGroupsMax)) {}

  bool next() {
    if (next_ > text_.size()) return false;
    if (!pattern_.Match(piece(text_), next_, text_.size(), RE2::UNANCHORED, found_.data(), groups_)) {
      next_ = text_.size() + 1;
      return false;
    }
    start_ = static_cast<std::size_t>(found_[0].data() - text_.data());
    end_ = start_ + found_[0].size();
    next_ = end_;
    if (end_ == start_) next_ += character_bytes(end_);
    return true;
  }
  std::size_t start() const { return start_; }
  std::size_t end() const { return end_; }
  std::string_view group(int i) const {
    const re2::StringPiece& found = found_[static_cast<std::size_t>(i)];
    return i < groups_ ? std::string_view(found.data(), found.size()) : std::string_view();
  }

 private:
  std::size_t character_bytes(std::size_t at) const {
    std::size_t count = 1;
    while (at + count < text_.size() && (static_cast<unsigned char>(text_[at + count]) & 0xC0) == 0x80)
      ++count;
    return count;
  }

  const RE2& pattern_;
  std::string_view text_;
  std::size_t next_;
  int groups_;
  std::array<re2::StringPiece, kGroupsMax> found_;
  std::size_t start_ = 0;
  std::size_t end_ = 0;
};

void rlike(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each<bool>([&](idx_t row) -> std::optional<bool> {
    const RE2* pattern = pattern_of(call.column(1).text(row));
    if (pattern == nullptr) return std::nullopt;
    return RE2::PartialMatch(piece(call.column(0).text(row)), *pattern);
  });
}

void extract(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) -> std::optional<std::string_view> {
    const RE2* pattern = pattern_of(call.column(1).text(row));
    const auto group = static_cast<std::size_t>(call.column(2).at<std::int32_t>(row));
    const std::string_view text = call.column(0).text(row);
    if (pattern == nullptr) return std::nullopt;
    std::vector<re2::StringPiece> found(group + 1);
    if (!pattern->Match(piece(text), 0, text.size(), RE2::UNANCHORED, found.data(),
                        static_cast<int>(found.size())))
      return "";
    return std::string_view(found[group].data(), found[group].size());
  });
}

// `rewrite` in RE2's form: \1 for a group, \\ for a backslash.
void append_rewrite(std::string& out, std::string_view rewrite, const Matches& matches) {
  for (std::size_t i = 0; i < rewrite.size(); ++i) {
    if (rewrite[i] != '\\') {
      out += rewrite[i];
    } else if (const char c = rewrite[++i]; c >= '0' && c <= '9') {
      out += matches.group(c - '0');
    } else {
      out += c;
    }
  }
}

std::string replaced(const RE2& pattern, std::string_view text, std::string_view rewrite, std::size_t from) {
  std::string out;
  std::size_t copied = 0;
  Matches matches(pattern, text, from);
  while (matches.next()) {
    out += text.substr(copied, matches.start() - copied);
    append_rewrite(out, rewrite, matches);
    copied = matches.end();
  }
  return out += text.substr(copied);
}

void replace(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) -> std::optional<std::string> {
    const RE2* pattern = pattern_of(call.column(1).text(row));
    if (pattern == nullptr) return std::nullopt;
    std::string_view text = call.column(0).text(row);
    const auto characters = static_cast<std::size_t>(call.column(3).at<std::int32_t>(row) - 1);
    std::string_view before = text;
    std::size_t seen = 0, bytes = 0;
    for (; bytes < text.size() && seen < characters; ++seen) do
        ++bytes;
      while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80);
    if (seen < characters || (characters > 0 && bytes == text.size())) return std::string(text);
    before = text.substr(0, bytes);
    return std::string(before) + replaced(*pattern, text.substr(bytes), call.column(2).text(row), 0);
  });
}

// An empty pattern parts a text into its characters; a positive limit cuts those behind it off.
std::optional<std::string_view> character_of(std::string_view text, int limit, std::int64_t wanted) {
  if (limit > 0 && wanted >= limit) return std::nullopt;
  const std::string_view before = base::prefix_code_points(text, static_cast<std::size_t>(wanted));
  if (before.size() == text.size()) return std::nullopt;
  return base::prefix_code_points(text.substr(before.size()), 1);
}

// One part of a text as Java splits it: no empty part before an empty match at the start, every part
// kept at the end; a positive limit is the greatest number of parts.
std::optional<std::string_view> part_of(const RE2& pattern, std::string_view text, int limit,
                                        std::int64_t wanted) {
  if (wanted < 0) return std::nullopt;
  if (pattern.pattern().empty() && !text.empty()) return character_of(text, limit, wanted);
  Matches matches(pattern, text, 0);
  std::int64_t number = 0;
  std::size_t start = 0;
  while ((limit <= 0 || number < limit - 1) && matches.next()) {
    if (matches.end() == 0) continue;
    if (number == wanted) return text.substr(start, matches.start() - start);
    ++number;
    start = matches.end();
  }
  if (number == wanted) return text.substr(start);
  return std::nullopt;
}

void split_part(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  SparkCall call(info, input, output);
  call.each_text([&](idx_t row) -> std::optional<std::string_view> {
    const RE2* pattern = pattern_of(call.column(1).text(row));
    if (pattern == nullptr) return std::nullopt;
    return part_of(*pattern, call.column(0).text(row), call.column(2).at<std::int32_t>(row),
                   call.column(3).at<std::int64_t>(row));
  });
}

}  // namespace

void add_spark_patterns(SparkRegistrar& registrar) {
  constexpr duckdb_type kText = DUCKDB_TYPE_VARCHAR;
  constexpr duckdb_type kInt = DUCKDB_TYPE_INTEGER;
  registrar.add("spark_rlike", {kText, kText}, DUCKDB_TYPE_BOOLEAN, rlike);
  registrar.add("spark_regexp_extract", {kText, kText, kInt}, kText, extract);
  registrar.add("spark_regexp_replace", {kText, kText, kText, kInt}, kText, replace);
  registrar.add("spark_split_part", {kText, kText, kInt, DUCKDB_TYPE_BIGINT}, kText, split_part);
}

}  // namespace engine
