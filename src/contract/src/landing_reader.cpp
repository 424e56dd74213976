#include "landing_reader.h"

#include <algorithm>

#include <base/text.h>

#include "keys.h"
#include "values.h"

namespace contract {

namespace {

using base::Kind;

KeySet csv_keys() {
  KeySet keys;
  keys.what = "the csv format";
  keys.taken = {"header", "delimiter", "quote", "escape", "encoding", "compression"};
  return keys;
}

void check_glob(const Node& node, const std::string& glob, Faults& faults) {
  const auto report = [&](std::string why, std::string hint) {
    faults.add(Kind::invalid, "document.glob", "\"" + glob + "\" " + std::move(why), std::move(hint), node);
  };
  if (glob.find("://") != std::string::npos) {
    faults.add(Kind::unsupported, "document.not_built",
               "landing from an address (" + glob + ") is not built yet", "name files of the project", node);
    return;
  }
  const std::string relative = "write it relative to the project, as in landing/orders/*.csv";
  if (glob.starts_with('/') || glob.starts_with('~')) return report("is no relative path", relative);
  if (glob.find('\\') != std::string::npos)
    return report("has a back-slash in it", "separate folders with /");
  for (const std::string_view part : base::split(glob, '/')) {
    if (part == "..") return report("leaves the project (..)", relative);
    if (part.empty() || part == ".") return report("has an empty part in its path", relative);
  }
}

void read_globs(const Node& node, Landing& landing, Faults& faults) {
  for (const Node* item : read_texts(node, "Landing", faults)) {
    const auto glob = read_text(*item, "Landing", faults);
    if (!glob) return;
    if (std::find(landing.globs.begin(), landing.globs.end(), *glob) != landing.globs.end()) {
      faults.add(Kind::invalid, "document.repeated_value", found(*item) + " stands twice in \"Landing\"",
                 "name it once", *item);
      continue;
    }
    check_glob(*item, *glob, faults);
    landing.globs.push_back(*glob);
  }
}

// One ASCII character; "\t" and "tab" mean a tab.
std::optional<char> read_character(const Node& node, std::string_view what, Faults& faults) {
  if (node.is_text()) {
    if (node.text == "\\t" || base::equal_ignoring_case(node.text, "tab")) return '\t';
    const bool is_one = node.text.size() == 1 && static_cast<unsigned char>(node.text[0]) < 0x80;
    if (is_one && node.text[0] != '\n' && node.text[0] != '\r') return node.text[0];
  }
  faults.add(
      Kind::invalid, "document.csv_character",
      "\"" + std::string(what) + "\" must be one ASCII character and no line end; found " + found(node),
      "write it in quotes, as in \";\"", node);
  return std::nullopt;
}

template <typename Value>
std::optional<Value> read_word(const Node& node, std::string_view key,
                               const std::vector<std::pair<std::string, Value>>& words, Faults& faults) {
  const std::string text = node.is_text() ? base::ascii_lower(base::trim(node.text)) : "";
  std::vector<std::string> names;
  for (const auto& [name, value] : words) {
    if (name == text) return value;
    names.push_back(name);
  }
  faults.add(
      Kind::invalid, "document.wrong_value",
      "\"" + std::string(key) + "\" must be one of " + base::join(names, ", ") + "; found " + found(node),
      "leave the key out for " + (key == "compression" ? "gzip where the name ends in .gz" : names[0]), node);
  return std::nullopt;
}

void read_compression(const Fields& fields, Compression& compression, Faults& faults) {
  const Node* const value = fields.value("compression");
  if (value == nullptr) return;
  compression = read_word<Compression>(*value, "compression",
                                       {{"none", Compression::none}, {"gzip", Compression::gzip}}, faults)
                    .value_or(Compression::by_name);
}

void read_csv(const Node& node, CsvFormat& csv, Faults& faults) {
  if (node.is_null()) return;  // csv: with nothing below it
  if (node.type != Node::Type::mapping) {
    faults.add(Kind::invalid, "document.wrong_value",
               "\"csv\" must map options to values; found " + found(node), "write csv: {delimiter: \";\"}",
               node);
    return;
  }
  const Fields fields = read_fields(node, csv_keys(), faults);
  if (const Node* value = fields.value("header"))
    csv.header = read_boolean(*value, "header", faults).value_or(true);
  if (const Node* value = fields.value("delimiter"))
    csv.delimiter = read_character(*value, "delimiter", faults).value_or(',');
  if (const Node* value = fields.value("quote")) {
    csv.quote = read_character(*value, "quote", faults).value_or('"');
    csv.escape = csv.quote;
  }
  if (const Node* value = fields.value("escape"))
    csv.escape = read_character(*value, "escape", faults).value_or(csv.quote);
  if (const Node* value = fields.value("encoding"))
    csv.encoding = read_word<Encoding>(*value, "encoding",
                                       {{"utf-8", Encoding::utf_8},
                                        {"utf-16", Encoding::utf_16},
                                        {"windows-1252", Encoding::windows_1252}},
                                       faults)
                       .value_or(Encoding::utf_8);
  read_compression(fields, csv.compression, faults);
  if (csv.delimiter == csv.quote || csv.delimiter == csv.escape)
    faults.add(Kind::invalid, "document.csv_character", "the delimiter is also the quote or escape character",
               "choose different characters", node);
}

void read_json(const Node& node, std::string_view name, FileFormat format, Landing& landing, Faults& faults) {
  landing.format = format;
  if (node.is_null()) return;
  KeySet keys;
  keys.what = "the " + std::string(name) + " format";
  keys.taken = {"compression"};
  if (node.type != Node::Type::mapping) {
    faults.add(Kind::invalid, "document.wrong_value",
               "\"" + std::string(name) + "\" must map options to values; found " + found(node),
               "write Format: " + std::string(name), node);
    return;
  }
  read_compression(read_fields(node, keys, faults), landing.compression, faults);
}

// Formats that say everything themselves.
void read_typed(const Node& node, std::string_view name, FileFormat format, Landing& landing,
                Faults& faults) {
  landing.format = format;
  if (node.is_null()) return;
  faults.add(Kind::invalid, "document.wrong_value",
             "\"" + std::string(name) + "\" takes no options; found " + found(node),
             "write Format: " + std::string(name), node);
}

void read_format_mapping(const Node& node, Landing& landing, Faults& faults) {
  KeySet keys;
  keys.what = "\"Format\"";
  keys.taken = {"csv", "json", "jsonl", "parquet", "delta"};
  const Fields fields = read_fields(node, keys, faults);
  if (const Node* csv = fields.value("csv")) read_csv(*csv, landing.csv, faults);
  if (const Node* json = fields.value("json")) read_json(*json, "json", FileFormat::json, landing, faults);
  if (const Node* json = fields.value("jsonl")) read_json(*json, "jsonl", FileFormat::jsonl, landing, faults);
  if (const Node* value = fields.value("parquet"))
    read_typed(*value, "parquet", FileFormat::parquet, landing, faults);
  if (const Node* value = fields.value("delta"))
    read_typed(*value, "delta", FileFormat::delta, landing, faults);
}

void read_format(const Node& node, Landing& landing, Faults& faults) {
  if (node.type == Node::Type::mapping && node.members.size() == 1)
    return read_format_mapping(node, landing, faults);
  const auto text = node.is_text() ? base::ascii_lower(base::trim(node.text)) : "";
  if (text == "csv") return;
  if (text == "json" || text == "jsonl") {
    landing.format = text == "json" ? FileFormat::json : FileFormat::jsonl;
    return;
  }
  if (text == "parquet" || text == "delta") {
    landing.format = text == "parquet" ? FileFormat::parquet : FileFormat::delta;
    return;
  }
  faults.add(
      Kind::invalid, "document.format",
      "\"Format\" must be csv, json, jsonl, parquet, delta or a mapping csv: {…}; found " + found(node),
      "write Format: csv", node);
}

void check_format_known(const Node& root, const Landing& landing, Faults& faults) {
  const bool is_csv = std::all_of(landing.globs.begin(), landing.globs.end(), [](const std::string& glob) {
    const std::string lower = base::ascii_lower(glob);
    return lower.ends_with(".csv") || lower.ends_with(".csv.gz");
  });
  if (is_csv) return;
  faults.add(Kind::invalid, "document.missing_key",
             "\"Format\" is missing, and the files' names do not all end in .csv", "add the line Format: csv",
             root);
}

// A key with two words for values; whether the second stands there.
bool read_second_of(const Node& node, std::string_view key, std::string_view first, std::string_view second,
                    Faults& faults) {
  const std::string text = node.is_text() ? base::ascii_lower(base::trim(node.text)) : "";
  if (text == second) return true;
  if (text != first)
    faults.add(Kind::invalid, "document.wrong_value",
               "\"" + std::string(key) + "\" must be " + std::string(first) + " or " + std::string(second) +
                   "; found " + found(node),
               "leave the key out for " + std::string(first), node);
  return false;
}

void read_policies(const Fields& fields, Landing& landing, Faults& faults) {
  if (const Node* node = fields.value("New columns"))
    landing.refuses_new_columns = read_second_of(*node, "New columns", "add", "refuse", faults);
  if (const Node* node = fields.value("Malformed rows"))
    landing.refuses_malformed = read_second_of(*node, "Malformed rows", "quarantine", "refuse", faults);
  if (const Node* node = fields.value("Column names"))
    landing.keeps_names = read_second_of(*node, "Column names", "clean", "as sent", faults);
}

}  // namespace

Landing read_landing(const Node& root, const DocumentPlace& place, Faults& faults) {
  const Fields fields = read_fields(root, landing_keys(), faults);
  Landing landing;
  landing.name = place.name;
  if (const Node* node = fields.value("Description"))
    landing.description = read_prose(*node, "Description", faults).value_or("");
  if (const Node* node = fields.value("Owner")) landing.owner = read_prose(*node, "Owner", faults);
  if (const Node* node = fields.value("Notes")) landing.notes = read_text(*node, "Notes", faults);
  if (const Node* node = fields.value("Landing")) read_globs(*node, landing, faults);
  if (const Node* node = fields.value("Format")) {
    read_format(*node, landing, faults);
  } else {
    check_format_known(root, landing, faults);
  }
  read_policies(fields, landing, faults);
  return landing;
}

}  // namespace contract
