// Allowed values that stand in another table: read once for a batch, at a version that the receipt names.
#include <base/text.h>

#include "run.h"

namespace load {

namespace {

base::Result<ReceiptSource> read_reference(const Place& place, engine::Connection& connection,
                                           const contract::Contract& contract, const contract::Check& check,
                                           const std::vector<ReceiptSource>& at) {
  const contract::Check::Reference& reference = *check.reference;
  const table::Access access{place.world, place.engine};
  const std::string path = place.table_path(reference.table);
  if (!table::exists(access, path))
    return base::fail(base::Kind::not_found, "load.reference_table",
                      reference.table.text() + ", which lists the values allowed for " + reference.column +
                          " of " + contract.name.text() + ", is not there",
                      "load " + reference.table.text() + " first");
  std::optional<std::int64_t> version;
  for (const ReceiptSource& source : at)
    if (base::equal_ignoring_case(source.table, reference.table.text())) version = source.version;
  TRY(const table::Snapshot snapshot, table::open(access, path, version));
  const delta::Field* field = snapshot.schema.find_ignoring_case(reference.table_column);
  const std::string wanted = sql::delta_type(contract.find(reference.column)->type);
  if (field == nullptr || field->type != wanted)
    return base::fail(base::Kind::invalid, "load.reference_column",
                      reference.table.text() + " has " +
                          (field == nullptr ? "no column " + reference.table_column
                                            : field->name + " of type " + field->type) +
                          "; the values allowed for " + reference.column + " of " + contract.name.text() +
                          " are looked up there and must be of type " + wanted,
                      "name a column of that type");
  TRY(const std::string scan, snapshot.scan());
  const std::string column = base::sql_name(field->name);
  TRY_STATUS(connection.execute("CREATE OR REPLACE TEMP TABLE " + reference_table(check) +
                                " AS SELECT DISTINCT " + column + " AS value FROM (" + scan + ") WHERE " +
                                column + " IS NOT NULL"));
  return ReceiptSource{reference.table.text(), snapshot.id(), snapshot.version()};
}

}  // namespace

base::Result<std::vector<ReceiptSource>> read_references(const Place& place, engine::Connection& connection,
                                                         const contract::Contract& contract,
                                                         const std::vector<ReceiptSource>& at) {
  std::vector<ReceiptSource> sources;
  for (const contract::Check& check : contract.checks) {
    if (!check.reference) continue;
    TRY(ReceiptSource source, read_reference(place, connection, contract, check, at));
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace load
