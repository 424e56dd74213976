#include <base/text.h>
#include <delta/schema.h>

#include <set>

namespace delta {

namespace {

using base::Json;
using base::Kind;

std::unexpected<base::Error> bad_schema(const std::string& what) {
  return base::fail(Kind::corrupt, "delta.schema", "the table's schema " + what,
                    "a schema is a JSON struct of fields with name, type, nullable and metadata");
}

bool is_nested_type(const Json& type) {
  const auto word = type.string("type");
  if (!word) return false;
  if (*word == "struct") return type.find("fields") && type.find("fields")->is_array();
  if (*word == "array") return type.find("elementType") != nullptr;
  if (*word == "map") return type.find("keyType") && type.find("valueType");
  return false;
}

base::Result<Field> parse_field(const Json& json) {
  Field field;
  const auto name = json.string("name");
  if (!name || name->empty()) return bad_schema("has a field without a name");
  field.name = *name;
  const Json* type = json.find("type");
  if (type && type->as_string() && !type->as_string()->empty())
    field.type = *type->as_string();
  else if (type && is_nested_type(*type))
    field.nested = *type;
  else
    return bad_schema("gives field '" + field.name + "' no type that can be understood");
  const Json* nullable = json.find("nullable");
  if (nullable && !nullable->as_bool())
    return bad_schema("says of field '" + field.name + "' that nullable is " + nullable->print() +
                      ", expected true or false");
  field.nullable = nullable ? *nullable->as_bool() : true;
  const Json* metadata = json.find("metadata");
  if (metadata && !metadata->is_null()) {
    if (!metadata->is_object())
      return bad_schema("has metadata of field '" + field.name + "' that is no object");
    field.metadata = *metadata;
  }
  return field;
}

}  // namespace

const Field* Schema::find(std::string_view name) const {
  for (const Field& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

const Field* Schema::find_ignoring_case(std::string_view name) const {
  for (const Field& field : fields)
    if (base::equal_ignoring_case(field.name, name)) return &field;
  return nullptr;
}

std::string physical_name(const Field& field) {
  return std::string(field.metadata.string(kFieldPhysicalName).value_or(field.name));
}

std::optional<std::int64_t> column_id(const Field& field) {
  return field.metadata.int64(kFieldId);
}

base::Result<Schema> parse_schema(std::string_view text) {
  const auto json = Json::parse(text);
  if (!json) return bad_schema("is no JSON: " + json.error().message);
  const Json* fields = json->find("fields");
  if (json->string("type") != "struct" || !fields || !fields->is_array())
    return bad_schema("is no struct with a list of fields");
  Schema schema;
  std::set<std::string> names;
  for (const Json& item : fields->items()) {
    TRY(Field field, parse_field(item));
    if (!names.insert(base::ascii_lower(field.name)).second)
      return bad_schema("has two fields named '" + field.name + "'; names differ in more than case");
    schema.fields.push_back(std::move(field));
  }
  return schema;
}

std::string print_schema(const Schema& schema) {
  Json fields = Json::array();
  for (const Field& field : schema.fields)
    fields.push(Json::object({{"name", field.name},
                              {"type", field.type.empty() ? field.nested : Json(field.type)},
                              {"nullable", field.nullable},
                              {"metadata", field.metadata}}));
  return Json::object({{"type", "struct"}, {"fields", fields}}).print();
}

}  // namespace delta
