#include "land_header.h"

#include <algorithm>
#include <array>
#include <map>

#include <base/letters.h>
#include <base/text.h>
#include <contract/model.h>

namespace load {

namespace {

using base::Kind;

constexpr std::array<std::string_view, 10> kReserved = {
    kSourceFile,     kSourceLine,  kLoadedAt,         kBatchId,       "_reject_reason",
    "_reject_codes", "_reject_id", "_quarantined_at", "_resolved_at", "_resolved_by"};
// Columns that a table with managed columns has, by either spelling.
constexpr std::array<std::string_view, 4> kManaged = {"row_insert_datetime", "row_update_datetime",
                                                      "row_delete_datetime", "row_signature"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_reserved(const std::string& sent, const std::vector<std::string>& declared) {
  const std::string name = base::ascii_lower(contract::bronze_name(sent));
  if (contains(kReserved, name) || contains(kManaged, name)) return true;
  return std::any_of(declared.begin(), declared.end(),
                     [&](const std::string& column) { return name == "raw_" + base::ascii_lower(column); });
}

std::string how_alike(const std::string& a, const std::string& b) {
  if (a == b) return "twice";
  if (base::equal_ignoring_case(a, b)) return "alike but for case";
  return "alike after cleaning (" + contract::bronze_name(b) + ")";
}

delta::Field our_field(std::string_view name, std::string_view type) {
  delta::Field field;
  field.name = std::string(name);
  field.type = std::string(type);
  return field;
}

bool is_alike(const delta::Field& field, const std::string& clean_name) {
  return base::equal_ignoring_case(contract::bronze_name(field.name), clean_name);
}

const std::array<std::pair<std::string_view, std::string_view>, 4> kOurs = {
    {{kSourceFile, "string"}, {kSourceLine, "long"}, {kLoadedAt, "timestamp"}, {kBatchId, "string"}}};

}  // namespace

std::vector<base::Error> check_header(const std::string& file, const std::vector<std::string>& header,
                                      const std::vector<std::string>& declared) {
  const base::Place place{file, 0, 0};
  std::vector<base::Error> errors;
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string position = std::to_string(i + 1);
    if (is_reserved(header[i], declared))
      errors.push_back(base::Error{
          Kind::invalid, "land.reserved_header",
          "the header has \"" + header[i] + "\" at position " + position + ", a name that is reserved",
          "rename the column in the file", place});
    const std::string key = base::lower_letters(contract::bronze_name(header[i]));
    const auto [at, is_first] = seen.emplace(key, i);
    if (is_first) continue;
    const std::string& other = header[at->second];
    errors.push_back(base::Error{Kind::invalid, "land.duplicate_header",
                                 "the header names two columns " + how_alike(other, header[i]) + ": \"" +
                                     other + "\" at position " + std::to_string(at->second + 1) + " and \"" +
                                     header[i] + "\" at position " + position,
                                 "rename one of them in the file", place});
  }
  return errors;
}

base::Result<BronzeColumns> BronzeColumns::of(const std::string& table, const delta::Schema& schema,
                                              bool is_typed) {
  BronzeColumns columns;
  columns.existing_ = schema.fields;
  const auto foreign = [&](const std::string& what) {
    return base::fail(Kind::invalid, "land.foreign_table",
                      "the table " + table + " was not made by landing: " + what,
                      "name another table, or drop this one");
  };
  for (const auto& [name, type] : kOurs) {
    const delta::Field* field = schema.find(name);
    if (field == nullptr) return foreign("it has no column " + std::string(name));
    if (field->type != type)
      return foreign("its column " + std::string(name) + " is " + field->type + ", not " + std::string(type));
  }
  for (const delta::Field& field : schema.fields) {
    const bool is_ours =
        std::any_of(kOurs.begin(), kOurs.end(), [&](const auto& our) { return our.first == field.name; });
    if (is_ours) continue;
    if (field.type != "string" && !is_typed) return foreign("its column " + field.name + " is no text");
    if (!field.nullable) return foreign("its column " + field.name + " must not be null");
  }
  return columns;
}

std::vector<std::string> BronzeColumns::add(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const std::string& sent : header) {
    const std::string name = contract::bronze_name(sent);
    const auto is_same = [&](const delta::Field& field) { return is_alike(field, name); };
    auto at = std::find_if(existing_.begin(), existing_.end(), is_same);
    if (at == existing_.end()) {
      at = std::find_if(fresh_.begin(), fresh_.end(), is_same);
      if (at == fresh_.end()) {
        delta::Field field = our_field(keeps_names_ ? sent : name, "string");
        if (field.name != sent) field.metadata.set(std::string(kSourceNameKey), sent);
        added_.push_back(field.name);
        at = fresh_.insert(fresh_.end(), std::move(field));
      }
    }
    names.push_back(at->name);
  }
  return names;
}

void BronzeColumns::set_type(const std::string& added, const std::string& type) {
  for (delta::Field& field : fresh_)
    if (field.name == added) field.type = type;
}

bool BronzeColumns::has(const std::string& sent) const {
  const std::string name = contract::bronze_name(sent);
  return std::any_of(existing_.begin(), existing_.end(),
                     [&](const delta::Field& field) { return is_alike(field, name); });
}

std::vector<base::Error> check_known(const std::string& file, const std::vector<std::string>& header,
                                     const BronzeColumns& columns) {
  std::vector<base::Error> errors;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (columns.has(header[i])) continue;
    errors.push_back(
        base::Error{Kind::invalid, "land.new_column",
                    "the header has \"" + header[i] + "\" at position " + std::to_string(i + 1) +
                        ", a column that the table does not have",
                    "write New columns: add in the document, or leave the file out with --except",
                    base::Place{file, 0, 0}});
  }
  return errors;
}

delta::Schema BronzeColumns::schema() const {
  delta::Schema schema;
  schema.fields = existing_;
  schema.fields.insert(schema.fields.end(), fresh_.begin(), fresh_.end());
  if (existing_.empty())
    for (const auto& [name, type] : kOurs) schema.fields.push_back(our_field(name, type));
  return schema;
}

}  // namespace load
