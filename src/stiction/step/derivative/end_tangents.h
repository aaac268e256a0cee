// SPDX-License-Identifier: BSD-2-Clause
// From dv⁺ to the derivative of the step on the manifold (dynamics/derivatives/integrate_derivatives.h).
#pragma once

#include <stiction/step/derivative/velocity_tangents.h>

namespace stiction {

// A step q⁺ = q ⊕ span · mean from the q of the kinematics. face_v: face velocity at the end.
struct StepEnd {
  double span;
  const double* mean;
  const double* face_v;
};
// work.dx: 2nv rows of work.stride numbers, by (q, v) of the kinematics and joint forces. Reads work.block and work.mean.
void advance_columns(const VelocityStep& step, const StepEnd& end, VelocityTangentWork& work);
// The kinematics' q is q_start ⊕ span · v, and its v (step.in.v) the same in the axes there: dx becomes that by (q_start, v).
void precede_columns(const VelocityStep& step, double span, const double* v, VelocityTangentWork& work);

}  // namespace stiction
