#include <app/app.h>
#include <base/json.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <sstream>

#include "answer.h"
#include "values.h"

namespace app {
namespace {

struct Ran {
  int code;
  std::string out;
  std::string err;
};

Ran run_tenter(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  world::World world = world::machine_world();
  const int code = run(arguments, Terminal{out, err, false}, world);
  return Ran{code, out.str(), err.str()};
}

TEST(CommandLine, help_and_version_are_no_errors) {
  const Ran help = run_tenter({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* verb : {"init", "check", "build", "load", "show", "history", "sql", "verify", "batches",
                           "rejects", "docs", "doctor", "batch"})
    EXPECT_NE(help.out.find(verb), std::string::npos) << verb;
  EXPECT_EQ(run_tenter({"--version"}).code, 0);
}

TEST(CommandLine, wrong_usage_is_exit_2_with_one_message) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"nosuchverb"},
                                                    {"show", "--nosuch"},
                                                    {"batch"},
                                                    {"history"},
                                                    {"sql"},
                                                    {"batch", "skip", "x"},
                                                    {"show", "not_a_table_name", "extra"}}) {
    const Ran ran = run_tenter(arguments);
    EXPECT_EQ(ran.code, 2) << arguments.front();
    EXPECT_TRUE(ran.out.empty()) << ran.out;
    EXPECT_NE(ran.err.find("[usage."), std::string::npos) << ran.err;
  }
}

TEST(CommandLine, json_prints_one_document_also_on_error) {
  const Ran ran = run_tenter({"--json", "show", "--nosuch"});
  EXPECT_EQ(ran.code, 2);
  const auto json = base::Json::parse(ran.out);
  ASSERT_TRUE(json) << ran.out;
  EXPECT_EQ(json->boolean("ok"), false);
  EXPECT_EQ(json->find("errors")->items().size(), 1U);
}

TEST(CommandLine, a_missing_home_is_exit_1) {
  const Ran ran = run_tenter({"--home", "/nonexistent/home", "show"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("[home.not_found]"), std::string::npos) << ran.err;
}

TEST(Answers, exit_codes_follow_whose_fault_it_is) {
  using base::Error;
  using base::Kind;
  EXPECT_EQ(exit_code(Error{Kind::invalid, "document.unknown_key", {}, {}, {}}), 1);
  EXPECT_EQ(exit_code(Error{Kind::denied, "gate.no_rows", {}, {}, {}}), 1);
  EXPECT_EQ(exit_code(Error{Kind::invalid, "usage.arguments", {}, {}, {}}), 2);
  EXPECT_EQ(exit_code(Error{Kind::io, "world.io", {}, {}, {}}), 3);
  EXPECT_EQ(exit_code(Error{Kind::denied, "world.denied", {}, {}, {}}), 3);
  EXPECT_EQ(exit_code(Error{Kind::conflict, "delta.conflict_append", {}, {}, {}}), 3);
}

TEST(Answers, text_tables_align_and_put_numbers_to_the_right) {
  TextTable table({"name", "rows"});
  table.add({"é", "5"});
  table.add({"orders", "120"});
  EXPECT_EQ(table.print(), "name    rows\né          5\norders   120\n");
}

TEST(Values, csv_tells_null_from_empty_text) {
  engine::Rows rows;
  rows.names_ = {"a", "b", "c"};
  rows.types_ = {"VARCHAR", "VARCHAR", "DATE"};
  rows.rows_ = {{std::monostate(), std::string(), std::int64_t{0}},
                {std::string("x,\"y\""), std::string("z"), std::monostate()}};
  EXPECT_EQ(csv_rows(rows), "a,b,c\n,\"\",1970-01-01\n\"x,\"\"y\"\"\",z,\n");
}

}  // namespace
}  // namespace app
