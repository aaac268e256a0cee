// SPDX-License-Identifier: BSD-2-Clause
// Dry friction of joints as what it is. In a step each joint with friction f goes one of three ways:
//   held    it stood still and stays: its velocity leaves the equations of motion
//   pushed  it slides and goes on, as it did in the last step: a constant torque −f sign(v)
//   row     anything may happen (it stops, breaks loose, or bears on a contact): a box row of the contact problem
// Only the first two are assumptions, and they are looked at after the solve: the torque that holds a joint is
//   λ_j = (M Δv)_j − dt τ_j − (Jᵀλ)_j,   |λ_j| ≤ dt f                                                            (1)
// and a joint that is pushed must not have turned round. Where that fails the joint becomes a row and the step is solved
// again. Rows are never given up within a step, so that this ends, and its result is that of all joints as rows.
//
// Holding j costs less than not holding it: row j of the factor M = L̂ᵀL̂ is zero, which is the factor for the other velocities.
// A joint that rests at a limit is held as well, without a row for either: what presses it against the limit the limit bears, with
// no bound, and (1) is for what pulls it away.
// Joints beyond a limit, between the bodies of a loop or coupled to others are never held, nor those that leave a contact fewer
// than three velocities to move with: a contact between parts that cannot move against each other would have no solution.
#pragma once

#include <stiction/dynamics/contact/detect.h>
#include <stiction/law/assemble.h>

#include <vector>

namespace stiction {

struct StepContext;

// Joints with dry friction; found once per world.
struct DryJoint {
  int body, velocity;
  bool lockable;
};
std::vector<DryJoint> dry_joints(const World& world, const Layout& layout);

class JointFriction {
 public:
  bool rows_only = false;  // every joint is a row: what problems() shows

  // After to_momentum() and detection: keeps M and the momentum for the rounds to come.
  void begin(const StepContext& c, const State& state);
  // The factor and z = dt L̂⁻ᵀ(τ − h) with the joints as they are assumed to be, and as work.contacts let them.
  void apply(const StepContext& c);
  // After end_velocity(): joints that were held or pushed wrongly become rows. True if there are any: apply() and solve again.
  bool review(const StepContext& c);
  // After assemble(), from the second round on: the warm start is what the round before has found.
  void guess_again(const StepContext& c);
  // Velocities that need no row, for AssembleInput; null: none.
  const RowNeed* row_needs() const { return needs_.empty() ? nullptr : needs_.data(); }

 private:
  enum Way : char { row, held, pushed };
  // Directions in which a limit that is reached bears what holds a joint.
  struct Bearing {
    bool up = false, down = false;
    bool bears(double impulse) const { return (up && impulse > 0.0) || (down && impulse < 0.0); }
  };
  bool may_hold(const StepContext& c, const State& state, const DryJoint& joint, Bearing& limits) const;
  bool goes_on(const StepContext& c, const State& state, int velocity) const;
  void free_contacts(const StepContext& c);
  void free_chain(const StepContext& c, int body, int other);
  int free_velocities(const StepContext& c, int body, int other) const;
  void contact_torques(const StepContext& c);

  std::vector<Way> way_;         // per dry joint
  std::vector<Bearing> limits_;  // per dry joint
  std::vector<char> held_;       // per velocity
  std::vector<RowNeed> needs_;
  std::vector<double> push_;                      // impulse of pushed joints, per dry joint [N m s]
  std::vector<double> mass_, momentum_, torque_;  // packed M; dt (τ − h); (1)
  std::vector<Vec3> force_, moment_;              // per body, base axes, about the base
};

}  // namespace stiction
