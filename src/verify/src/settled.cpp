#include "settled.h"

#include <base/text.h>

namespace verify {

namespace {

std::string differs(const std::vector<std::string>& columns) {
  std::vector<std::string> parts;
  for (const std::string& name : columns) {
    const std::string column = base::sql_name(name);
    parts.push_back("a." + column + " IS DISTINCT FROM r." + column);
  }
  return "(" + base::join(parts, " OR ") + ")";
}

// Where rows are only added they need no key: what is on one side only came or went.
base::Result<Changes> count_added(Examination& examination, const std::string& added,
                                  const std::string& removed) {
  TRY(const engine::Rows rows,
      examination.rows.query("SELECT (SELECT count(*) FROM ((" + added + ") EXCEPT ALL (" + removed +
                             "))), (SELECT count(*) FROM ((" + removed + ") EXCEPT ALL (" + added + ")))"));
  return Changes{rows.int64(0, 0), 0, rows.int64(0, 1), 0};
}

}  // namespace

base::Result<Changes> count_changes(Examination& examination, const Entry& entry,
                                    const contract::Contract& contract) {
  std::vector<Field> fields = declared_fields(contract);
  std::vector<std::string> declared;
  for (const Field& field : fields) declared.push_back(field.name);
  fields.push_back({"_source_file", {sql::Type::Kind::string}, true});
  fields.push_back({"_loaded_at", {sql::Type::Kind::timestamp}, true});
  TRY(const std::string added, examination.rows.relation(entry.adds, fields));
  TRY(const std::string removed, examination.rows.relation(entry.removes, fields));
  if (contract.append) return count_added(examination, added, removed);
  std::vector<std::string> match;
  for (const std::string& key : contract.primary_key)
    match.push_back("a." + base::sql_name(key) + " = r." + base::sql_name(key));
  const std::string changed = differs(declared);
  TRY(const engine::Rows rows,
      examination.rows.query("SELECT count(*) FILTER (WHERE a.here AND r.here IS NULL), "
                             "count(*) FILTER (WHERE a.here AND r.here AND " +
                             changed +
                             "), "
                             "count(*) FILTER (WHERE a.here IS NULL AND r.here), "
                             "count(*) FILTER (WHERE a.here AND r.here AND NOT " +
                             changed + " AND " + differs({"_source_file", "_loaded_at"}) +
                             ") FROM (SELECT *, true AS here FROM (" + added +
                             ")) a FULL JOIN (SELECT *, true AS here FROM (" + removed + ")) r ON " +
                             base::join(match, " AND ")));
  return Changes{rows.int64(0, 0), rows.int64(0, 1), rows.int64(0, 2), rows.int64(0, 3)};
}

std::optional<const State*> quarantine_state(const Examination& examination, const Receipt& receipt) {
  if (!examination.quarantine) return nullptr;
  const auto version = quarantine_version(*examination.quarantine, receipt);
  if (!version) return std::nullopt;
  if (*version < 0) return nullptr;
  const State* state = state_at(*examination.quarantine, *version);
  if (!state) return std::nullopt;
  return state;
}

}  // namespace verify
