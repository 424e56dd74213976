// Names in _delta_log, and which of the files to read.
#include <base/text.h>
#include <delta/replay.h>

#include <charconv>
#include <set>

namespace delta {

namespace {

using base::Kind;

constexpr std::size_t kVersionDigits = 20;
constexpr std::size_t kPartDigits = 10;
constexpr std::size_t kUuidLength = 36;
constexpr std::int64_t kVersionMax = 1'000'000'000'000'000'000;  // far from where adding one overflows

std::string version_text(std::int64_t version) {
  const std::string digits = std::to_string(version);
  return std::string(kVersionDigits - digits.size(), '0') + digits;
}

std::optional<std::int64_t> parse_digits(std::string_view text, std::size_t length) {
  if (text.size() != length) return std::nullopt;
  for (const char c : text)
    if (c < '0' || c > '9') return std::nullopt;
  std::int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

LogName of_kind(LogName::Kind kind, std::int64_t version) {
  return LogName{kind, version, 0, 0};
}

struct Listing {
  std::set<std::int64_t> entries;
  std::set<std::int64_t> checkpoints;                     // in one file
  std::map<std::int64_t, std::string> other_checkpoints;  // by version, the name of what they need
  std::int64_t newest = -1;
};

Listing read_listing(const std::vector<std::string>& names) {
  Listing listing;
  std::map<std::pair<std::int64_t, int>, int> parts;
  for (const std::string& text : names) {
    const LogName name = parse_log_name(text);
    switch (name.kind) {
      case LogName::Kind::entry:
        listing.entries.insert(name.version);
        break;
      case LogName::Kind::checkpoint:
        listing.checkpoints.insert(name.version);
        break;
      case LogName::Kind::checkpoint_part:
        if (++parts[{name.version, name.parts}] < name.parts) continue;  // an incomplete set is nothing
        listing.other_checkpoints[name.version] = "multi-part checkpoint";
        break;
      case LogName::Kind::checkpoint_v2:
        listing.other_checkpoints[name.version] = "v2Checkpoint";
        break;
      case LogName::Kind::compacted:
      case LogName::Kind::other:
        continue;
    }
    listing.newest = std::max(listing.newest, name.version);
  }
  return listing;
}

// The first version in [first, last] without an entry.
std::optional<std::int64_t> first_gap(const Listing& listing, std::int64_t first, std::int64_t last) {
  for (std::int64_t version = first; version <= last; ++version)
    if (!listing.entries.contains(version)) return version;
  return std::nullopt;
}

std::unexpected<base::Error> why_not(const Listing& listing, std::int64_t target, std::int64_t gap,
                                     bool asked) {
  const auto other = listing.other_checkpoints.upper_bound(target);
  if (other != listing.other_checkpoints.begin()) {
    const auto& [version, feature] = *std::prev(other);
    if (version >= gap)
      return base::fail(Kind::unsupported, "delta.feature_unsupported",
                        "version " + std::to_string(target) + " can only be read through the " + feature +
                            " of version " + std::to_string(version) + ", which is not built",
                        "write a checkpoint in one file with another engine");
  }
  const bool older_remains = !listing.entries.empty() && *listing.entries.begin() < gap;
  if (asked && !older_remains)
    return base::fail(Kind::not_found, "delta.version_missing",
                      "version " + std::to_string(target) + " cannot be read any more: log entry " +
                          std::to_string(gap) + " was cleaned away",
                      "ask for a newer version");
  return base::fail(Kind::corrupt, "delta.log_gap",
                    "log entry " + std::to_string(gap) + " is missing, so version " + std::to_string(target) +
                        " cannot be read",
                    "restore the file in _delta_log");
}

}  // namespace

std::string entry_name(std::int64_t version) {
  return version_text(version) + ".json";
}

std::string checkpoint_name(std::int64_t version) {
  return version_text(version) + ".checkpoint.parquet";
}

LogName parse_log_name(std::string_view name) {
  const std::vector<std::string_view> words = base::split(name, '.');
  const auto version = words.size() < 2 ? std::nullopt : parse_digits(words[0], kVersionDigits);
  if (!version || *version > kVersionMax) return {};
  if (words.size() == 2) return words[1] == "json" ? of_kind(LogName::Kind::entry, *version) : LogName();
  if (words.size() == 4 && words[2] == "compacted" && words[3] == "json" &&
      parse_digits(words[1], kVersionDigits))
    return of_kind(LogName::Kind::compacted, *version);
  if (words[1] != "checkpoint") return {};
  if (words.size() == 3 && words[2] == "parquet") return of_kind(LogName::Kind::checkpoint, *version);
  if (words.size() == 4 && words[2].size() == kUuidLength && (words[3] == "parquet" || words[3] == "json"))
    return of_kind(LogName::Kind::checkpoint_v2, *version);
  if (words.size() == 5 && words[4] == "parquet") {
    const auto part = parse_digits(words[2], kPartDigits);
    const auto parts = parse_digits(words[3], kPartDigits);
    if (!part || !parts || *part < 1 || *part > *parts || *parts > INT32_MAX) return {};
    return LogName{LogName::Kind::checkpoint_part, *version, static_cast<int>(*part),
                   static_cast<int>(*parts)};
  }
  return {};
}

base::Result<LogPlan> plan_log(const std::vector<std::string>& names, std::optional<std::int64_t> version) {
  const Listing listing = read_listing(names);
  if (listing.newest < 0)
    return base::fail(Kind::not_found, "delta.no_table", "there is no log entry in _delta_log",
                      "a Delta table has at least 00000000000000000000.json");
  const std::int64_t target = version.value_or(listing.newest);
  if (target < 0 || target > listing.newest)
    return base::fail(
        Kind::not_found, "delta.version_missing",
        "there is no version " + std::to_string(target) + "; the newest is " + std::to_string(listing.newest),
        "ask for a version up to " + std::to_string(listing.newest));
  LogPlan plan;
  plan.version = target;
  const auto after = listing.checkpoints.upper_bound(target);
  if (after != listing.checkpoints.begin()) plan.checkpoint = *std::prev(after);
  std::int64_t first = plan.checkpoint ? *plan.checkpoint + 1 : 0;
  auto gap = first_gap(listing, first, target);
  if (gap && plan.checkpoint && !first_gap(listing, 0, target)) {
    plan.checkpoint.reset();
    first = 0;
    gap.reset();
  }
  if (gap) return why_not(listing, target, *gap, version.has_value());
  for (std::int64_t entry = first; entry <= target; ++entry) plan.entries.push_back(entry);
  return plan;
}

}  // namespace delta
