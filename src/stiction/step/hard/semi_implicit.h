// SPDX-License-Identifier: BSD-2-Clause
// Semi-implicit Euler with contact impulses.
//   M (v⁺ − v) = dt (τ − h) + Jᵀλ,    u = J v⁺ − c*  obeys the law with λ,    q⁺ = q ⊕ dt v⁺               (1)
// Everything is evaluated at q. With M = L̂ᵀL̂, z = dt L̂⁻ᵀ(τ − h) and Y = J L̂⁻¹:
//   G = YYᵀ,   g = J v + Y z − c*,   v⁺ = v + L̂⁻¹(z + Yᵀλ)                                                 (2)
// so that one triangular solve per step suffices. Joint damping b and implicit PD gains enter M: M + dt b + dt kd + dt² kp.
// Impulses may make a body faster than the look-ahead allowed for; then detection and solve are repeated with the new speeds.
// [LeLidec24, eq. 8]. What floats and spins turns by
// step/core/free_flight.h, of second order in flight. Failure: first order; Coriolis forces within trees are explicit.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/derivative/velocity_tangents.h>

namespace stiction {

class SemiImplicitStepper final : public TimeStepper {
 public:
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  bool has_lanes() const override { return true; }
  void step_group(LaneWork& lanes, std::span<StepLane> group) override;
  std::vector<ContactProblem> problems(const StepContext& context, const StepInput& input, const State& state,
                                       bool keep_bodies) override;
  bool derivatives(const StepContext& context, const StepInput& input, const State& state,
                   StepDerivatives& out) override;

 private:
  VelocityTangentWork tangent_;
};

}  // namespace stiction
