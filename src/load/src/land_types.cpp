#include "land_types.h"

#include <algorithm>
#include <utility>

#include <base/letters.h>
#include <contract/model.h>
#include <sql/types.h>

namespace load {

namespace {

using Kind = sql::Type::Kind;

// Digits before and behind the point; nothing for what is no exact number.
std::optional<std::pair<int, int>> digits_of(const std::string& name) {
  static const std::map<std::string, int> kWhole = {{"byte", 3}, {"short", 5}, {"integer", 10}, {"long", 19}};
  if (const auto whole = kWhole.find(name); whole != kWhole.end()) return std::pair(whole->second, 0);
  const auto type = sql::parse_delta_type(name);
  if (!type || type->kind != Kind::decimal) return std::nullopt;
  return std::pair(type->precision - type->scale, type->scale);
}

}  // namespace

std::optional<std::string> common_type(const std::string& a, const std::string& b) {
  constexpr int kDigitsMax = 38;
  if (a == b) return a;
  if ((a == "float" && b == "double") || (a == "double" && b == "float")) return "double";
  const auto left = digits_of(a);
  const auto right = digits_of(b);
  if (!left || !right) return std::nullopt;
  const bool both_whole = !a.starts_with("decimal") && !b.starts_with("decimal");
  if (both_whole) return left->first > right->first ? a : b;
  const int before = std::max(left->first, right->first);
  const int behind = std::max(left->second, right->second);
  if (before + behind > kDigitsMax) return std::nullopt;
  return "decimal(" + std::to_string(before + behind) + "," + std::to_string(behind) + ")";
}

ColumnTypes::ColumnTypes(const std::string& table, const delta::Schema& schema) {
  for (const delta::Field& field : schema.fields)
    known_[base::lower_letters(contract::bronze_name(field.name))] =
        Known{field.type, "the table " + table, true};
}

std::vector<base::Error> ColumnTypes::add(const std::string& file, const std::vector<std::string>& names,
                                          const std::vector<std::string>& types) {
  std::vector<base::Error> errors;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [at, is_new] = known_.emplace(base::lower_letters(names[i]), Known{types[i], file, false});
    Known& known = at->second;
    if (is_new || known.type == types[i]) continue;
    const auto common = common_type(known.type, types[i]);
    if (common && (!known.is_fixed || *common == known.type)) {
      if (*common != known.type) known = Known{*common, file, false};
      continue;
    }
    errors.push_back(base::Error{base::Kind::invalid, "land.type_changed",
                                 "the column " + names[i] + " is " + known.type + " in " + known.where +
                                     " and " + types[i] + " in " + file,
                                 "deliver the column with one type, or land the file in another table",
                                 base::Place{file, 0, 0}});
  }
  return errors;
}

std::string ColumnTypes::type_of(const std::string& column) const {
  const auto at = known_.find(base::lower_letters(contract::bronze_name(column)));
  return at == known_.end() ? "string" : at->second.type;
}

}  // namespace load
