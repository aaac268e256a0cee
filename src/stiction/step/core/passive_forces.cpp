// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/fluid_forces.h>
#include <stiction/step/core/passive_forces.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

Vec3 turn_from(const double* q0, const double* q) {
  return rotation_vector((Eigen::Map<const Quat>(q0).conjugate() * Eigen::Map<const Quat>(q)).normalized());
}

void add_springs(const World& world, const Layout& layout, int body, const ForcePoint& where, Kinematics& k,
                 double* force) {
  const BodyPlan& plan = layout.bodies[body];
  const Vec6 x = spring_stretch(plan, world.spring_q.data() + plan.q, where.q + plan.q);
  for (int i = 0; i < plan.nv; ++i) {
    const int j = plan.v + i;
    double& diagonal = k.factor[layout.row[j] + layout.depth[j]];
    const ImplicitSpring s = implicit_spring(where, world.stiffness[j], diagonal);
    force[j] -= world.stiffness[j] * (x[i] + s.share * where.reach * where.v[j]);
    diagonal += s.inertia;
    if (plan.tau >= 0) continue;  // other joints have theirs in smooth_forces()
    force[j] -= world.joint_damping[j] * where.v[j];
    diagonal += where.damping_dt * world.joint_damping[j];
  }
}

void add_tendon_spring(const Tendon& tendon, int index, const Layout& layout, const ForcePoint& where, Kinematics& k,
                       double* force) {
  double& inertia = k.tendon_inertia[index];
  if (layout.tendons[index].sides.count > 0 && where.tendon_rows) inertia += tendon.armature;
  if (tendon.stiffness == 0.0 && tendon.damping == 0.0) return;
  const TendonPoint t = tendon_point(layout, index, where, k);
  const double stretch = t.length - std::clamp(t.length, tendon.spring[0], tendon.spring[1]);
  const ImplicitSpring s = implicit_spring(t.where, stretch != 0.0 ? tendon.stiffness : 0.0, t.mass);
  const double ahead = s.share > 0.0 ? s.share * t.where.reach * t.rate : 0.0;
  const double f = -tendon.stiffness * (stretch + ahead) - tendon.damping * t.rate;
  add_tendon_force(tendon_terms(layout, k, index), f, force);
  inertia += s.inertia + t.where.dt * tendon.damping;
}

}  // namespace

Vec6 spring_stretch(const BodyPlan& plan, const double* q0, const double* q) {
  Vec6 out = Vec6::Zero();
  if (plan.nv == 1) {
    out[0] = plan.continuous ? std::atan2(q0[0] * q[1] - q0[1] * q[0], q0[0] * q[0] + q0[1] * q[1]) : q[0] - q0[0];
  } else if (plan.nv == 6) {
    const Vec3 shift = Eigen::Map<const Vec3>(q) - Eigen::Map<const Vec3>(q0);
    out.head<3>() = Eigen::Map<const Quat>(q + 3).conjugate() * shift;
    out.tail<3>() = turn_from(q0 + 3, q + 3);
  } else if (plan.code == JointCode::spherical) {
    out.head<3>() = turn_from(q0, q);
  } else if (plan.code == JointCode::translation) {
    out.head<3>() = Eigen::Map<const Vec3>(q) - Eigen::Map<const Vec3>(q0);
  }
  return out;
}

void add_passive_forces(const World& world, const Layout& layout, const ForcePoint& where, Kinematics& k,
                        double* force) {
  for (const int body : layout.sprung) add_springs(world, layout, body, where, k, force);
  for (int i = 0; i < static_cast<int>(layout.tendons.size()); ++i)
    add_tendon_spring(world.tendons[i], i, layout, where, k, force);
  for (const GravityCompensation& g : world.gravity_compensation)
    add_load(layout, k, g.body, -g.mass * world.gravity, Vec3::Zero(), k.pose(layout, g.body) * g.point, force);
  for (const FluidPart& part : world.fluid) add_fluid_force(layout, k, part, force);
}

}  // namespace stiction
