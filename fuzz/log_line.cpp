// A log entry of any bytes: an error, or actions that survive being written and read again, and whose state,
// schema and paths can be looked at.
#include <delta/actions.h>
#include <delta/replay.h>
#include <delta/schema.h>

#include "fuzz.h"

namespace {

void look_at(const delta::Metadata& metadata) {
  const auto schema = delta::parse_schema(metadata.schema_text);
  if (!schema) return;
  const std::string text = delta::print_schema(*schema);
  const auto again = delta::parse_schema(text);
  fuzz::must(again.has_value(), "a printed schema parses");
  fuzz::must(delta::print_schema(*again) == text, "a schema prints the same again");
}

void look_at_path(const std::string& path) {
  const auto again = delta::decode_path(delta::encode_path(path));
  fuzz::must(again && *again == path, "a path survives its encoding");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const auto actions = delta::decode_commit(fuzz::text_of(bytes, count), "entry");
  if (!actions) return 0;
  const auto again = delta::decode_commit(delta::encode_commit(*actions), "entry");
  fuzz::must(again.has_value(), "what was written is read: " + (again ? "" : again.error().message));
  fuzz::must(*again == *actions, "the actions are the same");
  for (const delta::Action& action : *actions) {
    if (const auto* metadata = std::get_if<delta::Metadata>(&action)) look_at(*metadata);
    if (const auto* add = std::get_if<delta::Add>(&action)) look_at_path(add->path);
  }
  delta::State state;
  if (!state.apply(0, *actions)) return 0;
  if (!state.protocol || !state.metadata) return 0;
  (void)delta::check_readable(state);
  (void)delta::check_writable(state);
  return 0;
}
