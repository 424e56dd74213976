#include "shop.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <base/hash.h>
#include <base/text.h>
#include <sql/types.h>

namespace verify {

namespace {

using base::Json;

constexpr const char* kBronzeId = "b0b0b0b0-0000-4000-8000-000000000001";
const std::string kZero(32, '0');

const std::string kDay1 =
    "SELECT * FROM (VALUES "
    "('A', '10.00', '2026-03-01 10:00:00', 2), ('B', '-5', '2026-03-01 10:00:00', 3), "
    "('C', 'xx', '2026-03-01 10:00:00', 4), ('A', '11.00', '2026-03-01 11:00:00', 5), "
    "('D', '7.50', '2026-03-01 10:00:00', 6), ('D', '7.50', '2026-03-01 10:00:00', 7), "
    "('H', '3', '2026-03-01 12:00:00', 8)) v(order_id, total, updated, _source_line)";
const std::string kDay2 =
    "SELECT * FROM (VALUES "
    "('A', '12.00', '2026-03-02 10:00:00', 2), ('D', '7.50', '2026-03-01 10:00:00', 3), "
    "('F', '1.00', '2026-03-02 10:00:00', 4), ('H', '9', '2026-02-01 10:00:00', 5)) "
    "v(order_id, total, updated, _source_line)";

std::string landed(const std::string& rows, const std::string& file, const std::string& batch,
                   const std::string& loaded_at) {
  return "SELECT order_id, total, updated, " + base::sql_quote(file) +
         " AS _source_file, CAST(_source_line AS BIGINT) AS _source_line, CAST(" +
         base::sql_quote(loaded_at) + " AS TIMESTAMPTZ) AS _loaded_at, " + base::sql_quote(batch) +
         " AS _batch_id FROM (" + rows + ")";
}

// Rows of the contract table, by hand: id, total, version, file, load time.
std::string kept(const std::string& rows) {
  return "SELECT id AS order_id, CAST(t AS DECIMAL(18,2)) AS total, CAST(v || '+00' AS TIMESTAMPTZ) AS "
         "updated, "
         "f AS _source_file, CAST(l AS TIMESTAMPTZ) AS _loaded_at FROM (VALUES " +
         rows + ") x(id, t, v, f, l)";
}

Json numbers(const std::vector<std::pair<std::string, std::int64_t>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object.set(name, value);
  return object;
}

Json counts(std::int64_t read, std::int64_t inserted, std::int64_t updated, std::int64_t unchanged,
            std::int64_t older, std::int64_t superseded, std::int64_t duplicates, std::int64_t quarantined,
            std::int64_t malformed) {
  return numbers({{"read", read},
                  {"inserted", inserted},
                  {"updated", updated},
                  {"unchanged", unchanged},
                  {"older", older},
                  {"superseded", superseded},
                  {"duplicates", duplicates},
                  {"deleted_claims", 0},
                  {"quarantined", quarantined},
                  {"malformed", malformed}});
}

contract::Contract orders() {
  contract::Contract contract;
  contract.name = {"silver", "orders"};
  contract.description = "One row per order.";
  contract.owner = "Sales";
  contract.from = {"bronze", "orders_raw"};
  contract.quarantine = {"quarantine", "orders"};
  contract.primary_key = {"order_id"};
  contract.version_column = "updated";
  contract.columns = {{"order_id", {sql::Type::Kind::string}, "order_id", {}, "trim(order_id)", true, {}},
                      {"total", sql::Type::decimal(18, 2), "total", {}, {}, false, {}},
                      {"updated", {sql::Type::Kind::timestamp}, "updated", {}, {}, true, {}}};
  contract.checks = {{"total_not_negative", "total >= 0", "negative total", true, "total >= 0"}};
  contract.null_values = {"n/a"};
  contract.max_reject = {50, 100, {}, "50%"};
  return contract;
}

std::vector<std::string> texts(const Report& report, Verdict verdict) {
  std::set<std::string> found;
  for (const Finding& finding : report.findings)
    if (finding.verdict == verdict)
      found.insert(finding.code + (finding.subject.empty() ? "" : " " + finding.subject));
  return {found.begin(), found.end()};
}

}  // namespace

Shop::Shop() : contract(orders()), world_(world::machine_world()) {
  std::string name = (std::filesystem::temp_directory_path() / "tenter_verify_XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
  folder_ = name;
  engine::Settings settings;
  settings.threads = 2;
  engine_ = std::make_unique<engine::LazyEngine>(settings);
  connection_ = *engine_->connection();
}

Shop::~Shop() {
  std::filesystem::remove_all(folder_);
}

std::string Shop::path(const std::string& table) const {
  return folder_ + "/" + base::replace_all(table, ".", "/");
}

engine::Rows Shop::query(const std::string& sql) {
  auto rows = connection_->query(sql);
  if (!rows) throw std::runtime_error(base::print(rows.error()) + "\n" + sql);
  return *std::move(rows);
}

Json& Shop::action(Draft& draft, const std::string& name, std::size_t which) {
  for (Json& item : draft.actions)
    if (item.find(name) && which-- == 0) return item;
  throw std::runtime_error("no action " + name);
}

Json Shop::schema(const std::vector<Column>& columns) const {
  Json fields = Json::array();
  for (const Column& column : columns)
    fields.push(Json::object({{"name", column.name},
                              {"type", column.type},
                              {"nullable", column.nullable},
                              {"metadata", Json::object()}}));
  return Json::object({{"type", "struct"}, {"fields", fields}});
}

Json Shop::metadata(const std::string& id, const std::vector<Column>& columns, Json configuration) const {
  return Json::object({{"metaData", Json::object({{"id", id},
                                                  {"format", Json::object({{"provider", "parquet"}})},
                                                  {"schemaString", schema(columns).print()},
                                                  {"partitionColumns", Json::array()},
                                                  {"configuration", std::move(configuration)}})}});
}

Json Shop::add(const std::string& table, const std::string& file, const std::string& select) {
  const std::string absolute = path(table) + "/" + file;
  std::filesystem::create_directories(path(table));
  std::filesystem::remove(absolute);
  const auto written = connection_->write_parquet(select, absolute, {});
  if (!written) throw std::runtime_error(base::print(written.error()) + "\n" + select);
  const engine::Rows shape = query("SELECT * FROM read_parquet('" + absolute + "') LIMIT 0");
  Json nulls = Json::object(), least = Json::object(), most = Json::object();
  for (std::size_t i = 0; i < shape.columns(); ++i) {
    const std::string name = base::sql_name(shape.name(i));
    const engine::Rows row =
        query("SELECT count(*) - count(" + name + "), to_json(min(" + name + "))::VARCHAR, to_json(max(" +
              name + "))::VARCHAR FROM read_parquet('" + absolute + "')");
    nulls.set(shape.name(i), row.int64(0, 0));
    if (row.is_null(0, 1) || shape.type(i) == "BLOB") continue;
    least.set(shape.name(i), *Json::parse(row.text(0, 1)));
    most.set(shape.name(i), *Json::parse(row.text(0, 2)));
  }
  const Json stats = Json::object(
      {{"numRecords", written->rows}, {"minValues", least}, {"maxValues", most}, {"nullCount", nulls}});
  return Json::object(
      {{"add", Json::object({{"path", file},
                             {"partitionValues", Json::object()},
                             {"size", static_cast<std::int64_t>(std::filesystem::file_size(absolute))},
                             {"modificationTime", 1772366400000},
                             {"dataChange", true},
                             {"stats", stats.print()}})}});
}

void Shop::rewrite(Draft& draft, const std::string& table, const std::string& select) {
  Json& line = action(draft, "add");
  const std::string file(*line.find("add")->string("path"));
  const std::string old = path(table) + "/" + file;
  std::filesystem::rename(old, old + ".old");
  line = add(table, file, base::replace_all(select, "rows", "read_parquet('" + old + ".old')"));
}

// The engine's own table hash: verify computes it by itself.
std::string Shop::hash(const std::string& table, const std::vector<std::string>& files,
                       const std::vector<std::string>& columns) {
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(base::sql_quote(path(table) + "/" + file));
  const engine::Rows rows = query("SELECT tenter_table_hash(tenter_payload(" + base::join(columns, ", ") +
                                  ")) FROM read_parquet([" + base::join(paths, ", ") + "])");
  return rows.text(0, 0);
}

Json Shop::receipt(const std::string& kind, const std::string& table, const std::string& run_at) const {
  return Json::object({{"format", 1}, {"kind", kind}, {"table", table}, {"run_at", run_at}});
}

void Shop::build_bronze() {
  const std::vector<Column> columns = {{"order_id", "string"},   {"total", "string"},
                                       {"updated", "string"},    {"_source_file", "string"},
                                       {"_source_line", "long"}, {"_loaded_at", "timestamp"},
                                       {"_batch_id", "string"}};
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  const std::string content = base::sha256_hex("content");
  std::string before = kZero;
  for (int day = 1; day <= 2; ++day) {
    const std::string number = std::to_string(day);
    const std::string source = "landing/day" + number + ".csv";
    const std::string at = "2026-03-0" + number + "T12:00:00.000000Z";
    Draft draft;
    if (day == 1) {
      draft.actions.push_back(*Json::parse("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}"));
      draft.actions.push_back(metadata(kBronzeId, columns, Json::object({{"delta.appendOnly", "true"}})));
    }
    draft.actions.push_back(add("bronze.orders_raw", "b" + number + ".parquet",
                                landed(day == 1 ? kDay1 : kDay2, source, "day-" + number, at)));
    draft.actions.push_back(Json::object(
        {{"txn", Json::object({{"appId", "tenter/land/" + base::sha256_hex(source + "\n" + content)},
                               {"version", 1}})}}));
    const Json file = Json::object({{"path", source},
                                    {"size", 100},
                                    {"modified_us", 1},
                                    {"sha256", content},
                                    {"rows", day == 1 ? 7 : 4},
                                    {"malformed", day == 1 ? 1 : 0},
                                    {"header", Json::array({"order_id", "total", "updated"})},
                                    {"columns", Json::array({"order_id", "total", "updated"})}});
    const Json ledger =
        Json::object({{"format", 1}, {"batch", "day-" + number}, {"files", Json::array({file})}});
    draft.info.set("tenterLedger", ledger);
    Json land = receipt("land", "bronze.orders_raw", at);
    land.set("batch", "day-" + number);
    land.set("ledger_hash", base::sha256_hex(ledger.print()));
    land.set("counts", day == 1 ? counts(8, 7, 0, 0, 0, 0, 0, 1, 1) : counts(4, 4, 0, 0, 0, 0, 0, 0, 0));
    land.set("files", Json::array({Json::object({{"path", source}, {"sha256", content}})}));
    std::vector<std::string> files = {"b1.parquet"};
    if (day == 2) files.push_back("b2.parquet");
    const std::string after = hash("bronze.orders_raw", files, names);
    land.set("hash", Json::object({{"before", before}, {"after", after}, {"rows", day == 1 ? 7 : 11}}));
    before = after;
    draft.receipt = land;
    bronze.push_back(std::move(draft));
  }
}

std::vector<Shop::Column> Shop::malformed_columns() {
  return {{"_reject_id", "string"},    {"_source_file", "string"},   {"_source_line", "long"},
          {"_batch_id", "string"},     {"_loaded_at", "timestamp"},  {"_raw", "binary"},
          {"_reject_codes", "string"}, {"_reject_reason", "string"}, {"_quarantined_at", "timestamp"}};
}

void Shop::build_rejects() {
  const std::string at = "2026-03-01T12:00:00.000000Z";
  const auto write_rejects = [&](const std::string& table, const std::vector<Column>& columns,
                                 const std::string& select, const std::string& kind, std::int64_t rows) {
    std::vector<std::string> names;
    for (const Column& column : columns) names.push_back(column.name);
    Draft draft;
    draft.actions.push_back(*Json::parse("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}"));
    draft.actions.push_back(metadata("id-of-" + table, columns, Json::object()));
    draft.actions.push_back(add(table, "r1.parquet", select));
    Json body = receipt(kind, table, at);
    body.set("batch", "day-1");
    body.set("hash", Json::object(
                         {{"before", kZero}, {"after", hash(table, {"r1.parquet"}, names)}, {"rows", rows}}));
    draft.receipt = body;
    return draft;
  };
  malformed.push_back(
      write_rejects("quarantine.orders_raw_malformed", malformed_columns(),
                    "SELECT 'm1' AS _reject_id, 'landing/day1.csv' AS _source_file, 9::BIGINT AS "
                    "_source_line, 'day-1' AS _batch_id, "
                    "TIMESTAMPTZ '" +
                        at +
                        "' AS _loaded_at, 'E'::BLOB AS _raw, 'malformed.missing_field' AS _reject_codes, "
                        "'missing field total' AS _reject_reason, TIMESTAMPTZ '" +
                        at + "' AS _quarantined_at",
                    "malformed", 1));
  // Day 1's reject ids, by the engine's functions.
  const std::string id = "substr(lower(hex(tenter_sha256(tenter_payload('" + std::string(kBronzeId) +
                         "', 'day-1', _source_file, _source_line, 'order_id', order_id, 'total', total, "
                         "'updated', updated, 0)))), 1, 32)";
  quarantine.push_back(write_rejects(
      "quarantine.orders",
      {{"order_id", "string"},
       {"total", "decimal(18,2)"},
       {"updated", "timestamp"},
       {"raw_order_id", "string"},
       {"raw_total", "string"},
       {"raw_updated", "string"},
       {"_source_file", "string"},
       {"_source_line", "long"},
       {"_loaded_at", "timestamp"},
       {"_reject_id", "string"},
       {"_reject_reason", "string"},
       {"_reject_codes", "string"},
       {"_batch_id", "string"},
       {"_quarantined_at", "timestamp"},
       {"_resolved_at", "timestamp"},
       {"_resolved_by", "string"}},
      "SELECT order_id, try_cast(total AS DECIMAL(18,2)) AS total, CAST(updated || '+00' AS TIMESTAMPTZ) AS "
      "updated, "
      "order_id AS raw_order_id, total AS raw_total, updated AS raw_updated, _source_file, _source_line, "
      "_loaded_at, " +
          id +
          " AS _reject_id, if(order_id = 'B', 'negative total', 'unparseable total') AS _reject_reason, "
          "if(order_id = 'B', 'total_not_negative', 'unparseable.total') AS _reject_codes, _batch_id, "
          "TIMESTAMPTZ '" +
          at +
          "' AS _quarantined_at, NULL::TIMESTAMPTZ AS _resolved_at, NULL::VARCHAR AS _resolved_by FROM (" +
          landed(kDay1, "landing/day1.csv", "day-1", at) + ") WHERE order_id IN ('B', 'C')",
      "quarantine", 2));
}

namespace {

Json txn(const std::string& batch, int state) {
  return Json::object({{"txn", Json::object({{"appId", "tenter/load/" + std::string(kBronzeId) + "/" + batch},
                                             {"version", state}})}});
}

Json hashes(const std::string& before, const std::string& after, std::int64_t rows) {
  return Json::object({{"before", before}, {"after", after}, {"rows", rows}});
}

Draft skip_of_day_3(Json body, const std::string& hash) {
  Draft skipped;
  skipped.actions = {txn("day-3", 3)};
  body.set("hash", hashes(hash, hash, 4));
  body.set("decision", Json::object({{"what", "skip"},
                                     {"because", "sent twice"},
                                     {"user", "ida"},
                                     {"at", "2026-03-03T12:00:00.000000Z"}}));
  skipped.receipt = std::move(body);
  return skipped;
}

}  // namespace

void Shop::build_silver() {
  const std::string canonical = contract::print_canonical(contract);
  const std::string contract_hash = contract::contract_hash(canonical);
  std::vector<Column> columns;
  std::vector<std::string> names;
  for (const contract::Column& column : contract.columns) {
    columns.push_back({column.name, sql::delta_type(column.type), !column.not_null});
    names.push_back(column.name);
  }
  columns.push_back({"_source_file", "string"});
  columns.push_back({"_loaded_at", "timestamp"});
  const auto body = [&](const std::string& kind, const std::string& at, const std::string& batch) {
    Json text = receipt(kind, "silver.orders", at);
    text.set("contract_hash", contract_hash);
    if (!batch.empty()) text.set("batch", batch);
    if (kind == "load")
      text.set(
          "sources",
          Json::array({Json::object(
              {{"table", "bronze.orders_raw"}, {"id", kBronzeId}, {"version", batch == "day-1" ? 0 : 1}})}));
    return text;
  };

  Draft built;
  built.actions = {*Json::parse("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":3}}"),
                   metadata("id-of-silver", columns,
                            Json::object({{"tenter.contract", canonical},
                                          {"tenter.contractHash", contract_hash},
                                          {"tenter.contractFormat", "1"},
                                          {"delta.constraints.total_not_negative", "total >= 0"}}))};
  built.receipt = body("build", "2026-03-01T11:00:00.000000Z", "");
  built.receipt->set("hash", hashes(kZero, kZero, 0));
  silver.push_back(built);

  const std::string one = "'landing/day1.csv', '2026-03-01T12:00:00Z'";
  const std::string two = "'landing/day2.csv', '2026-03-02T12:00:00Z'";
  Draft first;
  first.actions = {
      add("silver.orders", "s1.parquet",
          kept("('A', '11.00', '2026-03-01 11:00:00', " + one + "), ('D', '7.50', '2026-03-01 10:00:00', " +
               one + "), ('H', '3', '2026-03-01 12:00:00', " + one + ")")),
      txn("day-1", 1)};
  first.receipt = body("load", "2026-03-01T12:00:00.000000Z", "day-1");
  first.receipt->set("counts", counts(8, 3, 0, 0, 0, 1, 1, 3, 1));
  first.receipt->set(
      "rejects",
      numbers({{"total_not_negative", 1}, {"unparseable.total", 1}, {"malformed.missing_field", 1}}));
  const std::string after_first = hash("silver.orders", {"s1.parquet"}, names);
  first.receipt->set("hash", hashes(kZero, after_first, 3));
  silver.push_back(first);

  Draft second;
  second.actions = {
      add("silver.orders", "s2.parquet",
          kept("('A', '12.00', '2026-03-02 10:00:00', " + two + "), ('D', '7.50', '2026-03-01 10:00:00', " +
               one + "), ('H', '3', '2026-03-01 12:00:00', " + one +
               "), ('F', '1.00', '2026-03-02 10:00:00', " + two + ")")),
      *Json::parse("{\"remove\":{\"path\":\"s1.parquet\",\"deletionTimestamp\":1,\"dataChange\":true}}"),
      txn("day-2", 1)};
  second.receipt = body("load", "2026-03-02T12:00:00.000000Z", "day-2");
  second.receipt->set("counts", counts(4, 1, 1, 1, 1, 0, 0, 0, 0));
  second.receipt->set("rejects", Json::object());
  const std::string after_second = hash("silver.orders", {"s2.parquet"}, names);
  second.receipt->set("hash", hashes(after_first, after_second, 4));
  silver.push_back(second);

  silver.push_back(skip_of_day_3(body("skip", "2026-03-03T12:00:00.000000Z", "day-3"), after_second));
}

void Shop::build() {
  build_bronze();
  build_rejects();
  build_silver();
}

void Shop::write_log(const std::string& table, const std::vector<Draft>& drafts) {
  const std::string log = path(table) + "/_delta_log";
  std::filesystem::remove_all(log);
  std::filesystem::create_directories(log);
  std::string previous;
  for (std::size_t version = 0; version < drafts.size(); ++version) {
    const Draft& draft = drafts[version];
    Json info = draft.info;
    if (draft.receipt) {
      Json receipt = *draft.receipt;
      receipt.set("previous_sha256", draft.previous_sha256.value_or(previous));
      info.set("userMetadata", Json::object({{"tenter", receipt}}).print());
    }
    std::string bytes = Json::object({{"commitInfo", info}}).print() + "\n";
    for (const Json& action : draft.actions) bytes += action.print() + "\n";
    std::string name = std::to_string(version);
    name.insert(0, 20 - name.size(), '0');
    std::ofstream(log + "/" + name + ".json", std::ios::binary) << bytes;
    previous = base::sha256_hex(bytes);
  }
}

void Shop::write() {
  write_log("bronze.orders_raw", bronze);
  write_log("quarantine.orders_raw_malformed", malformed);
  write_log("quarantine.orders", quarantine);
  write_log("silver.orders", silver);
}

base::Result<Report> Shop::verify(bool deep, std::optional<std::int64_t> version, const std::string& table) {
  Request request;
  request.world = &world_;
  request.engine = engine_.get();
  request.tables_root = folder_;
  const std::size_t dot = table.find('.');
  request.table = {table.substr(0, dot), table.substr(dot + 1)};
  request.version = version;
  request.deep = deep;
  return verify::verify(request);
}

std::vector<std::string> failures(const Report& report) {
  return texts(report, Verdict::failed);
}

std::vector<std::string> gaps(const Report& report) {
  return texts(report, Verdict::not_covered);
}

}  // namespace verify
