// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/step/core/fluid_forces.h>

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

}  // namespace

void add_fluid_force(const Layout& layout, const Kinematics& k, const FluidPart& part, double* force) {
  const Pose pose = k.pose(layout, part.body) * part.placement;
  const Vec6 twist = point_twist(layout, k, part.body, pose.translation);
  const Vec3 v = pose.rotation.transpose() * (twist.head<3>() - part.wind);
  const Vec3 w = pose.rotation.transpose() * twist.tail<3>();
  const Vec6 f = part.ellipsoid ? ellipsoid_drag(part, v, w) : box_drag(part, v, w);
  add_load(layout, k, part.body, pose.rotation * f.head<3>(), pose.rotation * f.tail<3>(), pose.translation, force);
}

}  // namespace stiction
