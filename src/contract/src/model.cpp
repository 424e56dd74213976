#include <contract/model.h>

#include <base/text.h>

namespace contract {

base::Result<TableName> parse_table_name(std::string_view text) {
  const auto wrong = [&](std::string what) {
    return base::fail(base::Kind::invalid, "document.table_name",
                      "\"" + std::string(text) + "\" " + std::move(what),
                      "write schema.table, as in silver.orders");
  };
  const std::vector<std::string_view> parts = base::split(text, '.');
  if (parts.size() != 2) return wrong("is no table name: it must have exactly one dot");
  for (const std::string_view part : parts) {
    if (part.empty()) return wrong("is no table name: a part of it is empty");
    if (base::trim(part) != part) return wrong("has white space around a part of its name");
    if (part.find_first_of("/\\:") != std::string_view::npos) return wrong("has one of / \\ : in it");
  }
  if (parts[0] == "_") return wrong("uses the schema _, which is reserved");
  return TableName{std::string(parts[0]), std::string(parts[1])};
}

bool equal_ignoring_case(const TableName& a, const TableName& b) {
  return base::equal_ignoring_case(a.schema, b.schema) && base::equal_ignoring_case(a.object, b.object);
}

std::string bronze_name(std::string_view sent) {
  std::string name(sent);
  for (char& c : name)
    if (std::string_view(" ,;{}()\n\t=").find(c) != std::string_view::npos) c = '_';
  return name;
}

const Column* Contract::find(std::string_view column) const {
  for (const Column& candidate : columns)
    if (base::equal_ignoring_case(candidate.name, column)) return &candidate;
  return nullptr;
}

std::string Contract::source_of(std::string_view used) const {
  const Column* column = find(used);
  return column == nullptr ? bronze_name(used) : column->source;
}

}  // namespace contract
