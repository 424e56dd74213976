// The decimal digits that Java 8 to 18 give a floating number. They read back as the same value but are
// not always the fewest, and Spark prints, rounds and makes decimals of exactly these.
#pragma once

#include <string>

namespace sql {

struct JavaDigits {
  std::string digits;  // the first is not 0
  int exponent = 0;    // 0.d1d2d3… times ten to this power
};

// Finite and greater than zero.
JavaDigits java_digits(double value);
JavaDigits java_digits(float value);

}  // namespace sql
