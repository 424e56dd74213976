// All implementations keep the same promises: every test runs on the machine's disk, in memory and simulated.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <world/simulation.h>
#include <world/world.h>

#include <fstream>

namespace world {
namespace {

class FilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "machine") {
      files_ = machine_files();
      char pattern[] = "/tmp/tenter_files_XXXXXX";
      ASSERT_NE(::mkdtemp(pattern), nullptr);
      root_ = pattern;
    } else {
      files_ = GetParam() == "memory" ? std::shared_ptr<Files>(memory_files()) : simulated_files();
      root_ = "/home";
      ASSERT_TRUE(files_->make_directories(root_));
    }
  }
  void TearDown() override { EXPECT_TRUE(files_->remove_all(root_)); }
  std::string path(const std::string& name) const { return path_join(root_, name); }

  std::shared_ptr<Files> files_;
  std::string root_;
};

TEST_P(FilesTest, put_if_absent_keeps_the_first_bytes) {
  const auto first = files_->put_if_absent(path("a"), "one");
  const auto second = files_->put_if_absent(path("a"), "two");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, PutOutcome::created);
  EXPECT_EQ(*second, PutOutcome::existed);
  EXPECT_EQ(files_->read(path("a")).value(), "one");
  EXPECT_EQ(files_->list(root_)->size(), 1U) << "no temporary file stays";
}

TEST_P(FilesTest, replace_takes_the_place_of_the_old_bytes) {
  ASSERT_TRUE(files_->replace(path("a"), "one"));
  ASSERT_TRUE(files_->replace(path("a"), "two"));
  EXPECT_EQ(files_->read(path("a")).value(), "two");
}

TEST_P(FilesTest, nothing_else_stays_beside_what_was_written) {
  ASSERT_TRUE(files_->put_if_absent(path("a"), "one"));
  ASSERT_TRUE(files_->replace(path("b"), "two"));
  const auto entries = files_->list(root_);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].name + (*entries)[1].name, "ab");
}

TEST_P(FilesTest, missing_things_are_not_found) {
  EXPECT_EQ(files_->read(path("no")).error().kind, base::Kind::not_found);
  EXPECT_EQ(files_->list(path("no")).error().kind, base::Kind::not_found);
  EXPECT_EQ(files_->info(path("no")).error().kind, base::Kind::not_found);
  EXPECT_FALSE(files_->put_if_absent(path("no/a"), "x"));
  EXPECT_TRUE(files_->remove(path("no")));
}

TEST_P(FilesTest, reads_at_any_offset) {
  ASSERT_TRUE(files_->replace(path("a"), "0123456789"));
  const auto file = files_->open(path("a"));
  ASSERT_TRUE(file);
  char buffer[8];
  EXPECT_EQ((*file)->read_at(7, buffer, 8).value(), 3U);
  EXPECT_EQ(std::string(buffer, 3), "789");
  EXPECT_EQ((*file)->read_at(10, buffer, 8).value(), 0U);
  EXPECT_EQ((*file)->info()->size, 10U);
}

TEST_P(FilesTest, lists_sorted_with_folders_marked) {
  ASSERT_TRUE(files_->make_directories(path("c/d")));
  ASSERT_TRUE(files_->replace(path("b"), ""));
  const auto entries = files_->list(root_);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].name, "b");
  EXPECT_FALSE((*entries)[0].is_directory);
  EXPECT_EQ((*entries)[1].name, "c");
  EXPECT_TRUE((*entries)[1].is_directory);
}

INSTANTIATE_TEST_SUITE_P(all, FilesTest, ::testing::Values("machine", "memory", "simulated"),
                         [](const auto& about) { return about.param; });

class ReplaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/tenter_replace_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern), nullptr);
    root_ = pattern;
    std::ofstream(left_behind()) << "much longer than what is written";
  }
  void TearDown() override { EXPECT_TRUE(files_->remove_all(root_)); }
  std::string left_behind() const { return path_join(root_, ".a.tmp"); }
  std::string name() const { return path_join(root_, "a"); }

  std::unique_ptr<Files> files_ = machine_files();
  std::string root_;
};

TEST_F(ReplaceTest, what_a_killed_run_left_is_taken_up) {
  ASSERT_TRUE(files_->replace(name(), "new"));
  EXPECT_EQ(files_->read(name()).value(), "new");
  EXPECT_FALSE(files_->exists(left_behind()));
}

TEST_F(ReplaceTest, what_another_run_is_writing_is_left_alone) {
  const auto other = lock_file(left_behind());
  ASSERT_TRUE(other);
  ASSERT_TRUE(files_->replace(name(), "new"));
  EXPECT_EQ(files_->read(name()).value(), "new");
  EXPECT_EQ(files_->read(left_behind()).value(), "much longer than what is written");
  EXPECT_EQ(files_->list(root_)->size(), 2U);
}

TEST(Paths, join_name_and_parent) {
  EXPECT_EQ(path_join("a/", "/b"), "a/b");
  EXPECT_EQ(path_join("", "b"), "b");
  EXPECT_EQ(path_name("a/b"), "b");
  EXPECT_EQ(path_parent("a/b"), "a");
  EXPECT_EQ(path_parent("/a"), "/");
  EXPECT_EQ(path_parent("a"), ".");
}

TEST(Random, a_seed_replays) {
  EXPECT_EQ(seeded_random(7)->uuid(), seeded_random(7)->uuid());
  EXPECT_NE(seeded_random(7)->uuid(), seeded_random(8)->uuid());
}

TEST(Locks, a_second_lock_is_a_conflict) {
  char pattern[] = "/tmp/tenter_lock_XXXXXX";
  ASSERT_NE(::mkdtemp(pattern), nullptr);
  const std::string path = path_join(pattern, "lock");
  const auto first = lock_file(path);
  ASSERT_TRUE(first);
  const auto second = lock_file(path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, "world.locked");
  EXPECT_TRUE(machine_files()->remove_all(pattern));
}

TEST(FilesWithin, nothing_outside_the_folder_is_written) {
  const std::shared_ptr<Files> all = memory_files();
  ASSERT_TRUE(all->make_directories("/desk/inner") && all->make_directories("/desks"));
  ASSERT_TRUE(all->replace("/desks/a", "theirs"));
  const auto files = files_within(all, "/desk");
  ASSERT_TRUE(files->replace("inner/a", "ours"));
  EXPECT_EQ(all->read("/desk/inner/a").value(), "ours");
  EXPECT_EQ(files->real_path(".").value(), "/desk");
  EXPECT_EQ(files->read("/desks/a").value(), "theirs");
  for (const std::string path :
       {"/desks/a", "/desks", "../desks/a", "/desk/../desks/a", "inner/../../desks/a"}) {
    EXPECT_EQ(files->replace(path, "x").error().code, "world.outside_folder") << path;
    EXPECT_EQ(files->put_if_absent(path + "b", "x").error().code, "world.outside_folder") << path;
    EXPECT_EQ(files->remove(path).error().code, "world.outside_folder") << path;
    EXPECT_EQ(files->remove_all(path).error().code, "world.outside_folder") << path;
    EXPECT_EQ(files->make_directories(path).error().code, "world.outside_folder") << path;
  }
  EXPECT_EQ(all->read("/desks/a").value(), "theirs");
  EXPECT_TRUE(files->remove_all("/desk/inner"));
}

}  // namespace
}  // namespace world
