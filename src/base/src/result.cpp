#include <base/result.h>

namespace base {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::invalid:
      return "invalid";
    case Kind::denied:
      return "denied";
    case Kind::not_found:
      return "not_found";
    case Kind::conflict:
      return "conflict";
    case Kind::unsupported:
      return "unsupported";
    case Kind::corrupt:
      return "corrupt";
    case Kind::io:
      return "io";
    case Kind::internal:
      return "internal";
  }
  return "internal";
}

std::string print(const Error& error) {
  std::string text;
  if (!error.place.file.empty()) {
    text += error.place.file;
    if (error.place.line > 0) text += ":" + std::to_string(error.place.line);
    if (error.place.column > 0) text += ":" + std::to_string(error.place.column);
    text += ": ";
  } else if (error.place.line > 0) {
    text += "line " + std::to_string(error.place.line);
    if (error.place.column > 0) text += ", column " + std::to_string(error.place.column);
    text += ": ";
  }
  text += error.message + " [" + error.code + "]";
  if (!error.hint.empty()) text += "\n  " + error.hint;
  return text;
}

}  // namespace base
