// SPDX-License-Identifier: BSD-2-Clause
// What every stepper works with: what never changes (SimulationModel), scratch memory (Workspace), what acts (StepInput).
#pragma once

#include <stiction/base/stage_clock.h>
#include <stiction/law/assemble.h>
#include <stiction/law/contact_law.h>
#include <stiction/step/core/free_flight.h>
#include <stiction/step/core/guard_work.h>
#include <stiction/step/core/joint_friction.h>
#include <stiction/step/core/late_limits.h>
#include <stiction/step/report/step_report.h>

#include <vector>

namespace stiction {

// What never changes during a simulation; shared by all simulators of a world.
struct SimulationModel {
  SimulationModel(const World& world, ContactLaw contact_law, double step);

  Layout layout;
  DetectionPlan detection;
  ContactLaw law;
  double dt;
  bool rebounds = false;  // some pair of materials has restitution
  bool turns = false;     // some pair has friction of spin or roll
  std::vector<DryJoint> dry;

  bool soft() const { return !std::holds_alternative<HardContact>(law); }
  const HardContact& hard() const { return row_rules(law); }
  const AnchoredOptions* anchored() const { return std::get_if<AnchoredOptions>(&law); }
  const RelaxedLaw* relaxed() const { return std::get_if<RelaxedLaw>(&law); }
  const CompliantOptions* compliant() const { return std::get_if<CompliantOptions>(&law); }
};

// An external wrench, world axes.
struct Wrench {
  BodyId body;
  Vec3 force, torque, point;
  bool at_centre;  // ignore `point`, act at the centre of mass
};

// Scratch for the solve of one island; each thread has its own (island_threads.h).
struct IslandScratch {
  IslandWork island;
  ContactProblem problem;
  GrowingVec lambda;
  GrowingVec kept, product, scratch;  // impulses to go back to; Gλ
  std::vector<double> pushed;         // velocities by impulses, of the island's bodies alone
  std::vector<char> counted;          // per tree
  double granted = 0.0;               // energy that springs and drift corrections of the islands gave in this step [J]

  void resize(const World& world) { pushed.resize(world.nv), counted.assign(world.trees.size(), 0); }
};

// Sized by a world; holds no meaning between calls, except `contacts` and `impulses`, which tell of the last step.
struct Workspace : IslandScratch {
  StageClock clock;
  Kinematics kinematics;
  DetectionWork detection;
  std::vector<Contact> contacts;
  std::vector<Contact> solved_contacts;  // of an earlier look of the same step
  std::vector<double> impulses;          // 3 per contact, (T1, T2, N) [N s]
  std::vector<double> torques;  // likewise, about these axes [N m s]; empty in worlds without friction of spin and roll
  Assembly assembly;
  std::vector<double> granted_by;  // `granted`, per island: summed in their order
  std::vector<double> v, next, z, whitened, q;
  std::vector<double> mean;       // velocity that positions move with
  std::vector<double> applied;    // forces of motors, dampers and loads; without weight and inertia
  std::vector<double> tree_mass;  // [kg]
  GuardWork guard;
  FreeFlight flight;
  JointFriction friction;
  LateLimits late_limits;
  std::vector<double> loop_impulse, limit_impulse, friction_impulse;

  void resize(const World& world, const Layout& layout);
};

// Their deepest overlap goes into the report.
void note_overlap(const std::vector<Contact>& contacts, StepReport& report);

// Torque of a contact of the last step on its second body, world axes [N m].
inline Vec3 contact_torque(const Workspace& work, std::size_t contact, double dt) {
  if (work.torques.size() != 3 * work.contacts.size()) return Vec3::Zero();
  return work.contacts[contact].frame.transpose() * Eigen::Map<const Vec3>(work.torques.data() + 3 * contact) / dt;
}

struct StepInput {
  const double* tau = nullptr;  // ntau entries, or none
  const Wrench* wrenches = nullptr;
  int wrench_count = 0;
  const double* ctrl = nullptr;  // per actuator; none: actuators rest
  const double* act = nullptr;   // their activations
  double relax = 0.0;            // derivatives only: of the problem relaxed by so much [J]; 0: as it is
};

}  // namespace stiction
