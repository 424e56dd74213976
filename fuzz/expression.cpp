// An expression that parses prints to one that parses to the same text and type; its text for a table's CHECK
// is a fixed point; the engine's text can always be made.
#include <sql/expression.h>

#include "fuzz.h"

namespace {

std::vector<sql::Column> columns() {
  std::vector<sql::Column> list;
  for (const auto& [name, type] : {std::pair{"a", "int"},
                                   {"b", "string"},
                                   {"c", "decimal(10,2)"},
                                   {"d", "date"},
                                   {"t", "timestamp"},
                                   {"f", "double"},
                                   {"x y", "boolean"}})
    list.push_back(sql::Column{name, *sql::parse_type(type)});
  return list;
}

void print_twice(const sql::Expression& expression, const std::vector<sql::Column>& known) {
  const std::string text = sql::print_spark(expression);
  const auto again = sql::Expression::parse(text);
  fuzz::must(again.has_value(), "what was printed parses: " + text);
  fuzz::must(sql::print_spark(*again) == text, "printing is a fixed point: " + text);
  const auto typed = sql::analyze(expression, known);
  const auto typed_again = sql::analyze(*again, known);
  fuzz::must(typed.has_value() == typed_again.has_value(), "both have a type or none: " + text);
  if (!typed) return;
  fuzz::must(typed->type() == typed_again->type(), "the type is the same: " + text);
  const auto print = [](std::string_view name) { return "\"" + std::string(name) + "\""; };
  const std::string engine = sql::print_engine(*typed, print, sql::Context{});
  fuzz::must(engine == sql::print_engine(*typed_again, print, sql::Context{}),
             "the engine's text is the same: " + text);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const std::vector<sql::Column> known = columns();
  const auto expression = sql::Expression::parse(fuzz::text_of(bytes, count));
  if (!expression) return 0;
  print_twice(*expression, known);
  const auto check = sql::print_table_check(*expression, known);
  if (!check) return 0;
  const auto stored = sql::Expression::parse(*check);
  fuzz::must(stored.has_value(), "a stored CHECK parses: " + *check);
  const auto again = sql::print_table_check(*stored, known);
  fuzz::must(again && *again == *check, "a stored CHECK is a fixed point: " + *check);
  return 0;
}
