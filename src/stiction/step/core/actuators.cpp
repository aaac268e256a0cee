// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/step/core/joint_drive.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kShortest = 1e-15;  // time constant of a filter [s]

void add_driven_joint(const World& world, const Layout& layout, const DrivenJoint& joint, const StepInput& input,
                      const ForcePoint& where, Kinematics& k, double* force) {
  const BodyPlan& plan = layout.bodies[joint.body];
  const int velocity = plan.v;
  double& diagonal = k.factor[layout.row[velocity] + layout.depth[velocity]];
  const double q = joint_position(plan, where.q), v = where.v[velocity];
  JointDrive sum;
  for (int i = joint.first; i < joint.first + joint.count; ++i) {
    const auto index = static_cast<std::size_t>(layout.drives[i]);
    const Actuator& a = world.actuators[index];
    const JointDrive one = drive_joint(a, input_of(a, index, input), q, v, diagonal, where);
    sum.torque += one.torque, sum.inertia += one.inertia;
  }
  const double lower = world.actuation_lower[velocity], upper = world.actuation_upper[velocity];
  const double end = sum.torque * left_over(where, diagonal, sum.inertia);
  if (end < lower || end > upper) sum = {std::clamp(end, lower, upper), 0.0};
  force[velocity] += sum.torque;
  diagonal += sum.inertia;
}

void add_driven_tendon(const World& world, const Layout& layout, int tendon, const StepInput& input,
                       const ForcePoint& where, Kinematics& k, double* force) {
  const TendonPlan& plan = layout.tendons[tendon];
  if (plan.drives.empty()) return;
  const TendonPoint t = tendon_point(layout, tendon, where, k);
  double sum = 0.0;
  for (const int i : plan.drives) {
    const Actuator& a = world.actuators[i];
    const JointDrive one =
        drive_joint(a, input_of(a, static_cast<std::size_t>(i), input), t.length, t.rate, t.mass, t.where);
    sum += one.torque, k.tendon_inertia[tendon] += one.inertia;
  }
  add_tendon_force(tendon_terms(layout, k, tendon), sum, force);
}

// What a site or a joint of several velocities sees of the motion, and the direction in which it is driven.
struct WideDrive {
  double length = 0.0, rate = 0.0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // site: world axes; joint: its velocities
  Vec3 point = Vec3::Zero();
};

// Calls use(velocity, ∂l/∂v) for a site that is seen from another one.
template <class Use>
void for_referred(const Layout& layout, const Kinematics& k, const Actuator& a, const WideDrive& d, const Use& use) {
  const Pose pose = k.pose_of(layout, a.body) * a.placement,
             seen_from = k.pose_of(layout, a.reference_body) * a.reference;
  const int skip = shared_chain(layout, a.body, a.reference_body);
  for_chain(layout, k, a.body, pose.translation, d.linear, d.angular, skip, use);
  for_chain(layout, k, a.reference_body, seen_from.translation, -d.linear, -d.angular, skip, use);
}

WideDrive referred_drive(const Layout& layout, const Kinematics& k, const Actuator& a, const double* v) {
  const Pose pose = k.pose_of(layout, a.body) * a.placement,
             seen_from = k.pose_of(layout, a.reference_body) * a.reference;
  const Pose seen = seen_from.inverse() * pose;
  WideDrive out;
  out.linear = seen_from.rotation * a.gear.head<3>(), out.angular = seen_from.rotation * a.gear.tail<3>();
  out.length = a.gear.head<3>().dot(seen.translation) + a.gear.tail<3>().dot(rotation_vector(Quat(seen.rotation)));
  for_referred(layout, k, a, out, [&](int velocity, double c) { out.rate += c * v[velocity]; });
  return out;
}

WideDrive site_drive(const Layout& layout, const Kinematics& k, const Actuator& a) {
  const Pose pose = k.pose(layout, a.body) * a.placement;
  WideDrive out;
  out.linear = pose.rotation * a.gear.head<3>(), out.angular = pose.rotation * a.gear.tail<3>();
  out.point = pose.translation;
  const Vec6 twist = point_twist(layout, k, a.body, out.point);
  out.rate = out.linear.dot(twist.head<3>()) + out.angular.dot(twist.tail<3>());
  return out;
}

// Ball and free joints; the gear of rotations is in the axes of the body, or of its parent. That of positions is in the parent's.
WideDrive joint_drive(const BodyPlan& plan, const Actuator& a, const double* q, const double* v) {
  WideDrive out;
  const bool free = plan.nv == 6;
  if (plan.nv == 3 && plan.code != JointCode::spherical) {  // translation, planar: along the velocities
    out.linear = a.gear.head<3>();
    out.rate = out.linear.dot(Eigen::Map<const Vec3>(v + plan.v));
    if (plan.code == JointCode::translation) out.length = out.linear.dot(Eigen::Map<const Vec3>(q + plan.q));
    return out;
  }
  const Quat rotation = Eigen::Map<const Quat>(q + plan.q + (free ? 3 : 0)).normalized();
  const Vec3 gear = free ? a.gear.tail<3>() : a.gear.head<3>();
  const Vec3 turn = a.target == Actuator::joint_in_parent ? Vec3(rotation.conjugate() * gear) : gear;
  if (free) {
    out.linear = rotation.conjugate() * Vec3(a.gear.head<3>());
    out.angular = turn;
    out.rate = out.linear.dot(Eigen::Map<const Vec3>(v + plan.v)) + turn.dot(Eigen::Map<const Vec3>(v + plan.v + 3));
  } else {
    out.linear = turn;
    out.length = turn.dot(rotation_vector(rotation));
    out.rate = turn.dot(Eigen::Map<const Vec3>(v + plan.v));
  }
  return out;
}

WideDrive wide_drive(const Layout& layout, const Kinematics& k, const Actuator& a, const double* q, const double* v) {
  if (a.referred) return referred_drive(layout, k, a, v);
  return a.target == Actuator::site ? site_drive(layout, k, a) : joint_drive(layout.bodies[a.body], a, q, v);
}

void add_wide_drive(const Layout& layout, const Kinematics& k, const Actuator& a, double u, const ForcePoint& where,
                    double* force) {
  const WideDrive d = wide_drive(layout, k, a, where.q, where.v);
  const double f = within(a.force_range, force_of(a, u, d.length, d.rate).value);
  if (a.referred) return for_referred(layout, k, a, d, [&](int velocity, double c) { force[velocity] += c * f; });
  if (a.target == Actuator::site) return add_load(layout, k, a.body, f * d.linear, f * d.angular, d.point, force);
  const BodyPlan& plan = layout.bodies[a.body];
  for (int i = 0; i < 3; ++i) force[plan.v + i] += f * d.linear[i];
  for (int i = 3; i < plan.nv; ++i) force[plan.v + i] += f * d.angular[i - 3];
}

}  // namespace

TendonPoint tendon_point(const Layout& layout, int tendon, const ForcePoint& where, const Kinematics& k) {
  const std::vector<TendonTerm>& terms = tendon_terms(layout, k, tendon);
  TendonPoint out{tendon_length(layout, k, tendon, where.q), tendon_rate(terms, where.v), 0.0, where};
  double inverse = 0.0;
  for (const TendonTerm& x : terms)
    inverse += x.coefficient * x.coefficient / k.factor[layout.row[x.velocity] + layout.depth[x.velocity]];
  out.mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
  if (!where.tendon_rows || layout.tendons[tendon].sides.count == 0 || !(out.mass > 0.0))
    out.where.dt = out.where.reach = 0.0;
  return out;
}

ImplicitSpring implicit_spring(const ForcePoint& where, double stiffness, double mass) {
  const double inertia = where.dt * where.reach * stiffness;
  if (!(inertia > 0.0)) return {0.0, 0.0};
  const double share =
      where.diagonal_of_mass ? std::clamp((inertia / mass - kSoftServo) / (kStiffServo - kSoftServo), 0.0, 1.0) : 1.0;
  return {share, share * inertia};
}

void add_actuator_forces(const World& world, const Layout& layout, const StepInput& input, const ForcePoint& where,
                         Kinematics& k, double* force) {
  if (input.ctrl == nullptr) return;
  for (const DrivenJoint& joint : layout.driven) add_driven_joint(world, layout, joint, input, where, k, force);
  for (int i = 0; i < static_cast<int>(layout.tendons.size()); ++i)
    add_driven_tendon(world, layout, i, input, where, k, force);
  for (const int i : layout.wide_drives) {
    const Actuator& a = world.actuators[i];
    add_wide_drive(layout, k, a, input_of(a, static_cast<std::size_t>(i), input), where, force);
  }
}

Transmission transmission(const Layout& layout, const Actuator& a, const double* q, const double* v,
                          const Kinematics& k) {
  if (a.target == Actuator::tendon) {
    return {a.gear[0] * tendon_length(layout, k, a.tendon_index, q),
            a.gear[0] * tendon_rate(tendon_terms(layout, k, a.tendon_index), v)};
  }
  if (a.target == Actuator::nothing || (a.body == kWorldBody && a.reference_body == kWorldBody)) return {};
  if (a.target != Actuator::site && layout.bodies[a.body].nv == 1) {
    const BodyPlan& plan = layout.bodies[a.body];
    return {a.gear[0] * joint_position(plan, q), a.gear[0] * v[plan.v]};
  }
  const WideDrive d = wide_drive(layout, k, a, q, v);
  return {d.length, d.rate};
}

void evaluate_actuators(const World& world, const Layout& layout, const StepInput& input, const double* q,
                        const double* v, const Kinematics& k, double* out) {
  for (std::size_t i = 0; i < world.actuators.size(); ++i) {
    const Actuator& a = world.actuators[i];
    const bool moves = a.target == Actuator::tendon || a.body != kWorldBody || a.reference_body != kWorldBody;
    const bool idle = a.target == Actuator::nothing || !moves;
    const Transmission t = transmission(layout, a, q, v, k);
    out[i] = idle ? 0.0 : within(a.force_range, force_of(a, input_of(a, i, input), t.length, t.rate).value);
  }
}

void advance_activations(const World& world, double dt, const double* ctrl, double* act) {
  if (world.activations == 0) return;
  for (std::size_t i = 0; i < world.actuators.size(); ++i) {
    const Actuator& a = world.actuators[i];
    if (a.activation < 0 || a.dynamics == Actuator::constant) continue;
    const double u = within(a.ctrl_range, ctrl[i]), tau = std::max(kShortest, a.time_constant);
    double& x = act[a.activation];
    if (a.dynamics == Actuator::integrator)
      x += dt * u;
    else if (a.dynamics == Actuator::filter)
      x += dt * (u - x) / tau;
    else
      x += (u - x) * -std::expm1(-dt / tau);
    x = within(a.act_range, x);
  }
}

void refuse_drives(const World& world, const char* who) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidInput(std::string(who) + " knows no derivatives of " + what + "; take another stepper");
  };
  for (const Actuator& a : world.actuators)
    if (a.target == Actuator::site ||
        (a.target != Actuator::nothing && !(a.gain.tail<2>().isZero(0.0) && a.bias.tail<2>().isZero(0.0))))
      refuse("the actuator '" + a.name + "', whose force depends on the motion");
  if (!world.stiffness.isZero(0.0)) refuse("springs of joints");
  if (!world.tendons.empty()) refuse("the tendon '" + world.tendons.front().name + "'");
  if (!world.fluid.empty()) refuse("a fluid around the robot");
  if (!world.gravity_compensation.empty()) refuse("gravity compensation");
}

}  // namespace stiction
