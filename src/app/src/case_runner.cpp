#include "case_runner.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include <app/app.h>
#include <base/text.h>
#include <world/simulation.h>

namespace app {

namespace {

using base::Json;
using base::Kind;
using project::CaseStep;
using Word = CaseStep::Word;

constexpr std::string_view kClock = "2026-03-01T06:00:00Z";
constexpr std::string_view kUser = "case";
constexpr std::string_view kInFiles = "Files/";

// A folder that is gone when this is.
class ThrowawayFolder {
 public:
  static base::Result<std::unique_ptr<ThrowawayFolder>> make(const world::World& world,
                                                             const std::string& project) {
    const std::string parent = world.variable("TMPDIR").value_or("/tmp");
    const std::string path = world::path_join(parent, "tenter-test-" + world.random->uuid());
    TRY_STATUS(world.files->make_directories(world::path_join(path, project)));
    TRY(std::string real, world.files->real_path(path));
    return std::make_unique<ThrowawayFolder>(world.files, std::move(real), project);
  }
  ThrowawayFolder(std::shared_ptr<world::Files> files, std::string path, const std::string& project)
      : files_(std::move(files)), path_(std::move(path)), project_(world::path_join(path_, project)) {}
  ~ThrowawayFolder() { (void)files_->remove_all(path_); }  // what stays is in the folder for such things
  ThrowawayFolder(const ThrowawayFolder&) = delete;
  ThrowawayFolder& operator=(const ThrowawayFolder&) = delete;
  // Named as the project's own folder, which names the workspace where tenter.yml does not.
  const std::string& project() const { return project_; }

 private:
  std::shared_ptr<world::Files> files_;
  std::string path_;
  std::string project_;
};

struct Ran {
  int exit = 0;
  Json document;

  std::vector<std::string> codes() const {
    std::vector<std::string> all;
    if (const Json* errors = document.find("errors"))
      for (const Json& error : errors->items()) all.emplace_back(error.string("code").value_or(""));
    return all;
  }
  std::string told() const {
    std::string text = "it ended with " + std::to_string(exit);
    if (const Json* errors = document.find("errors"))
      for (const Json& error : errors->items())
        text += "; " + std::string(error.string("message").value_or("")) + " [" +
                std::string(error.string("code").value_or("")) + "]";
    return text;
  }
};

// Whether the query orders its rows itself: an ORDER BY outside all brackets and quotes.
bool orders(std::string_view query) {
  std::string flat;
  int depth = 0;
  char quote = 0;
  for (const char c : query) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '\'' || c == '"') quote = c;
    if (c == '(') ++depth;
    if (depth == 0 && quote == 0) flat += c == '\t' ? ' ' : c;
    if (c == ')') --depth;
  }
  const std::string lower = base::ascii_lower(flat);
  for (std::size_t at = lower.find(" order "); at != std::string::npos; at = lower.find(" order ", at + 1)) {
    const std::size_t next = lower.find_first_not_of(' ', at + 7);
    if (next != std::string::npos && lower.compare(next, 3, "by ") == 0) return true;
  }
  return false;
}

// `read` is a count, `rejects.missing.id` a reject's count (0 when absent), `a.b` a member within a member.
std::string receipt_value(const Json& receipt, const std::string& name) {
  constexpr std::string_view kRejects = "rejects.";
  if (const Json* counts = receipt.find("counts"))
    if (const Json* count = counts->find(name)) return count->print();
  if (name.starts_with(kRejects)) {
    const Json* rejects = receipt.find("rejects");
    const Json* count = rejects == nullptr ? nullptr : rejects->find(name.substr(kRejects.size()));
    return count == nullptr ? "0" : count->print();
  }
  const Json* value = &receipt;
  for (const std::string_view part : base::split(name, '.'))
    if (value != nullptr) value = value->find(part);
  if (value == nullptr) return "null";
  return value->is_string() ? std::string(*value->as_string()) : value->print();
}

class CaseRun {
 public:
  CaseRun(const world::World& world, const project::Project& project, const project::FoundCase& one,
          const std::string& folder)
      : outer_(world), project_(project), one_(one), folder_(folder), world_(world) {
    world_.files = world::files_within(world.files, folder);
    world_.outside = world::simulated_outside();
    const auto variable = world.variable;
    world_.variable = [variable](const std::string& name) -> std::optional<std::string> {
      if (name == "TENTER_USER") return std::string(kUser);
      if (name == "TENTER_HOME") return std::nullopt;
      return variable(name);
    };
  }

  base::Result<CaseResult> run() {
    TRY(const std::string text, outer_.files->read(world::path_join(project_.root, one_.file)));
    TRY(const std::vector<CaseStep> steps, project::parse_case(text, one_.file));
    TRY_STATUS(copy_documents());
    const Ran made = tenter({"init", "--test-clock", std::string(kClock)});
    if (made.exit != 0) return base::fail(Kind::io, "case.run", "no home could be made: " + made.told());
    for (std::size_t i = 0; i < steps.size(); ++i) TRY_STATUS(take(steps, i));
    return CaseResult{one_.file, std::move(failures_)};
  }

 private:
  base::Status copy_documents() {
    std::vector<std::string> files = {"tenter.yml"};
    for (const project::TableDocument& table : project_.tables) files.push_back(table.file);
    for (const std::string& file : files) {
      const auto text = outer_.files->read(world::path_join(project_.root, file));
      if (!text && text.error().kind == Kind::not_found) continue;
      if (!text) return base::fail(text.error());
      TRY_STATUS(write(file, *text));
    }
    return {};
  }

  base::Status write(const std::string& path, const std::string& bytes) {
    TRY_STATUS(world_.files->make_directories(world::path_parent(path)));
    return world_.files->replace(path, bytes);
  }

  Ran tenter(std::vector<std::string> arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--json") == arguments.end())
      arguments.emplace_back("--json");
    std::ostringstream out;
    std::ostringstream err;
    world::World world = world_;  // a command may change its own
    Ran ran;
    ran.exit = app::run(arguments, Terminal{out, err, false}, world);
    if (auto document = Json::parse(out.str())) ran.document = *std::move(document);
    return ran;
  }

  // Looking must not move the home's clock: what is expected stays the same however much is looked at.
  Ran look(std::vector<std::string> arguments) {
    const std::string clock = ".tenter/clock";
    const auto before = world_.files->read(clock);
    Ran ran = tenter(std::move(arguments));
    if (before) (void)world_.files->replace(clock, *before);
    return ran;
  }

  base::Place at(const CaseStep& step) const { return {one_.file, step.line, 1}; }

  void fail(const CaseStep& step, std::string message) {
    failures_.push_back({step.line, step.text, std::move(message), {}, {}});
  }

  base::Status take(const std::vector<CaseStep>& steps, std::size_t index) {
    const CaseStep& step = steps[index];
    switch (step.word) {
      case Word::why:
        return {};
      case Word::document:
        return base::fail(Kind::invalid, "case.document", "a project's case uses the project's own documents",
                          "remove the block, or change the document itself", at(step));
      case Word::given:
      case Word::given_escaped:
        return give(step);
      case Word::run:
        return run_step(step, ends_are_expected(steps, index));
      default:
        expect(step);
        return {};
    }
  }

  // Whether an "expect exit" stands between this run and the next.
  static bool ends_are_expected(const std::vector<CaseStep>& steps, std::size_t index) {
    for (std::size_t i = index + 1; i < steps.size() && steps[i].word != Word::run; ++i)
      if (steps[i].word == Word::expect_exit) return true;
    return false;
  }

  base::Status give(const CaseStep& step) {
    const std::vector<std::string_view> parts = base::split(step.argument, '/');
    const bool is_odd = std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
      return part.empty() || part == "." || part == ".." || part == ".tenter";
    });
    if (is_odd)
      return base::fail(Kind::invalid, "case.path", "\"" + step.argument + "\" is no file of a project",
                        "name it relative to the project, as in landing/orders/a.csv", at(step));
    TRY(const std::string bytes, project::given_bytes(step, one_.file));
    std::string path = step.argument;
    if (path.starts_with(kInFiles)) {
      const std::string tables = project::tables_root(".tenter", project_.workspace, one_.item_name);
      path = world::path_join(world::path_parent(tables), path);
    }
    return write(path, bytes);
  }

  base::Status run_step(const CaseStep& step, bool end_is_expected) {
    auto words = base::split_words(step.argument);
    if (!words)
      return base::fail(Kind::invalid, "case.run", words.error().message, "close the quote", at(step));
    const auto verb =
        std::find_if(words->begin(), words->end(), [](const auto& word) { return !word.starts_with('-'); });
    for (const std::string& word : *words)
      if ((verb != words->end() && *verb == "test") || word.starts_with("--home") ||
          word.starts_with("--project"))
        return base::fail(Kind::invalid, "case.run", "a case runs in a folder and a home of its own: " + word,
                          "leave it out", at(step));
    last_ = tenter(*std::move(words));
    if (!end_is_expected && last_.exit != 0) fail(step, last_.told());
    return {};
  }

  void expect(const CaseStep& step) {
    if (step.word == Word::expect_exit) {
      if (std::to_string(last_.exit) != step.argument) fail(step, last_.told());
    } else if (step.word == Word::expect_error) {
      const std::vector<std::string> codes = last_.codes();
      if (std::find(codes.begin(), codes.end(), step.argument) == codes.end())
        fail(step,
             codes.empty() ? "the last run gave no error" : "the errors are " + base::join(codes, ", "));
    } else if (step.word == Word::expect_rows) {
      expect_rows(step);
    } else {
      expect_of_newest(step);
    }
  }

  void expect_rows(const CaseStep& step) {
    const Ran ran =
        look({"sql", "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + step.argument + ") AS answer"});
    if (ran.exit != 0) return fail(step, ran.told());
    const Json& result = *ran.document.find("result");
    std::vector<std::string> names;
    for (const Json& column : result.find("columns")->items())
      names.emplace_back(column.string("name").value_or(""));
    std::vector<std::string> found;
    for (const Json& row : result.find("rows")->items()) {
      std::vector<std::string> cells;
      for (const Json& cell : row.items()) cells.push_back(cell_text(cell));
      found.push_back(base::join(cells, " | "));
    }
    const std::string head = base::join(names, " | ");
    if (step.block.empty() || step.block.front() != head) return fail(step, "the columns are " + head);
    compare_rows(step, {step.block.begin() + 1, step.block.end()}, found);
  }

  static std::string cell_text(const Json& cell) {
    if (cell.is_null()) return "NULL";
    const std::string text(cell.as_string().value_or(""));
    return text.empty() ? "\"\"" : text;
  }

  void compare_rows(const CaseStep& step, const std::vector<std::string>& wanted,
                    const std::vector<std::string>& found) {
    if (found == wanted) return;
    CaseFailure failure{step.line, step.text, "", {}, {}};
    std::map<std::string, std::int64_t> balance;
    for (const std::string& row : wanted) ++balance[row];
    for (const std::string& row : found) --balance[row];
    for (const std::string& row : wanted)
      if (balance[row]-- > 0) failure.missing.push_back(row);
    for (auto& [row, count] : balance) count = 0;
    for (const std::string& row : found) ++balance[row];
    for (const std::string& row : wanted) --balance[row];
    for (const std::string& row : found)
      if (balance[row]-- > 0) failure.unexpected.push_back(row);
    if (failure.missing.empty() && failure.unexpected.empty()) {
      if (!orders(step.argument)) return;
      failure.message = "the rows come in another order: " + base::join(found, ", ");
    }
    failures_.push_back(std::move(failure));
  }

  // The newest version of a table and its receipt.
  void expect_of_newest(const CaseStep& step) {
    const auto words = base::split_words(step.argument);
    if (!words || words->size() < 2) return fail(step, "write a table, and behind it what is expected of it");
    const Ran ran = look({"history", words->front(), "--limit", "1"});
    if (ran.exit != 0) return fail(step, ran.told());
    const Json& newest = ran.document.find("result")->find("versions")->items().front();
    const std::string version = newest.find("version")->print();
    if (step.word == Word::expect_version) {
      if (version != (*words)[1]) fail(step, "it is at version " + version);
      return;
    }
    const Json& receipt = *newest.find("receipt");
    if (receipt.is_null()) return fail(step, "version " + version + " carries no receipt");
    for (std::size_t i = 1; i < words->size(); ++i) {
      const std::string& pair = (*words)[i];
      const std::string name = pair.substr(0, pair.find('='));
      const std::string wanted = pair.find('=') == std::string::npos ? "" : pair.substr(pair.find('=') + 1);
      const std::string found = receipt_value(receipt, name);
      if (found != wanted)
        fail(step, name + " is " + found + " in the receipt of version " + version + ", not " + wanted);
    }
  }

  const world::World& outer_;
  const project::Project& project_;
  const project::FoundCase& one_;
  const std::string& folder_;
  world::World world_;
  Ran last_;
  std::vector<CaseFailure> failures_;
};

}  // namespace

base::Result<CaseResult> run_case(const world::World& world, const project::Project& project,
                                  const project::FoundCase& one) {
  TRY(const auto folder, ThrowawayFolder::make(world, world::path_name(project.root)));
  return CaseRun(world, project, one, folder->project()).run();
}

}  // namespace app
