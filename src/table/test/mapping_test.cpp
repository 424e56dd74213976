// Tables whose columns have other names in the data files.
#include "table_fixture.h"

namespace table {

namespace {

class MappedTest : public TableTest {
 protected:
  Committed create_mapped(std::vector<delta::Field> fields) {
    delta::Schema schema{std::move(fields)};
    delta::Properties properties;
    map_columns(access_, schema, properties);
    return create(schema.fields, properties);
  }
  std::string stored(std::size_t column) { return delta::physical_name(open_now().schema.fields.at(column)); }
};

TEST_F(MappedTest, NamesMayHoldAnything) {
  create_mapped({field("net, total (EUR)", "long", false), field("t \"x\" ;={}", "string")});
  must(append(access_, path_, "SELECT 1::BIGINT AS \"net, total (EUR)\", 'x' AS \"t \"\"x\"\" ;={}\""));
  must(append(access_, path_, "SELECT 2::BIGINT AS \"NET, total (EUR)\""));
  EXPECT_EQ(rows(), (Lines{"1|x", "2|NULL"}));
  must(merge(access_, path_, "SELECT 2::BIGINT AS \"net, total (EUR)\", 'y' AS \"t \"\"x\"\" ;={}\"",
             {"net, total (EUR)"}));
  EXPECT_EQ(rows(), (Lines{"1|x", "2|y"}));
  EXPECT_EQ(open_now().state.protocol, (delta::Protocol{3, 7, {"columnMapping"}, {"columnMapping"}}));
}

TEST_F(MappedTest, FilesAndStatisticsCarryTheNamesAndNumbersOfTheirOwn) {
  create_mapped({field("a b", "long"), field("t", "string")});
  must(append(access_, path_, "SELECT 7::BIGINT AS \"a b\", 'x' AS t"));
  const delta::Add add = open_now().files().front();
  const auto stats = base::Json::parse(*add.stats);
  EXPECT_EQ(stats->find("minValues")->int64(stored(0)), 7);
  EXPECT_EQ(stats->find("nullCount")->int64(stored(1)), 0);
  EXPECT_EQ(stats->find("minValues")->find("a b"), nullptr);
  EXPECT_TRUE(stored(0).starts_with("col-"));
  const auto file =
      query("SELECT name, CAST(field_id AS BIGINT) FROM parquet_schema(" +
            base::sql_quote(path_ + "/" + add.path) + ") WHERE field_id IS NOT NULL ORDER BY 2");
  ASSERT_EQ(file.size(), 2U);
  EXPECT_EQ(file.text(0, 0), stored(0));
  EXPECT_EQ(file.int64(1, 1), 2);
}

TEST_F(MappedTest, RulesAreJudgedUnderTheTablesNames) {
  create_mapped({field("a b", "long", false)});
  EXPECT_EQ(append(access_, path_, "SELECT NULL::BIGINT AS \"a b\"").error().code, "table.not_null_violated");
  must(add_constraint(access_, path_, "positive", "`a b` > 0"));
  EXPECT_EQ(append(access_, path_, "SELECT -1::BIGINT AS \"a b\"").error().code, "table.check_violated");
  must(append(access_, path_, "SELECT 1::BIGINT AS \"a b\""));
  EXPECT_EQ(rows(), Lines{"1"});
  EXPECT_EQ(open_now().state.protocol->writer_features, (Lines{"columnMapping", "checkConstraints"}));
}

TEST_F(MappedTest, AColumnThatComesLaterGetsTheNextNumber) {
  create_mapped({field("a b", "long")});
  must(append(access_, path_, "SELECT 1::BIGINT AS \"a b\""));
  const Snapshot before = open_now();
  Commit change;
  change.operation = "ADD COLUMNS";
  change.metadata = before.state.metadata;
  delta::Schema schema = before.schema;
  schema.fields.push_back(field("c d", "string"));
  map_columns(access_, schema, change.metadata->configuration);
  change.metadata->schema_text = delta::print_schema(schema);
  must(commit(access_, path_, &before, change));
  EXPECT_EQ(rows(), Lines{"1|NULL"});
  EXPECT_EQ(delta::column_id(open_now().schema.fields.at(1)), 2);
  EXPECT_EQ(open_now().properties().at("delta.columnMapping.maxColumnId"), "2");
  EXPECT_EQ(delta::physical_name(before.schema.fields.at(0)), stored(0)) << "earlier columns keep theirs";
}

TEST_F(MappedTest, AColumnKeepsItsNameInTheFiles) {
  create_mapped({field("a b", "long")});
  const Snapshot before = open_now();
  Commit change;
  change.operation = "CHANGE";
  change.metadata = before.state.metadata;
  delta::Schema schema = before.schema;
  schema.fields[0].metadata.set(delta::kFieldPhysicalName, "other");
  change.metadata->schema_text = delta::print_schema(schema);
  EXPECT_EQ(commit(access_, path_, &before, change).error().code, "table.schema_change_refused");
}

TEST_F(MappedTest, CheckpointsTellOfTheMapping) {
  create_mapped({field("a b", "long")});
  for (int i = 1; i <= 10; ++i)
    must(append(access_, path_, "SELECT " + std::to_string(i) + "::BIGINT AS \"a b\""));
  for (int i = 0; i <= 9; ++i)
    std::filesystem::remove(log_file("0000000000000000000" + std::to_string(i) + ".json"));
  EXPECT_EQ(rows().size(), 10U);
  EXPECT_EQ(open_now().state.protocol->reader_features, Lines{"columnMapping"});
}

}  // namespace

}  // namespace table
