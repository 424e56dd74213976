#include "examination.h"

#include <base/text.h>

namespace verify {

const Receipt* Table::receipt(const Entry& entry) const {
  const ReadReceipt& read = receipts[static_cast<std::size_t>(entry.version - log.first)];
  return read.present && read.problems.empty() ? &read.receipt : nullptr;
}

const contract::Contract* Examination::contract_of(const State& state) {
  const std::string text = state.property("tenter.contract");
  if (text.empty()) return nullptr;
  const auto found = contracts_.find(text);
  if (found != contracts_.end()) return found->second.get();
  auto parsed = contract::parse_canonical(text);
  auto kept = parsed ? std::make_shared<const contract::Contract>(*std::move(parsed)) : nullptr;
  return contracts_.emplace(text, std::move(kept)).first->second.get();
}

void Examination::progress(std::string_view what) const {
  if (request.progress) request.progress(what);
}

void Examination::ok(std::string code, const Table& table, std::int64_t version, std::string subject) {
  report.findings.push_back(
      {Verdict::ok, std::move(code), table.name.text(), version, std::move(subject), {}, {}});
}

void Examination::failed(std::string code, const Table& table, std::int64_t version, std::string subject,
                         std::string expected, std::string found) {
  report.findings.push_back({Verdict::failed, std::move(code), table.name.text(), version, std::move(subject),
                             std::move(expected), std::move(found)});
}

void Examination::not_covered(std::string code, const Table& table, std::int64_t version, std::string subject,
                              std::string why) {
  report.findings.push_back({Verdict::not_covered,
                             std::move(code),
                             table.name.text(),
                             version,
                             std::move(subject),
                             {},
                             std::move(why)});
}

void Examination::compare(std::string code, const Table& table, std::int64_t version, std::string subject,
                          const std::string& expected, const std::string& found) {
  if (expected == found)
    ok(std::move(code), table, version, std::move(subject));
  else
    failed(std::move(code), table, version, std::move(subject), expected, found);
}

void Examination::compare(std::string code, const Table& table, std::int64_t version, std::string subject,
                          std::int64_t expected, std::int64_t found) {
  compare(std::move(code), table, version, std::move(subject), std::to_string(expected),
          std::to_string(found));
}

base::Status Examination::unreadable(const base::Error& error, const Table& table, std::int64_t version) {
  if (error.code != "verify.file_unreadable") return base::fail(error);
  failed("verify.file_unreadable", table, version, "", "rows that can be read", error.message);
  return {};
}

base::Result<std::optional<Table>> open_table(Examination& examination, const contract::TableName& name,
                                              std::optional<std::int64_t> version) {
  const Request& request = examination.request;
  const std::string path = world::path_join(world::path_join(request.tables_root, name.schema), name.object);
  if (!has_log(*request.world->files, path)) return std::optional<Table>();
  Table table;
  table.name = name;
  TRY(table.log, read_log(*request.world->files, *request.engine, path, version));
  for (const Entry& entry : table.log.entries) table.receipts.push_back(read_receipt(entry.commit_info));
  return std::optional<Table>(std::move(table));
}

std::vector<Field> declared_fields(const contract::Contract& contract) {
  std::vector<Field> fields;
  for (const contract::Column& column : contract.columns)
    fields.push_back({column.name, column.type, !column.not_null});
  return fields;
}

std::vector<Field> hashed_fields(Examination& examination, const State& state) {
  if (const contract::Contract* contract = examination.contract_of(state)) return declared_fields(*contract);
  return state.fields;
}

std::string load_app_id(const std::string& source_id, const std::string& batch) {
  return "tenter/load/" + source_id + "/" + batch;
}

std::vector<std::string> loaded_batches(const State& target, const std::string& landing_id) {
  const std::string prefix = load_app_id(landing_id, "");
  std::vector<std::string> loaded;
  for (const auto& [app, state] : target.txns)
    if (app.starts_with(prefix) && (state == 1 || state == 2)) loaded.push_back(app.substr(prefix.size()));
  return loaded;
}

std::optional<std::int64_t> quarantine_version(const Table& quarantine, const Receipt& load) {
  for (const ReceiptSource& source : load.sources)
    if (source.id == quarantine.state().id) return source.version;
  for (auto entry = quarantine.log.entries.rbegin(); entry != quarantine.log.entries.rend(); ++entry) {
    const Receipt* receipt = quarantine.receipt(*entry);
    if (receipt && receipt->run_at_us <= load.run_at_us) return entry->version;
  }
  if (quarantine.log.first == 0) return -1;
  return std::nullopt;
}

const State* state_at(const Table& table, std::int64_t version) {
  if (version == table.log.newest) return table.log.state.get();
  if (const Entry* entry = table.log.entry(version)) return entry->after.get();
  if (const Entry* next = table.log.entry(version + 1)) return next->before.get();
  return nullptr;
}

bool is_landing(const Table& table) {
  return table.state().find("_batch_id") && table.state().find("_source_line") &&
         !table.state().find("_reject_codes");
}

}  // namespace verify
