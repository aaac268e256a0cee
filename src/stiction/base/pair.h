// SPDX-License-Identifier: BSD-2-Clause
// Two doubles side by side: what baseline x86-64 can do at once. Lanes never mix, so the results are those of scalar code.
#pragma once

#include <cstring>

namespace stiction {

using Pair = double __attribute__((vector_size(16)));

inline Pair load_pair(const double* x) {
  Pair p;
  std::memcpy(&p, x, sizeof p);
  return p;
}
inline void store_pair(double* x, Pair p) { std::memcpy(x, &p, sizeof p); }
inline Pair both(double x) { return Pair{x, x}; }

}  // namespace stiction
