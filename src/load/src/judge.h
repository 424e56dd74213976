// The relational steps that turn the landed rows of one batch into typed rows and reasons, as SQL for
// the engine. Pure text; nothing runs here.
//
// Columns of the relations (by layer):
//   fi, fr        file index and row in file of the bronze row
//   sf, sl, la    _source_file, _source_line, _loaded_at
//   r<k>          bronze column k as landed
//   n<k>          the same after Null values
//   p<i>, t<i>    declared column i: its Clean expression, and that as the declared type
//   dl            whether the row is a delete claim; only where the contract knows claims
//   v<k>          check k over the declared columns
//   w<j>          reason words: bit b of word j, see ReasonBit; those of warnings come last
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <delta/schema.h>
#include <sql/expression.h>

namespace load {

struct ReasonBit {
  std::string code;    // "missing.order_id"
  std::string reason;  // "missing order_id"
  std::size_t word = 0;
  std::size_t bit = 0;
  std::vector<std::size_t> sources;  // bronze columns to show with it
};

class Judge {
 public:
  // `bronze`: the landing table's schema. Codes: "load.source_type", and those of room sql.
  // A check with a reference asks the engine's table `reference_table(name)`, whose one column is `value`.
  static base::Result<Judge> prepare(const contract::Contract& contract, const delta::Schema& bronze,
                                     const sql::Context& context);

  // Bronze columns without the metadata ones, in table order.
  const std::vector<std::string>& bronze_columns() const { return bronze_; }
  const std::vector<ReasonBit>& reasons() const { return reasons_; }
  std::size_t words() const { return words_; }
  // Checks that only warn; their words follow those of the reasons.
  const std::vector<ReasonBit>& warnings() const { return warnings_; }
  std::size_t warning_words() const;
  // Source columns (bronze names, as the contract knows them) of declared column i.
  const std::vector<std::string>& sources(std::size_t column) const { return sources_[column]; }

  // Layers over `rows`, a SELECT that gives the bronze table's columns and _file_index, _file_row.
  std::string raw(const std::string& rows) const;
  std::string typed(const std::string& rows) const;   // raw and t<i>
  std::string judged(const std::string& rows) const;  // typed and w<j>

  bool has_claims() const { return !claim_.empty(); }
  std::string claim() const { return has_claims() ? "dl" : "false"; }  // over the typed layer

  std::string key_hash() const;       // UBIGINT over t<i> of the primary key
  std::string tap_arguments() const;  // what a JudgeTap is called with, over the judged layer
  std::string key_list(const std::string& table) const;  // t<i>, t<j>
  std::string value_list() const;                        // t<i> of all declared columns
  std::string payload() const;                           // signature payload over t<i>
  std::string content() const;  // equal for exact copies: the payload; of a claim its key and version
  std::string reason_text(const std::string& state) const;  // over w<j> and a state expression
  std::string reason_codes(const std::string& state) const;

  std::size_t index_of(std::string_view declared) const;  // the column must exist

 private:
  struct Declared {
    std::string value;   // p<i> in terms of n<k>
    std::string cast;    // t<i> in terms of p<i>
    std::string absent;  // in terms of n<k>
  };
  base::Status add_column(const contract::Contract& contract, const contract::Column& column,
                          const std::vector<sql::Column>& sources, const sql::Context& context);
  struct Rule {
    std::string condition;             // over t<i>
    std::vector<std::string> columns;  // declared ones that it reads
  };
  base::Result<Rule> print_rule(const contract::Check& check, const std::vector<sql::Column>& declared,
                                const sql::Context& context) const;
  base::Status add_check(const contract::Check& check, const std::vector<sql::Column>& declared,
                         const sql::Context& context);
  void add_reason(std::string code, std::string reason, std::string condition,
                  std::vector<std::size_t> sources);
  void place_warnings();
  base::Status add_claim(const std::vector<sql::Column>& sources, const sql::Context& context);
  bool is_key_or_version(std::string_view column) const;
  std::string unless_claim(const std::string& condition) const;
  std::string value_in_checks(std::size_t column) const;
  std::string source_column(std::string_view bronze_name) const;
  std::vector<std::size_t> bronze_indexes(const std::vector<std::string>& names) const;
  std::string list_reasons(const std::string& state, bool codes) const;

  contract::Contract contract_;
  std::vector<std::string> bronze_;
  std::vector<std::string> nulled_;                // n<k>
  std::vector<std::vector<std::string>> sources_;  // per declared column
  std::vector<Declared> declared_;
  std::vector<std::string> checks_;  // v<k>
  std::vector<ReasonBit> reasons_;
  std::vector<std::string> conditions_;  // one a reason
  std::string claim_;                    // dl in terms of n<k>
  std::vector<ReasonBit> warnings_;
  std::vector<std::string> warning_conditions_;  // one a warning
  std::size_t words_ = 1;
};

std::string reference_table(const contract::Check& check);
// "duplicate_unique_key.a,b"
std::string unique_key_code(const std::vector<std::string>& key);
// The names of the metadata columns of a landing table.
const std::vector<std::string>& metadata_columns();
// Whether a column of a landing table is one of ours: those, or the reject that a corrected row stands for.
bool is_metadata(std::string_view column);
// The source (bronze name) that a name inside a Clean expression means: a declared column stands
// for the source it is made from, everything else for itself.
std::string source_of(const contract::Contract& contract, std::string_view name);
// Bronze names that declared column `column` reads.
base::Result<std::vector<std::string>> sources_of(const contract::Contract& contract,
                                                  const contract::Column& column);
// Bronze names that Delete when reads.
base::Result<std::vector<std::string>> sources_of_claims(const contract::Contract& contract);

}  // namespace load
