#include <world/scratch.h>

#include <gtest/gtest.h>

#include <filesystem>

namespace world {
namespace {

TEST(ScratchFile, gives_back_what_was_appended_and_leaves_no_name) {
  const std::string folder = testing::TempDir() + "scratch_test";
  std::filesystem::create_directories(folder);
  const auto file = scratch_file(folder);
  ASSERT_TRUE(file) << base::print(file.error());
  EXPECT_EQ((*file)->append("first").value_or(99), 0U);
  EXPECT_EQ((*file)->append("second").value_or(99), 5U);
  std::string read(6, '?');
  ASSERT_TRUE((*file)->read(5, read.data(), read.size()));
  EXPECT_EQ(read, "second");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_FALSE((*file)->read(9, read.data(), read.size())) << "there are only two bytes left";
}

TEST(ScratchFile, says_where_it_cannot_be_made) {
  const auto file = scratch_file(testing::TempDir() + "scratch_test/nowhere");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, base::Kind::io);
  EXPECT_NE(file.error().message.find("nowhere"), std::string::npos) << file.error().message;
}

}  // namespace
}  // namespace world
