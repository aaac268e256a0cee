// SPDX-License-Identifier: BSD-2-Clause
// Velocity forces of trees that turn by a radian and more in a step. c(q, v), Coriolis and centrifugal, turns momentum and does no
// work along the motion. Taken at one instant for a whole step it gives a tree ½ |dt M⁻¹c|², measured in the metric of M: little
// beside ½ |v|² while bodies turn by little, without bound beyond. Where the energy guard refuses a step for that, it is made again
// with c of every tree scaled down to
//   |dt M⁻¹ c| ≤ ½ |v|
// All rows (contacts, limits, loops) are solved again for these forces. Free bodies turn without c (free_flight.h).
// Failure: where this bound acts, turning is too slow; the report counts such steps.
#pragma once

#include <stiction/step/core/time_stepper.h>

namespace stiction {

// After fused_pass() at the start of the step: changes the bias in work.kinematics. The number of trees whose c was scaled.
int bound_velocity_forces(const StepContext& c, const State& state);

}  // namespace stiction
