// The installed form of a contract. Members stand in a fixed order, so that one contract has one text;
// sets without an order (null values, optional columns) are sorted. The members of the first release are
// always there; a later one is there only when it is not at its default, so that a contract that does
// not use it keeps its text and hash.
#include <algorithm>

#include <base/hash.h>
#include <base/json.h>
#include <contract/model.h>

#include "reject_limit.h"

namespace contract {

namespace {

using base::Json;

Json optional_text(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

Json texts(const std::vector<std::string>& values) {
  Json array = Json::array();
  for (const std::string& value : values) array.push(value);
  return array;
}

Json sorted_texts(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  return texts(values);
}

Json print_column(const Column& column) {
  return Json::object({{"name", column.name},
                       {"type", sql::print_type(column.type)},
                       {"source", column.source},
                       {"from", optional_text(column.from)},
                       {"clean", optional_text(column.clean)},
                       {"not_null", column.not_null},
                       {"note", optional_text(column.note)}});
}

Json print_check(const Check& check) {
  Json json = Json::object({{"name", check.name},
                            {"rule", check.rule},
                            {"reason", check.reason},
                            {"on_table", check.on_table},
                            {"table_text", check.on_table ? Json(check.table_text) : Json()}});
  if (check.reference)
    json.set("reference", Json::object({{"column", check.reference->column},
                                        {"table", check.reference->table.text()},
                                        {"table_column", check.reference->table_column}}));
  if (check.warn_only) json.set("severity", "warn");
  return json;
}

Json print_limit(const RejectLimit& limit) {
  return Json::object({{"numerator", limit.numerator},
                       {"denominator", limit.denominator},
                       {"rows_least", limit.rows_least ? Json(*limit.rows_least) : Json()}});
}

// Reads members; the first that is missing or of another type is remembered.
class Members {
 public:
  explicit Members(const Json& object, std::string& fault) : object_(object), fault_(fault) {}

  std::string text(std::string_view name) {
    const auto value = object_.string(name);
    if (!value) note(name);
    return std::string(value.value_or(""));
  }
  std::optional<std::string> optional(std::string_view name) {
    const Json* value = object_.find(name);
    if (value != nullptr && value->is_null()) return std::nullopt;
    return text(name);
  }
  bool boolean(std::string_view name) {
    const auto value = object_.boolean(name);
    if (!value) note(name);
    return value.value_or(false);
  }
  std::int64_t number(std::string_view name) {
    const auto value = object_.int64(name);
    if (!value) note(name);
    return value.value_or(0);
  }
  const Json& array(std::string_view name) {
    static const Json kEmpty = Json::array();
    const Json* value = object_.find(name);
    if (value != nullptr && value->is_array()) return *value;
    note(name);
    return kEmpty;
  }
  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> values;
    for (const Json& item : array(name).items()) {
      if (!item.as_string()) note(name);
      values.emplace_back(item.as_string().value_or(""));
    }
    return values;
  }
  TableName table(std::string_view name) {
    const auto value = parse_table_name(text(name));
    if (!value) note(name);
    return value ? *value : TableName{};
  }
  // A member of a later release: one of `words`, the first of them when it is absent.
  std::string later(std::string_view name, const std::vector<std::string>& words) {
    if (object_.find(name) == nullptr) return words.front();
    std::string word = text(name);
    if (std::find(words.begin(), words.end(), word) == words.end()) note(name);
    return word;
  }
  std::optional<std::int64_t> later_number(std::string_view name) {
    if (object_.find(name) == nullptr) return std::nullopt;
    return number(name);
  }
  void note(std::string_view name) {
    if (fault_.empty()) fault_ = "member \"" + std::string(name) + "\"";
  }

 private:
  const Json& object_;
  std::string& fault_;
};

Column parse_column(const Json& json, std::string& fault) {
  Members members(json, fault);
  Column column;
  column.name = members.text("name");
  if (const auto type = sql::parse_type(members.text("type")))
    column.type = *type;
  else
    members.note("type");
  column.source = members.text("source");
  column.from = members.optional("from");
  column.clean = members.optional("clean");
  column.not_null = members.boolean("not_null");
  column.note = members.optional("note");
  return column;
}

Check parse_check(const Json& json, std::string& fault) {
  Members members(json, fault);
  Check check;
  check.name = members.text("name");
  check.rule = members.text("rule");
  check.reason = members.text("reason");
  check.on_table = members.boolean("on_table");
  check.table_text = members.optional("table_text").value_or("");
  if (const Json* reference = json.find("reference")) {
    Members parts(*reference, fault);
    check.reference =
        Check::Reference{parts.text("column"), parts.table("table"), parts.text("table_column")};
  }
  check.warn_only = members.later("severity", {"error", "warn"}) == "warn";
  return check;
}

RejectLimit parse_limit(const Json& json, std::string& fault) {
  Members members(json, fault);
  RejectLimit limit;
  limit.numerator = members.number("numerator");
  limit.denominator = members.number("denominator");
  const Json* rows = json.find("rows_least");
  if (rows == nullptr || !rows->is_null()) limit.rows_least = members.number("rows_least");
  if (limit.denominator < 100 || limit.numerator < 0) {
    members.note("denominator");
    return {};
  }
  limit.text = print_reject_limit(limit);
  return limit;
}

Contract parse_members(const Json& json, std::string& fault) {
  Members members(json, fault);
  Contract contract;
  contract.name = members.table("table");
  contract.description = members.text("description");
  contract.owner = members.text("owner");
  contract.notes = members.optional("notes");
  contract.from = members.table("from");
  contract.time_zone = members.text("time_zone");
  contract.primary_key = members.texts("primary_key");
  contract.version_column = members.optional("version_column");
  for (const Json& column : members.array("columns").items())
    contract.columns.push_back(parse_column(column, fault));
  for (const Json& check : members.array("checks").items())
    contract.checks.push_back(parse_check(check, fault));
  contract.null_values = members.texts("null_values");
  contract.optional_sources = members.texts("optional");
  const Json* limit = json.find("max_reject");
  if (limit == nullptr)
    members.note("max_reject");
  else
    contract.max_reject = parse_limit(*limit, fault);
  contract.min_rows = members.number("min_rows");
  contract.quarantine = members.table("quarantine");
  for (const std::string& key : contract.primary_key)
    if (contract.find(key) == nullptr) members.note("primary_key");
  contract.append = members.later("load", {"upsert", "append"}) == "append";
  contract.delete_absent = members.later("absent_rows", {"keep", "delete"}) == "delete";
  contract.delete_rejected = members.later("rejected_rows", {"keep", "delete"}) == "delete";
  contract.stability.deletes_max = members.later_number("deletes_max_percent");
  contract.stability.updates_max = members.later_number("updates_max_percent");
  contract.stability.rows_least = members.later_number("stability_rows").value_or(0);
  contract.continue_after_failure = members.later("on_failed_batch", {"stop", "continue"}) == "continue";
  if (json.find("tie_break") != nullptr) contract.tie_break = members.texts("tie_break");
  if (json.find("unique_keys") != nullptr)
    for (const Json& key : members.array("unique_keys").items())
      contract.unique_keys.push_back(Members(Json::object({{"key", key}}), fault).texts("key"));
  for (const auto& key : contract.unique_keys)
    for (const std::string& column : key)
      if (contract.find(column) == nullptr) members.note("unique_keys");
  if (json.find("delete_when") != nullptr) contract.delete_when = members.text("delete_when");
  if (contract.primary_key.empty() && !contract.append) members.note("primary_key");
  return contract;
}

// Members that came later: absent at their defaults.
void print_later(const Contract& contract, Json& json) {
  if (contract.append) json.set("load", "append");
  if (contract.delete_absent) json.set("absent_rows", "delete");
  if (!contract.tie_break.empty()) json.set("tie_break", texts(contract.tie_break));
  if (!contract.unique_keys.empty()) {
    Json keys = Json::array();
    for (const auto& key : contract.unique_keys) keys.push(texts(key));
    json.set("unique_keys", std::move(keys));
  }
  const Stability& stability = contract.stability;
  if (stability.deletes_max) json.set("deletes_max_percent", *stability.deletes_max);
  if (stability.updates_max) json.set("updates_max_percent", *stability.updates_max);
  if (stability.rows_least > 0) json.set("stability_rows", stability.rows_least);
  if (contract.continue_after_failure) json.set("on_failed_batch", "continue");
  if (contract.delete_when) json.set("delete_when", *contract.delete_when);
  if (contract.delete_rejected) json.set("rejected_rows", "delete");
}

}  // namespace

std::string print_canonical(const Contract& contract) {
  Json columns = Json::array();
  for (const Column& column : contract.columns) columns.push(print_column(column));
  Json checks = Json::array();
  for (const Check& check : contract.checks) checks.push(print_check(check));
  Json json = Json::object({{"format", kContractFormat},
                            {"table", contract.name.text()},
                            {"description", contract.description},
                            {"owner", contract.owner},
                            {"notes", optional_text(contract.notes)},
                            {"from", contract.from.text()},
                            {"time_zone", contract.time_zone},
                            {"primary_key", texts(contract.primary_key)},
                            {"version_column", optional_text(contract.version_column)},
                            {"columns", columns},
                            {"checks", checks},
                            {"null_values", sorted_texts(contract.null_values)},
                            {"optional", sorted_texts(contract.optional_sources)},
                            {"max_reject", print_limit(contract.max_reject)},
                            {"min_rows", contract.min_rows},
                            {"quarantine", contract.quarantine.text()}});
  print_later(contract, json);
  return json.print();
}

base::Result<Contract> parse_canonical(std::string_view text) {
  const auto json = Json::parse(text);
  if (!json || !json->is_object())
    return base::fail(base::Kind::corrupt, "contract.installed", "the installed contract is no JSON object",
                      "build the table anew from its document");
  const auto format = json->int64("format");
  if (format != kContractFormat)
    return base::fail(base::Kind::unsupported, "contract.installed_format",
                      "the installed contract has format " + std::to_string(format.value_or(0)) +
                          "; this version reads " + std::to_string(kContractFormat),
                      "use the version of Tenter that built the table, or a newer one");
  std::string fault;
  Contract contract = parse_members(*json, fault);
  if (fault.empty()) return contract;
  return base::fail(base::Kind::corrupt, "contract.installed",
                    "the installed contract is incomplete: " + fault + " is missing or wrong",
                    "build the table anew from its document");
}

std::string contract_hash(std::string_view canonical) {
  return base::sha256_hex(canonical);
}

}  // namespace contract
