// Lets another language make and read tables through room `table`, for comparing with other readers.
// Prints one JSON document; exit code 1 when the table room refused, its error in the document.
//
// table_driver create PATH SCHEMA PROPERTIES     both JSON
// table_driver append|overwrite PATH SELECT
// table_driver merge PATH SELECT KEY…
// table_driver add-column PATH NAME TYPE
// table_driver add-constraint PATH NAME CHECK
// table_driver read PATH OUT.parquet [VERSION]   the live rows, written by the engine
// table_driver state PATH [VERSION]
#include <cstdio>
#include <string>
#include <vector>

#include <table/table.h>

namespace {

using base::Json;
using Arguments = std::vector<std::string>;

struct Driver {
  world::World world = world::machine_world();
  engine::LazyEngine engine{engine::Settings{}};
  table::Access access{&world, &engine};

  base::Result<Json> run(const std::string& verb, const Arguments& words) {
    if (verb == "create") return create(words);
    if (verb == "append") return committed(table::append(access, words.at(0), words.at(1)));
    if (verb == "overwrite") return committed(table::overwrite(access, words.at(0), words.at(1)));
    if (verb == "merge")
      return committed(table::merge(access, words.at(0), words.at(1), {words.begin() + 2, words.end()}));
    if (verb == "add-column") return add_column(words);
    if (verb == "add-constraint")
      return committed(table::add_constraint(access, words.at(0), words.at(1), words.at(2)));
    if (verb == "read") return read(words);
    if (verb == "state") return state(words);
    return base::fail(base::Kind::invalid, "driver.verb", "no verb " + verb);
  }

 private:
  static base::Result<Json> committed(const base::Result<table::Committed>& result) {
    if (!result) return base::fail(result.error());
    return Json::object({{"version", result->version}});
  }

  base::Result<Json> create(const Arguments& words) {
    TRY(const auto schema, delta::parse_schema(words.at(1)));
    TRY(const Json properties, Json::parse(words.at(2)));
    delta::Properties configuration;
    for (const auto& [name, value] : properties.members())
      configuration[name] = std::string(value.as_string().value_or(""));
    table::Commit change;
    change.operation = "CREATE TABLE";
    change.metadata = table::new_metadata(access, schema, configuration);
    return committed(table::commit(access, words.at(0), nullptr, std::move(change)));
  }

  base::Result<Json> add_column(const Arguments& words) {
    TRY(const auto base, table::open(access, words.at(0)));
    delta::Schema schema = base.schema;
    delta::Field field;
    field.name = words.at(1);
    field.type = words.at(2);
    schema.fields.push_back(field);
    table::Commit change;
    change.operation = "ADD COLUMNS";
    change.metadata = base.state.metadata;
    change.metadata->schema_text = delta::print_schema(schema);
    return committed(table::commit(access, words.at(0), &base, std::move(change)));
  }

  base::Result<table::Snapshot> open(const Arguments& words, std::size_t version_at) {
    std::optional<std::int64_t> version;
    if (words.size() > version_at) version = std::stoll(words[version_at]);
    return table::open(access, words.at(0), version);
  }

  base::Result<Json> read(const Arguments& words) {
    TRY(const auto snapshot, open(words, 2));
    TRY(const std::string scan, snapshot.scan());
    TRY(engine::Connection* const connection, engine.connection());
    TRY(const auto written, connection->write_parquet(scan, words.at(1), engine::ParquetOptions()));
    return Json::object({{"version", snapshot.version()}, {"rows", written.rows}});
  }

  base::Result<Json> state(const Arguments& words) {
    TRY(const auto snapshot, open(words, 1));
    Json files = Json::array();
    for (const delta::Add& add : snapshot.files())
      files.push(Json::object({{"path", add.path}, {"size", add.size}, {"stats", add.stats.value_or("")}}));
    Json warnings = Json::array();
    for (const std::string& warning : snapshot.warnings) warnings.push(warning);
    return Json::object({{"version", snapshot.version()},
                         {"rows", snapshot.rows()},
                         {"schema", delta::print_schema(snapshot.schema)},
                         {"files", files},
                         {"warnings", warnings}});
  }
};

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  Driver driver;
  const auto result = driver.run(words[1], Arguments(words + 2, words + count));
  const Json shown =
      result ? *result : Json::object({{"code", result.error().code}, {"message", result.error().message}});
  std::printf("%s\n", shown.print().c_str());
  return result ? 0 : 1;
}
