#include "judge.h"

#include <algorithm>

#include <base/text.h>

#include "row_states.h"

namespace load {

using base::Kind;

namespace {

std::string indexed(char letter, std::size_t index) {
  return letter + std::to_string(index);
}

// Null, or nothing but spaces, tabs, CR, LF.
std::string is_blank(const std::string& text) {
  return "tenter_blank(" + text + ")";
}

std::string any_of(const std::vector<std::string>& conditions) {
  return conditions.empty() ? "false" : "(" + base::join(conditions, " OR ") + ")";
}

}  // namespace

const std::vector<std::string>& metadata_columns() {
  static const std::vector<std::string> names = {"_source_file", "_source_line", "_loaded_at", "_batch_id"};
  return names;
}

bool is_metadata(std::string_view column) {
  const auto& names = metadata_columns();
  return column == "_reject_id" || std::find(names.begin(), names.end(), column) != names.end();
}

std::string source_of(const contract::Contract& contract, std::string_view name) {
  const contract::Column* column = contract.find(name);
  return column != nullptr ? column->source : std::string(name);
}

base::Result<std::vector<std::string>> sources_of(const contract::Contract& contract,
                                                  const contract::Column& column) {
  if (!column.clean) return std::vector<std::string>{column.source};
  TRY(const sql::Expression expression, sql::Expression::parse(*column.clean));
  std::vector<std::string> sources;
  for (const std::string& name : expression.columns()) {
    const std::string source = source_of(contract, name);
    const bool known = std::any_of(sources.begin(), sources.end(), [&](const std::string& other) {
      return base::equal_ignoring_case(other, source);
    });
    if (!known) sources.push_back(source);
  }
  return sources;
}

base::Result<std::vector<std::string>> sources_of_claims(const contract::Contract& contract) {
  std::vector<std::string> sources;
  if (!contract.delete_when) return sources;
  TRY(const sql::Expression expression, sql::Expression::parse(*contract.delete_when));
  for (const std::string& name : expression.columns()) sources.push_back(source_of(contract, name));
  return sources;
}

base::Result<Judge> Judge::prepare(const contract::Contract& contract, const delta::Schema& bronze,
                                   const sql::Context& context) {
  Judge judge;
  judge.contract_ = contract;
  std::vector<sql::Column> available;  // what a Clean expression can name, by bronze name
  for (const delta::Field& field : bronze.fields) {
    if (is_metadata(field.name)) continue;
    TRY(const sql::Type type, sql::parse_delta_type(field.type));
    const std::size_t index = judge.bronze_.size();
    judge.bronze_.push_back(field.name);
    available.push_back(sql::Column{field.name, type});
    std::string value = indexed('r', index);
    if (type.kind == sql::Type::Kind::string && !contract.null_values.empty()) {
      std::vector<std::string> texts;
      for (const std::string& text : contract.null_values) texts.push_back(base::sql_quote(text));
      value = "CASE WHEN " + value + " IN (" + base::join(texts, ", ") + ") THEN NULL ELSE " + value + " END";
    }
    judge.nulled_.push_back(value);
  }
  if (contract.delete_when) TRY_STATUS(judge.add_claim(available, context));
  for (const contract::Column& column : contract.columns)
    TRY_STATUS(judge.add_column(contract, column, available, context));
  std::vector<sql::Column> declared;
  for (const contract::Column& column : contract.columns)
    declared.push_back(sql::Column{column.name, column.type});
  for (const contract::Check& check : contract.checks) TRY_STATUS(judge.add_check(check, declared, context));
  judge.place_warnings();
  return judge;
}

std::string Judge::source_column(std::string_view bronze_name) const {
  for (std::size_t k = 0; k < bronze_.size(); ++k)
    if (base::equal_ignoring_case(bronze_[k], bronze_name)) return indexed('n', k);
  return "NULL::VARCHAR";  // an Optional column that no file ever carried
}

std::vector<std::size_t> Judge::bronze_indexes(const std::vector<std::string>& names) const {
  std::vector<std::size_t> indexes;
  for (std::size_t k = 0; k < bronze_.size(); ++k)
    for (const std::string& name : names)
      if (base::equal_ignoring_case(bronze_[k], name)) indexes.push_back(k);
  return indexes;
}

base::Status Judge::add_column(const contract::Contract& contract, const contract::Column& column,
                               const std::vector<sql::Column>& sources, const sql::Context& context) {
  const std::size_t index = declared_.size();
  TRY(std::vector<std::string> names, sources_of(contract, column));

  // The expression sees each source under its bronze name and under the declared name.
  std::vector<sql::Column> visible;
  const auto type_of = [&](std::string_view bronze_name) {
    for (const sql::Column& source : sources)
      if (base::equal_ignoring_case(source.name, bronze_name)) return source.type;
    return sql::Type{sql::Type::Kind::string, 0, 0};
  };
  const auto add_visible = [&](const std::string& name) {
    for (const sql::Column& other : visible)
      if (base::equal_ignoring_case(other.name, name)) return;
    visible.push_back(sql::Column{name, type_of(source_of(contract, name))});
  };
  std::string text = sql::spark_name(column.source);
  if (column.clean) {
    text = *column.clean;
    TRY(const sql::Expression expression, sql::Expression::parse(text));
    for (const std::string& name : expression.columns()) add_visible(name);
  } else {
    visible.push_back(sql::Column{column.source, type_of(column.source)});
  }
  TRY(const sql::Expression expression, sql::Expression::parse(text));
  TRY(const sql::TypedExpression value, sql::analyze(expression, visible));
  if (!sql::can_cast(value.type(), column.type, true) && value.type().kind != sql::Type::Kind::null)
    return base::fail(Kind::invalid, "load.source_type",
                      "column " + column.name + ": " + sql::print_type(value.type()) + " does not become " +
                          sql::print_type(column.type));
  const bool plain = !column.clean.has_value();
  const auto print_column = [&](std::string_view name) {
    return source_column(plain ? std::string(name) : source_of(contract, name));
  };
  Declared declared;
  declared.value = sql::print_engine(value, print_column, context);
  declared.cast = sql::print_cast(indexed('p', index), value.type(), column.type, context, true);
  // -0.0 equals 0.0, and a Parquet dictionary keeps only one of two equal values: the plain zero is stored.
  if (column.type.kind == sql::Type::Kind::float32 || column.type.kind == sql::Type::Kind::float64)
    declared.cast = "(CASE WHEN " + declared.cast + " = 0 THEN 0 ELSE " + declared.cast + " END)";
  std::vector<std::string> blanks;
  for (const std::string& name : names) {
    const std::string source = source_column(name);
    blanks.push_back(type_of(name).kind == sql::Type::Kind::string ? is_blank(source)
                                                                   : "(" + source + " IS NULL)");
  }
  declared.absent = blanks.empty() ? "true" : "(" + base::join(blanks, " AND ") + ")";

  const std::string p = indexed('p', index);
  const std::string t = indexed('t', index);
  if (column.not_null) {
    std::string missing = "(" + t + " IS NULL AND " + declared.absent + ")";
    if (column.type.kind == sql::Type::Kind::string)
      missing = "(" + missing + " OR (" + t + " IS NOT NULL AND " + is_blank(t) + "))";
    if (!is_key_or_version(column.name)) missing = unless_claim(missing);
    add_reason("missing." + column.name, "missing " + column.name, missing, bronze_indexes(names));
  }
  const std::string chose_null = column.not_null ? "true" : p + " IS NOT NULL";
  std::string unparseable = "(" + t + " IS NULL AND NOT " + declared.absent + " AND " + chose_null + ")";
  if (!is_key_or_version(column.name)) unparseable = unless_claim(unparseable);
  add_reason("unparseable." + column.name, "unparseable " + column.name, unparseable, bronze_indexes(names));
  declared_.push_back(std::move(declared));
  sources_.push_back(std::move(names));
  return {};
}

base::Status Judge::add_claim(const std::vector<sql::Column>& sources, const sql::Context& context) {
  TRY(const sql::Expression expression, sql::Expression::parse(*contract_.delete_when));
  std::vector<sql::Column> visible;
  for (const std::string& name : expression.columns()) {
    const std::string source = source_of(contract_, name);
    sql::Type type{sql::Type::Kind::string, 0, 0};
    for (const sql::Column& other : sources)
      if (base::equal_ignoring_case(other.name, source)) type = other.type;
    visible.push_back(sql::Column{name, type});
  }
  TRY(const sql::TypedExpression condition, sql::analyze_condition(expression, visible));
  const auto print_column = [&](std::string_view name) { return source_column(source_of(contract_, name)); };
  claim_ = "coalesce(" + sql::print_engine(condition, print_column, context) + ", false)";
  return {};
}

bool Judge::is_key_or_version(std::string_view column) const {
  const auto& key = contract_.primary_key;
  return contract_.version_column == column || std::find(key.begin(), key.end(), column) != key.end();
}

// A claim is judged on key and version alone.
std::string Judge::unless_claim(const std::string& condition) const {
  return has_claims() ? "(NOT dl AND " + condition + ")" : condition;
}

std::string Judge::content() const {
  if (!has_claims()) return payload();
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < contract_.columns.size(); ++i)
    if (is_key_or_version(contract_.columns[i].name)) parts.push_back(indexed('t', i));
  return "CASE WHEN dl THEN '-' || tenter_payload(" + base::join(parts, ", ") + ") ELSE " + payload() +
         " END";
}

// Blank text in a required column is reported as missing, so checks see it as what it is: absent.
std::string Judge::value_in_checks(std::size_t column) const {
  const std::string t = indexed('t', column);
  const contract::Column& declared = contract_.columns[column];
  if (!declared.not_null || declared.type.kind != sql::Type::Kind::string) return t;
  return "(CASE WHEN " + is_blank(t) + " THEN NULL ELSE " + t + " END)";
}

base::Result<Judge::Rule> Judge::print_rule(const contract::Check& check,
                                            const std::vector<sql::Column>& declared,
                                            const sql::Context& context) const {
  if (check.reference) {
    const std::string value = value_in_checks(index_of(check.reference->column));
    return Rule{"(" + value + " IN (SELECT value FROM " + reference_table(check) + "))",
                {check.reference->column}};
  }
  TRY(const sql::Expression expression, sql::Expression::parse(check.rule));
  TRY(const sql::TypedExpression condition, sql::analyze_condition(expression, declared));
  return Rule{sql::print_engine(
                  condition, [&](std::string_view name) { return value_in_checks(index_of(name)); }, context),
              condition.columns()};
}

base::Status Judge::add_check(const contract::Check& check, const std::vector<sql::Column>& declared,
                              const sql::Context& context) {
  TRY(const Rule rule, print_rule(check, declared, context));
  const std::string v = indexed('v', checks_.size());
  checks_.push_back(rule.condition);
  // A null that comes from a column already reported is that column's cause, not a second one.
  std::vector<std::string> reported;
  std::vector<std::string> sources;
  for (const std::string& name : rule.columns) {
    for (std::size_t i = 0; i < reasons_.size(); ++i)
      if (reasons_[i].code == "missing." + name || reasons_[i].code == "unparseable." + name)
        reported.push_back(conditions_[i]);
    const auto& names = sources_[index_of(name)];
    sources.insert(sources.end(), names.begin(), names.end());
  }
  if (check.warn_only) {
    warnings_.push_back(ReasonBit{check.name, check.reason, 0, 0, bronze_indexes(sources)});
    warning_conditions_.push_back(unless_claim("(NOT coalesce(" + v + ", false))"));
    return {};
  }
  add_reason(check.name, check.reason, unless_claim("(coalesce(NOT " + v + ", false))"),
             bronze_indexes(sources));
  add_reason(check.name, check.reason + ": null",
             unless_claim("(" + v + " IS NULL AND NOT " + any_of(reported) + ")"), bronze_indexes(sources));
  return {};
}

void Judge::add_reason(std::string code, std::string reason, std::string condition,
                       std::vector<std::size_t> sources) {
  const std::size_t place = reasons_.size();
  reasons_.push_back(ReasonBit{std::move(code), std::move(reason), place / JudgeTap::kBits,
                               place % JudgeTap::kBits, std::move(sources)});
  conditions_.push_back(std::move(condition));
  words_ = place / JudgeTap::kBits + 1;
}

std::size_t Judge::warning_words() const {
  return (warnings_.size() + JudgeTap::kBits - 1) / JudgeTap::kBits;
}

void Judge::place_warnings() {
  for (std::size_t i = 0; i < warnings_.size(); ++i) {
    warnings_[i].word = words_ + i / JudgeTap::kBits;
    warnings_[i].bit = i % JudgeTap::kBits;
  }
}

std::size_t Judge::index_of(std::string_view declared) const {
  for (std::size_t i = 0; i < contract_.columns.size(); ++i)
    if (base::equal_ignoring_case(contract_.columns[i].name, declared)) return i;
  return 0;
}

std::string Judge::raw(const std::string& rows) const {
  std::string text =
      "SELECT _file_index AS fi, _file_row AS fr, _source_file AS sf, _source_line AS sl, "
      "_loaded_at AS la";
  for (std::size_t k = 0; k < bronze_.size(); ++k)
    text += ", " + base::sql_name(bronze_[k]) + " AS " + indexed('r', k);
  return text + " FROM (" + rows + ")";
}

std::string Judge::typed(const std::string& rows) const {
  std::string nulled = "SELECT *";
  for (std::size_t k = 0; k < nulled_.size(); ++k) nulled += ", " + nulled_[k] + " AS " + indexed('n', k);
  nulled += " FROM (" + raw(rows) + ")";
  std::string values = "SELECT *";
  for (std::size_t i = 0; i < declared_.size(); ++i)
    values += ", " + declared_[i].value + " AS " + indexed('p', i);
  if (has_claims()) values += ", " + claim_ + " AS dl";
  values += " FROM (" + nulled + ")";
  std::string casts = "SELECT *";
  for (std::size_t i = 0; i < declared_.size(); ++i)
    casts += ", " + declared_[i].cast + " AS " + indexed('t', i);
  return casts + " FROM (" + values + ")";
}

std::string Judge::judged(const std::string& rows) const {
  std::string checks = "SELECT *";
  for (std::size_t k = 0; k < checks_.size(); ++k) checks += ", " + checks_[k] + " AS " + indexed('v', k);
  checks += " FROM (" + typed(rows) + ")";
  std::vector<std::string> words(words_ + warning_words(), "0::BIGINT");
  const auto set_bit = [&](const ReasonBit& reason, const std::string& condition) {
    words[reason.word] += " + CASE WHEN " + condition + " THEN " +
                          std::to_string(std::int64_t{1} << reason.bit) + "::BIGINT ELSE 0 END";
  };
  for (std::size_t i = 0; i < reasons_.size(); ++i) set_bit(reasons_[i], conditions_[i]);
  for (std::size_t i = 0; i < warnings_.size(); ++i) set_bit(warnings_[i], warning_conditions_[i]);
  std::string text = "SELECT *";
  for (std::size_t j = 0; j < words.size(); ++j) text += ", (" + words[j] + ") AS " + indexed('w', j);
  return text + " FROM (" + checks + ")";
}

std::string Judge::key_list(const std::string& table) const {
  std::vector<std::string> parts;
  for (const std::string& name : contract_.primary_key) parts.push_back(table + indexed('t', index_of(name)));
  return base::join(parts, ", ");
}

std::string Judge::key_hash() const {
  return contract_.primary_key.empty() ? "hash(fi, fr)" : "hash(" + key_list("") + ")";
}

std::string Judge::tap_arguments() const {
  std::string arguments = "fi, fr, " + key_hash();
  for (std::size_t j = 0; j < words() + warning_words(); ++j) arguments += ", " + indexed('w', j);
  return has_claims() ? arguments + ", dl::BIGINT" : arguments;
}

std::string Judge::value_list() const {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < declared_.size(); ++i) parts.push_back(indexed('t', i));
  return base::join(parts, ", ");
}

std::string Judge::payload() const {
  return "tenter_payload(" + value_list() + ")";
}

std::string reference_table(const contract::Check& check) {
  return base::sql_name("reference_" + check.name);
}

std::string unique_key_code(const std::vector<std::string>& key) {
  return "duplicate_unique_key." + base::join(key, ",");
}

std::string Judge::list_reasons(const std::string& state, bool codes) const {
  std::string text = std::string("concat_ws('") + (codes ? ";" : "; ") + "'";
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    const ReasonBit& reason = reasons_[i];
    text += ", CASE WHEN (" + indexed('w', reason.word) + " & " +
            std::to_string(std::int64_t{1} << reason.bit) + "::BIGINT) <> 0 THEN " +
            base::sql_quote(codes ? reason.code : reason.reason) + " END";
  }
  text += ", CASE WHEN " + state + " = " + std::to_string(static_cast<int>(RowState::repeated)) +
          " THEN 'duplicate_primary_key' END";
  for (std::size_t k = 0; k < contract_.unique_keys.size(); ++k)
    text += ", CASE WHEN " + state + " = " + std::to_string(static_cast<int>(repeated_unique(k))) + " THEN " +
            base::sql_quote(unique_key_code(contract_.unique_keys[k])) + " END";
  return text + ")";
}

std::string Judge::reason_text(const std::string& state) const {
  return list_reasons(state, false);
}
std::string Judge::reason_codes(const std::string& state) const {
  return list_reasons(state, true);
}

}  // namespace load
