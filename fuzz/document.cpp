// A document of any bytes: faults with places inside it, or a model whose installed form is read back the
// same.
#include <contract/document.h>
#include <contract/model.h>

#include <algorithm>

#include "fuzz.h"

namespace {

void look_at(const contract::Contract& contract) {
  const std::string canonical = contract::print_canonical(contract);
  const auto again = contract::parse_canonical(canonical);
  fuzz::must(again.has_value(), "the installed form is read: " + (again ? "" : again.error().message));
  fuzz::must(contract::print_canonical(*again) == canonical, "the installed form is the same again");
  fuzz::must(contract::compare(contract, *again).empty(), "nothing changed");
  (void)contract::print_readme(contract, nullptr);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::string_view text = fuzz::text_of(bytes, count);
  const auto lines =
      std::count(text.begin(), text.end(), '\n') + std::count(text.begin(), text.end(), '\r') + 2;
  for (const char* schema : {"silver", "bronze"}) {
    const contract::Checked checked = contract::check_document(text, {"t.yml", {schema, "t"}, "UTC"});
    fuzz::must(checked.document.has_value() == checked.errors.empty(), "a model, or faults");
    for (const base::Error& error : checked.errors) {
      fuzz::must(!error.code.empty() && !error.message.empty(), "a fault says what it is");
      fuzz::must(error.place.line >= 0 && error.place.line <= lines, "a fault lies inside the text");
    }
    if (!checked.document) continue;
    if (const auto* contract = std::get_if<contract::Contract>(&*checked.document)) look_at(*contract);
  }
  (void)contract::check_settings(text, "tenter.yml");
  return 0;
}
