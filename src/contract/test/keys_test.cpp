#include "keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <base/json.h>
#include <base/text.h>

namespace contract {
namespace {

// From the test's source, or from a folder above the one that the test runs in.
std::filesystem::path in_repository(const std::filesystem::path& file) {
  std::filesystem::path from = std::filesystem::path(__FILE__).parent_path() / "../../..";
  for (auto up = std::filesystem::current_path();
       !std::filesystem::exists(from / file) && up.has_relative_path(); up = up.parent_path())
    from = up;
  return from / file;
}

base::Json editor_schema() {
  const auto path = in_repository("docs/schema/table.schema.json");
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto json = base::Json::parse(text.str());
  EXPECT_TRUE(json.has_value()) << path;
  return json ? *json : base::Json();
}

std::string keys_of(const base::Json& schema, const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& member : schema.find("$defs")->find(kind)->find("properties")->members())
    names.push_back(member.first);
  std::sort(names.begin(), names.end());
  return base::join(names, ", ");
}

std::string sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return base::join(names, ", ");
}

TEST(Keys, FoldToOneSpelling) {
  for (const std::string_view key :
       {"Primary key", "primary_key", "primaryKey", "PRIMARY-KEY", "primary  key"})
    EXPECT_EQ(fold_key(key), "primarykey") << key;
}

TEST(Keys, AreThoseThatTheSchemaForEditorsKnows) {
  const base::Json schema = editor_schema();
  EXPECT_EQ(keys_of(schema, "landing"), sorted(landing_keys().taken));
  EXPECT_EQ(keys_of(schema, "contract"), sorted(contract_keys().taken));
}

TEST(Keys, AreNeverBothTakenAndNotBuilt) {
  for (const KeySet& keys : {landing_keys(), contract_keys()})
    for (const std::string& taken : keys.taken)
      EXPECT_EQ(std::count(keys.not_built.begin(), keys.not_built.end(), taken), 0) << taken;
}

}  // namespace
}  // namespace contract
