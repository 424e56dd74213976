// The one file that knows CLI11: arguments to commands, answers to text or JSON.
#include <app/app.h>
#include <CLI/CLI.hpp>

#include <ostream>

#include <base/text.h>

#include "commands.h"

#ifndef TENTER_VERSION
#define TENTER_VERSION "0.1.0"
#endif

namespace app {

namespace {

using Command = std::function<Answer(Context&)>;

struct Parsed {
  GlobalOptions global;
  std::string verb;
  Command command = where_am_i;
};

// Arguments that the verbs bind to; they must outlive parsing and the command.
struct Arguments {
  InitArguments init;
  LoadArguments load;
  ShowArguments show;
  RejectsArguments rejects;
  ApplyArguments apply;
  SkipArguments skip;
  SupersedeArguments supersede;
  bool reject_trend = false;
  VerifyArguments verify;
  std::vector<std::string> tables;
  std::string table;
  std::string query;
  std::optional<std::int64_t> limit;
};

constexpr std::uint64_t kMemoryMin = 200'000'000;
constexpr const char* kDaily = "Daily work";
constexpr const char* kLook = "Looking";
constexpr const char* kProject = "Project";

void add_project_verbs(CLI::App& root, Arguments& arguments, Parsed& parsed) {
  const auto verb = [&](const char* name, const char* text, const Command& command) {
    CLI::App* added = root.add_subcommand(name, text)->group(kProject);
    added->callback([&parsed, name, command] {
      parsed.verb = name;
      parsed.command = command;
    });
    return added;
  };
  CLI::App* init_verb = verb("init", "make a project folder and its home",
                             [&](Context& context) { return init(context, arguments.init); });
  init_verb->add_option("directory", arguments.init.directory,
                        "the project's folder; default: the current one");
  init_verb->add_option("--test-clock", arguments.init.test_clock,
                        "a home whose clock starts at INSTANT and moves one second per command");
  verb("check", "read every document and say what is wrong", check);
  CLI::App* build_verb = verb("build", "install contracts on their tables",
                              [&](Context& context) { return build(context, arguments.tables); });
  build_verb->add_option("tables", arguments.tables, "S.O …; default: all");
  CLI::App* test_verb = verb("test", "run the project's cases, in a home of their own",
                             [&](Context& context) { return test(context, arguments.tables); });
  test_verb->add_option("tables", arguments.tables, "S.O …; default: all");
  verb("docs", "write each contract's README.md", docs);
  verb("doctor", "say what this machine, home and project look like", doctor);
}

void add_daily_verbs(CLI::App& root, Arguments& arguments, Parsed& parsed) {
  CLI::App* load_verb = root.add_subcommand("load", "land new files and load what is pending")->group(kDaily);
  load_verb->add_option("table", arguments.load.table,
                        "S.O, or +S.O with what it reads; default: everything");
  load_verb->add_option("--batch", arguments.load.batch,
                        "the batch to make (landing table) or load (contract table)");
  load_verb
      ->add_option("--except", arguments.load.except,
                   "a file that is not landed this time, relative to the project; repeatable")
      ->expected(1)
      ->take_all();
  load_verb->add_flag("--accept-rejects", arguments.load.accept_rejects,
                      "waive the reject limit for this batch");
  load_verb->add_option("--because", arguments.load.because, "the reason, kept in the receipt");
  load_verb->add_flag("--from-bronze", arguments.load.from_bronze,
                      "recompute the whole table from its loaded batches, in one commit");
  load_verb->add_flag("--dry-run", arguments.load.dry_run, "every gate and count, nothing written");
  load_verb->add_option("--max-reject", arguments.load.max_reject,
                        "with --dry-run: this reject limit instead of the contract's, such as 2%");
  load_verb->add_flag("--fail-on-reject", arguments.load.fail_on_reject,
                      "end with 1 when any row was rejected, though the batch loaded");
  load_verb->callback([&] {
    parsed.verb = "load";
    parsed.command = [&](Context& context) { return load(context, arguments.load); };
  });
  CLI::App* batch_verb = root.add_subcommand("batch", "decide about one batch")->group(kDaily);
  batch_verb->require_subcommand(1);
  CLI::App* skip_verb = batch_verb->add_subcommand("skip", "pass a batch over");
  skip_verb->add_option("id", arguments.skip.batch, "the batch, or the beginning of its name")->required();
  skip_verb->add_option("tables", arguments.skip.tables, "S.O …; default: every table that loads it");
  skip_verb->add_option("--because", arguments.skip.because, "the reason, kept in the receipt");
  skip_verb->callback([&] {
    parsed.verb = "batch";
    parsed.command = [&](Context& context) { return skip(context, arguments.skip); };
  });
  CLI::App* supersede_verb = batch_verb->add_subcommand("supersede", "put a batch in the place of another");
  supersede_verb->add_option("old", arguments.supersede.old, "the batch that is replaced")->required();
  supersede_verb->add_option("new", arguments.supersede.by, "the batch that stands in its place")->required();
  supersede_verb->add_option("table", arguments.supersede.table,
                             "S.O, where batches of two landing tables have the name");
  supersede_verb->add_option("--because", arguments.supersede.because, "the reason, kept in the receipt");
  supersede_verb->callback([&] {
    parsed.verb = "batch";
    parsed.command = [&](Context& context) { return supersede(context, arguments.supersede); };
  });
  CLI::App* verify_verb =
      root.add_subcommand("verify", "prove receipts, keys and constraints from the log and the files")
          ->group(kDaily);
  verify_verb->add_option("table", arguments.verify.table, "S.O; default: every contract table");
  verify_verb->add_option("--version-number,--at", arguments.verify.version, "the newest version to look at");
  verify_verb->add_flag("--deep", arguments.verify.deep, "judge every batch anew from bronze");
  verify_verb->callback([&] {
    parsed.verb = "verify";
    parsed.command = [&](Context& context) { return verify(context, arguments.verify); };
  });
}

void add_verbs_of_rejects(CLI::App& rejects_verb, Arguments& arguments, Parsed& parsed) {
  rejects_verb.require_subcommand(0, 1);
  CLI::App* retry_verb =
      rejects_verb.add_subcommand("retry", "judge open rejects again, under today's contract");
  retry_verb->add_option("table", arguments.rejects.table, "S.O")->required();
  retry_verb->add_option("--batch", arguments.rejects.batch, "only this batch");
  retry_verb->add_option("--reason", arguments.rejects.reason, "only rows with this code");
  // The callback of the verb itself runs after this one and must not take it back.
  retry_verb->callback([&] {
    parsed.verb = "rejects_retry";
    parsed.command = [&](Context& context) { return retry(context, arguments.rejects); };
  });
  CLI::App* apply_verb = rejects_verb.add_subcommand("apply", "land a file of corrected rows and load it");
  apply_verb->add_option("table", arguments.apply.table, "S.O")->required();
  apply_verb->add_option("file", arguments.apply.file, "FIX.csv, in the project's folder")->required();
  apply_verb->add_option("--batch", arguments.apply.batch, "the id of the batch that it becomes");
  apply_verb->add_option("--because", arguments.apply.because, "the reason, kept in the receipt");
  apply_verb->callback([&] {
    parsed.verb = "rejects_apply";
    parsed.command = [&](Context& context) { return apply(context, arguments.apply); };
  });
}

void add_looking_verbs(CLI::App& root, Arguments& arguments, Parsed& parsed) {
  const auto verb = [&](const char* name, const char* text, const Command& command) {
    CLI::App* added = root.add_subcommand(name, text)->group(kLook);
    added->callback([&parsed, added, name, command] {
      if (!added->get_subcommands().empty()) return;  // a verb of its own
      parsed.verb = name;
      parsed.command = command;
    });
    return added;
  };
  CLI::App* show_verb = verb("show", "list tables, or show one's rows",
                             [&](Context& context) { return show(context, arguments.show); });
  show_verb->add_option("table", arguments.show.table, "S.O");
  show_verb->add_option("--at", arguments.show.version, "an older version");
  show_verb->add_option("--limit", arguments.show.limit, "rows at the most; default 20")
      ->check(CLI::NonNegativeNumber);
  CLI::App* history_verb =
      verb("history", "the commits of a table and their receipts", [&](Context& context) {
        if (arguments.reject_trend) return reject_trend(context, arguments.table, arguments.limit);
        return history(context, arguments.table, arguments.limit.value_or(20));
      });
  history_verb->add_option("table", arguments.table, "S.O")->required();
  history_verb
      ->add_option("--limit", arguments.limit,
                   "commits at the most, the newest; default 20; with --rejects batches, default all")
      ->check(CLI::NonNegativeNumber);
  history_verb->add_flag("--rejects", arguments.reject_trend,
                         "reject ratios of the loaded batches, by reason code");
  CLI::App* sql_verb =
      verb("sql", "a query over the home's tables: silver.orders, silver.orders@v3 (read-only)",
           [&](Context& context) { return sql(context, arguments.query); });
  sql_verb->add_option("query", arguments.query, "DuckDB SQL")->required();
  CLI::App* batches_verb = verb("batches", "what was landed and what became of it",
                                [&](Context& context) { return batches(context, arguments.table); });
  batches_verb->add_option("table", arguments.table, "S.O; default: all");
  CLI::App* rejects_verb = verb("rejects", "rejected rows with their reasons; retry or apply corrections",
                                [&](Context& context) { return rejects(context, arguments.rejects); });
  rejects_verb->add_option("table", arguments.rejects.table, "S.O");
  rejects_verb->add_option("--batch", arguments.rejects.batch, "only this batch");
  rejects_verb->add_option("--reason", arguments.rejects.reason, "only rows with this code");
  rejects_verb->add_flag("--all", arguments.rejects.all, "resolved ones too, with what resolved them");
  rejects_verb->add_option("--format", arguments.rejects.format, "text or csv")
      ->check(CLI::IsMember({"text", "csv"}));
  rejects_verb->add_option("-o,--output", arguments.rejects.output, "write to this file");
  add_verbs_of_rejects(*rejects_verb, arguments, parsed);
}

base::Json print_error(const base::Error& error) {
  return base::Json::object(
      {{"code", error.code},
       {"message", error.message},
       {"file", error.place.file.empty() ? base::Json() : base::Json(error.place.file)},
       {"line", error.place.line > 0 ? base::Json(error.place.line) : base::Json()},
       {"column", error.place.column > 0 ? base::Json(error.place.column) : base::Json()},
       {"hint", error.hint.empty() ? base::Json() : base::Json(error.hint)}});
}

void print_answer(const Answer& answer, const Parsed& parsed, const Terminal& terminal) {
  for (const std::string& warning : answer.warnings) terminal.err << "warning: " << warning << "\n";
  const bool hints = parsed.global.json || parsed.global.quiet || !answer.text_has_hints;
  for (base::Error error : answer.errors) {
    if (!hints) error.hint.clear();
    terminal.err << "error: " << base::print(error) << "\n";
  }
  if (parsed.global.json) {
    base::Json errors = base::Json::array();
    for (const base::Error& error : answer.errors) errors.push(print_error(error));
    const std::string verb = parsed.verb.empty() ? "status" : parsed.verb;
    terminal.out << base::Json::object({{"format", "tenter/" + verb + "/1"},
                                        {"ok", answer.errors.empty()},
                                        {"result", answer.result},
                                        {"errors", std::move(errors)}})
                        .print(2)
                 << "\n";
  } else if (!parsed.global.quiet) {
    terminal.out << answer.text;
  }
}

// Told to people only when a command takes longer than a second.
std::function<void(std::string_view)> progress_to(const Terminal& terminal, const GlobalOptions& options) {
  if (!terminal.is_terminal || options.quiet) return nullptr;
  const double start = world::stopwatch_seconds();
  return [&terminal, start](std::string_view what) {
    if (world::stopwatch_seconds() - start > 1.0) terminal.err << what << " …\n" << std::flush;
  };
}

// The verb or option that was meant by one that nobody knows.
std::string meant(const CLI::App& root, const std::string& unknown) {
  std::vector<std::string> known;
  const auto chosen = root.get_subcommands();
  const CLI::App* verb = chosen.empty() ? &root : chosen.back();
  for (const CLI::App* app : {&root, verb})
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const CLI::App* other : verb->get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(other->get_name());
  return base::closest(unknown, known);
}

Answer usage_error(const CLI::App& root, const CLI::ParseError& error) {
  base::Error usage{
      base::Kind::invalid, "usage.arguments", error.what(), "tenter --help lists the verbs", {}};
  const std::vector<std::string> unknown = root.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !unknown.empty()) {
    usage.message = "not expected here: " + base::join(unknown, " ");
    if (const std::string near = meant(root, unknown.front()); !near.empty())
      usage.hint = "did you mean " + near + "?";
  }
  return failed(usage);
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Terminal& terminal, world::World& world) {
  CLI::App root("Tenter: tables whose written contracts are enforced and proven", "tenter");
  Parsed parsed;
  Arguments bound;
  root.add_option("--project", parsed.global.project, "the project's folder; default: the current one");
  root.add_option("--home", parsed.global.home,
                  "the home folder; default: TENTER_HOME, else PROJECT/.tenter");
  root.add_flag("--json", parsed.global.json, "one JSON document on standard output");
  root.add_flag("--quiet", parsed.global.quiet, "errors only");
  root.add_option("--threads", parsed.global.threads, "threads at the most; default: one for each processor")
      ->check(CLI::Range(1, 1024));
  root.add_option("--memory", parsed.global.memory_bytes,
                  "memory at the most, as in 1GB; what exceeds it goes to TMPDIR")
      ->transform(CLI::AsSizeValue(true))
      ->check(CLI::Range(kMemoryMin, std::uint64_t{1} << 50));
  root.set_version_flag("--version", std::string("tenter ") + TENTER_VERSION);
  root.require_subcommand(0, 1);
  root.fallthrough();
  add_daily_verbs(root, bound, parsed);
  add_looking_verbs(root, bound, parsed);
  add_project_verbs(root, bound, parsed);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    root.parse(std::move(reversed));
  } catch (const CLI::Success& done) {  // --help, --version
    return root.exit(done, terminal.out, terminal.err);
  } catch (const CLI::ParseError& error) {
    parsed.global.json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    const Answer answer = usage_error(root, error);
    print_answer(answer, parsed, terminal);
    return 2;
  }
  Context context(world, parsed.global, progress_to(terminal, parsed.global));
  const Answer answer = parsed.command(context);
  print_answer(answer, parsed, terminal);
  return exit_code(answer);
}

}  // namespace app
