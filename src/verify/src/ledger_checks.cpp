// A landing table's ledger (what each file gave) against its rows, and a quarantine's reject ids
// against the values that they are made from.
#include <algorithm>
#include <span>

#include <base/hash.h>
#include <base/json.h>
#include <base/text.h>

#include "examination.h"

namespace verify {

namespace {

using base::Json;

std::optional<Json> ledger_of(const Entry& entry) {
  const Json* ledger = entry.commit_info.find("tenterLedger");
  if (!ledger) return std::nullopt;
  if (ledger->is_object()) return *ledger;
  const auto text = ledger->as_string();
  auto parsed = text ? Json::parse(*text) : base::Result<Json>(Json());
  if (!parsed || !parsed->is_object()) return std::nullopt;
  return *std::move(parsed);
}

// Rows by source file, of some data files or of one batch of a table.
base::Result<std::map<std::string, std::int64_t>> rows_by_file(Examination& examination,
                                                               const std::vector<LiveFile>& files,
                                                               const std::vector<Field>& fields,
                                                               const std::string& condition) {
  TRY(const std::string relation, examination.rows.relation(files, fields));
  TRY(const engine::Rows counts, examination.rows.query("SELECT coalesce(_source_file, ''), count(*) FROM (" +
                                                        relation + ") WHERE " + condition + " GROUP BY 1"));
  std::map<std::string, std::int64_t> rows;
  for (std::size_t i = 0; i < counts.size(); ++i) rows[counts.text(i, 0)] = counts.int64(i, 1);
  return rows;
}

void check_files_of_receipt(Examination& examination, const Table& landing, const Entry& entry,
                            const Receipt& receipt, const Json& ledger) {
  Json listed = Json::array();
  for (const Json& file : ledger.find("files")->items())
    listed.push(Json::object(
        {{"path", file.string("path").value_or("")}, {"sha256", file.string("sha256").value_or("")}}));
  const Json found = receipt.files.value_or(Json::array());
  const std::string expected = found.is_string() ? base::sha256_hex(listed.print()) : listed.print();
  const std::string said = found.is_string() ? std::string(*found.as_string()) : found.print();
  examination.compare("verify.ledger_files", landing, entry.version, "", expected, said);
  for (const Json& file : ledger.find("files")->items()) {
    const std::string path(file.string("path").value_or(""));
    const std::string content(file.string("sha256").value_or(""));
    const std::string app = "tenter/land/" + base::sha256_hex(path + "\n" + content);
    if (!entry.txns.contains(app))
      examination.failed("verify.ledger_txn", landing, entry.version, path, "the txn " + app, "none");
  }
}

void compare_rows(Examination& examination, const Table& landing, std::int64_t version, const Json& ledger,
                  const std::string& member, std::map<std::string, std::int64_t> rows) {
  const std::string code = member == "rows" ? "verify.ledger_rows" : "verify.ledger_malformed";
  for (const Json& file : ledger.find("files")->items()) {
    const std::string path(file.string("path").value_or(""));
    examination.compare(code, landing, version, path, rows[path], file.int64(member).value_or(-1));
    rows.erase(path);
  }
  for (const auto& [path, count] : rows)
    examination.failed(code, landing, version, path, std::to_string(count), "no entry in the ledger");
}

// Malformed records of a batch; a batch may be extended by later landings, so files are picked by name.
base::Result<std::map<std::string, std::int64_t>> malformed_by_file(Examination& examination,
                                                                    const Json& ledger) {
  if (!examination.malformed) return std::map<std::string, std::int64_t>();
  const State& state = examination.malformed->state();
  const std::string batch(ledger.string("batch").value_or(""));
  TRY(auto all,
      rows_by_file(examination, live_files(state), state.fields, "_batch_id = " + base::sql_quote(batch)));
  std::map<std::string, std::int64_t> rows;
  for (const Json& file : ledger.find("files")->items()) {
    const std::string path(file.string("path").value_or(""));
    if (all.contains(path)) rows[path] = all[path];
  }
  return rows;
}

void compare_landed(Examination& examination, const Table& landing, const Entry& entry,
                    const Receipt& receipt, const Json& ledger) {
  if (!receipt.counts) return;
  std::map<std::string, std::int64_t> expected;
  for (const Json& file : ledger.find("files")->items()) {
    const std::int64_t rows = file.int64("rows").value_or(0), malformed = file.int64("malformed").value_or(0);
    expected["inserted"] += rows;
    expected["malformed"] += malformed;
    expected["read"] += rows + malformed;
  }
  for (const auto& [term, count] : expected)
    examination.compare("verify.count", landing, entry.version, term, count, receipt.count(term));
}

base::Status check_ledger(Examination& examination, const Table& landing, const Entry& entry,
                          const Receipt& receipt) {
  const auto ledger = ledger_of(entry);
  if (!ledger || !ledger->find("files")) {
    examination.failed("verify.ledger", landing, entry.version, "", "a ledger in the commit", "none");
    return {};
  }
  examination.compare("verify.ledger_hash", landing, entry.version, "", base::sha256_hex(ledger->print()),
                      receipt.ledger_hash.value_or(""));
  examination.compare("verify.ledger_batch", landing, entry.version, "",
                      std::string(ledger->string("batch").value_or("")), receipt.batch.value_or(""));
  check_files_of_receipt(examination, landing, entry, receipt, *ledger);
  compare_landed(examination, landing, entry, receipt, *ledger);
  if (const std::string gone = examination.rows.missing(entry.adds); !gone.empty()) {
    examination.not_covered("verify.ledger_rows", landing, entry.version, "",
                            "the file " + gone + " is gone");
    return {};
  }
  const auto rows = rows_by_file(examination, entry.adds, entry.after->fields,
                                 "_batch_id = " + base::sql_quote(receipt.batch.value_or("")));
  if (!rows) return examination.unreadable(rows.error(), landing, entry.version);
  compare_rows(examination, landing, entry.version, *ledger, "rows", *rows);
  const auto malformed = malformed_by_file(examination, *ledger);
  if (!malformed) return examination.unreadable(malformed.error(), landing, entry.version);
  compare_rows(examination, landing, entry.version, *ledger, "malformed", *malformed);
  return {};
}

// Arguments: the stated id, batch, file, line, ordinal, then the raw columns in order of their names.
// Counts rows whose stated id is not the one that the values give.
class RejectIds final : public engine::RowFunction {
 public:
  RejectIds(std::string table_id, std::vector<std::string> names)
      : table_id_(std::move(table_id)), names_(std::move(names)) {}

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    for (std::size_t row = 0; row < input.rows(); ++row)
      out[row] = input.text(0, row) == derive(input, row) ? 0 : 1;
    return {};
  }

 private:
  static void append(std::string& payload, std::string_view text) {
    payload += std::to_string(text.size());
    payload += ':';
    payload += text;
  }
  static void append(std::string& payload, const engine::Input& input, std::size_t column, std::size_t row) {
    if (input.is_null(column, row))
      payload += '~';
    else
      append(payload, input.text(column, row));
  }

  std::string derive(const engine::Input& input, std::size_t row) const {
    std::string payload;
    append(payload, table_id_);
    for (std::size_t column = 1; column <= 3; ++column) append(payload, input, column, row);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (input.is_null(5 + i, row)) continue;
      append(payload, names_[i]);
      append(payload, input, 5 + i, row);
    }
    append(payload, input, 4, row);
    return base::sha256_hex(payload).substr(0, 32);
  }

  const std::string table_id_;
  const std::vector<std::string> names_;
};

std::string as_text(const Field& field) {
  const std::string name = base::sql_name(field.name);
  if (field.type.kind == sql::Type::Kind::string) return name;
  return "tenter_text(" + name + ")";
}

}  // namespace

base::Status check_ledgers(Examination& examination, const Table& landing) {
  for (const Entry& entry : landing.log.entries) {
    const Receipt* receipt = landing.receipt(entry);
    if (receipt && receipt->kind == "land") TRY_STATUS(check_ledger(examination, landing, entry, *receipt));
  }
  return {};
}

base::Status check_reject_ids(Examination& examination, const Table& quarantine, const Table& landing) {
  const State& state = quarantine.state();
  const std::vector<LiveFile> files = live_files(state);
  if (!examination.rows.missing(files).empty()) return {};
  std::map<std::string, std::string> raw;  // name without raw_ -> text for the engine
  for (const Field& field : state.fields)
    if (field.name.starts_with("raw_")) raw[field.name.substr(4)] = as_text(field);
  std::vector<std::string> names;
  std::string arguments =
      "_reject_id, _batch_id, _source_file, CAST(_source_line AS VARCHAR), CAST(ordinal AS VARCHAR)";
  for (const auto& [name, text] : raw) {
    names.push_back(name);
    arguments += ", " + text;
  }
  const auto relation = examination.rows.relation(files, state.fields);
  if (!relation) return examination.unreadable(relation.error(), quarantine, state.version);
  // Rows alike in batch, file, line and raw values are told apart by an ordinal; they hold distinct
  // ids, and which is which follows from nothing, so their order is that of the ids' own set.
  std::vector<std::string> alike = {"_batch_id", "_source_file", "_source_line"};
  for (const auto& [name, text] : raw) alike.push_back(text);
  TRY(engine::Engine * engine, examination.rows.engine());
  const std::uint64_t id = engine->add(
      std::shared_ptr<engine::RowFunction>(std::make_shared<RejectIds>(landing.state().id, names)));
  const std::string numbered = "SELECT *, row_number() OVER (PARTITION BY " + base::join(alike, ", ") +
                               ") - 1 AS ordinal, count(*) OVER (PARTITION BY " + base::join(alike, ", ") +
                               ") AS twins FROM (" + *relation + ")";
  const auto wrong = examination.rows.query("SELECT sum(tenter_call(" + std::to_string(id) + ", " +
                                            arguments + ")) FROM (" + numbered + ") WHERE twins = 1");
  engine->forget(id);
  if (!wrong) return examination.unreadable(wrong.error(), quarantine, state.version);
  examination.compare("verify.reject_id", quarantine, state.version, "", "0 rejects with another id",
                      (wrong->is_null(0, 0) ? "0" : wrong->text(0, 0)) + " rejects with another id");
  return {};
}

}  // namespace verify
