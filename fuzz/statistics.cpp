// Bounds hold for every value: texts as code points, floating numbers as a reader takes them.
#include <base/text.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "../src/table/src/statistics.h"
#include "fuzz.h"

namespace {

std::size_t code_points(std::string_view text) {
  std::size_t size = 0;
  for (const char c : text) size += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return size;
}

// UTF-8 sorts as its code points do.
void look_at_text(std::string_view text) {
  const std::string low = table::lower_bound(text);
  const auto high = table::upper_bound(text);
  fuzz::must(low <= text, "the minimum is not greater");
  fuzz::must(!high || *high >= text, "the maximum is not less");
  fuzz::must(base::is_utf8(low) && (!high || base::is_utf8(*high)), "bounds are UTF-8");
  fuzz::must(code_points(low) <= 32 && (!high || code_points(*high) <= 32), "bounds are short");
}

template <class Number>
void look_at_number(const std::uint8_t* bytes, const std::string& type) {
  Number value = 0;
  std::memcpy(&value, bytes, sizeof value);
  if (!std::isfinite(value)) return;
  char digits[64];
  const std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  delta::Field field;
  field.name = "v";
  field.type = type;
  engine::ParquetFile file;
  file.rows = 1;
  file.statistics.push_back({});
  file.statistics[0].column = "v";
  file.statistics[0].minimum = file.statistics[0].maximum = text;
  const base::Json stats = table::file_statistics(delta::Schema{{field}}, file);
  fuzz::must(base::Json::parse(stats.print()).has_value(), "statistics are JSON");
  for (const char* side : {"minValues", "maxValues"}) {
    const base::Json* bound = stats.find(side)->find("v");
    fuzz::must(bound != nullptr && bound->number_text().has_value(), "a finite number has bounds");
    const double read = std::strtod(std::string(*bound->number_text()).c_str(), nullptr);
    const bool is_minimum = std::string_view(side) == "minValues";
    fuzz::must(is_minimum ? read <= static_cast<double>(value) : read >= static_cast<double>(value),
               type + " " + text + " lies within " + std::string(*bound->number_text()));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::string_view text = fuzz::text_of(bytes, count);
  if (base::is_utf8(text)) look_at_text(text);
  if (count >= sizeof(float)) look_at_number<float>(bytes, "float");
  if (count >= sizeof(double)) look_at_number<double>(bytes, "double");
  return 0;
}
