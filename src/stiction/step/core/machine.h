// SPDX-License-Identifier: BSD-2-Clause
// What every stepper works with: what never changes (Machine), scratch memory (Workspace), what acts (StepInput), how it went.
#pragma once

#include <stiction/law/anchored.h>
#include <stiction/law/assemble.h>
#include <stiction/law/compliant.h>
#include <stiction/law/relaxed.h>
#include <stiction/solver/core/solver.h>

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

}  // namespace stiction
