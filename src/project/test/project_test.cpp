#include "memory_project.h"

namespace project {
namespace {

// The rules of a zone that is always one hour east of UTC (RFC 8536, both blocks and the footer).
std::string zone_bytes() {
  const std::string counts =
      std::string(15, '\0') + std::string(19, '\0') + '\1' + std::string(3, '\0') + '\4';
  const std::string block =
      "TZif2" + counts + std::string({0, 0, 0x0E, 0x10, 0, 0}) + std::string("CET\0", 4);
  return block + block + "\nCET-1\n";
}

TEST(OpenProject, FindsDocumentsInBothPlacesOfAnItem) {
  MemoryProject memory;
  memory.file("Lakehouse/Shop/bronze.orders_raw.yml", kRaw).file(kTables + "silver.orders.yml", kOrders);
  const Project project = memory.open();
  EXPECT_TRUE(project.errors.empty()) << memory.errors();
  ASSERT_EQ(project.tables.size(), 2U);
  EXPECT_EQ(project.tables[0].name.text(), "bronze.orders_raw");
  EXPECT_NE(project.tables[0].landing(), nullptr);
  EXPECT_EQ(project.tables[1].item, "Lakehouse/Shop");
  EXPECT_EQ(project.tables[1].item_name, "Shop");
  EXPECT_NE(project.tables[1].contract(), nullptr);
}

TEST(OpenProject, TakesTheFoldersNameForTheWorkspace) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", kRaw);
  EXPECT_EQ(memory.open().workspace, "shop");
  memory.file("tenter.yml", "workspace: Big Shop\nitems: {Lakehouse/Shop: Store}\ntime zone: Europe/Oslo\n");
  memory.world.variable = [](const std::string&) -> std::optional<std::string> { return "/zones"; };
  memory.root = "/zones";
  memory.file("Europe/Oslo", zone_bytes());
  memory.root = "/shop";
  const Project project = memory.open();
  EXPECT_TRUE(project.errors.empty()) << memory.errors();
  EXPECT_EQ(project.workspace, "Big Shop");
  EXPECT_EQ(project.tables[0].item_name, "Store");
  EXPECT_EQ(project.settings.time_zone, "Europe/Oslo");
}

TEST(OpenProject, GivesContractsTheZoneOfTheProject) {
  MemoryProject memory;
  memory.file("tenter.yml", "time zone: UTC\n").file(kTables + "bronze.orders_raw.yml", kRaw);
  memory.file(kTables + "silver.orders.yml", kOrders);
  EXPECT_EQ(memory.open().tables[1].contract()->time_zone, "UTC");
}

TEST(OpenProject, PutsSourcesBeforeWhatReadsThem) {
  MemoryProject memory;
  memory.file(kTables + "alpha.orders.yml", kOrders).file(kTables + "bronze.orders_raw.yml", kRaw);
  const Project project = memory.open();
  ASSERT_EQ(project.tables.size(), 2U);
  EXPECT_EQ(project.tables[0].name.text(), "bronze.orders_raw");
}

TEST(OpenProject, FindsTablesWithoutCase) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", kRaw);
  const Project project = memory.open();
  EXPECT_NE(project.find({"Bronze", "ORDERS_RAW"}), nullptr);
  EXPECT_EQ(project.find({"bronze", "orders"}), nullptr);
}

TEST(OpenProject, KeepsATableWhoseDocumentHasFaults) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", "Description: x\nLanding: /abs/*.csv\n");
  memory.file(kTables + "silver.orders.yml", kOrders);
  const Project project = memory.open();
  EXPECT_EQ(memory.errors(), "document.glob Lakehouse/Shop/Tables/bronze.orders_raw.yml:2:10");
  ASSERT_EQ(project.tables.size(), 2U);
  EXPECT_FALSE(project.find({"bronze", "orders_raw"})->document.has_value());
}

TEST(OpenProject, RefusesAFolderThatIsNoProject) {
  MemoryProject memory;
  const auto empty = open(memory.world, "/shop");
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().code, "project.not_found");
  const auto missing = open(memory.world, "/nowhere");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, "project.not_found");
}

TEST(OpenProject, IgnoresWhatIsNoDocument) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", kRaw);
  for (const std::string path :
       {".git/silver.x.yml", "_ignore/silver.x.yml", "Lakehouse/Shop/_ignore/silver.x.yml",
        "venv/silver.x.yml", "Lakehouse/Shop/Tables/.silver.x.yml.swp",
        "Lakehouse/Shop/contracts/silver.x/silver.x.yml", ".tenter/a.b.yml"})
    memory.file(path, kOrders);
  memory.file("docker-compose.override.yml", "services:\n  from: x\n").file("README.md", "From: here\n");
  memory.file("Lakehouse/Shop/Tables/notes.txt", "From: here\n");
  EXPECT_EQ(memory.errors(), "");
  EXPECT_EQ(memory.open().tables.size(), 1U);
}

TEST(OpenProject, RefusesDocumentsThatWouldNotBeRead) {
  const auto error_of = [](const std::string& path) {
    MemoryProject memory;
    memory.file(kTables + "bronze.orders_raw.yml", kRaw).file(path, kOrders);
    return memory.errors();
  };
  EXPECT_EQ(error_of("silver.orders.yml"), "project.misplaced silver.orders.yml:1:1");
  EXPECT_EQ(error_of("Tables/silver.orders.yml"), "project.misplaced Tables/silver.orders.yml:1:1");
  EXPECT_EQ(error_of("Lakehouse/silver.orders.yml"), "project.misplaced Lakehouse/silver.orders.yml:1:1");
  EXPECT_EQ(error_of("Lakehouse/Shop/more/silver.orders.yml"),
            "project.misplaced Lakehouse/Shop/more/silver.orders.yml:1:1");
  EXPECT_EQ(error_of("Lakehouse/Shop/orders.yml"), "project.misplaced Lakehouse/Shop/orders.yml:1:1");
  EXPECT_EQ(error_of(kTables + "deep/silver.orders.yml"),
            "project.misplaced Lakehouse/Shop/Tables/deep/silver.orders.yml:1:1");
  EXPECT_EQ(error_of(kTables + "a.b.c.yml"), "project.file_name Lakehouse/Shop/Tables/a.b.c.yml:1:1");
  EXPECT_EQ(error_of(kTables + "silver.orders.yaml"),
            "project.file_name Lakehouse/Shop/Tables/silver.orders.yaml:1:1");
  EXPECT_EQ(error_of("Lakehouse/Shop/tables/silver.orders.yml"),
            "project.folder_name Lakehouse/Shop/tables:0:0");
}

TEST(OpenProject, NamesKindsOfDocumentsThatAreNotBuilt) {
  for (const std::string path :
       {"Lakehouse/Shop/Tables/gold.daily.sql", "Lakehouse/Shop/Sales__Order.py",
        "Lakehouse/Shop/Files/Sales__Drop.py", "Lakehouse/Shop/tests/Sales.Totals.sql",
        "Lakehouse/Shop/assumptions/Sales.X.sql", "Lakehouse/Shop/schemas/Sales.yml",
        "Lakehouse/Shop/shortcuts.yml"}) {
    MemoryProject memory;
    memory.file(path, "x");
    EXPECT_EQ(memory.errors(), "document.not_built " + path + ":1:1");
  }
  MemoryProject memory;
  memory.file("Warehouse/Mart/sales.customer.sql", "x");
  EXPECT_EQ(memory.errors(), "document.not_built Warehouse/Mart:0:0");
}

TEST(OpenProject, ResolvesFromInsideItsItemOnly) {
  MemoryProject memory;
  memory.file("Lakehouse/Other/Tables/bronze.orders_raw.yml", kRaw)
      .file(kTables + "silver.orders.yml", kOrders);
  EXPECT_EQ(memory.errors(), "project.unknown_source Lakehouse/Shop/Tables/silver.orders.yml:3:7");
}

TEST(OpenProject, ProposesANameForASharedQuarantine) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", kRaw).file(kTables + "silver.orders.yml", kOrders);
  memory.file(kTables + "store.orders.yml", kOrders);
  const Project project = memory.open();
  ASSERT_EQ(project.errors.size(), 1U);
  EXPECT_EQ(project.errors[0].code, "project.quarantine");
  EXPECT_NE(project.errors[0].hint.find("quarantine.store_orders"), std::string::npos);
  memory.file(kTables + "store.orders.yml", kOrders + "Quarantine: quarantine.store_orders\n");
  EXPECT_EQ(memory.errors(), "");
}

TEST(OpenProject, RefusesItemsThatMeetInTheHome) {
  MemoryProject memory;
  memory.file("Lakehouse/A/Tables/bronze.x.yml", kRaw).file("Lakehouse/B/Tables/bronze.x.yml", kRaw);
  memory.file("tenter.yml", "items: {Lakehouse/A: b}\n");
  EXPECT_EQ(memory.errors(), "settings.item tenter.yml:1:1");
}

TEST(OpenProject, PrintsWhereTablesAreInTheHome) {
  EXPECT_EQ(tables_root("/h", "Shop", "Store"), "/h/onelake/Shop/Store.Lakehouse/Tables");
}

TEST(TableNames, AreUsageErrorsWhenTyped) {
  EXPECT_TRUE(parse_table_name("silver.orders").has_value());
  for (const std::string_view text : {"orders", "a.b.c", ".b", "a.", "a/b.c", "_.b", " a.b"}) {
    const auto name = parse_table_name(text);
    ASSERT_FALSE(name.has_value()) << text;
    EXPECT_EQ(name.error().code, "usage.table_name");
  }
}

TEST(WriteDocs, WritesEachContractOnceAndOnlyWhenItChanged) {
  MemoryProject memory;
  memory.file(kTables + "bronze.orders_raw.yml", kRaw).file(kTables + "silver.orders.yml", kOrders);
  const std::string file = "Lakehouse/Shop/contracts/silver.orders/README.md";
  EXPECT_EQ(write_docs(memory.world, memory.open()).value(), std::vector<std::string>{file});
  EXPECT_NE(memory.world.files->read("/shop/" + file)->find("landing/orders/*.csv"), std::string::npos);
  EXPECT_TRUE(write_docs(memory.world, memory.open()).value().empty());
  EXPECT_TRUE(memory.open().warnings.empty());
  memory.file(kTables + "silver.orders.yml", kOrders + "Notes: new\n");
  const Project project = memory.open();
  ASSERT_EQ(project.warnings.size(), 1U);
  EXPECT_EQ(project.warnings[0].code, "project.stale_readme");
  EXPECT_EQ(project.warnings[0].place.file, file);
}

}  // namespace
}  // namespace project
