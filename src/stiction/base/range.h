// SPDX-License-Identifier: BSD-2-Clause
// Options that say which values they may take. A list of fields (base/field.h) holds Bounded in the place of Field:
//   Bounded{"mu", &P::mu, "friction coefficient [-]", ">= 0"}
// and check_ranges refuses the first value outside: "cube_slide.mu is -1, expected a finite value >= 0".
#pragma once

#include <stiction/base/field.h>

namespace stiction {

template <class Owner, class T>
struct Bounded {
  const char* name;
  T Owner::* member;
  const char* doc;      // meaning and unit in brackets
  const char* allowed;  // ">= 1", "> 0", "[0, 1]", "]-inf, inf[" for any finite number
};

// Throws InvalidInput unless the value is allowed. NaN and infinity never are.
void require_allowed(const std::string& owner, const char* field, double value, const std::string& allowed);
void require_within(const std::string& owner, const char* field, double value, double lo,
                    double hi);  // lo ≤ value ≤ hi

template <class Options>
void check_ranges(const std::string& owner, const Options& options) {
  const auto check = [&](const auto& f) {
    if constexpr (requires { f.allowed; }) require_allowed(owner, f.name, options.*(f.member), f.allowed);
  };
  std::apply([&](const auto&... f) { (check(f), ...); }, Options::fields());
}

}  // namespace stiction
