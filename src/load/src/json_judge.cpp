#include "json_judge.h"

#include <algorithm>

#include "file_window.h"

namespace load {

namespace {

std::string key_text(const JsonMember& member) {
  std::string key(member.key);
  if (member.key_escaped) key.resize(resolve_escapes(key.data(), key.size()));
  return key;
}

}  // namespace

// False when the key stood in the record before.
bool JsonJudge::match_key(std::size_t member) {
  const JsonMember& found = members_[member];
  std::size_t place = kNoColumn;
  if (member < alike_.size() && alike_[member].first == found.key) {
    place = alike_[member].second;
  } else {
    const std::string key = key_text(found);
    const auto known = columns_.places.find(key);
    if (known == columns_.places.end()) {
      repeated_ = key;
      if (std::find(fresh_.begin(), fresh_.end(), key) != fresh_.end()) return false;
      fresh_.push_back(key);
      places_.push_back(kNoColumn);
      return true;
    }
    place = known->second;
    if (member <= alike_.size()) {
      alike_.resize(std::max(alike_.size(), member + 1));
      alike_[member] = {std::string(found.key), place};
    }
  }
  if (seen_.size() <= place) seen_.resize(columns_.names.size());
  if (seen_[place] == records_) {
    repeated_ = columns_.names[place];
    return false;
  }
  seen_[place] = records_;
  places_.push_back(place);
  return true;
}

std::optional<Malformation> JsonJudge::match() {
  ++records_;
  places_.clear();
  fresh_.clear();
  for (const JsonMember& member : members_) {
    const bool is_whole =
        !(member.key_escaped && has_half_surrogate(member.key)) &&
        !(member.kind == JsonMember::Kind::text && member.value_escaped && has_half_surrogate(member.value));
    if (!is_whole) return Malformation::encoding;
  }
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!match_key(i)) return Malformation::repeated_key;
  return std::nullopt;
}

std::optional<Malformation> JsonJudge::judge(std::string_view record) {
  repeated_.clear();
  if (record.size() > record_bytes_max_) return Malformation::too_long;
  members_.clear();
  if (!is_text(record)) return Malformation::encoding;
  const JsonAnswer answer = grammar_.read(record, members_);
  if (answer == JsonAnswer::broken) return Malformation::json;
  if (answer == JsonAnswer::other) return Malformation::not_object;
  return match();
}

std::string JsonJudge::reason(Malformation cause) const {
  switch (cause) {
    case Malformation::too_long:
      return "record longer than " + std::to_string(record_bytes_max_) + " bytes";
    case Malformation::encoding:
      return members_.empty() ? "not UTF-8" : "half a surrogate pair";
    case Malformation::json:
      return "not JSON: " + grammar_.fault();
    case Malformation::not_object:
      return "no object";
    case Malformation::repeated_key:
      return "repeated key " + repeated_;
    default:
      return {};
  }
}

}  // namespace load
