// Shows how a value must be quoted that YAML cannot take as it stands: the usual case is an
// expression with a quote, a comma or a colon in it.
#include <base/text.h>

#include "yaml.h"

namespace contract {

namespace {

// Splits at the commas of a flow mapping that stand outside of brackets and quotes.
std::vector<std::string_view> split_flow(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

bool is_quoted_whole(std::string_view value) {
  if (value.size() < 2 || (value[0] != '\'' && value[0] != '"') || value.back() != value[0]) return false;
  const std::string_view inside = value.substr(1, value.size() - 2);
  return inside.find(value[0]) == std::string_view::npos;
}

// Whether YAML would read a plain value as something else, or not at all.
bool needs_quotes(std::string_view value, bool in_flow) {
  if (value.empty() || is_quoted_whole(value)) return false;
  if (!in_flow && (value == "|" || value == ">" || value == "|-" || value == ">-")) return false;
  if (std::string_view("'\"`@%!&*|>{}[],#").find(value[0]) != std::string_view::npos) {
    const bool is_collection =
        (value[0] == '[' && value.back() == ']') || (value[0] == '{' && value.back() == '}');
    if (!is_collection) return true;
  } else if (in_flow && value.find_first_of(",[]{}") != std::string_view::npos) {
    return true;
  }
  if (value.starts_with("- ") || value.starts_with("? ")) return true;
  const bool is_collection = value[0] == '[' || value[0] == '{';
  return !is_collection &&
         (value.find(": ") != std::string_view::npos || value.find(" #") != std::string_view::npos);
}

// "key: value" with the value quoted when it must be; nothing when it need not.
std::optional<std::string> quoted_entry(std::string_view entry, bool in_flow) {
  const std::size_t colon = entry.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view value = base::trim(entry.substr(colon + 2));
  if (!needs_quotes(value, in_flow)) return std::nullopt;
  return std::string(entry.substr(0, colon + 2)) + yaml_quote(value);
}

std::optional<std::string> quoted_flow(std::string_view before, std::string_view flow) {
  std::string_view inside = flow.substr(1);
  if (inside.ends_with('}')) inside.remove_suffix(1);
  std::string line = std::string(before) + "{";
  bool changed = false;
  for (const std::string_view part : split_flow(inside)) {
    const auto quoted = quoted_entry(part, true);
    changed = changed || quoted.has_value();
    if (line.back() != '{') line += ",";
    line += quoted ? *quoted : std::string(part);
  }
  if (!changed) return std::nullopt;
  return line + "}";
}

}  // namespace

std::string yaml_quote(std::string_view text) {
  const bool plain_inside = text.find_first_of("\"\\\n\t") == std::string_view::npos;
  if (plain_inside) return "\"" + std::string(text) + "\"";
  if (text.find_first_of("\n\t") == std::string_view::npos)
    return "'" + base::replace_all(std::string(text), "'", "''") + "'";
  std::string quoted = base::replace_all(std::string(text), "\\", "\\\\");
  quoted = base::replace_all(quoted, "\"", "\\\"");
  quoted = base::replace_all(quoted, "\n", "\\n");
  return "\"" + base::replace_all(quoted, "\t", "\\t") + "\"";
}

std::optional<std::string> quoted_line(std::string_view line) {
  const std::string_view text = base::trim(line);
  if (text.empty() || text[0] == '#') return std::nullopt;
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos) {
    const std::string_view value = base::trim(text.substr(colon + 2));
    if (value.starts_with('{')) return quoted_flow(text.substr(0, colon + 2), value);
  }
  return quoted_entry(text, false);
}

}  // namespace contract
