#include "values.h"

#include <algorithm>
#include <charconv>

#include <base/text.h>
#include <contract/document.h>

namespace contract {

namespace {

using base::Kind;

std::string key(std::string_view what) {
  return "\"" + std::string(what) + "\"";
}

void report_wrong(const Node& node, std::string_view what, const std::string& expected,
                  const std::string& hint, Faults& faults) {
  faults.add(Kind::invalid, "document.wrong_value",
             key(what) + " must be " + expected + "; found " + found(node), hint, node);
}

void add_column(std::string_view name, const base::Place& place, std::string_view what,
                std::vector<NamedPlace>& columns, Faults& faults) {
  for (const NamedPlace& other : columns) {
    if (!base::equal_ignoring_case(other.name, name)) continue;
    faults.add(Kind::invalid, "document.repeated_column",
               "column \"" + std::string(name) + "\" stands twice in " + key(what), "name it once", place);
    return;
  }
  columns.push_back({std::string(name), place});
}

std::vector<NamedPlace> split_columns(const Node& node, std::string_view what, Faults& faults) {
  std::vector<NamedPlace> columns;
  std::size_t begin = 0;
  for (const std::string_view part : base::split(node.text, ',')) {
    const std::string_view name = base::trim(part);
    const auto inside = static_cast<std::size_t>(name.empty() ? 0 : name.data() - part.data());
    const base::Place place = faults.source().place_in(node, begin + inside);
    begin += part.size() + 1;
    if (name.empty()) {
      faults.add(Kind::invalid, "document.wrong_value", key(what) + " has an empty column name",
                 "write the columns as: a, b", place);
      return {};
    }
    add_column(name, place, what, columns, faults);
  }
  return columns;
}

}  // namespace

std::string found(const Node& node) {
  switch (node.type) {
    case Node::Type::null:
      return node.text.empty() ? "nothing" : "null";
    case Node::Type::text:
      return "\"" + std::string(base::prefix_code_points(node.text, 60)) + "\"";
    case Node::Type::list:
      return "a list";
    case Node::Type::mapping:
      return "a mapping";
  }
  return "nothing";
}

std::optional<std::string> read_text(const Node& node, std::string_view what, Faults& faults) {
  if (node.is_text() && !base::trim(node.text).empty()) return std::string(base::trim(node.text));
  report_wrong(node, what, "text", "write it as " + std::string(what) + ": text", faults);
  return std::nullopt;
}

std::optional<std::string> read_prose(const Node& node, std::string_view what, Faults& faults) {
  const auto text = read_text(node, what, faults);
  if (!text) return std::nullopt;
  for (const std::string_view placeholder : {"not declared", "n/a", "tbd", "todo"}) {
    if (!base::equal_ignoring_case(*text, placeholder)) continue;
    faults.add(Kind::invalid, "document.placeholder", key(what) + " says only \"" + *text + "\"",
               "write what a reader needs to know", node);
    return std::nullopt;
  }
  const std::string without = base::replace_all(*text, "$$", "");
  if (without.find('$') != std::string::npos) {
    faults.add(Kind::unsupported, "document.not_built",
               "references ($name) in " + key(what) + " are not built yet", "write $$ for a dollar sign",
               node);
    return std::nullopt;
  }
  return base::replace_all(*text, "$$", "$");
}

std::optional<bool> read_boolean(const Node& node, std::string_view what, Faults& faults) {
  if (node.is_text() && node.plain) {
    for (const std::string_view word : {"true", "True", "TRUE"})
      if (node.text == word) return true;
    for (const std::string_view word : {"false", "False", "FALSE"})
      if (node.text == word) return false;
  }
  report_wrong(node, what, "true or false, without quotes", "write true or false", faults);
  return std::nullopt;
}

std::optional<std::int64_t> read_count(const Node& node, std::string_view what, Faults& faults) {
  std::int64_t value = 0;
  if (node.is_text()) {
    const char* end = node.text.data() + node.text.size();
    const auto [stop, error] = std::from_chars(node.text.data(), end, value);
    if (error == std::errc() && stop == end && value >= 0) return value;
  }
  report_wrong(node, what, "a whole number from 0", "write digits only, as in 100", faults);
  return std::nullopt;
}

std::string read_word(const Node& node, std::string_view what, const std::vector<std::string>& words,
                      Faults& faults) {
  const auto is_meant = [&](const std::string& word) { return base::equal_ignoring_case(word, node.text); };
  const auto at = std::find_if(words.begin(), words.end(), is_meant);
  if (node.is_text() && at != words.end()) return *at;
  report_wrong(node, what, "one of " + base::join(words, ", "), "write " + base::join(words, " or "), faults);
  return words.front();
}

std::vector<NamedPlace> read_column_set(const Node& node, std::string_view what, Faults& faults) {
  if (node.is_text() && !base::trim(node.text).empty()) return split_columns(node, what, faults);
  if (node.type != Node::Type::list || node.items.empty()) {
    report_wrong(node, what, "column names", "write a, b or [a, b]", faults);
    return {};
  }
  std::vector<NamedPlace> columns;
  for (const Node& item : node.items) {
    const auto name = read_text(item, what, faults);
    if (!name) return {};
    add_column(*name, faults.source().place_in(item, 0), what, columns, faults);
  }
  return columns;
}

std::vector<const Node*> read_texts(const Node& node, std::string_view what, Faults& faults) {
  if (node.is_text()) return {&node};
  if (node.type != Node::Type::list || node.items.empty()) {
    report_wrong(node, what, "a list of texts", "write [a, b]; quote an empty text", faults);
    return {};
  }
  std::vector<const Node*> texts;
  for (const Node& item : node.items) {
    if (!item.is_text()) {
      const std::string hint = item.is_null() ? "put the word in quotes" : "write [a, b]";
      report_wrong(item, what, "a list of texts", hint, faults);
      return {};
    }
    texts.push_back(&item);
  }
  return texts;
}

std::optional<TableName> read_table_name(const Node& node, std::string_view what, Faults& faults) {
  const auto text = read_text(node, what, faults);
  if (!text) return std::nullopt;
  auto name = parse_table_name(*text);
  if (name) return *std::move(name);
  faults.add(Kind::invalid, "document.table_name", key(what) + ": " + name.error().message, name.error().hint,
             node);
  return std::nullopt;
}

}  // namespace contract
