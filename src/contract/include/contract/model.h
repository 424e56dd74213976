// What a document promises, after all its rules were checked: the model that every other room
// works from. Plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <base/json.h>
#include <base/result.h>
#include <sql/types.h>

namespace contract {

// "silver.orders"; compared without regard to case.
struct TableName {
  std::string schema;
  std::string object;

  std::string text() const { return schema + "." + object; }
  friend bool operator==(const TableName&, const TableName&) = default;
};

enum class Encoding { utf_8, utf_16, windows_1252 };
enum class Compression { by_name, none, gzip };  // by_name: gzip when the file's name ends in .gz

struct CsvFormat {
  bool header = true;
  char delimiter = ',';
  char quote = '"';
  char escape = '"';  // equal to quote: doubled quotes
  Encoding encoding = Encoding::utf_8;
  Compression compression = Compression::by_name;

  friend bool operator==(const CsvFormat&, const CsvFormat&) = default;
};

// "silver.orders"; code "document.table_name".
base::Result<TableName> parse_table_name(std::string_view text);
bool equal_ignoring_case(const TableName& a, const TableName& b);

// The bronze column of a source column: characters that Delta refuses in names become "_".
std::string bronze_name(std::string_view sent);

enum class FileFormat { csv, json, jsonl, parquet, delta };  // delta: folders that hold a table

// A landing table (bronze).
struct Landing {
  TableName name;
  std::string description;
  std::optional<std::string> owner;
  std::optional<std::string> notes;
  std::vector<std::string> globs;  // relative to the project, or "Files/…"
  FileFormat format = FileFormat::csv;
  CsvFormat csv;                                   // of csv
  Compression compression = Compression::by_name;  // of json and jsonl
  bool refuses_new_columns = false;                // New columns: refuse
  bool refuses_malformed = false;                  // Malformed rows: refuse
  bool keeps_names = false;                        // Column names: as sent
};

struct Column {
  std::string name;  // as declared
  sql::Type type;
  std::string source;                // bronze name that the default Clean reads
  std::optional<std::string> from;   // source column as sent, when declared
  std::optional<std::string> clean;  // Spark SQL text, when declared
  bool not_null = false;             // declared, or a key or version column
  std::optional<std::string> note;
};

// A row rule, in the order in which it is judged: allowed values by Schema order, then Checks in
// document order.
struct Check {
  std::string name;    // of the rule and of its Delta constraint
  std::string rule;    // Spark SQL text over declared columns
  std::string reason;  // shown; the name when none was given
  bool on_table = true;
  std::string table_text;  // as stored in Delta, when on_table
  bool warn_only = false;  // counts and shows, rejects nothing; never on the table
  // Instead of an expression: the value of `column` must stand in another table of the item, as it is when
  // a batch is loaded. `rule` then reads "S.O[column]".
  struct Reference {
    std::string column;  // of this contract
    TableName table;
    std::string table_column;

    friend bool operator==(const Reference&, const Reference&) = default;
  };
  std::optional<Reference> reference;
};

// rejected / read must not exceed numerator / denominator; with `rows_least`, only when at least
// that many rows were rejected.
struct RejectLimit {
  std::int64_t numerator = 5;
  std::int64_t denominator = 100;
  std::optional<std::int64_t> rows_least;
  std::string text = "5%";  // for people: "5%, at least 20 rows"
};
base::Result<RejectLimit> parse_reject_limit(std::string_view text);  // code "document.reject_ratio"

// How much of a table one batch may change, in whole percent of the rows before it.
struct Stability {
  std::optional<std::int64_t> deletes_max;
  std::optional<std::int64_t> updates_max;
  std::int64_t rows_least = 0;  // smaller tables may change freely, an empty one always

  friend bool operator==(const Stability&, const Stability&) = default;
};

// A contract table (silver).
struct Contract {
  TableName name;
  std::string description;
  std::string owner;
  std::optional<std::string> notes;
  TableName from;
  bool append = false;  // every accepted row is inserted, once per batch; else rows are matched by key
  // The batch is a full snapshot: rows whose keys it does not hold are deleted. Keys of rejected rows
  // count as held, unless `delete_rejected`.
  bool delete_absent = false;
  bool delete_rejected = false;
  std::optional<std::string> delete_when;  // Spark SQL over the source's columns: rows that are delete claims
  std::vector<std::string> primary_key;    // may be empty when `append`
  std::optional<std::string> version_column;
  // Decides between rows of one key, after the version: declared columns, _source_file, _source_line, all
  // descending; the default order (file, line, content) follows.
  std::vector<std::string> tie_break;
  std::vector<std::vector<std::string>> unique_keys;  // further keys; a null takes a row out of one
  std::vector<Column> columns;
  std::vector<Check> checks;
  std::vector<std::string> null_values;
  std::vector<std::string> optional_sources;  // bronze names that may be missing from a batch
  RejectLimit max_reject;
  std::int64_t min_rows = 0;
  Stability stability;
  bool continue_after_failure = false;  // a failed batch does not keep later ones waiting
  TableName quarantine;
  std::string time_zone = "UTC";

  const Column* find(std::string_view column) const;  // ignoring case
  // The bronze column that a name inside Clean means: a declared column's source, else the column
  // that was sent under the name, or stands in bronze under it. A document in which the two would
  // differ for one expression is refused.
  std::string source_of(std::string_view used) const;
};

// The installed form: canonical JSON, one text for one meaning, and its hash (SHA-256 hex).
inline constexpr int kContractFormat = 1;
std::string print_canonical(const Contract& contract);
base::Result<Contract> parse_canonical(std::string_view json);  // code "contract.installed"
std::string contract_hash(std::string_view canonical);

// The contract's README.md, for people.
std::string print_readme(const Contract& contract, const Landing* source);

// How `to` differs from `from`, most serious first. A breaking change is never made in place; a
// compatible one may still need the current rows to pass (check_added, check_changed). Codes:
//   breaking    column_dropped type_changed not_null_added required_column_added grain_changed
//               version_changed source_changed table_renamed
//   compatible  column_added type_widened not_null_dropped check_added check_changed check_dropped
//               reason_changed clean_changed null_values_changed optional_changed limit_changed
//               failure_changed tie_break_changed unique_key_added unique_key_dropped absent_rows_changed
//               delete_when_changed quarantine_changed time_zone_changed order_changed text_changed
struct Change {
  bool breaking = false;
  std::string code;
  std::string text;  // for people
};
std::vector<Change> compare(const Contract& from, const Contract& to);

}  // namespace contract
