// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/base/range.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace stiction {
namespace {

bool is_allowed(const std::string& allowed, double value) {
  if (!std::isfinite(value)) return false;
  char* rest = nullptr;
  if (allowed[0] == '>') {
    const bool equal = allowed[1] == '=';
    const double low = std::strtod(allowed.c_str() + (equal ? 2 : 1), nullptr);
    return equal ? value >= low : value > low;
  }
  const double low = std::strtod(allowed.c_str() + 1, &rest), high = std::strtod(rest + 1, &rest);
  return (allowed[0] == '[' ? value >= low : value > low) && (*rest == ']' ? value <= high : value < high);
}

}  // namespace

void require_allowed(const std::string& owner, const char* field, double value, const std::string& allowed) {
  if (is_allowed(allowed, value)) return;
  std::ostringstream text;
  text << owner << "." << field << " is " << value << ", expected "
       << (allowed[0] == '>' ? "a finite value " : "a value in ") << allowed;
  throw InvalidInput(text.str());
}

void require_within(const std::string& owner, const char* field, double value, double lo, double hi) {
  std::ostringstream allowed;
  allowed.precision(17);
  allowed << "[" << lo << ", " << hi << "]";
  require_allowed(owner, field, value, allowed.str());
}

}  // namespace stiction
