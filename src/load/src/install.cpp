// build: the contract goes onto the table.
#include <algorithm>

#include <base/text.h>

#include "run.h"

namespace load {

using base::Kind;

namespace {

constexpr std::string_view kContract = "tenter.contract";
constexpr std::string_view kContractFormatKey = "tenter.contractFormat";

delta::Properties contract_properties(const contract::Contract& contract) {
  const std::string canonical = contract::print_canonical(contract);
  delta::Properties properties;
  properties[std::string(kContract)] = canonical;
  properties[std::string(kContractHash)] = contract::contract_hash(canonical);
  properties[std::string(kContractFormatKey)] = std::to_string(contract::kContractFormat);
  for (const contract::Check& check : contract.checks)
    if (check.on_table) properties["delta.constraints." + base::ascii_lower(check.name)] = check.table_text;
  return properties;
}

delta::Field target_field(const contract::Column& column) {
  delta::Field field;
  field.name = column.name;
  field.type = sql::delta_type(column.type);
  field.nullable = !column.not_null;
  if (column.note) field.metadata.set("comment", *column.note);
  return field;
}

Receipt build_receipt(const Place& place, const contract::Contract& contract, const std::string& hash) {
  Receipt receipt;
  receipt.kind = "build";
  receipt.table = contract.name.text();
  receipt.contract_hash = hash;
  receipt.run_at_us = place.run_at_us;
  return receipt;
}

base::Result<BuildReport> create(const Place& place, const table::Access& access,
                                 const contract::Contract& contract) {
  const std::string path = place.table_path(contract.name);
  const delta::Properties properties = contract_properties(contract);
  delta::Metadata metadata = table::new_metadata(access, target_schema(contract), properties);
  metadata.description = contract.description;
  table::Commit change;
  change.operation = "CREATE TABLE";
  change.metadata = metadata;
  Receipt receipt = build_receipt(place, contract, properties.at(std::string(kContractHash)));
  receipt.hash = ReceiptHash{kEmptyHash, kEmptyHash, 0};
  TRY(const table::Committed committed,
      table::commit(access, path, nullptr, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); }));
  BuildReport report;
  report.outcome = BuildReport::Outcome::created;
  report.version = committed.version;
  return report;
}

// The table's schema with the new columns before the managed ones taken as they are: Delta adds at the end.
base::Result<delta::Schema> evolved_schema(const contract::Contract& contract, const delta::Schema& current) {
  delta::Schema schema = current;
  for (const contract::Column& column : contract.columns) {
    const delta::Field wanted = target_field(column);
    auto at = std::find_if(schema.fields.begin(), schema.fields.end(),
                           [&](const delta::Field& field) { return field.name == column.name; });
    if (at == schema.fields.end()) {
      schema.fields.push_back(wanted);
    } else {
      at->metadata = wanted.metadata;
      at->nullable = wanted.nullable;
    }
  }
  return schema;
}

// New and changed checks hold for the rows that are there, whether the table carries them or only the load.
base::Status check_rows(const Place& place, const table::Access& access, const table::Snapshot& snapshot,
                        const contract::Contract& before, const contract::Contract& contract) {
  for (const contract::Check& check : contract.checks) {
    const auto same = [&](const contract::Check& other) {
      return other.name == check.name && other.rule == check.rule && other.on_table == check.on_table &&
             other.table_text == check.table_text && other.warn_only == check.warn_only;
    };
    // Rows may break a warning; a reference is a rule of loads alone, about the other table as it is then.
    if (check.warn_only || check.reference) continue;
    if (std::any_of(before.checks.begin(), before.checks.end(), same)) continue;
    const table::Rule rule{check.on_table ? check.table_text : check.rule, contract.primary_key,
                           contract.time_zone, place.run_at_us};
    TRY(const table::Violations violations, table::count_violations(access, snapshot, rule));
    if (violations.count == 0) continue;
    const bool is_one = violations.count == 1;
    std::string message = std::to_string(violations.count) + (is_one ? " row of " : " rows of ") +
                          contract.name.text() + " at version " + std::to_string(snapshot.version()) +
                          (is_one ? " breaks " : " break ") + check.name + ": " + rule.text;
    if (violations.null_count > 0)
      message += " (" + std::to_string(violations.null_count) + " of them because it is null)";
    message += "; keys: " + base::join(violations.examples, "; ");
    if (violations.count > static_cast<std::int64_t>(violations.examples.size())) message += "; …";
    return base::fail(Kind::denied, "build.rows_break_check", message,
                      "nothing was changed; correct the rows first, or publish a second table beside it");
  }
  return {};
}

// A key that becomes unique must be so in the rows that are there.
base::Status check_unique_keys(const table::Access& access, const table::Snapshot& snapshot,
                               const contract::Contract& before, const contract::Contract& contract) {
  TRY(engine::Connection * connection, access.engine->connection());
  TRY(const std::string scan, snapshot.scan());
  for (const auto& key : contract.unique_keys) {
    if (std::find(before.unique_keys.begin(), before.unique_keys.end(), key) != before.unique_keys.end())
      continue;
    std::vector<std::string> columns;
    for (const std::string& name : key) columns.push_back(base::sql_name(name));
    TRY(const engine::Rows found,
        connection->query("SELECT count(*) FROM (SELECT 1 FROM (" + scan + ") WHERE " +
                          base::join(columns, " IS NOT NULL AND ") + " IS NOT NULL GROUP BY " +
                          base::join(columns, ", ") + " HAVING count(*) > 1)"));
    if (found.int64(0, 0) == 0) continue;
    return base::fail(Kind::denied, "build.rows_break_key",
                      std::to_string(found.int64(0, 0)) + " values of (" + base::join(key, ", ") +
                          ") stand in more than one row of " + contract.name.text() + " at version " +
                          std::to_string(snapshot.version()),
                      "nothing was changed; correct the rows first, or publish a second table beside it");
  }
  return {};
}

base::Result<BuildReport> change_contract(const Place& place, const table::Access& access,
                                          const table::Snapshot& snapshot,
                                          const contract::Contract& installed_now,
                                          const contract::Contract& contract) {
  BuildReport report;
  report.outcome = BuildReport::Outcome::changed;
  std::vector<std::string> breaking;
  std::vector<std::string> widened;
  for (const contract::Change& change : contract::compare(installed_now, contract)) {
    report.changes.push_back(change.text);
    if (change.breaking) breaking.push_back(change.text);
    if (change.code == "type_widened") widened.push_back(change.text);
  }
  if (!breaking.empty())
    return base::fail(
        Kind::denied, "build.breaking_change",
        contract.name.text() + " would break its readers: " + base::join(breaking, "; "),
        "add the new column beside the old one, or publish " + contract.name.text() + "_v2 beside it");
  if (!widened.empty())
    return base::fail(Kind::unsupported, "build.not_built",
                      contract.name.text() + ": " + base::join(widened, "; ") +
                          "; rewriting the files for a wider type is not built yet",
                      "nothing was changed; keep the type, or add a new column beside the old one");
  delta::Metadata metadata = *snapshot.state.metadata;
  const delta::Properties properties = contract_properties(contract);
  std::erase_if(metadata.configuration, [](const auto& item) {
    return item.first.starts_with("tenter.contract") || item.first.starts_with("delta.constraints.");
  });
  metadata.configuration.insert(properties.begin(), properties.end());
  metadata.description = contract.description;
  TRY(const delta::Schema schema, evolved_schema(contract, snapshot.schema));
  metadata.schema_text = delta::print_schema(schema);
  table::Snapshot evolved = snapshot;  // a new check may name a new column, null in every row so far
  evolved.schema = schema;
  TRY_STATUS(check_rows(place, access, evolved, installed_now, contract));
  TRY_STATUS(check_unique_keys(access, evolved, installed_now, contract));
  table::Commit change;
  change.operation = "SET TBLPROPERTIES";
  change.metadata = metadata;
  Receipt receipt = build_receipt(place, contract, properties.at(std::string(kContractHash)));
  // Other columns, or another order of them, change every row's payload; the hash is recomputed then.
  const bool same_columns =
      std::equal(installed_now.columns.begin(), installed_now.columns.end(), contract.columns.begin(),
                 contract.columns.end(),
                 [](const contract::Column& a, const contract::Column& b) { return a.name == b.name; });
  if (same_columns) {
    TRY(receipt.hash, table_hash(access, snapshot, contract));
  }
  TRY(const table::Committed committed,
      table::commit(access, snapshot.path, &snapshot, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); }));
  report.version = committed.version;
  return report;
}

}  // namespace

delta::Schema target_schema(const contract::Contract& contract) {
  delta::Schema schema;
  for (const contract::Column& column : contract.columns) schema.fields.push_back(target_field(column));
  delta::Field file;
  file.name = "_source_file";
  file.type = "string";
  delta::Field loaded;
  loaded.name = "_loaded_at";
  loaded.type = "timestamp";
  schema.fields.push_back(file);
  schema.fields.push_back(loaded);
  return schema;
}

base::Result<std::optional<Installed>> installed(const Place& place, const contract::TableName& name) {
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(name);
  if (!table::exists(access, path)) return std::optional<Installed>();
  TRY(const table::Snapshot snapshot, table::open(access, path));
  const auto text = snapshot.properties().find(std::string(kContract));
  if (text == snapshot.properties().end())
    return base::fail(Kind::invalid, "load.no_contract", name.text() + " carries no contract of ours",
                      "another writer made this table; move it away or choose another name");
  Installed found;
  TRY(found.contract, contract::parse_canonical(text->second));
  found.hash = contract::contract_hash(text->second);
  found.version = snapshot.version();
  const auto stated = snapshot.properties().find(std::string(kContractHash));
  if (stated == snapshot.properties().end() || stated->second != found.hash)
    return base::fail(
        Kind::corrupt, "load.contract_hash",
        "the contract stored in " + name.text() + " is not the one its hash names",
        "somebody changed the table's properties; run tenter build to install the document again");
  return std::optional<Installed>(std::move(found));
}

base::Result<BuildReport> build(const Place& place, const contract::Contract& contract) {
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(contract.name);
  if (!table::exists(access, path)) {
    auto created = create(place, access, contract);
    // Somebody else may have made it meanwhile: then what is there counts.
    if (created || created.error().kind != Kind::conflict) return created;
  }
  TRY(const table::Snapshot snapshot, table::open(access, path));
  const auto stored = snapshot.properties().find(std::string(kContract));
  if (stored == snapshot.properties().end())
    return base::fail(Kind::denied, "build.foreign_table",
                      contract.name.text() + " exists and carries no contract of ours",
                      "another writer made this table; move it away or choose another name");
  const delta::Properties wanted = contract_properties(contract);
  const bool same = std::all_of(wanted.begin(), wanted.end(), [&](const auto& item) {
    const auto at = snapshot.properties().find(item.first);
    return at != snapshot.properties().end() && at->second == item.second;
  });
  if (same) {
    BuildReport report;
    report.version = snapshot.version();
    return report;
  }
  TRY(const contract::Contract before, contract::parse_canonical(stored->second));
  return change_contract(place, access, snapshot, before, contract);
}

}  // namespace load
