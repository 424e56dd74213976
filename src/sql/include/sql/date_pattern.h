// A date pattern such as yyyy-MM-dd HH:mm:ss.SSS, with the letters y M d H h m s S a, quoted text and
// other signs, read as Spark 3.5 reads it. Immutable; safe to share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace sql {

class DatePattern {
 public:
  // Code "sql.pattern"; the place's column is the byte in `pattern`, from 1.
  static base::Result<DatePattern> parse(std::string_view pattern);

  struct Local {
    std::int64_t days = 0;    // since 1970-01-01
    std::int64_t day_us = 0;  // since midnight
  };
  // The whole text must match; impossible dates are nothing.
  std::optional<Local> read(std::string_view text) const;

 private:
  struct Part {
    char letter = 0;  // 0: literal text
    int count = 0;
    std::string text;
    int reserved = 0;  // digits that fixed-width fields directly behind need
  };
  std::vector<Part> parts_;
};

}  // namespace sql
