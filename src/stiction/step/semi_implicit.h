// SPDX-License-Identifier: BSD-2-Clause
// Semi-implicit Euler with contact impulses.
//   M (v⁺ − v) = dt (τ − h) + Jᵀλ,    u = J v⁺ − c*  obeys the law with λ,    q⁺ = q ⊕ dt v⁺               (1)
// Everything is evaluated at q. With M = L̂ᵀL̂, z = dt L̂⁻ᵀ(τ − h) and Y = J L̂⁻¹:
//   G = YYᵀ,   g = J v + Y z − c*,   v⁺ = v + L̂⁻¹(z + Yᵀλ)                                                 (2)
// so that one triangular solve per step suffices. Joint damping b and implicit PD gains enter M: M + dt b + dt kd + dt² kp.
// Impulses may make a body faster than the look-ahead allowed for; then detection and solve are repeated with the new speeds.
// [LeLidec24, eq. 8]. Failure: first order; gyroscopic moments are explicit.
#pragma once

#include <stiction/law/anchored.h>
#include <stiction/law/assemble.h>
#include <stiction/law/compliant.h>
#include <stiction/law/relaxed.h>
#include <stiction/solver/solver.h>

#include <optional>
#include <vector>

namespace stiction {

// What never changes during a simulation; shared by all simulators of a world.
struct Machine {
  Machine(const World& world, const HardContact& hard_contact, double step)
      : layout(world), detection(world), law(hard_contact), dt(step) {
    for (const PairMaterial& m : world.pair_materials) rebounds = rebounds || m.restitution > 0.0;
  }
  Layout layout;
  DetectionPlan detection;
  HardContact law;
  std::optional<AnchoredOptions> anchored;  // the soft law, instead of the hard one
  std::optional<RelaxedLaw> relaxed;        // likewise
  std::optional<CompliantOptions> compliant;
  bool soft() const { return anchored || relaxed || compliant; }
  double dt;
  bool rebounds = false;  // some pair of materials has restitution
};

// An external wrench, world axes.
struct Wrench {
  BodyId body;
  Vec3 force, torque, point;
  bool at_centre;  // ignore `point`, act at the centre of mass
};

// Sized by a world; holds no meaning between calls, except `contacts` and `impulses`, which tell of the last step.
struct Workspace {
  Kinematics kinematics;
  DetectionWork detection;
  std::vector<Contact> contacts;
  std::vector<double> impulses;  // 3 per contact, (T1, T2, N) [N s]
  Assembly assembly;
  IslandWork island;
  ContactProblem problem;
  GrowingVec lambda;
  std::vector<double> v, next, z, whitened, q;
  std::vector<double> loop_impulse, limit_impulse, friction_impulse;

  void resize(const World& world, const Layout& layout);
};

struct StepInput {
  const double* tau = nullptr;  // ntau entries, or none
  const Wrench* wrenches = nullptr;
  int wrench_count = 0;
};

struct StepOutcome {
  Status status = Status::converged;
  int iterations = 0, factorisations = 0, islands = 0;
  Residual own, ncp;  // largest over the islands
  double penetration = 0.0;
  bool accepted = true;
  int fallbacks = 0;       // islands that the solver failed on and another one solved (stewart_trinkle)
  double imbalance = 0.0;  // largest error in the energy of a group of bodies that energy_balance took out (moreau) [J]
  // of steppers on soft contacts
  int substeps = 1;       // parts that the step was made in
  int switches = 0;       // of them, those at whose end other contacts were active
  int exact_solves = 0;   // contact problems that the automatic order solved exactly
  double estimate = 0.0;  // largest error estimate of a part: of the velocities [m/s, rad/s]
};

// Larger of two residuals, entry by entry; NaN stays.
void keep_largest(const Residual& from, Residual& into);

// One step. The state is written to only if the result is finite; otherwise the status is numerical_failure.
StepOutcome semi_implicit_step(const World& world, const Machine& machine, Solver& solver, const StepInput& input,
                               Workspace& work, State& state);

// The problems of the step that would be made, one per island (allocates; the state is not changed). Small ones are
// dense unless work.island.keep_bodies.
std::vector<ContactProblem> step_problems(const World& world, const Machine& machine, const StepInput& input,
                                          Workspace& work, const State& state);

}  // namespace stiction
