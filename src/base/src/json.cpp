// The one file that knows nlohmann-json: its event parser feeds our value.
#include <base/json.h>

#include <charconv>
#include <set>

#include <nlohmann/json.hpp>

namespace base {

Json::Json(bool value) : value_(value) {}
Json::Json(int value) : value_(Number{std::to_string(value)}) {}
Json::Json(std::int64_t value) : value_(Number{std::to_string(value)}) {}
Json::Json(std::uint64_t value) : value_(Number{std::to_string(value)}) {}
Json::Json(std::string value) : value_(std::move(value)) {}
Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(const char* value) : value_(std::string(value)) {}
Json::Json(Array value) : value_(std::move(value)) {}

Json Json::array(std::initializer_list<Json> items) {
  return Json(Array(items));
}

Json Json::object(std::initializer_list<Member> members) {
  Json json;
  json.value_ = Object(members);
  return json;
}

Json Json::number(std::string characters) {
  Json json;
  json.value_ = Number{std::move(characters)};
  return json;
}

Json::Type Json::type() const {
  return static_cast<Type>(value_.index());
}

std::optional<bool> Json::as_bool() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  return std::nullopt;
}

std::optional<std::int64_t> Json::as_int64() const {
  const auto* number = std::get_if<Number>(&value_);
  if (!number) return std::nullopt;
  std::int64_t value = 0;
  const char* end = number->characters.data() + number->characters.size();
  const auto [stop, status] = std::from_chars(number->characters.data(), end, value);
  if (status != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<std::string_view> Json::as_string() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return std::string_view(*value);
  return std::nullopt;
}

std::optional<std::string_view> Json::number_text() const {
  if (const auto* value = std::get_if<Number>(&value_)) return std::string_view(value->characters);
  return std::nullopt;
}

const Json::Array& Json::items() const {
  static const Array none;
  const auto* value = std::get_if<Array>(&value_);
  return value ? *value : none;
}

const Json::Object& Json::members() const {
  static const Object none;
  const auto* value = std::get_if<Object>(&value_);
  return value ? *value : none;
}

const Json* Json::find(std::string_view name) const {
  for (const Member& member : members())
    if (member.first == name) return &member.second;
  return nullptr;
}

std::optional<std::int64_t> Json::int64(std::string_view name) const {
  const Json* member = find(name);
  return member ? member->as_int64() : std::nullopt;
}

std::optional<std::string_view> Json::string(std::string_view name) const {
  const Json* member = find(name);
  return member ? member->as_string() : std::nullopt;
}

std::optional<bool> Json::boolean(std::string_view name) const {
  const Json* member = find(name);
  return member ? member->as_bool() : std::nullopt;
}

void Json::set(std::string name, Json value) {
  if (!is_object()) value_ = Object{};
  auto& object = std::get<Object>(value_);
  for (Member& member : object) {
    if (member.first == name) {
      member.second = std::move(value);
      return;
    }
  }
  object.emplace_back(std::move(name), std::move(value));
}

void Json::remove(std::string_view name) {
  if (auto* object = std::get_if<Object>(&value_))
    std::erase_if(*object, [&](const Member& member) { return member.first == name; });
}

void Json::push(Json value) {
  if (!is_array()) value_ = Array{};
  std::get<Array>(value_).push_back(std::move(value));
}

namespace {

void append_quoted(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[(static_cast<unsigned char>(c) >> 4) & 15];
          out += kHex[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_break(std::string& out, int indent, int depth) {
  if (indent <= 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

void append(std::string& out, const Json& json, int indent, int depth) {
  switch (json.type()) {
    case Json::Type::null:
      out += "null";
      return;
    case Json::Type::boolean:
      out += *json.as_bool() ? "true" : "false";
      return;
    case Json::Type::number:
      out += *json.number_text();
      return;
    case Json::Type::string:
      append_quoted(out, *json.as_string());
      return;
    case Json::Type::array: {
      out += '[';
      bool first = true;
      for (const Json& item : json.items()) {
        if (!first) out += ',';
        first = false;
        append_break(out, indent, depth + 1);
        append(out, item, indent, depth + 1);
      }
      if (!first) append_break(out, indent, depth);
      out += ']';
      return;
    }
    case Json::Type::object: {
      out += '{';
      bool first = true;
      for (const auto& [name, value] : json.members()) {
        if (!first) out += ',';
        first = false;
        append_break(out, indent, depth + 1);
        append_quoted(out, name);
        out += indent > 0 ? ": " : ":";
        append(out, value, indent, depth + 1);
      }
      if (!first) append_break(out, indent, depth);
      out += '}';
      return;
    }
  }
}

// Deeper text than this is refused rather than risking the stack.
constexpr std::size_t kDepthMax = 512;

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return place(Json()); }
  bool boolean(bool value) override { return place(Json(value)); }
  bool number_integer(number_integer_t value) override { return place(Json(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override { return place(Json(std::uint64_t{value})); }
  bool number_float(number_float_t, const string_t& characters) override {
    return place(Json::number(characters));
  }
  bool string(string_t& value) override { return place(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!names_.back().insert(name).second) {
      problem_ = "member " + json_quote(name) + " stands twice";
      return false;
    }
    keys_.back() = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    problem_ = "at byte " + std::to_string(position) + ": " + error.what();
    return false;
  }

  Json take() { return std::move(root_); }
  std::string problem() const { return problem_.empty() ? "not JSON" : problem_; }

 private:
  bool place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().push(std::move(value));
    } else {
      // The repeated-name check is done; append without Json::set's search.
      pending_.back().emplace_back(std::move(keys_.back()), std::move(value));
    }
    return true;
  }
  bool open(Json value) {
    if (open_.size() >= kDepthMax) {
      problem_ = "nested deeper than " + std::to_string(kDepthMax);
      return false;
    }
    open_.push_back(std::move(value));
    keys_.emplace_back();
    names_.emplace_back();
    pending_.emplace_back();
    return true;
  }
  bool close() {
    Json value = std::move(open_.back());
    if (value.is_object()) value = Json::object_of(std::move(pending_.back()));
    open_.pop_back();
    keys_.pop_back();
    names_.pop_back();
    pending_.pop_back();
    return place(std::move(value));
  }

  Json root_;
  std::vector<Json> open_;
  std::vector<std::string> keys_;
  std::vector<std::set<std::string>> names_;
  std::vector<Json::Object> pending_;
  std::string problem_;
};

}  // namespace

Json Json::object_of(Object members) {
  Json json;
  json.value_ = std::move(members);
  return json;
}

std::string Json::print(int indent) const {
  std::string out;
  append(out, *this, indent, 0);
  return out;
}

Result<Json> Json::parse(std::string_view text) {
  Builder builder;
  try {
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
      return fail(Kind::invalid, "json.syntax", "not JSON: " + builder.problem());
  } catch (const std::exception& error) {
    return fail(Kind::invalid, "json.syntax", std::string("not JSON: ") + error.what());
  }
  return builder.take();
}

std::string json_quote(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace base
