// The README.md of a contract table: what a reader of the table needs, the five promises first.
#include <base/text.h>
#include <contract/model.h>

namespace contract {

namespace {

// One table cell: no line end and no bar that would end it.
std::string cell(std::string_view text) {
  std::string out = base::replace_all(std::string(text), "|", "\\|");
  out = base::replace_all(out, "\r", "");
  return base::replace_all(out, "\n", " ");
}

std::string code(std::string_view text) {
  if (text.empty()) return "empty text";
  const bool has_tick = text.find('`') != std::string_view::npos;
  return has_tick ? "`` " + cell(text) + " ``" : "`" + cell(text) + "`";
}

std::string row(const std::vector<std::string>& cells) {
  return "| " + base::join(cells, " | ") + " |\n";
}

std::string codes(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(code(name));
  return base::join(parts, ", ");
}

std::string deletes(const Contract& contract) {
  return contract.delete_when ? "; a row with " + code(*contract.delete_when) + " deletes its key" : "";
}

std::string grain(const Contract& contract) {
  if (contract.primary_key.empty()) return "Every accepted row of each batch, once; rows are never replaced";
  std::string text = "One row per " + codes(contract.primary_key);
  if (contract.append) return text + "; each batch adds rows, none is replaced";
  if (contract.delete_absent)
    text += "; each batch is a full snapshot, and keys it does not hold are deleted";
  if (contract.version_column)
    return text + "; the latest " + code(*contract.version_column) + " wins" + deletes(contract);
  return text + "; the batch that landed last wins";
}

std::string further_keys(const Contract& contract) {
  std::string text;
  for (const auto& key : contract.unique_keys) text += "; unique: " + codes(key);
  return text;
}

std::string required(const Contract& contract) {
  std::vector<std::string> names;
  for (const Column& column : contract.columns)
    if (column.not_null) names.push_back(column.name);
  return codes(names) + "; blank text counts as missing";
}

std::string allowed(const Contract& contract) {
  std::vector<std::string> rules;
  for (const Check& check : contract.checks)
    if (!check.warn_only) rules.push_back(code(check.rule));
  return rules.empty() ? "Whatever the types admit" : base::join(rules, "; ");
}

std::string failure(const Contract& contract) {
  std::string text =
      "A bad row goes to " + code(contract.quarantine.text()) +
      " with its values as sent and every reason. A batch stops, and the table stays as it is, "
      "when a source column is missing, when it has no rows";
  if (contract.min_rows > 0) text += " or fewer than " + std::to_string(contract.min_rows);
  const RejectLimit& limit = contract.max_reject;
  const std::string ratio = limit.text.substr(0, limit.text.find(','));
  text += ", or when more than " + ratio + " of its rows";
  if (limit.rows_least) text += " and at least " + std::to_string(*limit.rows_least) + " rows";
  text += " are rejected";
  const auto share = [&](const std::optional<std::int64_t>& percent, const std::string& what) {
    if (percent)
      text += ", or when more than " + std::to_string(*percent) + "% of the table's rows would be " + what;
  };
  share(contract.stability.deletes_max, "deleted");
  share(contract.stability.updates_max, "updated");
  if (contract.stability.rows_least > 0)
    text += " (from " + std::to_string(contract.stability.rows_least) + " rows on)";
  return text + (contract.continue_after_failure ? "; later batches go on" : "");
}

std::string promises(const Contract& contract) {
  return "## What it promises\n\n" + row({"promise", "for " + code(contract.name.text())}) +
         row({"---", "---"}) + row({"Grain", grain(contract) + further_keys(contract)}) +
         row({"Required columns", required(contract)}) + row({"Allowed values", allowed(contract)}) +
         row({"Failure behaviour", failure(contract)}) + row({"Owner", cell(contract.owner)});
}

std::string made_from(const Column& column) {
  if (column.clean) return code(*column.clean);
  return code(column.from.value_or(column.source));
}

std::string columns(const Contract& contract) {
  std::string text = "## Columns\n\n" + row({"column", "type", "required", "made from", "note"}) +
                     row({"---", "---", "---", "---", "---"});
  for (const Column& column : contract.columns)
    text += row({code(column.name), cell(sql::print_type(column.type)), column.not_null ? "yes" : "",
                 made_from(column), cell(column.note.value_or(""))});
  text += row({"`_source_file`", "string", "", "the file that brought the row", ""});
  text += row({"`_loaded_at`", "timestamp", "", "when that file was landed (UTC)", ""});
  if (!contract.null_values.empty()) text += "\nRead as null: " + codes(contract.null_values) + ".\n";
  if (!contract.optional_sources.empty())
    text += "\nMay be missing from a batch's files: " + codes(contract.optional_sources) + ".\n";
  return text + "\nText without an offset is read as time in " + contract.time_zone + ".\n";
}

std::string constraint(const Check& check) {
  if (check.warn_only) return "no, it only warns";
  return check.on_table ? "yes" : "no, loads only";
}

std::string checks(const Contract& contract) {
  if (contract.checks.empty()) return "";
  std::string text = "## Checks\n\nA null does not pass.\n\n" +
                     row({"check", "rule", "reason given", "constraint of the table"}) +
                     row({"---", "---", "---", "---"});
  for (const Check& check : contract.checks)
    text += row({code(check.name), code(check.rule), cell(check.reason), constraint(check)});
  return text + "\n";
}

std::string source(const Contract& contract, const Landing* landing) {
  std::string text =
      "## Where rows come from, and where rejects are\n\n- Rows come from " + code(contract.from.text());
  if (landing != nullptr) text += ", which lands " + codes(landing->globs);
  text += ".\n- Rejected rows are in " + code(contract.quarantine.text()) + ": `tenter rejects " +
          contract.name.text() + "`.\n- Every load leaves a receipt: `tenter history " +
          contract.name.text() + "`; `tenter verify " + contract.name.text() +
          "` recounts them from the files alone.\n";
  return text;
}

}  // namespace

std::string print_readme(const Contract& contract, const Landing* landing) {
  std::string text = "<!-- Written by `tenter docs` from the table's document: edit that one. -->\n\n# " +
                     contract.name.text() + "\n\n" + contract.description + "\n\n" + promises(contract) +
                     "\n" + columns(contract) + "\n" + checks(contract) + source(contract, landing);
  if (contract.notes) text += "\n## Notes\n\n" + *contract.notes + "\n";
  return text;
}

}  // namespace contract
