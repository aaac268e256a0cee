// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/queries.h>
#include <stiction/step/smooth_forces.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// target − q of a one-velocity joint; the short way round for continuous ones. Others have no position error.
double position_error(const BodyPlan& plan, const State& state, double target) {
  if (plan.nv != 1) return 0.0;
  if (!plan.continuous) return target - state.q[plan.q];
  const double error = target - std::atan2(state.q[plan.q + 1], state.q[plan.q]);
  if (std::abs(error) <= std::numbers::pi) return error;
  return std::remainder(error, 2.0 * std::numbers::pi);
}

// Adds joint torques: the user's, PD and damping. One pass over the bodies that have a motor.
void add_joint_forces(const World& world, const Machine& machine, const State& state, const double* tau, Kinematics& k,
                      const double* v, double* force) {
  const double dt = machine.dt;
  int index = 0;  // into tau
  for (const BodyPlan& plan : machine.layout.bodies) {
    if (plan.code == JointCode::root_free) continue;
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity, ++index) {
      double torque = tau != nullptr ? tau[index] : 0.0;
      double implicit = dt * world.joint_damping[velocity];
      if (state.pd.active) {
        const double kp = state.pd.kp[index], kd = state.pd.kd[index];
        torque += kp * position_error(plan, state, state.pd.target[index]) - kd * v[velocity];
        if (state.pd.implicit) {  // linearised at the end of the step: M + dt kd + dt² kp
          torque -= dt * kp * v[velocity];
          implicit += dt * kd + dt * dt * kp;
        }
      }
      const double limit = world.effort_limit[velocity];
      torque = std::clamp(torque, -limit, limit);
      force[velocity] += torque - world.joint_damping[velocity] * v[velocity];
      k.factor[at(machine.layout.row[at(velocity)] + machine.layout.depth[at(velocity)])] += implicit;
    }
  }
}

void add_wrench(const Layout& layout, const Kinematics& k, const Wrench& w, double* force) {
  const BodyPlan& plan = layout.bodies[at(w.body)];
  const Pose& base = k.base[at(plan.tree)];
  const Vec3 point = w.at_centre ? body_centre(layout, k, w.body) : w.point;
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Vec3 f = base.rotation.transpose() * w.force;
  const Vec3 n = base.rotation.transpose() * w.torque + p.cross(f);
  for (int d = 0; d < plan.length; ++d) {
    const int velocity = layout.chain[at(plan.chain + d)];
    const Column& s = k.columns[at(velocity)];
    force[velocity] += s.lin.dot(f) + s.ang.dot(n);
  }
}

}  // namespace

void smooth_forces(const World& world, const Machine& machine, const State& state, const StepInput& input,
                   Kinematics& k, const double* v, double* force) {
  for (int i = 0; i < world.nv; ++i) force[i] = -k.bias[at(i)];
  if (world.ntau > 0) add_joint_forces(world, machine, state, input.tau, k, v, force);
  for (int i = 0; i < input.wrench_count; ++i) add_wrench(machine.layout, k, input.wrenches[i], force);
}

}  // namespace stiction
