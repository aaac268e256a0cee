// SPDX-License-Identifier: BSD-2-Clause
// Joints that move together (World::couplings) at a configuration.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

struct CouplingError {
  double
      position;  // q_a − zero_a − Σ c_k (q_b − zero_b)^k; 0 where whole turns of continuous joints leave it open [rad, m]
  double slope;  // of the sum
  bool angular;
};
// `k`: at q, where spatial tendons are coupled.
CouplingError coupling_error(const Layout& layout, const Kinematics& k, const Coupling& coupling, const double* q);

}  // namespace stiction
