#include <gtest/gtest.h>

#include <contract/document.h>

namespace contract {
namespace {

std::string error_of(std::string_view text) {
  const CheckedSettings checked = check_settings(text, "tenter.yml");
  std::string all;
  for (const base::Error& error : checked.errors)
    all +=
        error.code + " " + std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ";";
  return all;
}

TEST(Settings, ReadsWhatAProjectMaySay) {
  const CheckedSettings checked = check_settings(
      "workspace: My Shop\nitems:\n  Lakehouse/Shop: Shop Two\nTime-Zone: Europe/Oslo\n", "tenter.yml");
  EXPECT_TRUE(checked.errors.empty());
  EXPECT_EQ(checked.settings.workspace, "My Shop");
  EXPECT_EQ(checked.settings.time_zone, "Europe/Oslo");
  ASSERT_EQ(checked.settings.items.size(), 1U);
  EXPECT_EQ(checked.settings.items[0], (std::pair<std::string, std::string>("Lakehouse/Shop", "Shop Two")));
  EXPECT_EQ(checked.item_places[0].line, 3);
  EXPECT_EQ(checked.time_zone_place.column, 12);
}

TEST(Settings, HoldsDefaultsWhenEmpty) {
  EXPECT_EQ(error_of(""), "");
  EXPECT_EQ(check_settings("# later\n", "tenter.yml").settings.time_zone, "UTC");
}

TEST(Settings, PlacesEveryFault) {
  EXPECT_EQ(error_of("targets: {dev: x}\n"), "document.not_built 1:1;");
  EXPECT_EQ(error_of("workspce: x\n"), "document.unknown_key 1:1;");
  EXPECT_EQ(error_of("workspace: a/b\n"), "settings.name 1:12;");
  EXPECT_EQ(error_of("workspace: ..\n"), "settings.name 1:12;");
  EXPECT_EQ(error_of("workspace: ${env:X}\n"), "document.not_built 1:12;");
  EXPECT_EQ(error_of("items: [a]\n"), "document.wrong_value 1:8;");
  EXPECT_EQ(error_of("items: {Warehouse/A: b}\n"), "document.not_built 1:9;");
  EXPECT_EQ(error_of("items: {Shop: b}\n"), "settings.item 1:9;");
  EXPECT_EQ(error_of("items: {Lakehouse/A: x, Lakehouse/B: X}\n"), "settings.item 1:38;");
  EXPECT_EQ(error_of("time zone: ../etc\n"), "settings.time_zone 1:12;");
  EXPECT_EQ(error_of("- a\n"), "document.wrong_value 1:1;");
}

}  // namespace
}  // namespace contract
