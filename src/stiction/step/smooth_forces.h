// SPDX-License-Identifier: BSD-2-Clause
// Generalised smooth forces of a step: joint torques, PD, damping, external wrenches.
#pragma once

#include <stiction/step/semi_implicit.h>

namespace stiction {

// force ← τ − h (internal velocities), with implicit terms added to the diagonal of the packed M.
void smooth_forces(const World& world, const Machine& machine, const State& state, const StepInput& input,
                   Kinematics& k, const double* v, double* force);

}  // namespace stiction
