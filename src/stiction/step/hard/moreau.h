// SPDX-License-Identifier: BSD-2-Clause
// Moreau's midpoint rule. With u_S = v at the start and u_E = v⁺ at the end of the step:
//   q_M = q ⊕ (dt/2) u_S                                                                                              (1)
//   I = { i : g_i(q_M) ≤ 0 },   M, τ − h, J at (q_M, u_S)                                                                (2)
//   M (u_E − u_S) = dt (τ − h) + Jᵀλ,    ξ = J u_E + ε J u_S  obeys the law with λ,   ε = diag(ε_T, ε_T, ε_N)           (3)
//   q⁺ = q_M ⊕ (dt/2) u_E                                                                                             (4)
// ε_N is the `restitution` of the pair of materials (below the law's restitution_threshold it is zero), ε_T its
// `restitution_tangential`; loops, limits and dry joint friction have ε = 0. As published there is no position term: what
// overlaps or has drifted at q_M stays. `stabilise` adds the law's bounded drift correction (law/assemble.h) to (3). A pair
// with stiffness k and damping d is an implicit spring-damper over the second half step, f_N = −k (g_N + dt/2 u_N) − d u_N,
// without ε_N.
//
// Rows are held on u_E with the directions of q_M, which have turned by ω dt at the next midpoint: joints that loops hold come
// apart by ½ dt² ω² r in a step, and λ·J(u_S + u_E)/2 is not zero where something sticks. Two options take these errors out:
// `project` puts q⁺ back onto the loops (step/hard/loop_projection.h), `energy_balance` keeps the balance of energy (step/hard/energy_balance.h).
//
// Velocities are those of world axes (docs/conventions.md), u_S and u_E both in the axes at q_M, so that (1) and (4) are
// mirror images: with constant M and τ(q) smooth motion is of order 2 and a frictionless ball with ε_N = 1 keeps its energy
// to round-off. h(q_M, u_S) alone is of order 1; `rounds` = n takes h at (q_M, (u_S + u_E)/2) with the u_E of the round before
// in the rounds 2 … n: of order 2.
//
// Law `compliant` (law/compliant.h): its forces at (q_M, u_S) are part of τ, and (3) holds loops, limits and joint friction only.
//
// Failure modes: first order across impacts; Newton's rule may create energy with friction; bodies that cross a thin obstacle
// between two midpoints do not meet it; joint damping and implicit PD are of first order.
// Reference: Moreau 1988; Gehring, Diethelm, Siegwart, Nützi, Leine 2014 (ASME DETC2014-34374), (6)-(12). Deviation: (6) is
// printed with q_E on its right side.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/derivative/velocity_tangents.h>
#include <stiction/step/hard/energy_balance.h>
#include <stiction/step/hard/loop_projection.h>

#include <tuple>

namespace stiction {

struct MoreauOptions {
  bool stabilise = false;
  bool project = false;
  bool energy_balance = false;
  int rounds = 1;

  static constexpr auto fields() {
    using O = MoreauOptions;
    return std::tuple{
        Field{"stabilise", &O::stabilise, "correct overlap and drift of loops with the law's baumgarte"},
        Field{"project", &O::project, "put positions back onto loops and cut joints at the end of the step"},
        Field{"energy_balance", &O::energy_balance,
              "energy changes by the work of motors and loads and by what contacts take, and by nothing else"},
        Field{"rounds", &O::rounds, "evaluations of velocity forces: 1 at the start, more at the mean velocity [-]"}};
  }
};

class MoreauStepper final : public TimeStepper {
 public:
  // Throws InvalidInput for options out of range.
  MoreauStepper(const MoreauOptions& options, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  std::vector<ContactProblem> problems(const StepContext& context, const StepInput& input, const State& state,
                                       bool keep_bodies) override;
  bool derivatives(const StepContext& context, const StepInput& input, const State& state,
                   StepDerivatives& out) override;

 private:
  void half_way(const StepContext& context, const State& state);
  bool momentum(const StepContext& context, const StepInput& input, const State& state, int round);
  void find_contacts(const StepContext& context, const State& state);
  void compliant_forces(const StepContext& context, const State& state);
  AssembleInput assemble_input(const StepContext& context, const State& state) const;
  void assemble_rows(const AssembleInput& in, bool contacts, Assembly& out) const;
  void solve(const StepContext& context, const State& state, StepReport& report);

  MoreauOptions options_;
  std::vector<double> start_, mean_, end_q_, contact_force_;  // u_S; velocity of h; q⁺; Jᵀ(forces of `compliant`)
  std::vector<double> guarded_q_;                             // q⁺ before loops were closed
  std::vector<CompliantPoint> points_;
  std::vector<AnchorRecord> records_;
  EnergyBalance balance_;
  LoopProjection projection_;
  VelocityTangentWork tangent_;
};

}  // namespace stiction
