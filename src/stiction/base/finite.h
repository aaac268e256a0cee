// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace stiction {

// Whether all entries are finite: NaN and infinity survive the product with zero. Four sums, so that none waits for the other.
inline bool finite_entries(const double* x, std::size_t size) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) a += x[i] * 0.0, b += x[i + 1] * 0.0, c += x[i + 2] * 0.0, d += x[i + 3] * 0.0;
  for (; i < size; ++i) a += x[i] * 0.0;
  return (a + b) + (c + d) == 0.0;
}

inline bool all_finite(const std::vector<double>& x) { return finite_entries(x.data(), x.size()); }

}  // namespace stiction
