// Reads a contract table's document, key by key, into the model.
#pragma once

#include <string>
#include <vector>

#include <contract/document.h>
#include <contract/model.h>

#include "faults.h"
#include "keys.h"
#include "values.h"

namespace contract {

class ContractReader {
 public:
  ContractReader(const Node& root, const DocumentPlace& place, Faults& faults);
  // Complete only when no fault was reported.
  Contract read();

 private:
  // Where a column's promises were written.
  struct Written {
    const Entry* entry = nullptr;
    const Node* clean = nullptr;
    const Node* allowed = nullptr;
    const Node* not_null = nullptr;
  };

  void read_texts_and_names();
  void read_source();
  void read_limits();
  void read_load();
  void check_append();
  void read_delete_when();
  void read_tie_break();
  void read_unique_keys();
  void read_stability();
  std::optional<std::int64_t> read_percent(std::string_view key);

  void read_schema();
  void read_column(const Entry& entry);
  void read_column_mapping(const Entry& entry, Column& column, Written& written);
  bool check_column_name(const Entry& entry);
  void read_type(const Node& node, Column& column);

  void read_primary_key();
  void read_not_null();
  void read_version_column();
  void gather(std::string_view key, const Node* Written::* member);
  void read_clean();
  void check_source_use(const Node& node, const Column& column, const std::vector<std::string>& names);
  void read_null_values();
  void read_optional();
  void check_optional_required(const NamedPlace& named, const std::string& source);

  void read_allowed();
  void read_one_allowed(const Column& column, const Node& node);
  void read_reference(const Column& column, const Node& node, Check check);
  void read_checks();
  void read_one_check(const Entry& entry);
  void read_severity(const Fields& fields, Check& check);
  bool check_name(const std::string& name, const Node& node);

  // The declared column of exactly this name, or a fault.
  Column* declared(const std::string& name, base::Place place, std::string_view what);
  Written& written_of(const Column& column);

  const DocumentPlace& place_;
  Faults& faults_;
  Fields fields_;
  Contract contract_;
  std::vector<Written> written_;            // beside contract_.columns
  std::vector<std::string> clean_sources_;  // names used in Clean expressions
  std::size_t before_ = 0;                  // faults when reading began
};

// Names that no column may have, in any case: Tenter's own and the managed ones of the base format.
bool is_reserved(std::string_view column);

}  // namespace contract
