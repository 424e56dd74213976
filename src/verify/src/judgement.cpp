#include "judgement.h"

#include <base/text.h>

namespace verify {

namespace {

std::string numbered(const char* letter, std::size_t index) {
  return letter + std::to_string(index);
}

std::string blank(const std::string& value, const sql::Type& type) {
  if (type.kind != sql::Type::Kind::string) return "(" + value + " IS NULL)";
  return "(coalesce(trim(" + value + ", ' ' || chr(9) || chr(10) || chr(13)), '') = '')";
}

std::string all_of(const std::vector<std::string>& parts) {
  return parts.empty() ? "true" : "(" + base::join(parts, " AND ") + ")";
}

std::string any_of(const std::vector<std::string>& parts) {
  return parts.empty() ? "false" : "(" + base::join(parts, " OR ") + ")";
}

}  // namespace

base::Result<Judgement> Judgement::prepare(const contract::Contract& contract, std::vector<Field> source,
                                           const sql::Context& context) {
  Judgement judgement;
  judgement.contract_ = contract;
  judgement.source_ = std::move(source);
  for (const contract::Column& column : contract.columns) TRY_STATUS(judgement.add_column(column, context));
  if (contract.delete_when) TRY_STATUS(judgement.add_claim(context));
  for (const contract::Check& check : contract.checks) TRY_STATUS(judgement.add_rule(check, context));
  return judgement;
}

std::optional<std::size_t> Judgement::source_index(std::string_view name) const {
  for (std::size_t k = 0; k < source_.size(); ++k)
    if (base::equal_ignoring_case(source_[k].name, name)) return k;
  return std::nullopt;
}

std::size_t Judgement::declared_index(std::string_view name) const {
  for (std::size_t i = 0; i < contract_.columns.size(); ++i)
    if (base::equal_ignoring_case(contract_.columns[i].name, name)) return i;
  return contract_.columns.size();
}

std::string Judgement::cleaned(std::string_view name) const {
  const auto index = source_index(name);
  return index ? numbered("n", *index) : "CAST(NULL AS VARCHAR)";
}

sql::Type Judgement::source_type(std::string_view name) const {
  const auto index = source_index(name);
  return index ? source_[*index].type : sql::Type{sql::Type::Kind::string};
}

std::vector<std::string> Judgement::keys(const std::string& prefix) const {
  std::vector<std::string> parts;
  for (const std::string& key : contract_.primary_key)
    parts.push_back(prefix + numbered("d", declared_index(key)));
  return parts;
}

base::Status Judgement::add_column(const contract::Column& column, const sql::Context& context) {
  // A name in Clean is a declared column's source, or else a source column itself.
  const auto meant = [&](std::string_view name) {
    const contract::Column* declared = column.clean ? contract_.find(name) : nullptr;
    return declared ? declared->source : std::string(name);
  };
  TRY(const sql::Expression expression,
      sql::Expression::parse(column.clean ? *column.clean : sql::spark_name(column.source)));
  std::vector<sql::Column> visible;
  std::vector<std::string> blanks;
  for (const std::string& name : expression.columns()) {
    visible.push_back({name, source_type(meant(name))});
    blanks.push_back(blank(cleaned(meant(name)), visible.back().type));
  }
  TRY(const sql::TypedExpression typed, sql::analyze(expression, visible));
  const std::size_t i = declared_.size();
  const std::string value = numbered("v", i);
  const std::string cast = numbered("d", i);
  Declared declared;
  declared.value =
      sql::print_engine(typed, [&](std::string_view name) { return cleaned(meant(name)); }, context);
  declared.cast = sql::print_cast(value, typed.type(), column.type, context, true);
  declared.absent = all_of(blanks);
  const std::string missing = column.not_null ? base::sql_quote("missing." + column.name) : "NULL";
  const std::string chosen = column.not_null ? "true" : value + " IS NOT NULL";
  declared.code = "CASE WHEN " + cast + " IS NULL THEN CASE WHEN " + declared.absent + " THEN " + missing +
                  " WHEN " + chosen + " THEN " + base::sql_quote("unparseable." + column.name) +
                  " END WHEN " + blank(cast, column.type) + " THEN " + missing + " END";
  declared_.push_back(std::move(declared));
  return {};
}

bool Judgement::is_key_or_version(std::size_t column) const {
  const std::string& name = contract_.columns[column].name;
  for (const std::string& key : contract_.primary_key)
    if (base::equal_ignoring_case(key, name)) return true;
  return contract_.version_column && base::equal_ignoring_case(*contract_.version_column, name);
}

base::Status Judgement::add_claim(const sql::Context& context) {
  const auto meant = [&](std::string_view name) {
    const contract::Column* declared = contract_.find(name);
    return declared ? declared->source : std::string(name);
  };
  TRY(const sql::Expression expression, sql::Expression::parse(*contract_.delete_when));
  std::vector<sql::Column> visible;
  for (const std::string& name : expression.columns()) visible.push_back({name, source_type(meant(name))});
  TRY(const sql::TypedExpression typed, sql::analyze(expression, visible));
  claim_ = sql::print_engine(
               typed, [&](std::string_view name) { return cleaned(meant(name)); }, context) +
           " IS NOT DISTINCT FROM true";
  return {};
}

std::string reference_values(const contract::Check& check) {
  return base::sql_name("verify_values_of_" + check.name);
}

// Its values were copied from the other table, at the version that the receipt names.
base::Status Judgement::add_reference(const contract::Check& check) {
  const std::size_t i = declared_index(check.reference->column);
  const std::string reported = numbered("c", i) + " IS NOT NULL";
  Rule rule;
  rule.holds = "CASE WHEN NOT (" + reported + ") AND " + numbered("d", i) + " IS NOT NULL THEN " +
               numbered("d", i) + " IN (SELECT v FROM " + reference_values(check) + ") END";
  rule.reported = reported;
  rule.name = check.name;
  rule.reason = check.reason;
  rules_.push_back(std::move(rule));
  return {};
}

base::Status Judgement::add_rule(const contract::Check& check, const sql::Context& context) {
  if (check.reference) return add_reference(check);
  std::vector<sql::Column> columns;
  for (const contract::Column& column : contract_.columns) columns.push_back({column.name, column.type});
  TRY(const sql::Expression expression, sql::Expression::parse(check.rule));
  TRY(const sql::TypedExpression typed, sql::analyze(expression, columns));
  Rule rule;
  // A column that is reported already counts as absent, so that one cause is reported once.
  const auto unreported = [&](std::string_view name) {
    const std::size_t i = declared_index(name);
    return "(CASE WHEN " + numbered("c", i) + " IS NULL THEN " + numbered("d", i) + " END)";
  };
  rule.holds = sql::print_engine(typed, unreported, context);
  std::vector<std::string> reported;
  for (const std::string& name : typed.columns())
    reported.push_back(numbered("c", declared_index(name)) + " IS NOT NULL");
  rule.reported = any_of(reported);
  rule.name = check.name;
  rule.reason = check.reason;
  rule.warn_only = check.warn_only;
  rules_.push_back(std::move(rule));
  return {};
}

std::string Judgement::judged(const std::string& landed) const {
  std::string sent = "SELECT _source_file AS sf, _source_line AS sl, _loaded_at AS la";
  std::string nulled = "SELECT *";
  std::vector<std::string> nulls;
  for (const std::string& text : contract_.null_values) nulls.push_back(base::sql_quote(text));
  for (std::size_t k = 0; k < source_.size(); ++k) {
    const std::string column = numbered("s", k);
    sent += ", " + base::sql_name(source_[k].name) + " AS " + column;
    const bool applies = source_[k].type.kind == sql::Type::Kind::string && !nulls.empty();
    nulled +=
        ", " +
        (applies ? "CASE WHEN " + column + " NOT IN (" + base::join(nulls, ", ") + ") THEN " + column + " END"
                 : column) +
        " AS " + numbered("n", k);
  }
  std::string values = "SELECT *, (" + claim_ + ") AS dl", casts = "SELECT *", codes = "SELECT *",
              rules = "SELECT *";
  std::vector<std::string> all_codes, all_reasons;
  for (std::size_t i = 0; i < declared_.size(); ++i) {
    values += ", " + declared_[i].value + " AS " + numbered("v", i);
    casts += ", " + declared_[i].cast + " AS " + numbered("d", i);
    const std::string code =
        is_key_or_version(i) ? declared_[i].code : "CASE WHEN NOT dl THEN " + declared_[i].code + " END";
    codes += ", " + code + " AS " + numbered("c", i);
    all_codes.push_back(numbered("c", i));
    all_reasons.push_back("replace(" + numbered("c", i) + ", '.', ' ')");
    // A dot in the column's own name is no separator.
    if (contract_.columns[i].name.find('.') != std::string::npos)
      all_reasons.back() = "CASE WHEN starts_with(" + numbered("c", i) + ", 'missing.') THEN " +
                           base::sql_quote("missing " + contract_.columns[i].name) + " WHEN " +
                           numbered("c", i) + " IS NOT NULL THEN " +
                           base::sql_quote("unparseable " + contract_.columns[i].name) + " END";
  }
  for (std::size_t k = 0; k < rules_.size(); ++k) {
    const std::string result = numbered("h", k);
    rules += ", dl OR " + rules_[k].holds + " AS " + result;
    if (rules_[k].warn_only) continue;
    const std::string cause = result + " IS NULL AND NOT " + rules_[k].reported;
    all_codes.push_back("CASE WHEN NOT " + result + " OR (" + cause + ") THEN " +
                        base::sql_quote(rules_[k].name) + " END");
    all_reasons.push_back("CASE WHEN NOT " + result + " THEN " + base::sql_quote(rules_[k].reason) +
                          " WHEN " + cause + " THEN " + base::sql_quote(rules_[k].reason + ": null") +
                          " END");
  }
  const std::string from_codes = codes + " FROM (" + casts + " FROM (" + values + " FROM (" + nulled +
                                 " FROM (" + sent + " FROM (" + landed + ")))))";
  return "SELECT *, concat_ws(';', " + base::join(all_codes, ", ") + ") AS codes, concat_ws('; ', " +
         base::join(all_reasons, ", ") + ") AS reasons FROM (" + rules + " FROM (" + from_codes + "))";
}

std::string Judgement::warned(const std::string& judged) const {
  std::string text = "SELECT '' AS name, 0 AS broken WHERE false";
  for (std::size_t k = 0; k < rules_.size(); ++k)
    if (rules_[k].warn_only)
      text += " UNION ALL SELECT " + base::sql_quote(rules_[k].name) + ", count(*) FROM (" + judged +
              ") WHERE codes = '' AND " + numbered("h", k) + " IS DISTINCT FROM true";
  return text;
}

std::string Judgement::tie_order() const {
  std::string order;
  for (const std::string& name : contract_.tie_break) {
    std::string value = numbered("d", declared_index(name));
    if (name == "_source_file") value = "sf";
    if (name == "_source_line") value = "sl";
    order += value + " DESC NULLS LAST, ";
  }
  return order + "sf DESC NULLS LAST, sl DESC NULLS LAST";
}

std::string Judgement::ranked_by_key(const std::string& judged) const {
  // Of a claim only key and version say what it is.
  std::vector<std::string> declared = {"dl"};
  for (std::size_t i = 0; i < declared_.size(); ++i)
    declared.push_back(is_key_or_version(i) ? numbered("d", i)
                                            : "CASE WHEN NOT dl THEN " + numbered("d", i) + " END");
  const std::string good = "codes = ''";
  if (contract_.primary_key.empty())
    return "SELECT *, CASE WHEN " + good +
           " THEN 'accepted' ELSE 'rejected' END AS fate, false AS conflicting, NULL::VARCHAR AS key_code "
           "FROM (" +
           judged + ")";
  const std::string last = tie_order();
  // Copies: the first in tie-break order stands for all of them.
  const std::string copies = "SELECT *, row_number() OVER (PARTITION BY " + good + ", " +
                             base::join(declared, ", ") + " ORDER BY " + last + ") AS copy FROM (" + judged +
                             ")";
  const std::string version =
      contract_.version_column ? numbered("d", declared_index(*contract_.version_column)) : "NULL";
  const std::string over = "OVER (PARTITION BY " + good + ", copy = 1, " + base::join(keys(""), ", ") +
                           " ORDER BY " + version + " DESC NULLS LAST, " + last + ")";
  const std::string places = "SELECT *, row_number() " + over + " AS place, first_value(" + version + ") " +
                             over + " AS winning FROM (" + copies + ")";
  const std::string beaten = contract_.version_column ? "'superseded'" : "'repeated'";
  return "SELECT *, CASE WHEN NOT (" + good +
         ") THEN 'rejected' WHEN copy > 1 THEN 'duplicate' WHEN place > 1 THEN " + beaten +
         " ELSE 'accepted' END AS fate, (" + good + ") AND copy = 1 AND place > 1 AND " + version +
         " IS NOT DISTINCT FROM winning AS conflicting, CASE WHEN " + good +
         " AND copy = 1 AND place > 1 THEN 'duplicate_primary_key' END AS key_code FROM (" + places + ")";
}

std::string Judgement::ranked(const std::string& judged) const {
  std::string rows = ranked_by_key(judged);
  const std::string version =
      contract_.version_column ? numbered("d", declared_index(*contract_.version_column)) : "NULL";
  for (const auto& key : contract_.unique_keys) {
    std::vector<std::string> columns, taking_part = {"fate = 'accepted'", "NOT dl"};
    for (const std::string& name : key) {
      columns.push_back(numbered("d", declared_index(name)));
      taking_part.push_back(columns.back() + " IS NOT NULL");
    }
    const std::string part = all_of(taking_part);
    const std::string again = "(" + part + " AND row_number() OVER (PARTITION BY " + part + ", " +
                              base::join(columns, ", ") + " ORDER BY " + version + " DESC NULLS LAST, " +
                              tie_order() + ") > 1)";
    rows =
        "SELECT * EXCLUDE (again) REPLACE (CASE WHEN again THEN 'repeated' ELSE fate END AS fate, CASE WHEN "
        "again "
        "THEN " +
        base::sql_quote("duplicate_unique_key." + base::join(key, ",")) +
        " ELSE key_code END AS key_code) FROM (SELECT *, " + again + " AS again FROM (" + rows + "))";
  }
  return rows;
}

std::string Judgement::absent(const std::string& ranked, const std::string& target, bool is_snapshot) const {
  if (!is_snapshot) return "SELECT NULL WHERE false";
  std::vector<std::string> match;
  for (const std::string& key : contract_.primary_key)
    match.push_back("j." + numbered("d", declared_index(key)) + " = t." + base::sql_name(key));
  const std::string holding = contract_.delete_rejected ? "fate NOT IN ('rejected', 'repeated')" : "true";
  return "SELECT t.* FROM (" + target + ") t WHERE NOT EXISTS (SELECT 1 FROM (" + ranked + ") j WHERE " +
         holding + " AND " + base::join(match, " AND ") + ")";
}

std::string Judgement::claims(const std::string& judged) const {
  return "SELECT * FROM (" + judged + ") WHERE dl AND codes = ''";
}

std::string Judgement::is_earlier(const std::string& strict) const {
  std::string earlier = "j.la < t._loaded_at";
  if (!strict.empty()) earlier = "(" + earlier + " OR j.la = t._loaded_at AND " + strict + ")";
  if (!contract_.version_column) return earlier;
  const std::string incoming = "j." + numbered("d", declared_index(*contract_.version_column));
  const std::string stored = "t." + base::sql_name(*contract_.version_column);
  return "(" + incoming + " < " + stored + " OR (" + incoming + " = " + stored + " AND " + earlier + "))";
}

std::string Judgement::equals_stored(const std::vector<std::string>& columns) const {
  std::vector<std::string> parts;
  for (const std::string& name : columns)
    parts.push_back("j." + numbered("d", declared_index(name)) + " = t." + base::sql_name(name));
  return all_of(parts);
}

std::string Judgement::collided(const std::string& ranked, const std::string& target,
                                const std::string& strict) const {
  struct Key {
    std::vector<std::string> columns;
    std::string code;
  };
  std::vector<Key> unique;
  if (contract_.append && !contract_.primary_key.empty())
    unique.push_back({contract_.primary_key, "duplicate_primary_key"});
  for (const auto& key : contract_.unique_keys)
    unique.push_back({key, "duplicate_unique_key." + base::join(key, ",")});
  std::string rows = ranked;
  for (const Key& key : unique) {
    std::string hit = "j.fate = 'accepted' AND NOT j.dl AND EXISTS (SELECT 1 FROM (" + target + ") t WHERE " +
                      equals_stored(key.columns);
    if (!contract_.append)
      hit += " AND NOT " + equals_stored(contract_.primary_key) + ") AND NOT EXISTS (SELECT 1 FROM (" +
             target + ") t WHERE " + equals_stored(contract_.primary_key) + " AND coalesce(" +
             is_earlier(strict) + ", false)";
    hit += ")";
    rows =
        "SELECT * EXCLUDE (hit) REPLACE (CASE WHEN hit THEN 'repeated' ELSE fate END AS fate, CASE WHEN hit "
        "THEN " +
        base::sql_quote(key.code) + " ELSE key_code END AS key_code) FROM (SELECT j.*, " + hit +
        " AS hit FROM (" + rows + ") j)";
  }
  return rows;
}

std::string Judgement::settled(const std::string& ranked, const std::string& target,
                               const std::string& claims, const Giving& giving) const {
  if (contract_.append)
    return "SELECT * EXCLUDE (fate), 'inserted' AS fate FROM (" + ranked + ") WHERE fate = 'accepted'";
  std::vector<std::string> match, equal;
  for (const std::string& key : contract_.primary_key)
    match.push_back("j." + numbered("d", declared_index(key)) + " = t." + base::sql_name(key));
  for (std::size_t i = 0; i < declared_.size(); ++i)
    equal.push_back("j." + numbered("d", i) + " IS NOT DISTINCT FROM t." +
                    base::sql_name(contract_.columns[i].name));
  const std::string earlier = is_earlier(giving.strict);
  std::string fresh = "'inserted'";
  if (contract_.delete_when) {
    const std::string version = numbered("d", declared_index(*contract_.version_column));
    std::vector<std::string> same = {"(c." + version + " > j." + version + " OR c." + version + " = j." +
                                     version + " AND c.la >= j.la)"};
    for (const std::string& key : keys("")) same.push_back("c." + key + " = j." + key);
    fresh = "CASE WHEN j.dl THEN 'idle' WHEN EXISTS (SELECT 1 FROM (" + claims + ") c WHERE " +
            base::join(same, " AND ") + ") THEN 'older' ELSE 'inserted' END";
  }
  if (!giving.snapshot.empty())
    fresh = "CASE WHEN NOT j.dl AND j.la < " + giving.snapshot + " THEN 'older' ELSE " + fresh + " END";
  return "SELECT j.* EXCLUDE (fate), CASE WHEN t.here IS NULL THEN " + fresh + " WHEN coalesce(" + earlier +
         ", false) THEN 'older' WHEN j.dl THEN 'deleting' WHEN " + all_of(equal) +
         " THEN 'unchanged' ELSE 'updated' END AS fate FROM (SELECT * "
         "FROM (" +
         ranked + ") WHERE fate = 'accepted') j LEFT JOIN (SELECT *, true AS here FROM (" + target +
         ")) t ON " + base::join(match, " AND ");
}

}  // namespace verify
