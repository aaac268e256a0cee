// SPDX-License-Identifier: BSD-2-Clause
// Lengths and rates of tendons.
#pragma once

#include <stiction/dynamics/kernels/layout.h>

namespace stiction {

inline double tendon_length(const Layout& layout, const TendonPlan& t, const double* q) {
  double sum = 0.0;
  for (const TendonTerm& x : t.terms) sum += x.coefficient * joint_position(layout.bodies[x.body], q);
  return sum;
}

inline double tendon_rate(const TendonPlan& t, const double* v) {
  double sum = 0.0;
  for (const TendonTerm& x : t.terms) sum += x.coefficient * v[x.velocity];
  return sum;
}

// force += Jᵀ f.
inline void add_tendon_force(const TendonPlan& t, double f, double* force) {
  for (const TendonTerm& x : t.terms) force[x.velocity] += x.coefficient * f;
}

}  // namespace stiction
