// verify --deep of a recomputation: every batch that was loaded is judged and settled anew, one after the
// other from nothing, and what stands then must be the version's rows.
#include <base/text.h>

#include "deep.h"
#include "recomputed.h"

namespace verify {

namespace {

std::string columns_of(const contract::Contract& contract) {
  std::vector<std::string> names;
  for (const contract::Column& column : contract.columns) names.push_back(base::sql_name(column.name));
  return base::join(names, ", ") + ", _source_file, _loaded_at";
}

std::vector<Field> fields_of(const contract::Contract& contract) {
  std::vector<Field> fields = declared_fields(contract);
  fields.push_back({"_source_file", {sql::Type::Kind::string}, true});
  fields.push_back({"_loaded_at", {sql::Type::Kind::timestamp}, true});
  return fields;
}

// Rows whose keys are among those of `rows`, which names the columns of a key by `key_name`.
template <class KeyName>
base::Status take_out(Examination& examination, const contract::Contract& contract, const std::string& rows,
                      const KeyName& key_name) {
  std::vector<std::string> same;
  for (const std::string& key : contract.primary_key)
    same.push_back("r." + key_name(key) + " = t." + base::sql_name(key));
  return examination.rows.execute("DELETE FROM verify_rebuilt t WHERE EXISTS (SELECT 1 FROM " + rows +
                                  " r WHERE " + base::join(same, " AND ") + ")");
}

// What the tables of `judge` say becomes of the rows that stood before.
base::Status apply(Examination& examination, const contract::Contract& contract) {
  const auto judged_name = [&](const std::string& key) {
    std::size_t i = 0;
    while (!base::equal_ignoring_case(contract.columns[i].name, key)) ++i;
    return "d" + std::to_string(i);
  };
  if (!contract.append)
    TRY_STATUS(take_out(examination, contract,
                        "(SELECT * FROM verify_settled WHERE fate IN ('updated', 'deleting'))", judged_name));
  if (contract.delete_absent)
    TRY_STATUS(take_out(examination, contract, "verify_deleted",
                        [](const std::string& key) { return base::sql_name(key); }));
  std::string values;
  for (std::size_t i = 0; i < contract.columns.size(); ++i) values += "d" + std::to_string(i) + ", ";
  return examination.rows.execute("INSERT INTO verify_rebuilt SELECT " + values +
                                  "sf, la FROM verify_settled WHERE fate IN ('inserted', 'updated')");
}

void add(Numbers& sum, const Numbers& more) {
  for (const auto& [name, number] : more) sum[name] += number;
}

}  // namespace

base::Status check_recomputation(Examination& examination, const Table& target, const Load& load) {
  TRY(const std::vector<std::string> batches,
      batches_in_order(examination, load.landed,
                       loaded_batches(*load.entry.before, load.receipt.sources.front().id)));
  TRY(const std::string nothing, examination.rows.relation({}, fields_of(load.contract)));
  TRY_STATUS(examination.rows.execute("CREATE OR REPLACE TEMP TABLE verify_rebuilt AS SELECT " +
                                      columns_of(load.contract) + " FROM (" + nothing + ")"));
  Numbers fates, warnings;
  std::vector<std::string> loaded;
  for (const std::string& id : batches) {
    const Batch batch{load, id, "SELECT * FROM verify_rebuilt", loaded};
    TRY(const Judgement judgement, judge(examination, batch));
    TRY(const Numbers batch_fates, count_fates(examination));
    TRY(const Numbers batch_warnings, count_warnings(examination, judgement));
    add(fates, batch_fates);
    add(warnings, batch_warnings);
    TRY_STATUS(compare_rejects(examination, target, batch, judgement));
    TRY_STATUS(apply(examination, load.contract));
    loaded.push_back(id);
  }
  compare_terms(examination, target, load, fates);
  compare_warnings(examination, target, load, warnings);
  TRY(const std::string after,
      examination.rows.relation(live_files(*load.entry.after), fields_of(load.contract)));
  return compare_relations(examination, "verify.deep_rows", target, load.entry.version, "from_bronze",
                           "SELECT * FROM verify_rebuilt",
                           "SELECT " + columns_of(load.contract) + " FROM (" + after + ")");
}

}  // namespace verify
