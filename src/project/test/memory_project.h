// A project in memory for the tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <project/project.h>
#include <world/world.h>

namespace project {

inline const std::string kTables = "Lakehouse/Shop/Tables/";

inline const std::string kRaw = R"(Description: Orders as sent.
Landing: landing/orders/*.csv
Format: csv
)";

inline const std::string kOrders = R"(Description: One row per order.
Owner: Sales data team
From: bronze.orders_raw
Primary key: order_id
Schema:
  order_id: string
)";

struct MemoryProject {
  world::World world = world::memory_world();
  std::string root = "/shop";

  MemoryProject() { EXPECT_TRUE(world.files->make_directories(root).has_value()); }

  MemoryProject& file(const std::string& path, std::string_view text) {
    const std::string full = world::path_join(root, path);
    EXPECT_TRUE(world.files->make_directories(world::path_parent(full)).has_value());
    EXPECT_TRUE(world.files->replace(full, text).has_value());
    return *this;
  }

  Project open() const {
    auto project = project::open(world, root);
    EXPECT_TRUE(project.has_value()) << base::print(project.error());
    return project ? *std::move(project) : Project();
  }

  // "code file:line:column" of each error, one a line.
  std::string errors() const {
    std::string text;
    for (const base::Error& error : open().errors)
      text += (text.empty() ? "" : "\n") + error.code + " " + error.place.file + ":" +
              std::to_string(error.place.line) + ":" + std::to_string(error.place.column);
    return text;
  }
};

}  // namespace project
