// Collects the faults of one document while it is read on.
#pragma once

#include <string>
#include <vector>

#include <base/result.h>

#include "yaml.h"

namespace contract {

class Faults {
 public:
  explicit Faults(const Source& source) : source_(source) {}

  void add(base::Kind kind, std::string code, std::string message, std::string hint, base::Place place);
  void add(base::Kind kind, std::string code, std::string message, std::string hint, const Node& node) {
    add(kind, std::move(code), std::move(message), std::move(hint), source_.place(node.begin));
  }
  void add(base::Error error) { errors_.push_back(std::move(error)); }
  // An error whose place is inside a scalar's text: it is moved to the file.
  void add_inside(const Node& scalar, base::Error error);
  void warn(std::string code, std::string message, std::string hint, const Node& node);

  const Source& source() const { return source_; }
  std::size_t count() const { return errors_.size(); }
  std::vector<base::Error> take_errors();    // in text order
  std::vector<base::Error> take_warnings();  // in text order

 private:
  const Source& source_;
  std::vector<base::Error> errors_;
  std::vector<base::Error> warnings_;
};

}  // namespace contract
