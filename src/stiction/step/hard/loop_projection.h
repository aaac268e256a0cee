// SPDX-License-Identifier: BSD-2-Clause
// Positions back onto the loops (and cut joints) of a world. With e(q) what the rows of the rigid loops measure,
//   δ = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ e(q),    q ← q ⊕ δ                                                                        (1)
// with M and J of the step, at q_M: a simplified Newton step, which leaves about dt ω of the error. It is made until 1e-12 m or
// rad are left, five times at the most. Velocities stay. The displacement is the smallest in the sense of kinetic energy and moves no centre of mass that is free.
// Failure modes: loops that say the same twice make J M⁻¹ Jᵀ singular; a part in 1e12 of its trace is added, which leaves the
// error in those directions to the next step. An error that no small displacement can take back is reduced, not closed.
#pragma once

#include <stiction/step/core/simulation_model.h>

#include <vector>

namespace stiction {

struct StepContext;

class LoopProjection {
 public:
  void resize(const World& world, const Layout& layout);
  // work.kinematics and work.assembly are those of the step.
  void project(const StepContext& context, double* q);
  // Of the last call, per velocity in the axes at q_M: the sum of its δ.
  const std::vector<double>& displacement() const { return sum_; }

 private:
  bool measure(const StepContext& context, const double* q);
  void move_island(const StepContext& context, int island);

  Kinematics k_;
  std::vector<double> error_;  // per loop row
  std::vector<double> delta_, sum_, still_, matrix_, rhs_;
  std::vector<int> blocks_;
};

}  // namespace stiction
