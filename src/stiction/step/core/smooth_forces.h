// SPDX-License-Identifier: BSD-2-Clause
// Generalised smooth forces of a step: joint torques, PD, damping, actuators (step/core/actuators.h), springs, gravity compensation
// and fluid (step/core/passive_forces.h), external wrenches.
#pragma once

#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/step/core/simulation_model.h>

namespace stiction {

// Where forces are evaluated, and the steps of the implicit terms M + damping_dt b + dt kd + dt·reach kp: the torque of implicit
// PD is that at q + reach v⁺.
struct ForcePoint {
  const double* q;
  const double* v;               // internal velocities
  double dt;                     // of implicit PD [s]
  double damping_dt;             // of joint damping; 0 where it acts explicitly [s]
  double reach = dt;             // time from q to the end of the step [s]
  bool diagonal_of_mass = true;  // the packed diagonal is that of M, not that of an articulated pass
  bool tendon_rows = false;  // what is implicit along tendons becomes rows (law/tendon_blocks.h); else it is explicit
};

// force ← τ − h (internal velocities), with implicit terms added to the diagonal of the packed M. Cut joints are seen where `k` is.
void smooth_forces(const World& world, const Layout& layout, const PdGains& pd, const StepInput& input,
                   const ForcePoint& where, Kinematics& k, double* force);

// What smooth_forces() begins with on the trees marked in `trees` (per tree): force ← joint torques, PD and damping − h.
void joint_forces(const World& world, const Layout& layout, const PdGains& pd, const double* tau,
                  const ForcePoint& where, const char* trees, Kinematics& k, double* force);
// And what follows, added for the whole world: cut joints, springs, actuators, wrenches.
void other_forces(const World& world, const Layout& layout, const PdGains& pd, const StepInput& input,
                  const ForcePoint& where, Kinematics& k, double* force);

// force += Jᵀ f for a force on one body at a point, world axes; nothing for the world itself.
void add_point_force(const Layout& layout, const Kinematics& k, BodyId body, const Vec3& point, const Vec3& f,
                     double* force);

// force += what a force at a point and a torque on a body do, all in world axes; nothing for the world itself.
void add_load(const Layout& layout, const Kinematics& k, BodyId body, const Vec3& world_force, const Vec3& torque,
              const Vec3& point, double* force);

// What a motor is asked for before its effort limit: τ[index] + kp (target − q) − kd v. `velocity`: index into v.
double motor_torque(const BodyPlan& plan, const PdGains& pd, const double* tau, int index, int velocity,
                    const double* q, const double* v);

// What the motor and the damper of a cut joint do, per velocity. `m`: where and how fast it is.
Vec3 cut_torque(const CutJoint& joint, const CutMotion& m, const PdGains& pd, const double* tau, double reach);

}  // namespace stiction
