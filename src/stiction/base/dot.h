// SPDX-License-Identifier: BSD-2-Clause
// a·b in a fixed order: the even and the odd places are summed apart, so that two products are made at once and no sum
// waits for the other. n is small or the vectors are rows of a matrix; nothing is promised about the alignment.
#pragma once

#include <stiction/base/pair.h>

namespace stiction {

inline double dot(const double* a, const double* b, int n) {
  Pair sum = both(0.0);
  int i = 0;
  for (; i + 1 < n; i += 2) sum += load_pair(a + i) * load_pair(b + i);
  return i < n ? sum[0] + sum[1] + a[i] * b[i] : sum[0] + sum[1];
}

// The same for six places: the velocity of a free body.
inline double dot_six(const double* a, const double* b) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

}  // namespace stiction
