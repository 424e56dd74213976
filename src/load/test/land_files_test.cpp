// Which files a glob names.
#include "land_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace {

using load::matches_glob;
using Texts = std::vector<std::string>;

TEST(globs, match_one_part_of_a_path) {
  EXPECT_TRUE(matches_glob("*.csv", "a.csv"));
  EXPECT_TRUE(matches_glob("a*b*c", "aXbYbZc"));
  EXPECT_FALSE(matches_glob("a*b*c", "aXbYbZ"));
  EXPECT_TRUE(matches_glob("?.csv", "é.csv"));
  EXPECT_FALSE(matches_glob("?.csv", "ab.csv"));
  EXPECT_TRUE(matches_glob("[a-c]1[!x]", "b1y"));
  EXPECT_FALSE(matches_glob("[a-c]1[!x]", "b1x"));
  EXPECT_FALSE(matches_glob("[a-c]1[!x]", "d1y"));
  EXPECT_TRUE(matches_glob("[x", "[x"));
  EXPECT_FALSE(matches_glob("*", ".hidden"));
  EXPECT_TRUE(matches_glob(".h*", ".hidden"));
  EXPECT_FALSE(matches_glob("*.csv", "a.CSV"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("", "a"));
}

class folders : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "glob_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = *files_->real_path(name);
  }
  void TearDown() override { EXPECT_TRUE(files_->remove_all(root_).has_value()); }

  void put(const std::string& path) {
    ASSERT_TRUE(files_->make_directories(world::path_parent(root_ + "/" + path)).has_value());
    ASSERT_TRUE(files_->replace(root_ + "/" + path, "x").has_value());
  }
  void link(const std::string& target, const std::string& path) {
    ASSERT_EQ(::symlink((root_ + "/" + target).c_str(), (root_ + "/" + path).c_str()), 0);
  }
  Texts find(const std::vector<std::string>& globs) {
    const auto found = load::find_files(
        *files_, {root_ + "/project", root_ + "/project/.tenter", root_ + "/lake/Files"}, globs);
    EXPECT_TRUE(found.has_value());
    Texts paths;
    if (!found) return paths;
    for (const load::FoundFile& file : found->files) paths.push_back(file.path);
    warnings_ = found->warnings;
    return paths;
  }

  std::unique_ptr<world::Files> files_ = world::machine_files();
  std::string root_;
  Texts warnings_;
};

TEST_F(folders, files_come_once_and_sorted_by_path) {
  put("project/in/b.csv");
  put("project/in/a.csv");
  put("project/in/a.txt");
  put("project/in/deep/er/c.csv");
  put("project/in/z.csv/d.csv");
  EXPECT_EQ(find({"in/*.csv", "in/a*"}), (Texts{"in/a.csv", "in/a.txt", "in/b.csv"}));
  EXPECT_EQ(find({"in/**/*.csv"}), (Texts{"in/a.csv", "in/b.csv", "in/deep/er/c.csv", "in/z.csv/d.csv"}));
  EXPECT_EQ(find({"**/c.csv", "in/deep/**"}), (Texts{"in/deep/er/c.csv"}));
  EXPECT_EQ(find({"nowhere/*.csv"}), Texts{});
}

TEST_F(folders, the_home_is_never_entered) {
  put("project/a.csv");
  put("project/.tenter/onelake/x.csv");
  put("project/tables.csv");
  link("project/.tenter/onelake", "project/sneaky");
  link("project/.tenter/onelake/x.csv", "project/y.csv");
  EXPECT_EQ(find({"**/*.csv", ".tenter/**/*.csv", ".t*/*/*.csv", "sneaky/*.csv"}),
            (Texts{"a.csv", "tables.csv"}));
}

TEST_F(folders, links_are_followed_inside_the_root_only) {
  put("project/real/a.csv");
  put("outside/secret.csv");
  link("project/real", "project/same");
  link("outside", "project/away");
  link("outside/secret.csv", "project/real/b.csv");
  link("gone.csv", "project/real/c.csv");
  link("project", "project/real/loop");
  EXPECT_EQ(find({"real/*.csv", "same/*.csv", "away/*.csv"}), (Texts{"real/a.csv", "same/a.csv"}));
  EXPECT_EQ(warnings_.size(), 5U);
  EXPECT_EQ(warnings_.back(), "away is a link out of " + root_ + "/project; it is not followed");
  EXPECT_EQ(find({"**/a.csv"}), (Texts{"real/a.csv", "same/a.csv"}));
}

TEST_F(folders, the_lakehouse_files_have_a_root_of_their_own) {
  put("lake/Files/in/a.csv");
  put("project/Files/in/b.csv");
  EXPECT_EQ(find({"Files/in/*.csv"}), (Texts{"Files/in/a.csv"}));
}

TEST_F(folders, a_glob_that_leaves_the_project_is_refused) {
  const auto found = load::find_files(*files_, {root_, root_ + "/.tenter", ""}, {"../*.csv"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, "land.bad_glob");
}

}  // namespace
