// SPDX-License-Identifier: BSD-2-Clause
// Solids of uniform density. For polyhedra with C = ∫ x xᵀ about the centre of mass: I = ρ (tr C · 1 − C).
// Mass integrals of a tetrahedron (0, a, b, c) with D = a · (b × c), s = a + b + c:
//   ∫ 1 = D/6,   ∫ x = D/24 s,   ∫ x xᵀ = D/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)
// Capsule of radius r and length L (without caps): cylinder and two half balls whose centres of mass lie 3r/8 outside
// the ends; each half ball has 2/5 m r² about any axis through the centre of its flat side.
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/shape.h>
#include <stiction/geometry/triangle_mesh.h>

#include <cmath>

namespace stiction {
namespace {

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

Mat3 capsule_inertia(double r, double half, double mass) {
  const double cylinder = 2.0 * half, balls = 4.0 / 3.0 * r;  // volumes over π r²
  const double mc = mass * cylinder / (cylinder + balls), mb = mass - mc;
  const double axial = mc * r * r / 2.0 + mb * 0.4 * r * r;
  // Half balls: 2/5 m r² about the flat side's centre at distance `half`; shift by way of their centre of mass.
  const double across = mc * (r * r / 4.0 + half * half / 3.0) + mb * (0.4 * r * r + half * half + 0.75 * half * r);
  return diagonal(across, across, axial);
}

SolidInertia from_integrals(const VolumeIntegrals& v, double mass) {
  return {mass, v.com, mass / v.volume * (v.second.trace() * Mat3::Identity() - v.second)};
}

}  // namespace

SolidInertia solid_inertia(const Shape& shape, double mass) {
  if (!(mass > 0.0) || !std::isfinite(mass))
    throw InvalidInput("mass is " + std::to_string(mass) + ", expected a finite mass > 0 [kg]");
  const double r = shape.radius(), h = shape.half_length();
  switch (shape.kind) {
    case ShapeKind::point:
      return {mass, Vec3::Zero(), Mat3::Zero()};
    case ShapeKind::sphere:
      return {mass, Vec3::Zero(), 0.4 * mass * r * r * Mat3::Identity()};
    case ShapeKind::capsule:
      return {mass, Vec3::Zero(), capsule_inertia(r, h, mass)};
    case ShapeKind::cylinder: {
      const double across = mass * (r * r / 4.0 + h * h / 3.0);
      return {mass, Vec3::Zero(), diagonal(across, across, mass * r * r / 2.0)};
    }
    case ShapeKind::box: {
      const Vec3 s = shape.size.cwiseAbs2() * (mass / 3.0);  // half edges
      return {mass, Vec3::Zero(), diagonal(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
    }
    case ShapeKind::convex:
      return from_integrals(shape.convex->integrals, mass);
    case ShapeKind::mesh: {
      const VolumeIntegrals v = integrate_volume(shape.mesh->vertices, shape.mesh->triangles);
      if (!(v.volume > 0.0))
        throw InvalidInput("mesh: enclosed volume is " + std::to_string(v.volume) +
                           " m³; a solid inertia needs a closed mesh with outward triangles, or give inertia=");
      return from_integrals(v, mass);
    }
    case ShapeKind::half_space:
    case ShapeKind::heightfield:
      break;
  }
  throw InvalidInput(std::string(name(shape.kind)) + " is static: it has no mass and no inertia");
}

VolumeIntegrals integrate_volume(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles) {
  VolumeIntegrals out;
  Vec3 origin = Vec3::Zero(), first = Vec3::Zero();
  for (const Vec3& v : vertices)
    origin += v / static_cast<double>(vertices.size());  // near the body: less cancellation
  Mat3 second = Mat3::Zero();
  for (const Eigen::Vector3i& t : triangles) {
    const Vec3 a = vertices[t[0]] - origin, b = vertices[t[1]] - origin, c = vertices[t[2]] - origin, s = a + b + c;
    const double d = a.dot(b.cross(c));
    out.volume += d / 6.0;
    first += d / 24.0 * s;
    second += d / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (out.volume != 0.0) {
    const Vec3 com = first / out.volume;
    out.com = origin + com;
    out.second = second - out.volume * com * com.transpose();
  }
  return out;
}

}  // namespace stiction
