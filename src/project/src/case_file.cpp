#include <project/case_file.h>

#include <algorithm>
#include <array>

#include <base/text.h>

namespace project {

namespace {

using base::Kind;
using Word = CaseStep::Word;

// Longer words stand before those that they begin with.
constexpr std::array<std::pair<std::string_view, Word>, 10> kWords = {
    {{"# ", Word::why},
     {"document ", Word::document},
     {"given escaped ", Word::given_escaped},
     {"given ", Word::given},
     {"run ", Word::run},
     {"expect exit ", Word::expect_exit},
     {"expect error ", Word::expect_error},
     {"expect rows ", Word::expect_rows},
     {"expect receipt ", Word::expect_receipt},
     {"expect version ", Word::expect_version}}};

std::unexpected<base::Error> bad(const std::string& file, std::int64_t line, std::string message,
                                 std::string hint = {}) {
  return base::fail(Kind::invalid, "case.syntax", std::move(message), std::move(hint), {file, line, 1});
}

base::Result<CaseStep> read_step(std::string_view line, std::int64_t number, const std::string& file) {
  for (const auto& [opening, word] : kWords) {
    if (!line.starts_with(opening)) continue;
    const std::string_view argument = base::trim(line.substr(opening.size()));
    return CaseStep{word, number, std::string(base::trim(line)), std::string(argument), {}};
  }
  return bad(
      file, number, "no keyword begins this line: " + std::string(line),
      "begin it with # , given, run or expect; what belongs to the line above is indented by two spaces");
}

base::Status check_whole(const std::vector<CaseStep>& steps, const std::string& file) {
  if (steps.empty() || steps.front().word != Word::why)
    return bad(file, 1, "a case begins with # and why it is there");
  bool has_run = false;
  bool has_expectation = false;
  for (const CaseStep& step : steps) {
    has_run = has_run || step.word == Word::run;
    has_expectation = has_expectation || step.is_expectation();
    if (step.is_expectation() && !has_run)
      return bad(file, step.line, "nothing was run yet", "write run load above");
    if (step.argument.empty()) return bad(file, step.line, "something is missing behind " + step.text);
  }
  if (!has_expectation)
    return bad(file, 1, "a case that expects nothing proves nothing", "add an expect line");
  return {};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The byte that the escape at the front of `text` stands for; takes it away.
std::optional<char> take_escape(std::string_view& text) {
  constexpr std::string_view kLetters = "rnt\\";
  constexpr std::string_view kBytes = "\r\n\t\\";
  if (text.size() < 2) return std::nullopt;
  if (const std::size_t at = kLetters.find(text[1]); at != std::string_view::npos) {
    text.remove_prefix(2);
    return kBytes[at];
  }
  if (text[1] != 'x' || text.size() < 4) return std::nullopt;
  const int high = hex_digit(text[2]);
  const int low = hex_digit(text[3]);
  if (high < 0 || low < 0) return std::nullopt;
  text.remove_prefix(4);
  return static_cast<char>(high * 16 + low);
}

}  // namespace

base::Result<std::vector<CaseStep>> parse_case(std::string_view text, const std::string& file) {
  std::vector<CaseStep> steps;
  std::int64_t number = 0;
  for (std::string_view line : base::split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("  ") && !steps.empty() && steps.back().word != Word::why) {
      steps.back().block.emplace_back(line.substr(2));
    } else if (base::trim(line).empty()) {
      if (!steps.empty()) steps.back().block.emplace_back();
    } else {
      TRY(CaseStep step, read_step(line, number, file));
      steps.push_back(std::move(step));
    }
  }
  for (CaseStep& step : steps)
    while (!step.block.empty() && step.block.back().empty()) step.block.pop_back();
  TRY_STATUS(check_whole(steps, file));
  return steps;
}

base::Result<std::string> given_bytes(const CaseStep& step, const std::string& file) {
  std::string bytes;
  if (step.word != Word::given_escaped) {
    for (const std::string& line : step.block) bytes += line + "\n";
    return bytes;
  }
  const std::string joined = base::join(step.block, "");
  for (std::string_view rest = joined; !rest.empty();) {
    if (rest.front() != '\\') {
      bytes += rest.front();
      rest.remove_prefix(1);
    } else if (const auto byte = take_escape(rest)) {
      bytes += *byte;
    } else {
      return base::fail(Kind::invalid, "case.escape", "unknown escape " + std::string(rest.substr(0, 4)),
                        R"(write \r \n \t \\ or \xHH)", {file, step.line, 1});
    }
  }
  return bytes;
}

namespace {

// "silver.orders.two_words.case" is about silver.orders.
base::Result<contract::TableName> table_of(const std::string& file) {
  constexpr std::string_view kSuffix = ".case";
  const std::string name = world::path_name(file);
  const std::vector<std::string_view> parts =
      base::split(std::string_view(name).substr(0, name.size() - kSuffix.size()), '.');
  if (parts.size() >= 2 && !parts[0].empty() && !parts[1].empty())
    return contract::TableName{std::string(parts[0]), std::string(parts[1])};
  return base::fail(Kind::invalid, "case.file_name",
                    "a case is named after a table, as in silver.orders.case", "rename the file",
                    {file, 0, 0});
}

base::Status find_in(const world::World& world, const Project& project, const std::string& item,
                     const std::string& item_name, std::vector<FoundCase>& found) {
  const std::string folder = item + "/cases";
  const auto entries = world.files->list(world::path_join(project.root, folder));
  if (!entries && entries.error().kind == Kind::not_found) return {};
  if (!entries) return base::fail(entries.error());
  for (const world::FileInfo& entry : *entries) {
    if (entry.is_directory || !entry.name.ends_with(".case") || entry.name.starts_with('.')) continue;
    FoundCase one{folder + "/" + entry.name, item_name, {}};
    TRY(one.table, table_of(one.file));
    const bool is_known =
        std::any_of(project.tables.begin(), project.tables.end(), [&](const TableDocument& table) {
          return table.item == item && contract::equal_ignoring_case(table.name, one.table);
        });
    if (!is_known)
      return base::fail(Kind::invalid, "case.file_name",
                        "no document of " + item + " is about " + one.table.text(),
                        "name the case after one of its tables", {one.file, 0, 0});
    found.push_back(std::move(one));
  }
  return {};
}

}  // namespace

base::Result<std::vector<FoundCase>> find_cases(const world::World& world, const Project& project) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const TableDocument& table : project.tables) {
    const std::pair<std::string, std::string> item(table.item, table.item_name);
    if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  std::vector<FoundCase> found;
  for (const auto& [item, item_name] : items) TRY_STATUS(find_in(world, project, item, item_name, found));
  return found;
}

}  // namespace project
