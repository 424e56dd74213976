// Is a record a row, and which member belongs to which column?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <load/records.h>

#include "json_grammar.h"

namespace load {

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

// The columns of a file, in order of appearance.
struct JsonColumns {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> places;
};

class JsonJudge {
 public:
  JsonJudge(const JsonColumns& columns, std::size_t record_bytes_max)
      : columns_(columns), record_bytes_max_(record_bytes_max) {}

  // Nothing for a row; its members and their columns are then below.
  std::optional<Malformation> judge(std::string_view record);
  std::string reason(Malformation cause) const;

  const std::vector<JsonMember>& members() const { return members_; }
  const std::vector<std::size_t>& places() const { return places_; }  // kNoColumn: one of fresh()
  const std::vector<std::string>& fresh() const { return fresh_; }    // keys that are no columns yet

 private:
  std::optional<Malformation> match();
  bool match_key(std::size_t member);

  const JsonColumns& columns_;
  std::size_t record_bytes_max_;
  JsonGrammar grammar_;
  std::vector<JsonMember> members_;
  std::vector<std::size_t> places_;
  std::vector<std::string> fresh_;
  // The raw key and column of each member of an earlier record: most records are alike.
  std::vector<std::pair<std::string, std::size_t>> alike_;
  std::vector<std::uint64_t> seen_;  // for each column, the last record that had it
  std::uint64_t records_ = 0;
  std::string repeated_;
};

}  // namespace load
