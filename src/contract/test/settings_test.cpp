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

TEST(Settings, ReadsWhoIsToldOfAFailedBatch) {
  const auto hook = [](const std::string& text) {
    const CheckedSettings checked = check_settings("on failure: " + text + "\n", "tenter.yml");
    EXPECT_TRUE(checked.errors.empty()) << text << ": " << error_of("on failure: " + text + "\n");
    return checked.settings.on_failure.value_or(FailureHook());
  };
  EXPECT_EQ(hook("{run: sh -c 'echo no'}").command, (std::vector<std::string>{"sh", "-c", "echo no"}));
  EXPECT_EQ(hook("{run: [tell, a b], time limit: 3}").command, (std::vector<std::string>{"tell", "a b"}));
  EXPECT_EQ(hook("{run: tell, time limit: 3}").limit_ms, 3'000);
  const FailureHook post = hook("{post: \"http://[::1]:8080/a?b=c\"}");
  EXPECT_EQ(post.host, "::1");
  EXPECT_EQ(post.port, 8080);
  EXPECT_EQ(post.path, "/a?b=c");
  EXPECT_EQ(hook("{post: \"HTTP://hooks.example\"}").port, 80);
}

TEST(Settings, RefusesToTellNobody) {
  const auto error = [](const std::string& text) { return error_of("on failure: " + text + "\n"); };
  EXPECT_EQ(error("tell.sh"), "settings.on_failure 1:13;");
  EXPECT_EQ(error("{}"), "settings.on_failure 1:13;");
  EXPECT_EQ(error("{run: a, post: \"http://b\"}"), "settings.on_failure 1:13;");
  EXPECT_EQ(error("{run: \"\"}"), "settings.on_failure 1:19;");
  EXPECT_EQ(error("{run: a, time limit: 601}"), "settings.on_failure 1:34;");
  for (const char* address : {"ftp://a", "http://", "http://a:0", "http://a:70000", "http://a b",
                              "http://[::1", "http://a/b c", "http://a:1x", "http://u@a"})
    EXPECT_EQ(error("{post: \"" + std::string(address) + "\"}"), "settings.on_failure 1:20;") << address;
}

}  // namespace
}  // namespace contract
