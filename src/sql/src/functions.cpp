#include <algorithm>
#include <array>

#include "node.h"

namespace sql {

namespace {

using Id = FunctionId;

constexpr std::array<Function, 43> kFunctions = {{
    {"abs", Id::abs, 1, 1},
    {"ceil", Id::ceil, 1, 1},
    {"ceiling", Id::ceil, 1, 1},
    {"coalesce", Id::coalesce, 1, -1},
    {"concat", Id::concat, 0, -1},
    {"concat_ws", Id::concat_ws, 1, -1},
    {"current_date", Id::current_date, 0, 0},
    {"current_timestamp", Id::current_timestamp, 0, 0},
    {"date_add", Id::date_add, 2, 2},
    {"date_sub", Id::date_sub, 2, 2},
    {"date_trunc", Id::date_trunc, 2, 2},
    {"dateadd", Id::date_add, 2, 2},
    {"datediff", Id::datediff, 2, 2},
    {"date_diff", Id::datediff, 2, 2},
    {"day", Id::day, 1, 1},
    {"dayofmonth", Id::day, 1, 1},
    {"dayofweek", Id::dayofweek, 1, 1},
    {"dayofyear", Id::dayofyear, 1, 1},
    {"floor", Id::floor, 1, 1},
    {"hour", Id::hour, 1, 1},
    {"length", Id::length, 1, 1},
    {"lower", Id::lower, 1, 1},
    {"ltrim", Id::ltrim, 1, 2},
    {"minute", Id::minute, 1, 1},
    {"month", Id::month, 1, 1},
    {"now", Id::current_timestamp, 0, 0},
    {"nullif", Id::nullif, 2, 2},
    {"quarter", Id::quarter, 1, 1},
    {"regexp_extract", Id::regexp_extract, 2, 3},
    {"regexp_replace", Id::regexp_replace, 3, 4},
    {"replace", Id::replace, 2, 3},
    {"round", Id::round, 1, 2},
    {"rtrim", Id::rtrim, 1, 2},
    {"second", Id::second, 1, 1},
    {"split", Id::split, 2, 3},
    {"substring", Id::substring, 2, 3},
    {"substr", Id::substring, 2, 3},
    {"to_date", Id::to_date, 1, 2},
    {"to_timestamp", Id::to_timestamp, 1, 2},
    {"trim", Id::trim, 1, 2},
    {"upper", Id::upper, 1, 1},
    {"weekofyear", Id::weekofyear, 1, 1},
    {"year", Id::year, 1, 1},
}};

}  // namespace

const Function* find_function(std::string_view lower) {
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const Function& function) { return function.name == lower; });
  return found == kFunctions.end() ? nullptr : found;
}

std::string_view name_of(FunctionId id) {
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const Function& function) { return function.id == id; });
  return found == kFunctions.end() ? std::string_view() : found->name;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  return names;
}

}  // namespace sql
