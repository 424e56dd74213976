// Prints a tree as Spark SQL, with no more parentheses than every reader needs.
#pragma once

#include <functional>
#include <string>

#include "node.h"

namespace sql {

struct PrintOptions {
  // How a column is written; by default spark_name of the name as written.
  std::function<std::string(const std::string& name)> column;
  // Whole numbers without their type letter: not every reader knows 1L.
  bool plain_numbers = false;
  // A decimal literal as CAST('1.5' AS DECIMAL(2,1)): some readers take 1.5 for a double.
  bool decimals_as_casts = false;
  // Decimal literals that are to be written as doubles: 1.5e0.
  std::function<bool(const Node& literal)> as_double;
};

std::string print_tree(const Node& node, const PrintOptions& options);
// Calls `visit` for the node and everything below it, in the order of the text.
void walk(const Node& node, const std::function<void(const Node&)>& visit);

}  // namespace sql
