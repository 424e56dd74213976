#include "expressions.h"

#include <algorithm>
#include <charconv>

#include <base/text.h>

#include "values.h"

namespace contract {

namespace {

using base::Kind;

std::vector<sql::Column> declared(const Contract& contract) {
  std::vector<sql::Column> columns;
  for (const Column& column : contract.columns) columns.push_back({column.name, column.type});
  return columns;
}

void report(const Node& node, bool is_written, base::Error error, Faults& faults) {
  if (is_written) {
    faults.add_inside(node, std::move(error));
  } else {
    error.place = faults.source().place(node.begin);
    faults.add(std::move(error));
  }
}

}  // namespace

std::optional<sql::Expression> read_expression(const Node& node, std::string_view what, Faults& faults) {
  if (!node.is_text()) {
    faults.add(Kind::invalid, "document.wrong_value",
               "\"" + std::string(what) + "\" must be an expression; found " + found(node),
               "put the expression in quotes", node);
    return std::nullopt;
  }
  auto expression = sql::Expression::parse(node.text);
  if (expression) return *std::move(expression);
  faults.add_inside(node, std::move(expression).error());
  return std::nullopt;
}

std::optional<std::vector<std::string>> check_clean(const Node& node, const Column& column, Faults& faults) {
  const auto expression = read_expression(node, "Clean of " + column.name, faults);
  if (!expression) return std::nullopt;
  std::vector<sql::Column> sources;
  for (const std::string& name : expression->columns())
    sources.push_back({name, sql::Type{sql::Type::Kind::string}});
  auto typed = sql::analyze(*expression, sources);
  if (!typed) {
    faults.add_inside(node, std::move(typed).error());
    return std::nullopt;
  }
  if (auto cast = sql::cast_expression(*typed, column.type, true); !cast) {
    faults.add_inside(node, std::move(cast).error());
    return std::nullopt;
  }
  return expression->columns();
}

bool finish_check(const Node& node, bool is_written, const Contract& contract, Check& check, Faults& faults) {
  const auto expression = sql::Expression::parse(is_written ? node.text : check.rule);
  if (!expression) {
    report(node, is_written, expression.error(), faults);
    return false;
  }
  const std::vector<sql::Column> columns = declared(contract);
  if (auto typed = sql::analyze_condition(*expression, columns); !typed) {
    report(node, is_written, std::move(typed).error(), faults);
    return false;
  }
  if (!check.on_table) return true;
  auto text = sql::print_table_check(*expression, columns);
  if (!text) {
    base::Error error = std::move(text).error();
    error.hint = "write {rule: …, on table: false}: then each load checks it, and other writers do not";
    report(node, is_written, std::move(error), faults);
    return false;
  }
  check.table_text = *std::move(text);
  return true;
}

}  // namespace contract
