// The text cases under cases/bad that are about documents, run without the command line: each must
// give its one error, at its place, with a message.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <base/text.h>

#include "memory_project.h"

namespace project {
namespace {

struct BadCase {
  std::string name;
  MemoryProject project;
  std::string code;
  std::string place;        // "file:line:column"
  bool only_check = false;  // its only run is `check`
  bool has_escapes = false;
};

// From the test's source, or from a folder above the one that the test runs in.
std::filesystem::path in_repository(const std::filesystem::path& file) {
  std::filesystem::path from = std::filesystem::path(__FILE__).parent_path() / "../../..";
  for (auto up = std::filesystem::current_path();
       !std::filesystem::exists(from / file) && up.has_relative_path(); up = up.parent_path())
    from = up;
  return from / file;
}

std::string unindented(const std::string& line) {
  return line.size() > 2 ? line.substr(2) : "";
}

BadCase read_case(const std::filesystem::path& path) {
  std::ifstream file(path);
  BadCase bad;
  bad.name = path.filename().string();
  std::string document;
  std::string text;
  std::size_t runs = 0;
  const auto finish = [&] {
    if (!document.empty()) bad.project.file(document, text);
    document.clear();
    text.clear();
  };
  for (std::string line; std::getline(file, line);) {
    if (!document.empty() && (line.empty() || line.starts_with("  "))) {
      text += unindented(line) + "\n";
      continue;
    }
    finish();
    if (line.starts_with("# at ")) bad.place = line.substr(5);
    if (line.starts_with("document ")) document = line.substr(9);
    if (line.starts_with("given")) bad.has_escapes = true;
    if (line.starts_with("expect error ")) bad.code = line.substr(13);
    if (line.starts_with("run ")) bad.only_check = ++runs == 1 && line == "run check";
  }
  finish();
  return bad;
}

std::string print_place(const base::Place& place) {
  return place.line == 0 ? place.file
                         : place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(BadDocuments, GiveOneErrorEachAtItsPlace) {
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository("cases/bad"))) {
    if (entry.path().extension() != ".case") continue;
    const BadCase bad = read_case(entry.path());
    if (!bad.only_check || bad.has_escapes) continue;
    ++checked;
    const Project project = bad.project.open();
    std::string found;
    for (const base::Error& error : project.errors) found += base::print(error) + "\n";
    EXPECT_EQ(project.errors.size(), 1U) << bad.name << "\n" << found;
    if (project.errors.empty()) continue;
    EXPECT_EQ(project.errors[0].code, bad.code) << bad.name << "\n" << found;
    EXPECT_EQ(print_place(project.errors[0].place), bad.place) << bad.name << "\n" << found;
    EXPECT_FALSE(project.errors[0].message.empty()) << bad.name;
  }
  EXPECT_GE(checked, 60U);
}

}  // namespace
}  // namespace project
