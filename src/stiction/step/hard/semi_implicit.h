// SPDX-License-Identifier: BSD-2-Clause
// Semi-implicit Euler with contact impulses.
//   M (v⁺ − v) = dt (τ − h) + Jᵀλ,    u = J v⁺ − c*  obeys the law with λ,    q⁺ = q ⊕ dt v⁺               (1)
// Everything is evaluated at q. With M = L̂ᵀL̂, z = dt L̂⁻ᵀ(τ − h) and Y = J L̂⁻¹:
//   G = YYᵀ,   g = J v + Y z − c*,   v⁺ = v + L̂⁻¹(z + Yᵀλ)                                                 (2)
// so that one triangular solve per step suffices. Joint damping b and implicit PD gains enter M: M + dt b + dt kd + dt² kp.
// Impulses may make a body faster than the look-ahead allowed for; then detection and solve are repeated with the new speeds.
// [LeLidec24, eq. 8]. Failure: first order; gyroscopic moments are explicit.
#pragma once

#include <stiction/step/core/machine.h>

#include <vector>

namespace stiction {

// One step. The state is written to only if the result is finite; otherwise the status is numerical_failure.
StepOutcome semi_implicit_step(const World& world, const Machine& machine, Solver& solver, const StepInput& input,
                               Workspace& work, State& state);

// The problems of the step that would be made, one per island (allocates; the state is not changed). Small ones are
// dense unless work.island.keep_bodies.
std::vector<ContactProblem> step_problems(const World& world, const Machine& machine, const StepInput& input,
                                          Workspace& work, const State& state);

}  // namespace stiction
