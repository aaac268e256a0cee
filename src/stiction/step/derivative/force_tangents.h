// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the smooth forces of a step (step/core/smooth_forces.h), of its implicit terms included. With the change of
// velocity Δ = v⁺ − v of the step and the implicit inertia I of a joint (damping, PD, servos, springs),
//   r = M Δ/dt + h + I Δ/dt − f − Jᵀλ/dt = 0                                                                         (1)
// this file gives what I and f add to ∂r/∂q and ∂r/∂v. The share φ with which a soft servo or spring is implicit depends on M_jj:
//   ∂r_j/∂φ = k reach v⁺,   ∂φ/∂M_jj = −dt reach k/(M_jj² (kStiff − kSoft)) inside the ramp                            (2)
//   ∂M_jj/∂q_k = −2 (S_k × S_j)·I_k S_j     for k below j, I_k the inertia of its subtree                              (3)
// Forces that are cut off (effort limits, force ranges) have slope zero; one that is about to be is on a border.
#pragma once

#include <stiction/dynamics/derivatives/derivatives.h>
#include <stiction/step/core/smooth_forces.h>

#include <vector>

namespace stiction {

struct ForceTangents {
  std::vector<PointForce> forces;   // loads that turn with nothing: weight that is compensated, wrenches
  std::vector<double> motor_gain;   // per velocity: ∂torque/∂tau, 1 or 0
  std::vector<double> target_gain;  // per velocity: ∂torque/∂target
  std::vector<double> ctrl_gain;    // per actuator: ∂torque/∂ctrl
  std::vector<int> ctrl_velocity;   // per actuator: velocity that it drives, −1 for none
  std::vector<char> border;         // per velocity: its motor is about to be cut off
  bool exact = true;

  void resize(const World& world);
};

// Where forces were taken, as smooth_forces() was told, and what the step made of the velocity.
struct ForceInstant {
  const World& world;
  const Layout& layout;
  const Kinematics& kinematics;
  const DerivativeData& data;
  const PdGains& pd;
  const StepInput& input;
  ForcePoint where;
  const double* next;  // v⁺
  double threshold;    // of borders, relative
};

// Adds to ∂r/∂q and ∂r/∂v, nv rows, `stride` apart, and fills `out` but for the loads.
void add_force_tangents(const ForceInstant& at, int stride, double* dq, double* dv, ForceTangents& out);
// Loads for inverse_dynamics_dq().
void collect_loads(const ForceInstant& at, ForceTangents& out);

// Throws InvalidInput with a sentence where forces of the world or of the input have no derivative here.
void refuse_forces(const World& world, const Layout& layout, const StepInput& input);

}  // namespace stiction
