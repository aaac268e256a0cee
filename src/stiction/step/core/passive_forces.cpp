// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/free_rotation.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/step/core/actuators.h>
#include <stiction/step/core/fluid_forces.h>
#include <stiction/step/core/passive_forces.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kSmallest = 1e-15;

// (force, torque) in the axes of the part.
Vec6 box_drag(const FluidPart& part, const Vec3& v, const Vec3& w) {
  const Vec3& s = part.size;
  const double d = s.mean(), pi = std::numbers::pi;
  Vec6 out;
  out << -3.0 * pi * d * part.viscosity * v, -pi * d * d * d * part.viscosity * w;
  for (int i = 0; i < 3; ++i) {
    const double a = s[(i + 1) % 3], b = s[(i + 2) % 3];
    out[i] -= 0.5 * part.density * a * b * std::abs(v[i]) * v[i];
    out[3 + i] -= part.density * s[i] * (std::pow(a, 4) + std::pow(b, 4)) * std::abs(w[i]) * w[i] / 64.0;
  }
  return out;
}

Vec6 ellipsoid_drag(const FluidPart& part, const Vec3& v, const Vec3& w) {
  const Vec3& s = part.size;
  const double pi = std::numbers::pi, rho = part.density, speed = v.norm();
  const double blunt = part.coefficients[0], slender = part.coefficients[1], angular = part.coefficients[2],
               kutta = part.coefficients[3], magnus = part.coefficients[4];
  const double longest = s.maxCoeff(), middle = s.sum() - longest - s.minCoeff(), d = 2.0 * s.mean();
  const Vec3 faces(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
  const Vec3 normal = faces.cwiseProduct(faces).cwiseProduct(v);
  const double above = normal.dot(v), below = normal.squaredNorm();
  const double area = pi * std::sqrt(below / std::max(kSmallest, above));
  const double cosine = above / std::max(kSmallest, speed * below);
  const Vec3 momentum = rho * part.virtual_mass.cwiseProduct(v), spin = rho * part.virtual_inertia.cwiseProduct(w);
  Vec3 drag;  // |I_d ω| is the norm of this
  const double largest = 8.0 / 15.0 * pi * middle * std::pow(longest, 4);
  for (int i = 0; i < 3; ++i) {
    const double I = 8.0 / 15.0 * pi * s[i] * std::pow(std::max(s[(i + 1) % 3], s[(i + 2) % 3]), 4);
    drag[i] = w[i] * (angular * I + slender * (largest - I));
  }
  Vec6 out;
  out.head<3>() =
      momentum.cross(w) + magnus * rho * 4.0 / 3.0 * pi * s.prod() * w.cross(v) +
      kutta * rho * cosine * area * normal.cross(v).cross(v) -
      (3.0 * pi * d * part.viscosity + rho * speed * (area * blunt + slender * (pi * longest * middle - area))) * v;
  out.tail<3>() = momentum.cross(v) + spin.cross(w) - (pi * d * d * d * part.viscosity + rho * drag.norm()) * w;
  return out;
}

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

void add_fluid_force(const Layout& layout, const Kinematics& k, const FluidPart& part, double* force) {
  const Pose pose = k.pose(layout, part.body) * part.placement;
  const Vec6 twist = point_twist(layout, k, part.body, pose.translation);
  const Vec3 v = pose.rotation.transpose() * (twist.head<3>() - part.wind);
  const Vec3 w = pose.rotation.transpose() * twist.tail<3>();
  const Vec6 f = part.ellipsoid ? ellipsoid_drag(part, v, w) : box_drag(part, v, w);
  add_load(layout, k, part.body, pose.rotation * f.head<3>(), pose.rotation * f.tail<3>(), pose.translation, force);
}

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
