// What of the protocol is built, and what a table needs.
#include <base/text.h>
#include <delta/replay.h>

#include <algorithm>
#include <set>

namespace delta {

namespace {

using base::Kind;

constexpr std::string_view kConstraintPrefix = "delta.constraints.";

std::unexpected<base::Error> unsupported(const std::string& feature, const std::string& verb) {
  return base::fail(Kind::unsupported, "delta.feature_unsupported",
                    "the table needs " + feature + ", which is not built, so it cannot be " + verb,
                    "use an engine that knows it");
}

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_on(const Metadata& metadata, const std::string& property) {
  const auto found = metadata.configuration.find(property);
  return found != metadata.configuration.end() && base::ascii_lower(found->second) == "true";
}

base::Status check_complete(const State& state) {
  if (!state.protocol)
    return base::fail(Kind::corrupt, "delta.replay", "the log states no protocol", "the log is damaged");
  if (!state.metadata)
    return base::fail(Kind::corrupt, "delta.replay", "the log states no metaData", "the log is damaged");
  return {};
}

// Features that change nothing for a reader unless something else, checked apart, is there too.
bool is_harmless_to_read(std::string_view feature) {
  return feature == "columnMapping" || feature == "deletionVectors" || feature == "timestampNtz" ||
         feature == "vacuumProtocolCheck" || feature == "v2Checkpoint";
}

bool is_harmless_to_write(std::string_view feature) {
  return feature == "appendOnly" || feature == "invariants" || feature == "checkConstraints" ||
         feature == "changeDataFeed" || feature == "generatedColumns" || feature == "identityColumns" ||
         feature == "columnMapping" || feature == "vacuumProtocolCheck" || feature == "domainMetadata" ||
         feature == "allowColumnDefaults";
}

// A feature that a column's metadata asks for, or nothing.
std::optional<std::string> column_feature(const Field& field) {
  const std::string of = " (column " + field.name + ")";
  for (const auto& [name, value] : field.metadata.members()) {
    if (name == "delta.invariants") return "invariants" + of;
    if (name == "delta.generationExpression") return "generatedColumns" + of;
    if (name.starts_with("delta.identity.")) return "identityColumns" + of;
    if (name == "CURRENT_DEFAULT") return "allowColumnDefaults" + of;
    if (name == "__CHAR_VARCHAR_TYPE_STRING") return "char and varchar" + of;
  }
  return std::nullopt;
}

// Invariants may also sit inside a nested type; there they are found by their text.
bool has_nested_invariant(const Field& field) {
  return field.type.empty() && field.nested.print().find("\"delta.invariants\"") != std::string::npos;
}

std::string mapping_mode(const Metadata& metadata) {
  const auto mode = metadata.configuration.find(kMappingMode);
  return mode == metadata.configuration.end() ? "none" : base::ascii_lower(mode->second);
}

// By name or not at all. Fields then have names and numbers of their own, none of them twice.
base::Status check_mapping(const Metadata& metadata) {
  const std::string mode = mapping_mode(metadata);
  if (mode != "name" && mode != "none") return unsupported("columnMapping (mode " + mode + ")", "read");
  TRY(const Schema schema, parse_schema(metadata.schema_text));
  std::set<std::string> names;
  std::set<std::int64_t> ids;
  for (const Field& field : schema.fields) {
    const bool has_name = field.metadata.string(kFieldPhysicalName).has_value();
    const auto id = column_id(field);
    if (mode == "none" && has_name && physical_name(field) != field.name)
      return unsupported("columnMapping that was turned off (column " + field.name + ")", "read");
    if (mode == "none") continue;
    if (!has_name || !id || !names.insert(physical_name(field)).second || !ids.insert(*id).second)
      return base::fail(Kind::corrupt, "delta.schema",
                        "column mapping gives column " + field.name + " no name and number of its own",
                        "the table's schema is damaged");
  }
  return {};
}

}  // namespace

base::Status check_readable(const State& state) {
  TRY_STATUS(check_complete(state));
  const Protocol& protocol = *state.protocol;
  if (protocol.reader_version > 3)
    return unsupported("reader version " + std::to_string(protocol.reader_version), "read");
  for (const std::string& feature : protocol.reader_features)
    if (!is_harmless_to_read(feature)) return unsupported(feature, "read");
  TRY_STATUS(check_mapping(*state.metadata));
  for (const auto& [path, add] : state.files)
    if (add.deletion_vector) return unsupported("deletionVectors (file " + path + ")", "read");
  if (!state.metadata->partition_columns.empty())
    return unsupported("partition columns (" + base::join(state.metadata->partition_columns, ", ") + ")",
                       "read");
  return {};
}

base::Status check_writable(const State& state) {
  TRY_STATUS(check_readable(state));
  const Protocol& protocol = *state.protocol;
  if (protocol.writer_version > 7)
    return unsupported("writer version " + std::to_string(protocol.writer_version), "written");
  for (const std::string& feature : protocol.writer_features)
    if (!is_harmless_to_write(feature)) return unsupported(feature, "written");
  for (const std::string& feature : protocol.reader_features)
    if (!is_harmless_to_write(feature)) return unsupported(feature, "written");
  static constexpr std::pair<const char*, const char*> kSwitches[] = {
      {"delta.enableChangeDataFeed", "changeDataFeed"},
      {"delta.enableInCommitTimestamps", "inCommitTimestamp"},
      {"delta.enableRowTracking", "rowTracking"},
      {"delta.enableDeletionVectors", "deletionVectors"},
  };
  for (const auto& [property, feature] : kSwitches)
    if (is_on(*state.metadata, property)) return unsupported(feature, "written");
  TRY(const Schema schema, parse_schema(state.metadata->schema_text));
  for (const Field& field : schema.fields) {
    if (const auto feature = column_feature(field)) return unsupported(*feature, "written");
    if (has_nested_invariant(field)) return unsupported("invariants (column " + field.name + ")", "written");
  }
  return {};
}

Protocol protocol_for(const Metadata& metadata, const std::optional<Protocol>& current) {
  const bool has_checks = !check_constraints(metadata).empty();
  const bool is_append_only = is_on(metadata, "delta.appendOnly");
  const bool is_mapped = mapping_mode(metadata) == "name";
  if (!current && !is_mapped) return Protocol{1, has_checks ? 3 : 2, {}, {}};
  // Column mapping is named as a feature of its own, so that a reader needs nothing else that its old version
  // number would stand for.
  Protocol protocol = current ? *current : Protocol{3, 7, {"columnMapping"}, {"columnMapping"}};
  if (protocol.writer_version >= 7) {
    for (const auto& [needed, feature] :
         {std::pair(has_checks, "checkConstraints"), std::pair(is_append_only, "appendOnly")})
      if (needed && !contains(protocol.writer_features, feature)) protocol.writer_features.push_back(feature);
    return protocol;
  }
  if (is_append_only) protocol.writer_version = std::max<std::int64_t>(protocol.writer_version, 2);
  if (has_checks) protocol.writer_version = std::max<std::int64_t>(protocol.writer_version, 3);
  return protocol;
}

std::map<std::string, std::string> check_constraints(const Metadata& metadata) {
  std::map<std::string, std::string> checks;
  for (const auto& [property, expression] : metadata.configuration)
    if (property.starts_with(kConstraintPrefix))
      checks[base::ascii_lower(property.substr(kConstraintPrefix.size()))] = expression;
  return checks;
}

}  // namespace delta
