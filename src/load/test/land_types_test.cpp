// Which type holds the values of two, and what a table's own types do to files.
#include "land_types.h"

#include <gtest/gtest.h>

namespace {

using load::common_type;

TEST(land_types, widen_without_losing_a_value) {
  EXPECT_EQ(common_type("byte", "long"), "long");
  EXPECT_EQ(common_type("integer", "short"), "integer");
  EXPECT_EQ(common_type("decimal(9,2)", "decimal(5,4)"), "decimal(11,4)");
  EXPECT_EQ(common_type("long", "decimal(9,2)"), "decimal(21,2)");
  EXPECT_EQ(common_type("byte", "decimal(10,0)"), "decimal(10,0)");
  EXPECT_EQ(common_type("float", "double"), "double");
  EXPECT_EQ(common_type("date", "date"), "date");
}

TEST(land_types, have_none_in_common_where_a_value_would_change) {
  EXPECT_EQ(common_type("long", "double"), std::nullopt);
  EXPECT_EQ(common_type("string", "long"), std::nullopt);
  EXPECT_EQ(common_type("date", "timestamp"), std::nullopt);
  EXPECT_EQ(common_type("decimal(38,0)", "decimal(38,10)"), std::nullopt);
  EXPECT_EQ(common_type("boolean", "byte"), std::nullopt);
}

TEST(land_types, of_a_table_stand_while_files_widen_among_themselves) {
  delta::Schema schema;
  schema.fields.push_back(delta::Field{"Id", "integer", {}, true, base::Json::object()});
  load::ColumnTypes types("bronze.orders", schema);
  EXPECT_TRUE(types.add("a", {"id", "v"}, {"short", "short"}).empty());
  EXPECT_TRUE(types.add("b", {"v"}, {"long"}).empty());
  EXPECT_EQ(types.type_of("ID"), "integer");
  EXPECT_EQ(types.type_of("v"), "long");
  const auto wider = types.add("c", {"id"}, {"long"});
  ASSERT_EQ(wider.size(), 1U);
  EXPECT_EQ(wider[0].code, "land.type_changed");
  EXPECT_EQ(wider[0].message, "the column id is integer in the table bronze.orders and long in c");
  const auto other = types.add("d", {"v"}, {"string"});
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].message, "the column v is long in b and string in d");
}

}  // namespace
