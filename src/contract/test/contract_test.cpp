#include "documents.h"

namespace contract {
namespace {

std::string error_of(const std::string& text) {
  return only_error(check_orders(text));
}
std::string error_of(std::string_view from, std::string_view to) {
  return error_of(changed(kOrders, from, to));
}

TEST(ContractDocument, ReadsTheExampleOfTheFormat) {
  const Contract contract = contract_of(kOrders);
  EXPECT_EQ(contract.name.text(), "silver.orders");
  EXPECT_EQ(contract.from.text(), "bronze.orders_raw");
  EXPECT_EQ(contract.owner, "Sales data team");
  EXPECT_EQ(contract.primary_key, std::vector<std::string>{"order_id"});
  EXPECT_EQ(contract.version_column, "source_updated_at");
  EXPECT_EQ(contract.quarantine.text(), "quarantine.orders");
  ASSERT_EQ(contract.columns.size(), 6U);
  EXPECT_EQ(contract.columns[0].clean, "trim(order_id)");
  EXPECT_EQ(contract.columns[3].type, sql::Type::decimal(18, 2));
  EXPECT_EQ(contract.max_reject.numerator, 5);
  EXPECT_EQ(contract.max_reject.denominator, 100);
}

TEST(ContractDocument, MakesKeysAndTheVersionColumnRequired) {
  const Contract contract = contract_of(kOrders);
  std::vector<std::string> required;
  for (const Column& column : contract.columns)
    if (column.not_null) required.push_back(column.name);
  EXPECT_EQ(required,
            (std::vector<std::string>{"order_id", "customer_id", "order_date", "source_updated_at"}));
}

TEST(ContractDocument, JudgesAllowedValuesBeforeChecks) {
  const Contract contract = contract_of(kOrders);
  ASSERT_EQ(contract.checks.size(), 2U);
  EXPECT_EQ(contract.checks[0].name, "currency_allowed");
  EXPECT_EQ(contract.checks[0].reason, "currency_allowed");
  EXPECT_EQ(contract.checks[0].rule, "currency in ('AUD', 'NZD', 'USD')");
  EXPECT_TRUE(contract.checks[0].on_table);
  EXPECT_FALSE(contract.checks[0].table_text.empty());
  EXPECT_EQ(contract.checks[1].name, "order_total_non_negative");
  EXPECT_EQ(contract.checks[1].rule, "order_total >= 0");
}

TEST(ContractDocument, GathersAColumnsPromisesAtItsSchemaEntry) {
  const Contract contract =
      contract_of(changed(kOrders, "  currency: string\n",
                          "  paid_on: {type: date, from: Paid On, clean: \"to_date(paid_on, 'd/M/yyyy')\", "
                          "not null: true, note: by card}\n"
                          "  currency: string\n"));
  const Column* column = contract.find("PAID_ON");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ(column->from, "Paid On");
  EXPECT_EQ(column->source, "Paid_On");
  EXPECT_EQ(column->clean, "to_date(paid_on, 'd/M/yyyy')");
  EXPECT_TRUE(column->not_null);
  EXPECT_EQ(column->note, "by card");
  EXPECT_EQ(contract.source_of("paid_on"), "Paid_On");
  EXPECT_EQ(contract.source_of("Other"), "Other");
}

TEST(ContractDocument, TakesReasonsAndTheTableSwitchOfARule) {
  std::string text =
      changed(kOrders, "  currency: [AUD, NZD, USD]", "  currency: {values: [AUD, null], reason: odd money}");
  text = changed(text, "  order_total_non_negative: order_total >= 0",
                 "  Total_Fits: {rule: order_total < 10, reason: too much, on table: false}");
  const Contract contract = contract_of(text);
  EXPECT_EQ(contract.checks.at(0).reason, "odd money");
  EXPECT_EQ(contract.checks.at(0).rule, "currency in ('AUD') or currency is null");
  EXPECT_EQ(contract.checks.at(1).name, "total_fits");
  EXPECT_EQ(contract.checks.at(1).reason, "too much");
  EXPECT_FALSE(contract.checks.at(1).on_table);
  EXPECT_EQ(contract.checks.at(1).table_text, "");
}

TEST(ContractDocument, ReadsTheRemainingKeys) {
  const Contract contract = contract_of(
      kOrders +
      "Null values: [\"\", n/a, \"NULL\"]\nMin rows: 10\nOptional: currency\nQuarantine: bad.orders\n"
      "Notes: see the wiki\nTable ID: silver.orders\n");
  EXPECT_EQ(contract.null_values, (std::vector<std::string>{"", "n/a", "NULL"}));
  EXPECT_EQ(contract.min_rows, 10);
  EXPECT_EQ(contract.optional_sources, std::vector<std::string>{"currency"});
  EXPECT_EQ(contract.quarantine.text(), "bad.orders");
  EXPECT_EQ(contract.notes, "see the wiki");
}

TEST(ContractDocument, KeepsCountryCodesAsTexts) {
  const Contract contract = contract_of(changed(kOrders, "[AUD, NZD, USD]", "[NO, SE]"));
  EXPECT_EQ(contract.checks.at(0).rule, "currency in ('NO', 'SE')");
}

TEST(ContractDocument, TakesAnySpellingOfAKeyButOnlyOnce) {
  contract_of(changed(changed(kOrders, "Primary key", "primaryKey"), "Not null", "not_null"));
  EXPECT_EQ(error_of(kOrders + "primary_key: order_id\n"), "document.repeated_key 21:1");
}

TEST(ContractDocument, SaysWhichKeysAreMissing) {
  EXPECT_EQ(error_of("Owner: Sales data team\n", ""), "document.missing_key 1:1");
  EXPECT_EQ(error_of("Primary key: order_id\n", ""), "document.missing_key 1:1");
  EXPECT_EQ(error_of("Description: One row per order; the newest version wins.\n", ""),
            "document.missing_key 1:1");
}

TEST(ContractDocument, NamesTheClosestKnownKey) {
  const Checked checked = check_orders(changed(kOrders, "Primary key", "Primery key"));
  ASSERT_EQ(checked.errors.size(), 2U);
  EXPECT_EQ(checked.errors[1].code, "document.unknown_key");
  EXPECT_EQ(checked.errors[1].hint, "did you mean \"Primary key\"?");
}

TEST(ContractDocument, RefusesEveryKeyThatIsNotBuilt) {
  for (const std::string key :
       {"Managed columns", "Validate", "Sensitive", "Written by", "Replaces", "Type widening", "Lineage",
        "Revision notes", "Dependencies", "Static", "Prohibit rebuild", "Column notes", "Foreign keys",
        "Identity", "Comparison columns", "Incremental", "Has load procedure"}) {
    const Checked checked = check_orders(kOrders + key + ": x\n");
    EXPECT_EQ(only_error(checked), "document.not_built 21:1") << key;
    EXPECT_EQ(checked.errors.at(0).message, "\"" + key + "\" is not built yet");
  }
  EXPECT_EQ(error_of(kOrders + "Auto delete: true\n"), "document.retired_key 21:1");
  EXPECT_EQ(error_of(kOrders + "Format: csv\n"), "document.misplaced_key 21:1");
  EXPECT_EQ(error_of(kOrders + "New columns: add\n"), "document.misplaced_key 21:1");
}

TEST(ContractDocument, RefusesTheSameRuleInBothPlaces) {
  EXPECT_EQ(error_of("  order_id: string", "  order_id: {type: string, clean: lower(order_id)}"),
            "document.same_rule 8:3");
  EXPECT_EQ(error_of("  currency: string", "  currency: {type: string, allowed: [AUD]}"),
            "document.same_rule 10:3");
  EXPECT_EQ(error_of("  customer_id: string", "  customer_id: {type: string, not null: true}"),
            "document.same_rule 6:12");
}

TEST(ContractDocument, RefusesNotNullOnAKeyButNotOnTheVersion) {
  EXPECT_EQ(error_of("[customer_id, order_date]", "[order_id]"), "document.not_null_key 6:12");
  EXPECT_EQ(error_of("  order_id: string", "  order_id: {type: string, not null: true}"),
            "document.not_null_key 15:38");
  contract_of(changed(kOrders, "[customer_id, order_date]", "source_updated_at"));
}

TEST(ContractDocument, PlacesAColumnThatSchemaDoesNotDeclare) {
  EXPECT_EQ(error_of("[customer_id, order_date]", "customer_id, order_dat"), "document.unknown_column 6:24");
  EXPECT_EQ(error_of("Primary key: order_id", "Primary key: Order_ID"), "document.unknown_column 4:14");
  EXPECT_EQ(error_of("  order_id: trim(order_id)", "  id: trim(order_id)"), "document.unknown_column 8:3");
  EXPECT_EQ(error_of("Version column: source_updated_at", "Version column: updated"),
            "document.unknown_column 5:17");
}

TEST(ContractDocument, RefusesAColumnSetWithARepeatedOrEmptyName) {
  EXPECT_EQ(error_of("[customer_id, order_date]", "a,, b"), "document.wrong_value 6:13");
  EXPECT_EQ(error_of("[customer_id, order_date]", "[customer_id, customer_id]"),
            "document.repeated_column 6:25");
  EXPECT_EQ(error_of("[customer_id, order_date]", "{a: b}"), "document.wrong_value 6:11");
}

TEST(ContractDocument, RefusesAVersionThatCannotBeOrderedOrIsTheKey) {
  EXPECT_EQ(error_of("Version column: source_updated_at", "Version column: currency"),
            "document.version_type 5:17");
  EXPECT_EQ(error_of("Primary key: order_id", "Primary key: order_id, source_updated_at"),
            "document.version_in_key 5:17");
}

TEST(ContractDocument, RefusesReservedAndUnusableColumnNames) {
  const auto column = [](const std::string& name) {
    return error_of("  currency: string\n", "  currency: string\n  " + name + ": string\n");
  };
  EXPECT_EQ(column("_Batch_ID"), "document.reserved_name 20:3");
  EXPECT_EQ(column("raw_currency"), "document.reserved_name 20:3");
  EXPECT_EQ(column("Row insert datetime"), "document.reserved_name 20:3");
  EXPECT_EQ(column("row_signature"), "document.reserved_name 20:3");
  EXPECT_EQ(column("Currency"), "document.repeated_column 20:3");
  EXPECT_EQ(column("unit price"), "document.column_name 20:3");
  EXPECT_EQ(column("\"\""), "document.column_name 20:3");
  EXPECT_EQ(error_of("  currency: string\n", "  currency: {type: string, from: _loaded_at}\n"),
            "document.reserved_name 19:34");
}

TEST(ContractDocument, PointsIntoTypes) {
  EXPECT_EQ(error_of("  order_date: date", "  order_date: dat"), "sql.type 17:15");
  EXPECT_EQ(error_of("  order_date: date", "  order_date: timestamp_ntz"), "sql.type_not_built 17:15");
  EXPECT_EQ(error_of("  order_date: date", "  order_date: {type: \"array<int>\"}"),
            "sql.type_not_built 17:23");
}

TEST(ContractDocument, SeesThatYamlCutAValueAtItsComma) {
  const Checked checked = check_orders(changed(kOrders, "decimal(18,2)", "{type: decimal(18,2)}"));
  EXPECT_EQ(only_error(checked), "document.unquoted 18:23");
  EXPECT_EQ(checked.errors.at(0).hint, "write: order_total: {type: \"decimal(18,2)\"}");
}

TEST(ContractDocument, PointsIntoExpressions) {
  EXPECT_EQ(error_of("trim(order_id)", "trim(order_id"), "sql.syntax 8:26");
  EXPECT_EQ(error_of("trim(order_id)", "\"trmi(order_id)\""), "sql.unknown_function 8:14");
  EXPECT_EQ(error_of("order_total >= 0", "order_totl >= 0"), "sql.unknown_column 12:29");
  EXPECT_EQ(error_of("order_total_non_negative: order_total >= 0", "x: |\n    order_total\n      >= oops"),
            "sql.unknown_column 14:10");
  EXPECT_EQ(error_of("order_total >= 0", "order_total + 1"), "sql.type_mismatch 12:41");
}

TEST(ContractDocument, ExplainsATextThatACommentCut) {
  const Checked checked = check_orders(changed(kOrders, "order_total >= 0", "currency = 'a #1'"));
  ASSERT_EQ(checked.errors.size(), 1U);
  EXPECT_EQ(checked.errors[0].code, "sql.syntax");
  EXPECT_NE(checked.errors[0].hint.find("comment"), std::string::npos);
}

TEST(ContractDocument, SaysWhenARuleCannotStandOnTheTable) {
  const Checked checked = check_orders(changed(kOrders, "order_total >= 0", "order_date <= current_date()"));
  ASSERT_EQ(checked.errors.size(), 1U);
  EXPECT_EQ(checked.errors[0].code, "sql.not_on_table");
  EXPECT_NE(checked.errors[0].hint.find("on table: false"), std::string::npos);
  contract_of(changed(kOrders, "order_total >= 0", "{rule: order_date <= current_date(), on table: false}"));
}

TEST(ContractDocument, RefusesCheckNamesThatClashOrCannotNameAConstraint) {
  const auto check = [](const std::string& line) {
    return error_of("  order_total_non_negative: order_total >= 0", "  a: order_total >= 0\n  " + line);
  };
  EXPECT_EQ(check("A: order_total > 1"), "document.check_name 13:3");
  EXPECT_EQ(check("currency_allowed: order_total > 1"), "document.check_name 13:3");
  EXPECT_EQ(check("9lives: order_total > 1"), "document.check_name 13:3");
  EXPECT_EQ(check("two words: order_total > 1"), "document.check_name 13:3");
  EXPECT_EQ(check("duplicate_primary_key: order_total > 1"), "document.check_name 13:3");
  EXPECT_EQ(check("b: {rule: order_total > 1, severity: loud}"), "document.wrong_value 13:40");
  EXPECT_EQ(check("b: {rule: order_total > 1, severity: warn, on table: true}"),
            "document.warning_on_table 13:56");
  EXPECT_EQ(check("b: {reason: x}"), "document.missing_key 13:6");
}

TEST(ContractDocument, RefusesAllowedValuesThatTheColumnCannotHold) {
  const auto allowed = [](const std::string& type, const std::string& values) {
    return error_of(
        changed(changed(kOrders, "currency: string", "currency: " + type), "[AUD, NZD, USD]", values));
  };
  EXPECT_EQ(allowed("int", "[1, x]"), "document.allowed_value 10:17");
  EXPECT_EQ(allowed("tinyint", "[200]"), "document.allowed_value 10:14");
  EXPECT_EQ(allowed("decimal(4,2)", "[1.234]"), "document.allowed_value 10:14");
  EXPECT_EQ(allowed("date", "[2026-02-30]"), "document.allowed_value 10:14");
  EXPECT_EQ(allowed("double", "[1.5]"), "document.allowed_type 10:13");
  EXPECT_EQ(allowed("string", "[a, a]"), "document.allowed_value 10:17");
  EXPECT_EQ(allowed("string", "[]"), "document.wrong_value 10:13");
  EXPECT_EQ(allowed("string", "ref.codes[code"), "document.wrong_value 10:13");
  EXPECT_EQ(allowed("string", "silver.orders[code]"), "document.from_itself 10:13");
  EXPECT_EQ(error_of("[AUD, NZD, USD]", "{values: [a], reasn: x}"), "document.unknown_key 10:27");
}

TEST(ContractDocument, WritesAllowedValuesAsLiteralsOfTheColumnsType) {
  const auto rule = [](const std::string& type, const std::string& values) {
    const Contract contract = contract_of(
        changed(changed(kOrders, "currency: string", "currency: " + type), "[AUD, NZD, USD]", values));
    return contract.checks.empty() ? "" : contract.checks[0].rule;
  };
  EXPECT_EQ(rule("int", "[1, -2]"), "currency in (1, -2)");
  EXPECT_EQ(rule("decimal(4,2)", "[1.5, 10]"), "currency in (1.5, 10)");
  EXPECT_EQ(rule("boolean", "[true]"), "currency in (true)");
  EXPECT_EQ(rule("date", "[2026-02-28]"), "currency in (cast('2026-02-28' as date))");
  EXPECT_EQ(rule("string", "[null]"), "currency is null");
}

TEST(ContractDocument, RefusesNullAmongTheValuesOfARequiredColumn) {
  EXPECT_EQ(error_of(changed(changed(kOrders, "[AUD, NZD, USD]", "[AUD, null]"), "order_date]", "currency]")),
            "document.allowed_value 10:13");
}

TEST(ContractDocument, RefusesAnOptionalSourceThatIsRequired) {
  EXPECT_EQ(error_of(kOrders + "Optional: customer_id\n"), "document.optional_required 21:11");
  EXPECT_EQ(error_of(kOrders + "Optional: [currency, color]\n"), "document.unknown_column 21:22");
}

TEST(ContractDocument, LetsARequiredColumnBeMadeFromAnotherSourceThanTheOptionalOne) {
  const Contract contract = contract_of(
      changed(kOrders, "  order_id: trim(order_id)", "  customer_id: coalesce(customer_id, old_customer)") +
      "Optional: customer_id\n");
  EXPECT_EQ(contract.optional_sources, std::vector<std::string>{"customer_id"});
}

TEST(ContractDocument, TakesAnOptionalSourceThatOnlyACleanNames) {
  const Contract contract =
      contract_of(changed(kOrders, "trim(order_id)", "coalesce(order_id, old_id)") + "Optional: old_id\n");
  EXPECT_EQ(contract.optional_sources, std::vector<std::string>{"old_id"});
}

TEST(ContractDocument, WarnsOfASourceColumnThatLooksMistyped) {
  const Checked checked = check_orders(changed(kOrders, "trim(order_id)", "trim(ordr_id)"));
  EXPECT_TRUE(checked.errors.empty());
  ASSERT_EQ(checked.warnings.size(), 1U);
  EXPECT_EQ(checked.warnings[0].code, "document.unknown_source");
}

TEST(ContractDocument, RefusesANameThatCouldBeTwoSourceColumns) {
  const std::string swapped =
      changed(changed(kOrders, "  order_id: string", "  order_id: {type: string, from: id}"),
              "  currency: string", "  currency: {type: string, from: order_id}");
  EXPECT_EQ(error_of(swapped), "document.ambiguous_source 8:13");
}

TEST(ContractDocument, LetsTwoColumnsBeMadeFromOneSource) {
  const Contract contract = contract_of(changed(
      kOrders, "  currency: string", "  currency: string\n  buyer: {type: string, from: customer_id}"));
  ASSERT_NE(contract.find("buyer"), nullptr);
  EXPECT_EQ(contract.find("buyer")->source, "customer_id");
}

TEST(ContractDocument, RefusesTablesThatMeet) {
  EXPECT_EQ(error_of("From: bronze.orders_raw", "From: silver.orders"), "document.from_itself 3:7");
  EXPECT_EQ(error_of(kOrders + "Quarantine: bronze.orders_raw\n"), "document.quarantine 21:13");
  EXPECT_EQ(error_of(kOrders + "Table ID: silver.order\n"), "document.table_id 21:11");
  EXPECT_EQ(error_of("From: bronze.orders_raw", "From: orders_raw"), "document.table_name 3:7");
}

TEST(ContractDocument, RefusesPlaceholdersAndReferences) {
  EXPECT_EQ(error_of("Owner: Sales data team", "Owner: TBD"), "document.placeholder 2:8");
  EXPECT_EQ(error_of("Owner: Sales data team", "Owner: $a.b"), "document.not_built 2:8");
  EXPECT_EQ(contract_of(changed(kOrders, "Owner: Sales data team", "Owner: a $$ b")).owner, "a $ b");
}

TEST(ContractDocument, ListsAllFaultsInTextOrder) {
  const Checked checked = check_orders(
      changed(changed(kOrders, "order_total >= 0", "oops"), "Owner: Sales data team", "Owner: todo"));
  ASSERT_EQ(checked.errors.size(), 2U);
  EXPECT_LT(checked.errors[0].place.line, checked.errors[1].place.line);
  EXPECT_FALSE(checked.document.has_value());
}

}  // namespace
}  // namespace contract
