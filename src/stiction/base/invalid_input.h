// SPDX-License-Identifier: BSD-2-Clause
// Bad input: thrown at the public edge before any work, naming field, value found and value wanted. Python: ValueError.
#pragma once

#include <stdexcept>
#include <string>

namespace stiction {

struct InvalidInput : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace stiction
