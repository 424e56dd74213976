// What Spark 3.5 gave for the probes of cases/casts, against ours inside the engine.
#include <base/text.h>
#include <base/zone.h>
#include <sql/expression.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "engine_fixture.h"

namespace engine {
namespace {

using Cell = std::optional<std::string>;
using Line = std::vector<Cell>;

// From the test's source, or from a folder above the one that the test runs in.
std::filesystem::path cases_folder() {
  const std::filesystem::path folder = "cases/casts";
  std::filesystem::path from = std::filesystem::path(__FILE__).parent_path() / "../../..";
  for (auto up = std::filesystem::current_path();
       !std::filesystem::exists(from / folder) && up.has_relative_path(); up = up.parent_path())
    from = up;
  return from / folder;
}

const std::filesystem::path kZones = "/usr/share/zoneinfo";

// `~` is NULL; \t \n \r \\ \~ and \uXXXX stand for characters.
Cell unescape(std::string_view text) {
  if (text == "~") return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'u') {
      const int code = std::stoi(std::string(text.substr(i + 1, 4)), nullptr, 16);
      if (code >= 0x80) out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(code >= 0x80 ? 0x80 | (code & 0x3F) : code);
      i += 4;
    } else {
      out += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

std::vector<Line> read_lines(const std::string& name) {
  std::ifstream file(cases_folder() / name, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Line> lines;
  for (const std::string_view line : base::split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    Line cells;
    for (const std::string_view cell : base::split(line, '\t')) cells.push_back(unescape(cell));
    lines.push_back(std::move(cells));
  }
  if (!lines.empty()) lines.erase(lines.begin());  // the header
  return lines;
}

std::string shown(const Cell& cell) {
  return cell ? "'" + *cell + "'" : "NULL";
}

// A literal for the engine; its texts are read up to a zero byte.
std::string literal(const Cell& cell) {
  if (!cell) return "NULL";
  std::vector<std::string> parts;
  for (const std::string_view part : base::split(*cell, '\0')) parts.push_back(base::sql_quote(part));
  return "(" + base::join(parts, " || chr(0) || ") + ")";
}

sql::Type type_of_name(const std::string& name) {
  if (name == "void") return sql::Type{};
  const auto type = sql::parse_type(name);
  EXPECT_TRUE(type) << name;
  return type.value_or(sql::Type{});
}

std::string as_text(const std::string& text, const sql::Type& type, const sql::Context& context) {
  if (type.kind == sql::Type::Kind::binary) return "hex(" + text + ")";
  if (type.kind == sql::Type::Kind::null) return "CAST(NULL AS VARCHAR)";
  return sql::print_cast(text, type, sql::Type{sql::Type::Kind::string}, context, false);
}

class SparkCases : public EngineTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kZones / "Europe/Berlin"))
      GTEST_SKIP() << "no time zone rules on this machine";
    EngineTest::SetUp();
    // file, what was asked, row or mode, what is given here
    for (const Line& line : read_lines("differences.tsv"))
      differences_[{line.at(0).value_or(""), line.at(1).value_or(""), line.at(2).value_or("")}] = line.at(3);
  }

  // Java follows the main file of the tz database, where Oslo is Berlin; some systems keep Oslo's own
  // history before 1970.
  std::optional<base::Zone> zone_named(const std::string& name) override {
    std::ifstream file(kZones / (name == "Europe/Oslo" ? "Europe/Berlin" : name), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    auto zone = base::Zone::decode(bytes);
    return zone ? std::optional(*std::move(zone)) : std::nullopt;
  }

  void compare(const std::string& file, const std::string& asked, const std::string& where, const Cell& spark,
               const Cell& ours) {
    ++compared_;
    const auto known = differences_.find({file, asked, where});
    if (known != differences_.end()) {
      used_.insert(known->first);
      EXPECT_NE(spark, ours) << file << ": " << asked << " [" << where << "] no longer differs";
      EXPECT_EQ(known->second, ours) << file << ": " << asked << " [" << where << "] listed otherwise";
      return;
    }
    EXPECT_EQ(shown(spark), shown(ours)) << file << ": " << asked << " [" << where << "]";
  }

  void expect_all_differences_met(const std::string& file) const {
    for (const auto& [key, ours] : differences_) {
      if (std::get<0>(key) != file) continue;
      EXPECT_TRUE(used_.contains(key)) << file << ": " << std::get<1>(key) << " is listed and was not asked";
    }
  }

  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Cell> differences_;
  std::set<Key> used_;
  std::size_t compared_ = 0;
};

TEST_F(SparkCases, CastsGiveWhatSparkGives) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<Line>> groups;
  for (const char* file : {"casts_to_numbers.tsv", "casts_to_decimals.tsv", "casts_to_text_and_time.tsv"})
    for (Line& line : read_lines(file))
      groups[{*line.at(1), *line.at(2), *line.at(3), *line.at(4)}].push_back(line);
  for (const auto& [key, lines] : groups) {
    const auto& [from_name, to_name, zone, mode] = key;
    const sql::Context context{zone, 0};
    const sql::Type from = type_of_name(from_name), to = type_of_name(to_name);
    std::vector<std::string> values;
    for (std::size_t i = 0; i < lines.size(); ++i)
      values.push_back("(" + std::to_string(i) + ", " + literal(lines[i].at(0)) + ")");
    const std::string read = sql::print_cast("v", sql::Type{sql::Type::Kind::string}, from, context, false);
    const std::string cast = sql::print_cast(read, from, to, context, mode == "try_cast");
    const Rows rows = query("SELECT " + as_text(cast, to, context) + " FROM (VALUES " +
                            base::join(values, ", ") + ") AS t(n, v) ORDER BY n");
    ASSERT_EQ(rows.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Cell ours = rows.is_null(i, 0) ? Cell() : Cell(rows.text(i, 0));
      compare("casts", shown(lines[i].at(0)) + " " + from_name + " " + to_name, zone + " " + mode,
              lines[i].at(5), ours);
    }
  }
  expect_all_differences_met("casts");
  EXPECT_GT(compared_, 300U);
}

TEST_F(SparkCases, ExpressionsGiveWhatSparkGives) {
  std::vector<sql::Column> columns;
  const sql::Context utc{"UTC", 0};
  const std::vector<Line> table = read_lines("table.tsv");
  ASSERT_FALSE(table.empty());
  const std::size_t count = table[0].size() - 2;
  std::vector<std::string> rows_sql(count);
  for (const Line& line : table) {
    columns.push_back(sql::Column{*line.at(0), type_of_name(*line.at(1))});
    for (std::size_t i = 0; i < count; ++i)
      rows_sql[i] += ", " +
                     sql::print_cast(literal(line.at(i + 2)), sql::Type{sql::Type::Kind::string},
                                     columns.back().type, utc, false) +
                     " AS " + base::sql_name(*line.at(0));
  }
  for (std::size_t i = 0; i < count; ++i)
    rows_sql[i] = "SELECT " + std::to_string(i) + " AS row_number" + rows_sql[i];
  query("CREATE TABLE t AS " + base::join(rows_sql, " UNION ALL "));
  for (const Line& line : read_lines("expressions.tsv")) {
    const std::string& text = *line.at(0);
    const std::string& zone = *line.at(1);
    const sql::Context context{zone, 0};
    const auto parsed = sql::Expression::parse(text);
    const auto typed = parsed ? sql::analyze(*parsed, columns) : base::fail(parsed.error());
    compare("expressions", text, zone + " type", line.at(2),
            typed ? sql::print_type(typed->type()) : "refused");
    if (!typed || line.at(2) == "refused") continue;
    const std::string engine_text =
        sql::print_engine(*typed, [](std::string_view name) { return base::sql_name(name); }, context);
    const Rows rows =
        query("SELECT " + as_text(engine_text, typed->type(), context) + " FROM t ORDER BY row_number");
    for (std::size_t i = 0; i < count; ++i) {
      const Cell ours = rows.is_null(i, 0) ? Cell() : Cell(rows.text(i, 0));
      compare("expressions", text, zone + " row " + std::to_string(i), line.at(i + 3), ours);
    }
  }
  expect_all_differences_met("expressions");
  EXPECT_GT(compared_, 3000U);
}

}  // namespace
}  // namespace engine
