// SPDX-License-Identifier: BSD-2-Clause
// Actuators (World::actuators). A joint with the torque τ(q, v) of its actuators gets, over a step of length dt with k = −∂τ/∂q ≥ 0
// and d = −∂τ/∂v ≥ 0,
//   (M + dt d + φ dt² k) (v⁺ − v) = dt (τ − φ dt k v) + …                                                            (1)
// φ goes from 0 (soft: symplectic Euler, no numerical damping) to 1 (stiff: the spring at the end of the step) as dt² k / M_ii goes from
// kSoft to kStiff. A force range cuts off what (1) leaves of the force at the end of the step, M_ii / (M_ii + dt d + φ dt² k) of it: a
// stiff servo that is within its range then is not cut off for its stiffness. A force that is cut off is a constant in (1).
// Tendons obey (1) along their length, as rows (law/tendon_blocks.h). Sites and joints of several velocities are driven explicitly.
#pragma once

#include <stiction/step/core/smooth_forces.h>

namespace stiction {

// φ of (1) and what it adds to the diagonal of M.
struct ImplicitSpring {
  double share, inertia;
};
// Along a tendon: the inertia that it sees if the joints do not hold each other, 1 / Σ c² / M_ii, and where its forces are evaluated.
struct TendonPoint {
  double length, rate, mass;
  ForcePoint where;
};
TendonPoint tendon_point(const Layout& layout, int tendon, const ForcePoint& where, const Kinematics& k);
ImplicitSpring implicit_spring(const ForcePoint& where, double stiffness, double mass);

// force += those of all actuators; implicit terms to the diagonal of the packed M. Nothing without input.ctrl.
void add_actuator_forces(const World& world, const Layout& layout, const StepInput& input, const ForcePoint& where,
                         Kinematics& k, double* force);
// The force of each, explicit: along gear [N, N m]. `k`: kinematics at (q, v).
void evaluate_actuators(const World& world, const Layout& layout, const StepInput& input, const double* q,
                        const double* v, const Kinematics& k, double* out);
// Length and rate of what an actuator drives, times its gear; zero where it drives nothing.
struct Transmission {
  double length = 0.0, rate = 0.0;
};
Transmission transmission(const Layout& layout, const Actuator& actuator, const double* q, const double* v,
                          const Kinematics& k);
// Activations at the end of a step.
void advance_activations(const World& world, double dt, const double* ctrl, double* act);
// Throws InvalidInput where forces depend on (q, v) and `who` has no derivatives of them.
void refuse_drives(const World& world, const char* who);

}  // namespace stiction
