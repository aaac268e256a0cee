// SPDX-License-Identifier: BSD-2-Clause
// Mechanical energy of a midpoint step, kept in balance group by group. A group is the trees that rows tie together in this
// step, or a tree alone. Its energy E = ½ vᵀMv − Σ m gravity·c may change by what was done to it and by nothing else:
//   ΔE = W,   W = W_f + W_s + Σ min(0, λ·γ̄),       γ̄ = ½ J(q_M)(u_S + u_E)                                           (1)
//   W_f   applied forces: dt f·(u_S + u_E)/2; for motors of cut joints torque × change of the joint's position
//   W_s   λ·γ̄ of rows that store energy: springs of pairs and loops, implicit motors of cut joints
// Contacts, limits and dry friction only take, block by block; rigid loops do no work. A scheme misses (1) by X = ΔE − W, of
// second order in dt: Coriolis forces of one instant, directions that turn within the step, impulses that are not solved to the
// end. X is taken out of the end velocity; positions stay:
//   v ← v_R + s (v − v_R),     s² = 1 − X/T_I,     T_I = T(v) − T(v_R)                                                  (2)
// v_R is the rigid motion with the group's linear and angular momentum, or zero if the group leans on the world. Relative
// velocities at common points, which is what rows see, become s times what they were: what sticks still sticks, what slides
// keeps its direction, normal rows stay complementary; and the momentum of a group in flight is kept to round-off.
// Where X is more than 1 % of T_I, as for a single body, whose error is in its own turning, v_R is the translation alone: linear
// momentum is kept. An excess is then taken out as far as T_I reaches; a deficit is given back only up to 1 % of T_I, or the
// smallest error of a body at rest would set it moving. A group that leans on the world and whose error is more than all of its
// kinetic energy (and more than round-off of what was exchanged) stays where it was, at rest.
// Failure modes: loads away from a base's origin do dt f·ū only up to O(dt³), which counts as error; rebounds (ε > 0) in the
// same group are scaled too; a group that must gain energy without moving (T_I = 0) does not;
// motion on the ground that is slower than the errors of an inexact solver stands still.
// Reference: projection onto an invariant, Hairer, Lubich, Wanner 2006, section IV.4.
#pragma once

#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/simulation_model.h>

#include <vector>

namespace stiction {

struct StepContext;

class EnergyBalance {
 public:
  void resize(const World& world, const Layout& layout);
  // Before the step: energy and positions at (q_S, v_S).
  void start(const StepContext& context, const State& state);
  // Around smooth_forces(): M without and with the implicit terms, forces in work.z.
  void before_forces(const StepContext& context);
  void after_forces(const StepContext& context, const StepInput& input, const PdGains& pd, double reach);
  // After the impulses: u_S in work.v and u_E in work.next, both at q_M in work.q. `moved` (may be null): by how much positions
  // were moved beside that, per velocity. Changes v, the velocity at q, and may put q back to `start`; returns the largest |X| [J].
  double close(const StepContext& context, const double* moved, const State& start, double* q, double* v);

 private:
  struct Group {
    double error, kinetic, mass;   // X so far, T(v), mass of its trees
    double exchanged;              // T at the start and the works, all positive: what X is small or large beside
    Vec3 moment, linear, angular;  // Σ m c, momentum, angular momentum about the world's origin
    Mat3 inertia;                  // locked, about the world's origin
    bool grounded;
  };

  void find_groups(const StepContext& context);
  void add_applied_work(const StepContext& context, const double* moved);
  void add_row_work(const StepContext& context);
  void add_motion(const StepContext& context, const double* q, const double* v);
  struct Rigid {
    Vec3 centre, linear, angular;  // centre of mass, its velocity, angular velocity
  };
  bool scale(const Group& group, double& s, Rigid& rigid) const;

  Kinematics k_;
  std::vector<Group> groups_;               // per tree; only those that group_of_ names are in use
  std::vector<int> group_of_;               // per tree
  std::vector<TreeEnergy> start_;           // per tree [J]
  std::vector<double> applied_, implicit_;  // per velocity: f, and what M got for implicit terms
  std::vector<double> mean_;                // ū, with what positions were moved by
  std::vector<double> cut_start_;           // position of each cut joint at the start
  std::vector<Vec3> cut_torque_, cut_rate_;
};

}  // namespace stiction
