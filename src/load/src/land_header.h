// Headers as sent, and the bronze columns they become.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>

namespace load {

inline constexpr std::string_view kSourceFile = "_source_file";
inline constexpr std::string_view kSourceLine = "_source_line";
inline constexpr std::string_view kLoadedAt = "_loaded_at";
inline constexpr std::string_view kBatchId = "_batch_id";
// Only of a table that corrected rows were applied to: the reject that a row stands for.
inline constexpr std::string_view kRejectId = "_reject_id";
inline constexpr std::string_view kSourceNameKey = "tenter.sourceName";  // in a field's metadata

// Why a header cannot be landed; nothing when it can. `declared`: columns of tables that load from here.
std::vector<base::Error> check_header(const std::string& file, const std::vector<std::string>& header,
                                      const std::vector<std::string>& declared);

// The bronze table's schema, and how it grows by headers.
class BronzeColumns {
 public:
  // Starts from nothing, or from an existing table's schema: code "land.foreign_table" when that
  // is none of ours.
  BronzeColumns() = default;
  // A text format's table holds nothing but text.
  static base::Result<BronzeColumns> of(const std::string& table, const delta::Schema& schema,
                                        bool is_typed = false);
  // New columns are called as sent; their clean names still tell which are the same.
  void keep_names() { keeps_names_ = true; }

  // Takes in a header and returns the table's name of each of its columns.
  std::vector<std::string> add(const std::vector<std::string>& header);
  // Columns that no earlier version had.
  const std::vector<std::string>& added() const { return added_; }
  // Of those; they are text until somebody says otherwise.
  void set_type(const std::string& added, const std::string& type);
  bool has(const std::string& sent) const;
  // Source columns, the four of ours, and behind them what came later.
  delta::Schema schema() const;

 private:
  std::vector<delta::Field> existing_;  // empty for a new table
  std::vector<delta::Field> fresh_;
  std::vector<std::string> added_;
  bool keeps_names_ = false;
};

// The columns of a header that the table does not have, where new ones are refused: "land.new_column".
std::vector<base::Error> check_known(const std::string& file, const std::vector<std::string>& header,
                                     const BronzeColumns& columns);

}  // namespace load
