#include "failure_hook.h"

#include <charconv>

#include <base/text.h>

#include "keys.h"
#include "values.h"

namespace contract {

namespace {

using base::Kind;

constexpr std::int64_t kSecondsMax = 600;
constexpr std::string_view kExample =
    "write {run: python3 tell.py} or {post: \"http://localhost:8080/failed\"}";

KeySet hook_keys() {
  KeySet keys;
  keys.what = "\"on failure\"";
  keys.taken = {"run", "post", "time limit"};
  return keys;
}

void report(const Node& node, std::string message, std::string hint, Faults& faults) {
  faults.add(Kind::invalid, "settings.on_failure", std::move(message), std::move(hint), node);
}

// A text is split as a shell splits words; a list holds the words as they are.
void read_command(const Node& node, FailureHook& hook, Faults& faults) {
  if (node.is_text()) {
    auto words = base::split_words(node.text);
    if (!words)
      return report(node, words.error().message, "close the quote, or write a list of words", faults);
    hook.command = *std::move(words);
  } else {
    for (const Node* word : read_texts(node, "run", faults)) hook.command.push_back(word->text);
  }
  if (hook.command.empty() || hook.command.front().empty())
    report(node, "\"run\" names no program", std::string(kExample), faults);
}

bool is_host(std::string_view host) {
  return !host.empty() && host.size() <= 253 &&
         host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:") ==
             std::string_view::npos;
}

bool is_path(std::string_view path) {
  for (const char c : path)
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f) return false;
  return true;
}

// host, host:port, [address]:port
bool read_host(std::string_view text, FailureHook& hook) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return false;
    hook.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const std::size_t colon = text.find(':');
    hook.host = text.substr(0, colon);
    port = colon == std::string_view::npos ? "" : text.substr(colon);
    if (hook.host.find(':') != std::string::npos) return false;
  }
  if (!is_host(hook.host)) return false;
  if (port.empty()) return true;
  if (port.front() != ':') return false;
  port.remove_prefix(1);
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), hook.port);
  return fault == std::errc() && end == port.data() + port.size() && hook.port > 0;
}

void read_address(const Node& node, FailureHook& hook, Faults& faults) {
  constexpr std::string_view kPlain = "http://";
  const auto text = read_text(node, "post", faults);
  if (!text) return;
  std::string_view rest = *text;
  if (base::ascii_lower(rest).starts_with("https://")) {
    faults.add(Kind::unsupported, "document.not_built", "posting over https (" + *text + ") is not built yet",
               "post to a receiver on this machine, or run a command that posts", node);
    return;
  }
  if (base::ascii_lower(rest).starts_with(kPlain)) {
    rest.remove_prefix(kPlain.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    if (slash < rest.size()) hook.path = rest.substr(slash);
    if (read_host(rest.substr(0, slash), hook) && is_path(hook.path)) return;
  }
  report(node, "\"" + *text + "\" is no address that can be posted to",
         "write http://host:port/path, as in http://localhost:8080/failed", faults);
}

void read_limit(const Node& node, FailureHook& hook, Faults& faults) {
  const auto seconds = read_count(node, "time limit", faults);
  if (!seconds) return;
  if (*seconds >= 1 && *seconds <= kSecondsMax) {
    hook.limit_ms = *seconds * 1'000;
    return;
  }
  report(node, "\"time limit\" must be from 1 to 600 seconds; found " + found(node),
         "leave it out for 10 seconds", faults);
}

}  // namespace

std::optional<FailureHook> read_failure_hook(const Node& node, Faults& faults) {
  const std::size_t before = faults.count();
  FailureHook hook;
  if (node.type != Node::Type::mapping) {
    report(node, "\"on failure\" must say what to run or where to post; found " + found(node),
           std::string(kExample), faults);
    return std::nullopt;
  }
  const Fields fields = read_fields(node, hook_keys(), faults);
  const Node* const run = fields.value("run");
  const Node* const post = fields.value("post");
  if ((run == nullptr) == (post == nullptr)) {
    report(node,
           run == nullptr ? "\"on failure\" has neither \"run\" nor \"post\""
                          : "\"on failure\" has both \"run\" and \"post\"",
           std::string(kExample), faults);
    return std::nullopt;
  }
  if (run != nullptr) read_command(*run, hook, faults);
  if (post != nullptr) read_address(*post, hook, faults);
  if (const Node* limit = fields.value("time limit")) read_limit(*limit, hook, faults);
  return faults.count() == before ? std::optional(std::move(hook)) : std::nullopt;
}

}  // namespace contract
