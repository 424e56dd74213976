// A JSON value that loses nothing: members keep their order, numbers keep their characters
// (a decimal(38,18) survives). Parsing refuses repeated members, invalid UTF-8 and trailing text.
// A plain value; safe to read from several threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <base/result.h>

namespace base {

class Json {
 public:
  using Member = std::pair<std::string, Json>;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  enum class Type { null, boolean, number, string, array, object };

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value);
  Json(int value);
  Json(std::int64_t value);
  Json(std::uint64_t value);
  Json(std::string value);
  Json(std::string_view value);
  Json(const char* value);
  Json(Array value);
  static Json array(std::initializer_list<Json> items = {});
  static Json object(std::initializer_list<Member> members = {});
  // The caller vouches that no name repeats.
  static Json object_of(Object members);
  // A number by its characters ("12.50"); the caller vouches that they are a JSON number.
  static Json number(std::string characters);

  Type type() const;
  bool is_null() const { return type() == Type::null; }
  bool is_string() const { return type() == Type::string; }
  bool is_number() const { return type() == Type::number; }
  bool is_object() const { return type() == Type::object; }
  bool is_array() const { return type() == Type::array; }

  // The value when it has that type (and, for integers, fits), else nothing.
  std::optional<bool> as_bool() const;
  std::optional<std::int64_t> as_int64() const;
  std::optional<std::string_view> as_string() const;
  // A number's characters.
  std::optional<std::string_view> number_text() const;

  const Array& items() const;                     // empty unless an array
  const Object& members() const;                  // empty unless an object
  const Json* find(std::string_view name) const;  // null pointer when absent or no object
  // Conveniences for members: the value when present with that type.
  std::optional<std::int64_t> int64(std::string_view name) const;
  std::optional<std::string_view> string(std::string_view name) const;
  std::optional<bool> boolean(std::string_view name) const;

  void set(std::string name, Json value);  // adds or replaces; the value becomes an object
  void remove(std::string_view name);
  void push(Json value);  // the value becomes an array

  // Without spaces, members in order; `indent` > 0 breaks lines.
  std::string print(int indent = 0) const;
  static Result<Json> parse(std::string_view text);  // code "json.syntax"

  friend bool operator==(const Json&, const Json&) = default;

 private:
  struct Number {
    std::string characters;
    friend bool operator==(const Number&, const Number&) = default;
  };
  std::variant<std::nullptr_t, bool, Number, std::string, Array, Object> value_ = nullptr;
};

// The text as a JSON string, quotes included.
std::string json_quote(std::string_view text);

}  // namespace base
