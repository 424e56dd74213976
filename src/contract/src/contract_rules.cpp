// Clean, what may be missing, and the row rules of a contract table.
#include <algorithm>

#include <base/text.h>

#include "contract_reader.h"
#include "expressions.h"

namespace contract {

using base::Kind;

namespace {

// Codes of the load that a check of the same name could be mistaken for.
const std::vector<std::string> kCodes = {"duplicate_primary_key", "duplicate_unique_key", "blank_primary_key",
                                         "null_column"};

KeySet check_keys() {
  KeySet keys;
  keys.what = "a check";
  keys.taken = {"rule", "reason", "severity", "on table"};
  keys.required = {"rule"};
  return keys;
}

KeySet allowed_keys() {
  KeySet keys;
  keys.what = "allowed values";
  keys.taken = {"values", "reason"};
  keys.required = {"values"};
  return keys;
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& other) { return base::equal_ignoring_case(other, name); });
}

}  // namespace

void ContractReader::read_clean() {
  for (std::size_t i = 0; i < contract_.columns.size(); ++i) {
    Column& column = contract_.columns[i];
    const Node* node = written_[i].clean;
    if (column.type.kind == sql::Type::Kind::null) continue;  // its type was reported
    if (node != nullptr) {
      if (const auto names = check_clean(*node, column, faults_)) {
        column.clean = std::string(base::trim(node->text));
        check_source_use(*node, column, *names);
      }
    } else if (!sql::can_cast(sql::Type{sql::Type::Kind::string}, column.type, true)) {
      faults_.add(
          Kind::invalid, "document.no_cast",
          "text cannot be cast to " + sql::print_type(column.type) + ", the type of \"" + column.name + "\"",
          "give the column a Clean expression", written_[i].entry->value);
    }
  }
}

// A name in Clean means a bronze column; one that could mean two is refused, one that looks like a
// slip of the pen is pointed out (other source columns are known only at load).
void ContractReader::check_source_use(const Node& node, const Column& column,
                                      const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Column& other : contract_.columns) {
    known.push_back(other.name);
    known.push_back(other.source);
  }
  for (const std::string& used : names) {
    const Column* as_declared = contract_.find(used);
    const std::string name = as_declared == nullptr ? bronze_name(used) : used;
    if (!holds(clean_sources_, name)) clean_sources_.push_back(name);
    if (is_reserved(name)) continue;
    for (const Column& other : contract_.columns) {
      const bool is_other = base::equal_ignoring_case(other.source, name) && as_declared != nullptr &&
                            !base::equal_ignoring_case(as_declared->source, name);
      if (!is_other) continue;
      faults_.add(Kind::invalid, "document.ambiguous_source",
                  "\"" + name + "\" in Clean of \"" + column.name +
                      "\" is both a column declared here (from " + as_declared->source +
                      ") and the source of \"" + other.name + "\"",
                  "rename the declared column \"" + as_declared->name + "\"", node);
      break;
    }
    if (holds(known, name)) continue;
    const std::string near = base::closest(name, known);
    if (!near.empty())
      faults_.warn("document.unknown_source",
                   "Clean of \"" + column.name + "\" reads the source column \"" + name +
                       "\", which no column declares",
                   "did you mean \"" + near + "\"?", node);
  }
}

void ContractReader::read_null_values() {
  const Node* node = fields_.value("Null values");
  if (node == nullptr) return;
  for (const Node* text : read_texts(*node, "Null values", faults_)) {
    const auto& values = contract_.null_values;
    if (std::find(values.begin(), values.end(), text->text) != values.end()) {
      faults_.add(Kind::invalid, "document.repeated_value", found(*text) + " stands twice in \"Null values\"",
                  "name it once", *text);
      continue;
    }
    contract_.null_values.push_back(text->text);
  }
}

void ContractReader::read_optional() {
  const Node* node = fields_.value("Optional");
  if (node == nullptr) return;
  for (const NamedPlace& named : read_column_set(*node, "Optional", faults_)) {
    const Column* column = contract_.find(named.name);
    std::string source = column == nullptr ? bronze_name(named.name) : column->source;
    bool is_known = column != nullptr || holds(clean_sources_, source);
    for (const Column& other : contract_.columns)
      is_known = is_known || base::equal_ignoring_case(other.source, source);
    if (!is_known) {
      declared(named.name, named.place, "Optional");
      continue;
    }
    if (holds(contract_.optional_sources, source)) {
      faults_.add(
          Kind::invalid, "document.repeated_column",
          "\"" + named.name + "\" names the source column \"" + source + "\" a second time in \"Optional\"",
          "name it once", named.place);
      continue;
    }
    check_optional_required(named, source);
    contract_.optional_sources.push_back(std::move(source));
  }
}

void ContractReader::check_optional_required(const NamedPlace& named, const std::string& source) {
  for (const Column& column : contract_.columns) {
    if (!column.not_null || column.clean || !base::equal_ignoring_case(column.source, source)) continue;
    faults_.add(
        Kind::invalid, "document.optional_required",
        "\"" + named.name + "\" may not be missing: \"" + column.name + "\" is required and made from it",
        "remove it from \"Optional\", or give the column a Clean expression with another source",
        named.place);
    return;
  }
}

void ContractReader::read_allowed() {
  for (std::size_t i = 0; i < contract_.columns.size(); ++i)
    if (written_[i].allowed != nullptr) read_one_allowed(contract_.columns[i], *written_[i].allowed);
}

void ContractReader::read_one_allowed(const Column& column, const Node& node) {
  Check check;
  check.name = base::ascii_lower(column.name) + "_allowed";
  check.reason = check.name;
  const Node* values = &node;
  if (node.type == Node::Type::mapping) {
    const Fields fields = read_fields(node, allowed_keys(), faults_);
    if (const Node* reason = fields.value("reason"))
      check.reason = read_prose(*reason, "reason", faults_).value_or("");
    values = fields.value("values");
    if (values == nullptr) return;
  }
  if (values->is_text() && values->text.find('[') != std::string::npos) {
    read_reference(column, *values, check);
    return;
  }
  if (values->type != Node::Type::list || values->items.empty()) {
    const bool is_empty = values->type == Node::Type::list;
    faults_.add(Kind::invalid, "document.wrong_value",
                "allowed values of \"" + column.name + "\" must be a list of values; found " +
                    (is_empty ? "an empty one" : found(*values)),
                "write [a, b]", *values);
    return;
  }
  if (column.type.kind == sql::Type::Kind::null) return;  // its type was reported
  const auto rule = allowed_rule(*values, column, faults_);
  if (!rule || !check_name(check.name, node)) return;
  check.rule = *rule;
  if (finish_check(*values, false, contract_, check, faults_)) contract_.checks.push_back(std::move(check));
}

// "S.O[column]"
void ContractReader::read_reference(const Column& column, const Node& node, Check check) {
  const std::string text(base::trim(node.text));
  const std::size_t open = text.find('[');
  auto table = parse_table_name(base::trim(text.substr(0, open)));
  const std::string inside =
      text.ends_with(']') ? std::string(base::trim(text.substr(open + 1, text.size() - open - 2))) : "";
  if (!table || inside.empty()) {
    faults_.add(Kind::invalid, "document.wrong_value",
                "allowed values of \"" + column.name + "\" must be a list or a column of a table; found " +
                    found(node),
                "write [a, b] or schema.table[column]", node);
    return;
  }
  if (equal_ignoring_case(*table, contract_.name)) {
    faults_.add(Kind::invalid, "document.from_itself",
                "allowed values of \"" + column.name + "\" are taken from this table itself",
                "name the table that lists them", node);
    return;
  }
  if (!check_name(check.name, node)) return;
  check.rule = text;
  check.on_table = false;
  check.reference = Check::Reference{column.name, *table, inside};
  contract_.checks.push_back(std::move(check));
}

void ContractReader::read_checks() {
  const Node* node = fields_.value("Checks");
  if (node == nullptr) return;
  if (node->type != Node::Type::mapping || node->members.empty()) {
    faults_.add(Kind::invalid, "document.wrong_value",
                "\"Checks\" must map names to rules; found " + found(*node),
                "write name: expression on a line each", *node);
    return;
  }
  for (const Entry& entry : node->members) read_one_check(entry);
}

bool ContractReader::check_name(const std::string& name, const Node& node) {
  const bool is_word = !name.empty() && (name[0] < '0' || name[0] > '9') &&
                       name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (!is_word) {
    faults_.add(Kind::invalid, "document.check_name",
                "\"" + name + "\" cannot name a constraint: expected letters, digits and _, no digit first",
                "rename the check", node);
    return false;
  }
  if (holds(kCodes, name)) {
    faults_.add(Kind::invalid, "document.check_name",
                "\"" + name + "\" is the code of a reason that the load gives", "rename the check", node);
    return false;
  }
  for (const Check& other : contract_.checks) {
    if (other.name != name) continue;
    faults_.add(Kind::invalid, "document.check_name",
                "two checks have the name \"" + name +
                    "\" (case is ignored; allowed values of a column are the check "
                    "<column>_allowed)",
                "rename one of them", node);
    return false;
  }
  return true;
}

void ContractReader::read_severity(const Fields& fields, Check& check) {
  const Node* node = fields.value("severity");
  if (node == nullptr) return;
  check.warn_only = read_word(*node, "severity", {"error", "warn"}, faults_) == "warn";
  if (!check.warn_only) return;
  if (const Node* on_table = fields.value("on table"); on_table != nullptr && check.on_table)
    faults_.add(Kind::invalid, "document.warning_on_table",
                "the check \"" + check.name + "\" only warns, and a constraint of the table refuses rows",
                "remove \"on table\", or write severity: error", *on_table);
  check.on_table = false;
}

void ContractReader::read_one_check(const Entry& entry) {
  Check check;
  check.name = base::ascii_lower(entry.key.text);
  check.reason = check.name;
  const Node* rule = &entry.value;
  if (rule->type == Node::Type::mapping) {
    const Fields fields = read_fields(entry.value, check_keys(), faults_);
    if (const Node* reason = fields.value("reason"))
      check.reason = read_prose(*reason, "reason", faults_).value_or("");
    if (const Node* on_table = fields.value("on table"))
      check.on_table = read_boolean(*on_table, "on table", faults_).value_or(true);
    read_severity(fields, check);
    rule = fields.value("rule");
    if (rule == nullptr) return;
  }
  if (!check_name(check.name, entry.key)) return;
  if (!read_expression(*rule, "rule of " + check.name, faults_)) return;
  const bool has_types =
      std::none_of(contract_.columns.begin(), contract_.columns.end(),
                   [](const Column& column) { return column.type.kind == sql::Type::Kind::null; });
  if (!has_types || contract_.columns.empty()) return;  // the faults of Schema come first
  check.rule = std::string(base::trim(rule->text));
  if (finish_check(*rule, true, contract_, check, faults_)) contract_.checks.push_back(std::move(check));
}

}  // namespace contract
