// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/manifold.h>
#include <stiction/dynamics/kernels/motion.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/joint_drive.h>
#include <stiction/step/core/passive_forces.h>
#include <stiction/step/derivative/force_tangents.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

class Adder {
 public:
  Adder(const ForceInstant& at, int stride, double* dq, double* dv, ForceTangents& out)
      : at_(at), stride_(stride), dq_(dq), dv_(dv), out_(out) {}

  void add_all() {
    for (std::size_t b = 0; b < at_.layout.bodies.size(); ++b) {
      const BodyPlan& plan = at_.layout.bodies[b];
      if (plan.tau >= 0) add_motors(plan);
    }
    for (const int body : at_.layout.sprung) add_springs(body);
    if (at_.input.ctrl != nullptr)
      for (const DrivenJoint& joint : at_.layout.driven) add_drives(joint);
  }

 private:
  double& by_q(int i, int j) { return dq_[static_cast<std::ptrdiff_t>(i) * stride_ + j]; }
  double& by_v(int i, int j) { return dv_[static_cast<std::ptrdiff_t>(i) * stride_ + j]; }

  double mass(int velocity) const {
    return dot(at_.kinematics.columns[velocity], at_.data.velocities[velocity].inertial) +
           at_.world.armature[velocity] + implicit_;
  }

  bool near(double x, double bound) const {
    return std::isfinite(bound) && std::abs(x - bound) <= at_.threshold * std::max(std::abs(x), std::abs(bound));
  }

  // Motors, PD and damping of one body's joint.
  void add_motors(const BodyPlan& plan) {
    const ForcePoint& w = at_.where;
    int index = plan.tau;
    for (int j = plan.v; j < plan.v + plan.nv; ++j, ++index) {
      double asked = motor_torque(plan, at_.pd, at_.input.tau, index, j, w.q, w.v);
      double stiffness = 0.0, damping = 0.0;
      if (at_.pd.active) {
        stiffness = plan.nv == 1 ? at_.pd.kp[index] : 0.0, damping = at_.pd.kd[index];
        if (at_.pd.implicit) asked -= w.reach * at_.pd.kp[index] * w.v[j], damping += w.reach * at_.pd.kp[index];
      }
      const double limit = at_.world.effort_limit[j];
      const bool free = std::abs(asked) < limit;
      out_.border[j] = near(std::abs(asked), limit);
      out_.motor_gain[j] = free ? 1.0 : 0.0;
      out_.target_gain[j] = free ? stiffness : 0.0;
      by_v(j, j) += at_.world.joint_damping[j];
      if (!free) continue;
      by_q(j, j) += stiffness, by_v(j, j) += damping;
    }
  }

  // A share φ that depends on M_jj: (2) and (3). `inertia`: dt reach k.
  void add_share(int body, int j, double share, double stiffness) {
    if (!(share > 0.0 && share < 1.0)) return;
    const ForcePoint& w = at_.where;
    const double m = mass(j), by_mass = -w.dt * w.reach * stiffness / (m * m * (kStiffServo - kSoftServo));
    const double slope = stiffness * w.reach * at_.next[j] * by_mass;
    const Column& sj = at_.kinematics.columns[j];
    for (std::size_t b = body + 1; b < at_.layout.bodies.size(); ++b) {
      const BodyPlan& plan = at_.layout.bodies[b];
      if (plan.tree != at_.layout.bodies[body].tree) break;
      if (!hangs_on(plan, j)) continue;
      const BodyTangent& t = at_.data.bodies[b];
      const Column momentum = inertia_times(t.subtree_mass, t.subtree_moment, t.subtree_inertia, sj);
      for (int k = plan.v; k < plan.v + plan.nv; ++k)
        by_q(j, k) -= 2.0 * slope * dot(cross_motion(at_.kinematics.columns[k], sj), momentum);
    }
  }

  bool hangs_on(const BodyPlan& plan, int velocity) const {
    const int d = at_.layout.depth[velocity];
    return d < plan.length && at_.layout.chain[plan.chain + d] == velocity;
  }

  // Implicit damping and PD, which smooth_forces() puts on the diagonal before springs and servos.
  double motor_inertia(const BodyPlan& plan, int j) const {
    if (plan.tau < 0) return 0.0;
    const ForcePoint& w = at_.where;
    double inertia = w.damping_dt * at_.world.joint_damping[j];
    if (at_.pd.active && at_.pd.implicit) {
      const int index = plan.tau + j - plan.v;
      inertia += w.dt * at_.pd.kd[index] + w.dt * w.reach * at_.pd.kp[index];
    }
    return inertia;
  }

  void add_springs(int body) {
    const BodyPlan& plan = at_.layout.bodies[body];
    const ForcePoint& w = at_.where;
    Eigen::Matrix<double, 6, 6> slope = Eigen::Matrix<double, 6, 6>::Identity();
    const Vec6 x = spring_stretch(plan, at_.world.spring_q.data() + plan.q, w.q + plan.q);
    if (plan.nv == 6)
      slope.topRightCorner<3, 3>() = skew(x.head<3>()),
                              slope.bottomRightCorner<3, 3>() = inverse_right_jacobian(x.tail<3>());
    else if (plan.code == JointCode::spherical)
      slope.topLeftCorner<3, 3>() = inverse_right_jacobian(x.head<3>());
    else if (plan.code == JointCode::translation || plan.nv == 1)
      ;
    else
      slope.setZero();
    for (int i = 0; i < plan.nv; ++i) {
      const int j = plan.v + i;
      const double k = at_.world.stiffness[j];
      implicit_ = motor_inertia(plan, j);
      const ImplicitSpring s = implicit_spring(w, k, mass(j));
      for (int l = 0; l < plan.nv; ++l) by_q(j, plan.v + l) += k * slope(i, l);
      by_v(j, j) += k * s.share * w.reach;
      add_share(body, j, s.share, k);
      if (plan.tau < 0) by_v(j, j) += at_.world.joint_damping[j];
    }
  }

  void add_drives(const DrivenJoint& joint) {
    const BodyPlan& plan = at_.layout.bodies[joint.body];
    const ForcePoint& w = at_.where;
    const int j = plan.v;
    implicit_ = motor_inertia(plan, j);
    if (at_.world.stiffness[j] != 0.0) implicit_ += implicit_spring(w, at_.world.stiffness[j], mass(j)).inertia;
    const double m = mass(j), q = joint_position(plan, w.q), v = w.v[j];
    JointDrive sum;
    for (int i = joint.first; i < joint.first + joint.count; ++i) {
      const JointDrive one = drive(i, q, v, m);
      sum.torque += one.torque, sum.inertia += one.inertia;
    }
    const double lower = at_.world.actuation_lower[j], upper = at_.world.actuation_upper[j];
    const double end = sum.torque * left_over(w, m, sum.inertia);
    if (near(end, lower) || near(end, upper)) out_.border[j] = 1;
    if (end < lower || end > upper) return;
    for (int i = joint.first; i < joint.first + joint.count; ++i) {
      const int index = at_.layout.drives[i];
      const Actuator& a = at_.world.actuators[index];
      const JointDrive one = drive(i, q, v, m);
      if (near(one.end, a.force_range[0]) || near(one.end, a.force_range[1])) out_.border[j] = 1;
      by_q(j, j) -= one.by_position, by_v(j, j) -= one.by_rate;
      add_share(joint.body, j, one.share, one.stiffness);
      const double u = a.activation >= 0 ? 0.0 : at_.input.ctrl[index];
      if (a.activation < 0 && (u <= a.ctrl_range[0] || u >= a.ctrl_range[1]))
        out_.border[j] = out_.border[j] || u == a.ctrl_range[0] || u == a.ctrl_range[1];
      const bool acts = a.activation < 0 && u >= a.ctrl_range[0] && u <= a.ctrl_range[1];
      out_.ctrl_velocity[index] = j;
      out_.ctrl_gain[index] = acts ? one.by_input - input_inertia(a, one, j) : 0.0;
    }
  }

  JointDrive drive(int i, double q, double v, double m) const {
    const auto index = static_cast<std::size_t>(at_.layout.drives[i]);
    const Actuator& a = at_.world.actuators[index];
    return drive_joint(a, input_of(a, index, at_.input), q, v, m, at_.where);
  }

  // ∂I/∂u Δ/dt where gain₁ or gain₂ make stiffness and damping depend on u.
  double input_inertia(const Actuator& a, const JointDrive& one, int j) {
    if (a.gain[1] == 0.0 && a.gain[2] == 0.0) return 0.0;
    if (one.share > 0.0 && one.share < 1.0) out_.exact = false;
    const ForcePoint& w = at_.where;
    const double square = a.gear[0] * a.gear[0], rate = (at_.next[j] - w.v[j]) / w.dt;
    double by_input = one.stiffness > 0.0 ? -one.share * w.dt * w.reach * square * a.gain[1] : 0.0;
    if (one.inertia > one.share * w.dt * w.reach * one.stiffness) by_input -= w.dt * square * a.gain[2];
    return by_input * rate;
  }

  static Mat3 inverse_right_jacobian(const Vec3& x) {
    const double square = x.squaredNorm(), angle = std::sqrt(square);
    const double c = angle < 1e-3 ? 1.0 / 12.0 + square / 720.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / square;
    return Mat3::Identity() + 0.5 * skew(x) + c * (skew(x) * skew(x));
  }

  const ForceInstant& at_;
  int stride_;
  double *dq_, *dv_;
  ForceTangents& out_;
  double implicit_ = 0.0;  // on the diagonal before the present term
};

}  // namespace

void ForceTangents::resize(const World& world) {
  for (std::vector<double>* x : {&motor_gain, &target_gain}) x->assign(world.nv, 0.0);
  ctrl_gain.assign(world.actuators.size(), 0.0), ctrl_velocity.assign(world.actuators.size(), -1);
  border.assign(world.nv, 0);
  exact = true;
}

void add_force_tangents(const ForceInstant& at, int stride, double* dq, double* dv, ForceTangents& out) {
  Adder(at, stride, dq, dv, out).add_all();
}

void collect_loads(const ForceInstant& at, ForceTangents& out) {
  out.forces.clear();
  for (const GravityCompensation& g : at.world.gravity_compensation)
    if (g.body != kWorldBody)
      out.forces.push_back({g.body, at.kinematics.pose(at.layout, g.body) * g.point, -g.mass * at.world.gravity});
  for (int i = 0; i < at.input.wrench_count; ++i) {
    const Wrench& w = at.input.wrenches[i];
    if (w.body != kWorldBody)
      out.forces.push_back({w.body, w.at_centre ? body_centre(at.layout, at.kinematics, w.body) : w.point, w.force});
  }
}

void refuse_forces(const World& world, const Layout& layout, const StepInput& input) {
  const auto refuse = [](const std::string& what) {
    throw InvalidInput("step_derivatives: " + what +
                       "; semi_implicit and moreau have derivatives of joints with motors, servos, springs, limits and "
                       "dry friction, and of loops");
  };
  if (!world.cuts.empty()) refuse("joints that are cut have no derivative; take coordinates='minimal'");
  if (!world.tendons.empty()) refuse("the tendon '" + world.tendons.front().name + "' has no derivative");
  if (!world.fluid.empty()) refuse("a fluid around the robot has no derivative");
  if (input.ctrl != nullptr && !layout.wide_drives.empty())
    refuse("the actuator '" + world.actuators[layout.wide_drives.front()].name +
           "', which drives a site or a joint of several velocities, has no derivative");
}

}  // namespace stiction
