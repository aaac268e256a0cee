// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

namespace stiction {

// Whether all entries are finite: NaN and infinity survive the product with zero.
inline bool all_finite(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value * 0.0;
  return sum == 0.0;
}

}  // namespace stiction
