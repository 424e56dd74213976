// One function a verb. Arguments as parsed; the answer is printed by the caller.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer.h"
#include "context.h"

namespace app {

struct InitArguments {
  std::string directory;
  std::string test_clock;
};
struct LoadArguments {
  std::string table;  // "S.O", "+S.O" or empty
  std::optional<std::string> batch;
  std::vector<std::string> except;
  bool accept_rejects = false;
  std::string because;
  bool from_bronze = false;
  bool dry_run = false;
  std::string max_reject;  // with dry_run
  bool fail_on_reject = false;
};
struct ShowArguments {
  std::string table;
  std::optional<std::int64_t> version;
  std::int64_t limit = 20;
};
struct RejectsArguments {
  std::string table;
  std::optional<std::string> batch;
  std::optional<std::string> reason;
  bool all = false;
  std::string format = "text";
  std::string output;
};
struct ApplyArguments {
  std::string table;
  std::string file;
  std::optional<std::string> batch;
  std::string because;
};
struct SkipArguments {
  std::string batch;
  std::vector<std::string> tables;
  std::string because;
};
struct SupersedeArguments {
  std::string old;
  std::string by;
  std::string table;
  std::string because;
};
struct VerifyArguments {
  std::string table;
  std::optional<std::int64_t> version;
  bool deep = false;
};

Answer where_am_i(Context& context);
Answer init(Context& context, const InitArguments& arguments);
Answer check(Context& context);
Answer build(Context& context, const std::vector<std::string>& tables);
Answer load(Context& context, const LoadArguments& arguments);
Answer show(Context& context, const ShowArguments& arguments);
Answer history(Context& context, const std::string& table, std::int64_t limit);
Answer sql(Context& context, const std::string& query);
Answer verify(Context& context, const VerifyArguments& arguments);
Answer batches(Context& context, const std::string& table);
Answer skip(Context& context, const SkipArguments& arguments);
Answer supersede(Context& context, const SupersedeArguments& arguments);
Answer reject_trend(Context& context, const std::string& table, std::optional<std::int64_t> limit);
Answer rejects(Context& context, const RejectsArguments& arguments);
Answer retry(Context& context, const RejectsArguments& arguments);
Answer apply(Context& context, const ApplyArguments& arguments);
Answer docs(Context& context);
Answer doctor(Context& context);
Answer test(Context& context, const std::vector<std::string>& tables);

}  // namespace app
