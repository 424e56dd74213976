#include "quarantine_shape.h"

#include <base/text.h>

namespace load {

namespace {

delta::Field nullable(const std::string& name, const std::string& type) {
  delta::Field field;
  field.name = name;
  field.type = type;
  return field;
}

// "was_decimal_18_2_amount"
std::string moved_name(const delta::Field& field) {
  std::string type;
  for (const char c : field.type) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word)
      type += c;
    else if (c != ')')
      type += '_';
  }
  return "was_" + type + "_" + field.name;
}

struct Move {
  std::string from;
  std::string to;
  bool is_there = false;  // from an earlier change of type
};

std::vector<Move> moves_of(const delta::Schema& current, const delta::Schema& wanted) {
  std::vector<Move> moves;
  for (const delta::Field& field : wanted.fields) {
    const delta::Field* present = current.find_ignoring_case(field.name);
    if (present == nullptr || present->type == field.type) continue;
    Move move{present->name, moved_name(*present), false};
    for (;; move.to += "_") {
      const delta::Field* taken = current.find_ignoring_case(move.to);
      const bool is_wanted = wanted.find_ignoring_case(move.to) != nullptr;
      if (taken == nullptr && !is_wanted) break;
      move.is_there = taken != nullptr && taken->type == present->type && !is_wanted;
      if (move.is_there) break;
    }
    moves.push_back(std::move(move));
  }
  return moves;
}

delta::Schema moved_schema(const delta::Schema& current, const std::vector<Move>& moves) {
  delta::Schema schema;
  for (const delta::Field& field : current.fields) {
    const Move* move = nullptr;
    for (const Move& other : moves)
      if (other.from == field.name) move = &other;
    if (move == nullptr) schema.fields.push_back(field);
    if (move != nullptr && !move->is_there) schema.fields.push_back(nullable(move->to, field.type));
  }
  return schema;
}

std::string moved_rows(const std::string& scan, const std::vector<Move>& moves) {
  std::vector<std::string> excluded;
  std::string values;
  for (const Move& move : moves) {
    const std::string from = base::sql_name(move.from);
    const std::string to = base::sql_name(move.to);
    excluded.push_back(from);
    if (move.is_there) excluded.push_back(to);
    values += ", " + (move.is_there ? "coalesce(" + to + ", " + from + ")" : from) + " AS " + to;
  }
  return "SELECT * EXCLUDE (" + base::join(excluded, ", ") + ")" + values + " FROM (" + scan + ")";
}

base::Status commit_moves(const Run& run, const table::Snapshot& quarantine, const std::vector<Move>& moves) {
  table::Commit change;
  change.operation = "WRITE";
  change.parameters = base::Json::object({{"mode", "Overwrite"}, {"overwriteSchema", "true"}});
  delta::Metadata metadata = *quarantine.state.metadata;
  const delta::Schema schema = moved_schema(quarantine.schema, moves);
  metadata.schema_text = delta::print_schema(schema);
  change.metadata = metadata;
  for (const delta::Add& file : quarantine.files()) change.removes.push_back(file.path);
  TRY(const std::string scan, quarantine.scan());
  TRY(const std::optional<table::DataFile> file,
      table::write_data_file(run.access, quarantine.path, metadata, moved_rows(scan, moves)));
  if (file) change.adds.push_back(*file);
  Receipt receipt = quarantine_receipt(run);
  TRY(receipt.hash, hash_of_change(run.access, FileChange{&quarantine, schema, file, change.removes}));
  const auto committed =
      table::commit(run.access, quarantine.path, &quarantine, change,
                    [&](const std::string& previous) { return print_receipt(receipt, previous); });
  if (committed) return {};
  if (file) table::discard(run.access, {*file});
  return base::fail(committed.error());
}

}  // namespace

std::string resolved_app_id(const std::string& target_id) {
  return "tenter/resolved/" + target_id;
}

std::string resolving_app_id(const std::string& quarantine_id) {
  return "tenter/resolving/" + quarantine_id;
}

delta::Schema quarantine_schema(const Run& run) {
  delta::Schema schema;
  for (const contract::Column& column : run.contract.columns)
    schema.fields.push_back(nullable(column.name, sql::delta_type(column.type)));
  for (const std::string& name : run.judge.bronze_columns()) {
    const delta::Field* field = run.bronze.schema.find(name);
    schema.fields.push_back(nullable("raw_" + name, field->type));
  }
  for (const auto& [name, type] :
       std::vector<std::pair<std::string, std::string>>{{"_source_file", "string"},
                                                        {"_source_line", "long"},
                                                        {"_loaded_at", "timestamp"},
                                                        {"_reject_id", "string"},
                                                        {"_reject_reason", "string"},
                                                        {"_reject_codes", "string"},
                                                        {"_batch_id", "string"},
                                                        {"_quarantined_at", "timestamp"},
                                                        {"_resolved_at", "timestamp"},
                                                        {"_resolved_by", "string"}})
    schema.fields.push_back(nullable(name, type));
  return schema;
}

std::optional<delta::Schema> widened(const delta::Schema& current, const delta::Schema& wanted) {
  delta::Schema schema = current;
  for (const delta::Field& field : wanted.fields)
    if (current.find_ignoring_case(field.name) == nullptr) schema.fields.push_back(field);
  if (schema.fields.size() == current.fields.size()) return std::nullopt;
  return schema;
}

base::Result<table::Snapshot> move_retyped(const Run& run, table::Snapshot quarantine,
                                           const delta::Schema& wanted) {
  const std::vector<Move> moves = moves_of(quarantine.schema, wanted);
  if (moves.empty()) return quarantine;
  TRY_STATUS(commit_moves(run, quarantine, moves));
  return table::open(run.access, quarantine.path);
}

Receipt quarantine_receipt(const Run& run) {
  Receipt receipt;
  receipt.kind = "quarantine";
  receipt.table = run.contract.quarantine.text();
  receipt.contract_hash = run.contract_hash;
  receipt.batch = run.batch.id;
  receipt.sources.push_back(ReceiptSource{run.contract.from.text(), run.bronze.id(), run.bronze.version()});
  receipt.ledger_hash = run.batch.ledger_hash;
  receipt.run_at_us = run.place.run_at_us;
  return receipt;
}

}  // namespace load
