// Whatever parses prints to a text that parses to the same value, and prints the same again.
#include <base/json.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const auto value = base::Json::parse(fuzz::text_of(bytes, count));
  if (!value) return 0;
  for (const int indent : {0, 2}) {
    const std::string text = value->print(indent);
    const auto again = base::Json::parse(text);
    fuzz::must(again.has_value(), "what was printed parses");
    fuzz::must(*again == *value, "it is the same value");
    fuzz::must(again->print(indent) == text, "it prints the same");
  }
  return 0;
}
