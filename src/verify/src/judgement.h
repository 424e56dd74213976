// The rules of a contract as SQL of our own, written from the product's documents and sharing nothing
// with the loader: how landed rows become typed rows and reasons, and what they do to the rows of a
// target. Pure text.
//
// Relations and their columns:
//   landed   the source's columns by name, _source_file, _source_line, _loaded_at
//   judged   sf, sl, la; dl whether it is a delete claim; s<k> source column as landed; d<i> declared column
//   typed; codes, reasons
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <sql/expression.h>

#include "log.h"

namespace verify {

// The engine's table, with the column v, that a check with a reference asks.
std::string reference_values(const contract::Check& check);

class Judgement {
 public:
  // `source`: the landing table's columns without the metadata ones.
  static base::Result<Judgement> prepare(const contract::Contract& contract, std::vector<Field> source,
                                         const sql::Context& context);

  const std::vector<Field>& source() const { return source_; }
  // Over judged rows that nothing rejects: check and number of rows that only a warning is about.
  std::string warned(const std::string& judged) const;
  // SELECT … over the landed relation.
  std::string judged(const std::string& landed) const;
  // SELECT of judged rows with `fate`: rejected, repeated, duplicate, superseded or accepted, and
  // `conflicting`: beaten by a row of the same version, `key_code`: why it is repeated.
  std::string ranked(const std::string& judged) const;
  // SELECT of accepted rows with `fate`: inserted, updated, unchanged or older; of claims deleting, idle
  // (nothing to delete) or older. `target`: the declared
  // columns by name and _loaded_at.
  // `claims`: a relation of `claims`, of the landed rows of every batch that was loaded by then.
  struct Giving {
    std::string strict;  // SQL over j: whether it gives way to a stored row as old as itself; empty: no
    std::string
        snapshot;  // SQL: rows from before this instant do not bring back what is not there; empty: none
  };
  std::string settled(const std::string& ranked, const std::string& target, const std::string& claims,
                      const Giving& giving) const;
  // SELECT of ranked rows of a retry, where those that would repeat a key in the target are rejected after
  // all.
  std::string collided(const std::string& ranked, const std::string& target, const std::string& strict) const;
  // SELECT of the judged rows that are sound delete claims.
  std::string claims(const std::string& judged) const;
  // SELECT of target rows that a snapshot deletes: none of its rows that count holds their key.
  std::string absent(const std::string& ranked, const std::string& target, bool is_snapshot) const;

 private:
  struct Declared {
    std::string value;   // its Clean expression, in terms of n<k>
    std::string cast;    // to the declared type, in terms of v<i>
    std::string absent;  // whether every source column named is blank
    std::string code;    // SQL for the code of its reason, or null
  };
  struct Rule {
    std::string holds;     // SQL in terms of d<i>
    std::string reported;  // SQL: whether a column that it names has a reason already
    std::string name;
    std::string reason;
    bool warn_only = false;
  };

  base::Status add_column(const contract::Column& column, const sql::Context& context);
  base::Status add_claim(const sql::Context& context);
  base::Status add_reference(const contract::Check& check);
  base::Status add_rule(const contract::Check& check, const sql::Context& context);
  // The source column that a name in a Clean expression means; nothing for one that no file carried.
  std::optional<std::size_t> source_index(std::string_view name) const;
  std::size_t declared_index(std::string_view name) const;
  std::string cleaned(std::string_view name) const;  // n<k>, or a null text
  sql::Type source_type(std::string_view name) const;
  std::string ranked_by_key(const std::string& judged) const;
  std::string tie_order() const;
  bool is_key_or_version(std::size_t column) const;
  std::vector<std::string> keys(const std::string& prefix) const;
  std::string is_earlier(const std::string& strict) const;  // j than the stored row t
  std::string equals_stored(const std::vector<std::string>& columns) const;

  contract::Contract contract_;
  std::vector<Field> source_;
  std::vector<Declared> declared_;
  std::vector<Rule> rules_;
  std::string claim_ = "false";  // in terms of n<k>
};

}  // namespace verify
