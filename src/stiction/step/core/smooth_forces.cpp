// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/passive_forces.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

// target − q of a one-velocity joint; the short way round for continuous ones. Others have no position error.
double position_error(const BodyPlan& plan, double position, double target) {
  if (plan.nv != 1) return 0.0;
  const double error = target - position;
  if (!plan.continuous || std::abs(error) <= std::numbers::pi) return error;
  return std::remainder(error, 2.0 * std::numbers::pi);
}

// Positions of bodies in their order, two angles at a time.
class PositionsInTurn {
 public:
  PositionsInTurn(const Layout& layout, const double* q) : bodies_(layout.bodies), q_(q) {}

  double of(std::size_t body) {
    const BodyPlan& plan = bodies_[body];
    if (!plan.continuous) return q_[plan.q];
    if (ready_ == body) return angle_;
    if (body + 1 == bodies_.size() || !bodies_[body + 1].continuous) return joint_position(plan, q_);
    const double *a = q_ + plan.q, *b = q_ + bodies_[body + 1].q;
    const Pair angles = polar_angle(Pair{a[1], b[1]}, Pair{a[0], b[0]});
    ready_ = body + 1, angle_ = angles[1];
    return angles[0];
  }

 private:
  const std::vector<BodyPlan>& bodies_;
  const double* q_;
  std::size_t ready_ = std::numeric_limits<std::size_t>::max();  // body whose angle is known already
  double angle_ = 0.0;
};

// tau and PD of one velocity at a position.
double torque_at(const BodyPlan& plan, const PdGains& pd, const double* tau, int index, double position, double rate) {
  double torque = tau != nullptr ? tau[index] : 0.0;
  if (pd.active) torque += pd.kp[index] * position_error(plan, position, pd.target[index]) - pd.kd[index] * rate;
  return torque;
}

// Adds joint torques: the user's, PD and damping. One pass over the bodies that have a motor. `trees`, per tree: those to look at; null: all.
void add_joint_forces(const World& world, const Layout& layout, const PdGains& pd, const double* tau,
                      const ForcePoint& where, Kinematics& k, double* force, const char* trees = nullptr) {
  const double dt = where.dt;
  const double* v = where.v;
  PositionsInTurn positions(layout, where.q);
  for (std::size_t body = 0; body < layout.bodies.size(); ++body) {
    const BodyPlan& plan = layout.bodies[body];
    if (plan.tau < 0 || (trees != nullptr && trees[plan.tree] == 0)) continue;
    int index = plan.tau;
    const double position = pd.active && plan.nv == 1 ? positions.of(body) : 0.0;
    for (int velocity = plan.v; velocity < plan.v + plan.nv; ++velocity, ++index) {
      double torque = torque_at(plan, pd, tau, index, position, v[velocity]);
      double implicit = where.damping_dt * world.joint_damping[velocity];
      if (pd.active && pd.implicit) {  // linearised at the end of the step: M + dt kd + dt·reach kp
        const double kp = pd.kp[index], kd = pd.kd[index];
        torque -= where.reach * kp * v[velocity];
        implicit += dt * kd + dt * where.reach * kp;
      }
      const double limit = world.effort_limit[velocity];
      torque = std::clamp(torque, -limit, limit);
      force[velocity] += torque - world.joint_damping[velocity] * v[velocity];
      k.factor[layout.row[velocity] + layout.depth[velocity]] += implicit;
    }
  }
}

void add_wrench(const Layout& layout, const Kinematics& k, const Wrench& w, double* force) {
  const Vec3 point = w.at_centre ? body_centre(layout, k, w.body) : w.point;
  add_load(layout, k, w.body, w.force, w.torque, point, force);
}

// target − q of a joint that a loop holds. Angles are known up to whole turns: the short way round, if its limits allow it.
double cut_position_error(const CutJoint& joint, const CutMotion& m, double target) {
  if (m.velocities != 1) return 0.0;
  const double error = target - m.position;
  const bool whole_turn = joint.kind != JointKind::prismatic && !(joint.upper - joint.lower < 2.0 * std::numbers::pi);
  return whole_turn && std::abs(error) > std::numbers::pi ? std::remainder(error, 2.0 * std::numbers::pi) : error;
}

// Torques of cut joints, as couples (prismatic: opposite forces) on the two bodies. What add_joint_forces puts on the diagonal
// of M is a row here: law/joint_blocks.h (1).
void add_cut_forces(const World& world, const Layout& layout, const PdGains& pd, const double* tau, double reach,
                    const Kinematics& k, double* force) {
  for (const CutJoint& joint : world.cuts) {
    const CutMotion m = cut_motion(world, layout, k, joint);
    const Vec3 torque = cut_torque(joint, m, pd, tau, reach);
    Vec3 total = Vec3::Zero();
    for (int i = 0; i < m.velocities; ++i) total += torque[i] * m.axes.row(i);
    const bool slides = joint.kind == JointKind::prismatic;
    const Vec3 push = slides ? total : Vec3(Vec3::Zero()), couple = slides ? Vec3(Vec3::Zero()) : total;
    const Vec3& point = m.frame_b.translation;
    add_load(layout, k, m.a, -push, -couple, point, force);
    add_load(layout, k, m.b, push, couple, point, force);
  }
}

}  // namespace

void add_load(const Layout& layout, const Kinematics& k, BodyId body, const Vec3& world_force, const Vec3& torque,
              const Vec3& point, double* force) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = layout.bodies[body];
  const Pose& base = k.base[plan.tree];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Vec3 f = base.rotation.transpose() * world_force;
  const Vec3 n = base.rotation.transpose() * torque + p.cross(f);
  for (int d = 0; d < plan.length; ++d) {
    const int velocity = layout.chain[plan.chain + d];
    const Column& s = k.columns[velocity];
    force[velocity] += s.lin.dot(f) + s.ang.dot(n);
  }
}

Vec3 cut_torque(const CutJoint& joint, const CutMotion& m, const PdGains& pd, const double* tau, double reach) {
  Vec3 out = Vec3::Zero();
  for (int i = 0; i < m.velocities; ++i) {
    const int index = joint.tau + i;
    double torque = tau != nullptr ? tau[index] : 0.0;
    if (pd.active) torque += pd.kp[index] * cut_position_error(joint, m, pd.target[index]) - pd.kd[index] * m.rate[i];
    if (pd.active && pd.implicit) torque -= reach * pd.kp[index] * m.rate[i];
    out[i] = std::clamp(torque, -joint.effort_limit[i], joint.effort_limit[i]) - joint.damping[i] * m.rate[i];
  }
  return out;
}

void add_point_force(const Layout& layout, const Kinematics& k, BodyId body, const Vec3& point, const Vec3& f,
                     double* force) {
  if (body == kWorldBody) return;
  const BodyPlan& plan = layout.bodies[body];
  const Pose& base = k.base[plan.tree];
  const Vec3 p = base.rotation.transpose() * (point - base.translation);
  const Vec3 linear = base.rotation.transpose() * f;
  const Vec3 moment = p.cross(linear);
  const int* chain = layout.chain.data() + plan.chain;
  int d = 0;
  if (plan.floating) {  // S = I
    Eigen::Map<Vec3>{force + chain[0]} += linear, Eigen::Map<Vec3>{force + chain[3]} += moment;
    d = 6;
  }
  for (; d < plan.length; ++d) {
    const Column& s = k.columns[chain[d]];
    force[chain[d]] += s.lin.dot(linear) + s.ang.dot(moment);
  }
}

double motor_torque(const BodyPlan& plan, const PdGains& pd, const double* tau, int index, int velocity,
                    const double* q, const double* v) {
  return torque_at(plan, pd, tau, index, plan.nv == 1 ? joint_position(plan, q) : 0.0, v[velocity]);
}

void joint_forces(const World& world, const Layout& layout, const PdGains& pd, const double* tau,
                  const ForcePoint& where, const char* trees, Kinematics& k, double* force) {
  for (std::size_t t = 0; t < world.trees.size(); ++t) {
    if (trees[t] == 0) continue;
    for (int i = world.trees[t].v; i < world.trees[t].v + world.trees[t].nv; ++i) force[i] = -k.bias[i];
  }
  if (world.ntau > 0) add_joint_forces(world, layout, pd, tau, where, k, force, trees);
}

void other_forces(const World& world, const Layout& layout, const PdGains& pd, const StepInput& input,
                  const ForcePoint& where, Kinematics& k, double* force) {
  std::fill(k.tendon_inertia.begin(), k.tendon_inertia.end(), 0.0);
  if (!world.cuts.empty()) add_cut_forces(world, layout, pd, input.tau, where.reach, k, force);
  add_passive_forces(world, layout, where, k, force);
  add_actuator_forces(world, layout, input, where, k, force);
  for (int i = 0; i < input.wrench_count; ++i) add_wrench(layout, k, input.wrenches[i], force);
}

void smooth_forces(const World& world, const Layout& layout, const PdGains& pd, const StepInput& input,
                   const ForcePoint& where, Kinematics& k, double* force) {
  for (int i = 0; i < world.nv; ++i) force[i] = -k.bias[i];
  if (world.ntau > 0) add_joint_forces(world, layout, pd, input.tau, where, k, force);
  other_forces(world, layout, pd, input, where, k, force);
}

}  // namespace stiction
