#include "faults.h"

#include <algorithm>

#include <base/text.h>

namespace contract {

namespace {

// The byte offset of a place inside a text; its end when the place is unknown or beyond.
std::size_t offset_of(std::string_view text, const base::Place& place) {
  std::size_t start = 0;
  for (std::int64_t line = 1; line < place.line; ++line) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return text.size();
    start = end + 1;
  }
  if (place.column < 1) return start;
  return start +
         base::prefix_code_points(text.substr(start), static_cast<std::size_t>(place.column) - 1).size();
}

std::vector<base::Error> sorted(std::vector<base::Error> errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const base::Error& a, const base::Error& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return errors;
}

}  // namespace

void Faults::add(base::Kind kind, std::string code, std::string message, std::string hint,
                 base::Place place) {
  errors_.push_back({kind, std::move(code), std::move(message), std::move(hint), std::move(place)});
}

void Faults::add_inside(const Node& scalar, base::Error error) {
  error.place = source_.place_in(scalar, error.place.line > 0 ? offset_of(scalar.text, error.place) : 0);
  if (source_.comment_follows(scalar))
    error.hint = "YAML takes what follows # for a comment; if it belongs to the text, put the text in quotes";
  errors_.push_back(std::move(error));
}

void Faults::warn(std::string code, std::string message, std::string hint, const Node& node) {
  warnings_.push_back(
      {base::Kind::invalid, std::move(code), std::move(message), std::move(hint), source_.place(node.begin)});
}

std::vector<base::Error> Faults::take_errors() {
  return sorted(std::move(errors_));
}

std::vector<base::Error> Faults::take_warnings() {
  return sorted(std::move(warnings_));
}

}  // namespace contract
