// Expressions of a document: parsed and typed, with every fault placed in the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <contract/model.h>
#include <sql/expression.h>

#include "faults.h"
#include "yaml.h"

namespace contract {

std::optional<sql::Expression> read_expression(const Node& node, std::string_view what, Faults& faults);

// A Clean expression over the source's columns (texts), which must be castable to the column's
// type. The names it uses, as written, or nothing when a fault was reported.
std::optional<std::vector<std::string>> check_clean(const Node& node, const Column& column, Faults& faults);

// Analyzes a row rule over the declared columns and fills `table_text` when it stands on the table.
// `node` is where faults are placed; with `is_written`, the rule's text is the node's own.
bool finish_check(const Node& node, bool is_written, const Contract& contract, Check& check, Faults& faults);

// "currency IN ('AUD') OR currency IS NULL" from a list of allowed values.
std::optional<std::string> allowed_rule(const Node& values, const Column& column, Faults& faults);

}  // namespace contract
