// SPDX-License-Identifier: BSD-2-Clause
// Numbers that are neither NaN nor infinite.
#pragma once

#include <stiction/problem/contact_problem.h>

#include <cmath>

namespace stiction {

// x·0 is 0 only for finite x.
inline bool all_finite(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * 0.0;
  return sum == 0.0;
}

// All that a problem holds; the bounds of a box may be infinite.
inline bool data_finite(const ContactProblem& p) {
  const auto finite = [](const auto& x) { return all_finite(x.data(), static_cast<int>(x.size())); };
  if (!finite(p.g) || !finite(p.compliance)) return false;
  for (const Block& b : p.blocks)
    if (!std::isfinite(b.mu) || std::isnan(b.lo) || std::isnan(b.hi)) return false;
  switch (p.G.storage) {
    case Delassus::Storage::dense:
      return finite(p.G.dense);
    case Delassus::Storage::block_sparse:
      return finite(p.G.values);
    case Delassus::Storage::body_space:
      return finite(p.G.body.values);
    case Delassus::Storage::matrix_free:
      return finite(p.G.diagonal);
  }
  return false;
}

}  // namespace stiction
