// tenter.yml
#include <contract/document.h>

#include <base/text.h>

#include "failure_hook.h"
#include "faults.h"
#include "keys.h"
#include "values.h"
#include "yaml.h"

namespace contract {

namespace {

using base::Kind;

KeySet settings_keys() {
  KeySet keys;
  keys.what = "tenter.yml";
  keys.taken = {"workspace", "items", "time zone", "on failure"};
  keys.not_built = {"engine", "targets", "docs url", "aliases"};
  return keys;
}

bool has_variable(const Node& node, Faults& faults) {
  if (node.is_text() && node.text.find("${") != std::string::npos) {
    faults.add(Kind::unsupported, "document.not_built", "variables (" + node.text + ") are not built yet",
               "write the value itself", node);
    return true;
  }
  bool any = false;
  for (const Node& item : node.items) any = has_variable(item, faults) || any;
  for (const Entry& entry : node.members) any = has_variable(entry.value, faults) || any;
  return any;
}

// A name that is a folder in the home.
std::optional<std::string> read_name(const Node& node, std::string_view what, Faults& faults) {
  const auto name = read_text(node, what, faults);
  if (!name) return std::nullopt;
  const bool only_dots = name->find_first_not_of('.') == std::string::npos;
  if (!only_dots && name->find_first_of("/\\:*?\"<>|") == std::string::npos) return name;
  faults.add(Kind::invalid, "settings.name", "\"" + *name + "\" cannot be a name in the home",
             "use none of / \\ : * ? \" < > | and not only dots", node);
  return std::nullopt;
}

void read_item(const Entry& entry, CheckedSettings& checked, Faults& faults) {
  const std::string& item = entry.key.text;
  if (item.starts_with("Warehouse/")) {
    faults.add(Kind::unsupported, "document.not_built", "warehouses (" + item + ") are not built yet",
               "remove the entry", entry.key);
    return;
  }
  const std::vector<std::string_view> parts = base::split(item, '/');
  if (parts.size() != 2 || parts[0] != "Lakehouse" || parts[1].empty()) {
    faults.add(Kind::invalid, "settings.item", "\"" + item + "\" is no item of a project",
               "write Lakehouse/<name>: <name in the home>", entry.key);
    return;
  }
  const auto name = read_name(entry.value, item, faults);
  if (!name) return;
  for (const auto& [other, other_name] : checked.settings.items) {
    if (!base::equal_ignoring_case(other_name, *name)) continue;
    faults.add(Kind::invalid, "settings.item",
               item + " and " + other + " have the same name in the home: " + *name,
               "give each item its own name", entry.value);
    return;
  }
  checked.settings.items.emplace_back(item, *name);
  checked.item_places.push_back(faults.source().place(entry.key.begin));
}

void read_items(const Node& node, CheckedSettings& checked, Faults& faults) {
  if (node.type != Node::Type::mapping) {
    faults.add(Kind::invalid, "document.wrong_value",
               "\"items\" must map items to names; found " + found(node),
               "write Lakehouse/<name>: <name in the home>", node);
    return;
  }
  for (const Entry& entry : node.members) read_item(entry, checked, faults);
}

void read_time_zone(const Node& node, CheckedSettings& checked, Faults& faults) {
  const auto name = read_text(node, "time zone", faults);
  if (!name) return;
  const bool has_odd =
      name->find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-/") !=
      std::string::npos;
  const bool is_letter = base::ascii_lower(*name)[0] >= 'a' && base::ascii_lower(*name)[0] <= 'z';
  if (has_odd || !is_letter || name->find("//") != std::string::npos || name->ends_with('/')) {
    faults.add(Kind::invalid, "settings.time_zone", "\"" + *name + "\" is no time zone name",
               "write an IANA name, as in Europe/Oslo", node);
    return;
  }
  checked.settings.time_zone = *name;
  checked.time_zone_place = faults.source().place(node.begin);
}

}  // namespace

CheckedSettings check_settings(std::string_view text, const std::string& file) {
  const Source source(text, file);
  Faults faults(source);
  CheckedSettings checked;
  const auto root = read_yaml(source);
  if (!root) {
    // A file of comments only sets nothing.
    const bool is_empty = root.error().code == "document.empty";
    if (!is_empty) checked.errors = {root.error()};
    return checked;
  }
  if (root->type != Node::Type::mapping) {
    faults.add(Kind::invalid, "document.wrong_value",
               "tenter.yml must be keys and values; found " + found(*root), "begin with workspace: …", *root);
  } else if (!has_variable(*root, faults)) {
    const Fields fields = read_fields(*root, settings_keys(), faults);
    if (const Node* node = fields.value("workspace"))
      checked.settings.workspace = read_name(*node, "workspace", faults).value_or("");
    if (const Node* node = fields.value("items")) read_items(*node, checked, faults);
    if (const Node* node = fields.value("time zone")) read_time_zone(*node, checked, faults);
    if (const Node* node = fields.value("on failure"))
      checked.settings.on_failure = read_failure_hook(*node, faults);
  }
  checked.errors = faults.take_errors();
  return checked;
}

}  // namespace contract
