// SPDX-License-Identifier: BSD-2-Clause
// Two bodies as one:  m = m₁ + m₂,  c = (m₁c₁ + m₂c₂)/m,  I = Σ (Iᵢ + mᵢ(|dᵢ|²1 − dᵢdᵢᵀ)) with dᵢ = cᵢ − c.
// A triangle (a, b, c) and an apex p bound a tetrahedron of volume det(a−p, b−p, c−p)/6; for x over it
// ∫ x xᵀ = V/20 (Σ vᵢvᵢᵀ + s sᵀ), s = Σ vᵢ over its four corners.
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/mjcf/mjcf_mass.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// Sum over pieces: volume, first and second moments about the origin.
struct Moments {
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  VolumeIntegrals about_centre() const {
    const Vec3 c = first / volume;
    return {volume, c, second - volume * c * c.transpose()};
  }
};

void add_tetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, bool positive, Moments& m) {
  double v = (a - p).dot((b - p).cross(c - p)) / 6.0;
  if (positive) v = std::abs(v);
  const Vec3 s = p + a + b + c;
  m.volume += v;
  m.first += v / 4.0 * s;
  m.second +=
      v / 20.0 * (p * p.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
}

void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, Moments& m) {
  const double area = 0.5 * (b - a).cross(c - a).norm();
  const Vec3 s = a + b + c;
  m.volume += area;
  m.first += area / 3.0 * s;
  m.second += area / 12.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
}

Moments surface(const TriangleMesh& mesh) {
  Moments m;
  for (const Eigen::Vector3i& t : mesh.triangles)
    add_triangle(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], m);
  return m;
}

VolumeIntegrals hull_surface(const ConvexMesh& hull) {
  Moments m;
  const auto corner = [&](int i) { return hull.vertices[hull.face_vertices[i]]; };
  for (const ConvexMesh::Face& f : hull.faces)
    for (int i = f.first + 1; i + 1 < f.first + f.count; ++i)
      add_triangle(corner(f.first), corner(i), corner(i + 1), m);
  return m.about_centre();
}

Moments tetrahedra(const TriangleMesh& mesh, const Vec3& apex, bool positive) {
  Moments m;
  for (const Eigen::Vector3i& t : mesh.triangles)
    add_tetrahedron(apex, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], positive, m);
  return m;
}

}  // namespace

double solid_volume(const Shape& s) {
  const double r = s.radius(), h = s.half_length(), pi = std::numbers::pi;
  switch (s.kind) {
    case ShapeKind::sphere:
      return 4.0 / 3.0 * pi * r * r * r;
    case ShapeKind::capsule:
      return pi * r * r * (2.0 * h + 4.0 / 3.0 * r);
    case ShapeKind::cylinder:
      return 2.0 * pi * r * r * h;
    case ShapeKind::box:
      return 8.0 * s.size.prod();
    case ShapeKind::convex:
      return s.convex->integrals.volume;
    default:
      return 0.0;
  }
}

VolumeIntegrals mesh_integrals(const Shape& shape, const std::string& rule) {
  if (shape.kind == ShapeKind::convex) return rule == "shell" ? hull_surface(*shape.convex) : shape.convex->integrals;
  const TriangleMesh& mesh = *shape.mesh;
  if (rule == "convex") return make_hull(mesh.vertices)->integrals;
  const Moments shell = surface(mesh);
  if (rule == "shell") return shell.about_centre();
  if (rule != "legacy" && rule != "exact")
    throw InvalidInput("mesh inertia is '" + rule + "', expected legacy, exact, convex or shell");
  const bool legacy = rule == "legacy";
  const Moments m = tetrahedra(mesh, shell.first / shell.volume, legacy);
  if (!(m.volume > 0.0)) throw InvalidInput("the mesh encloses no volume; give the body an <inertial>");
  if (!legacy) return m.about_centre();
  const Vec3 centre = m.first / m.volume;  // a second pass from there gives volume and moments
  const Moments again = tetrahedra(mesh, centre, true);
  const Mat3 mixed = again.first * centre.transpose();
  return {again.volume, centre, again.second - mixed - mixed.transpose() + again.volume * centre * centre.transpose()};
}

SolidInertia from_integrals(const VolumeIntegrals& v, double mass) {
  return {mass, v.com, mass / v.volume * (v.second.trace() * Mat3::Identity() - v.second)};
}

SolidInertia ellipsoid_inertia(const Vec3& radii, double mass) {
  const Vec3 s = radii.cwiseAbs2() * (mass / 5.0);
  return {mass, Vec3::Zero(), Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal()};
}

double shell_area(const Shape& s) {
  const double r = s.radius(), h = s.half_length(), pi = std::numbers::pi;
  switch (s.kind) {
    case ShapeKind::sphere:
      return 4.0 * pi * r * r;
    case ShapeKind::capsule:
      return 4.0 * pi * r * (h + r);
    case ShapeKind::cylinder:
      return 2.0 * pi * r * (2.0 * h + r);
    case ShapeKind::box:
      return 8.0 * (s.size.x() * s.size.y() + s.size.y() * s.size.z() + s.size.z() * s.size.x());
    default:
      return 0.0;
  }
}

double ellipsoid_area(const Vec3& radii) {
  constexpr double p = 1.6075;
  const Vec3 x = radii.array().pow(p);
  const double mean = (x.x() * x.y() + x.y() * x.z() + x.z() * x.x()) / 3.0;
  return 4.0 * std::numbers::pi * std::pow(mean, 1.0 / p);
}

// Shares of the mass by area: a tube of radius r has m r² about its axis and m (r²/2 + h²/3) across, a disc at h from the middle
// m r²/2 and m (r²/4 + h²), a half sphere behind it 2/3 m r² and m (2/3 r² + h² + h r).
SolidInertia shell_inertia(const Shape& s, double mass) {
  const double r = s.radius(), h = s.half_length(), r2 = r * r;
  const auto about = [&](double across, double axial) {
    return SolidInertia{mass, Vec3::Zero(), Vec3(mass * across, mass * across, mass * axial).asDiagonal()};
  };
  if (s.kind == ShapeKind::sphere) return about(2.0 / 3.0 * r2, 2.0 / 3.0 * r2);
  if (s.kind == ShapeKind::capsule) {
    const double tube = h / (h + r), caps = 1.0 - tube;
    return about(tube * (r2 / 2.0 + h * h / 3.0) + caps * (2.0 / 3.0 * r2 + h * h + h * r),
                 (tube + caps * 2.0 / 3.0) * r2);
  }
  if (s.kind == ShapeKind::cylinder) {
    const double tube = 2.0 * h / (2.0 * h + r), caps = 1.0 - tube;
    return about(tube * (r2 / 2.0 + h * h / 3.0) + caps * (r2 / 4.0 + h * h), (tube + caps / 2.0) * r2);
  }
  const Vec3 half = s.size,
             square = half.cwiseAbs2();  // a box: ∫ x² over the sides across x is x² itself, over the others a third
  const Vec3 side(half.y() * half.z(), half.z() * half.x(), half.x() * half.y());
  const Vec3 share = side / side.sum();
  const Vec3 second = square.cwiseProduct(share + (Vec3::Ones() - share) / 3.0) * mass;
  return {mass, Vec3::Zero(), Vec3(Vec3::Constant(second.sum()) - second).asDiagonal()};
}

SolidInertia ellipsoid_shell_inertia(const Vec3& radii, double mass) {
  const Vec3 outer = radii + Vec3::Constant(1e-6);
  const double full = outer.prod(), hollow = radii.prod();
  const Vec3 second = (full * outer.cwiseAbs2() - hollow * radii.cwiseAbs2()) / 5.0;
  const Vec3 moments = (Vec3::Constant(second.sum()) - second) * (mass / (full - hollow));
  return {mass, Vec3::Zero(), moments.asDiagonal()};
}

Shape make_ellipsoid(const Vec3& radii) {
  if (radii.x() == radii.y() && radii.x() == radii.z()) return make_sphere(radii.x());
  constexpr int n = 6;  // octahedron, every edge cut into n: 4n² + 2 corners, the six poles among them
  std::vector<Vec3> points;
  for (int x = -n; x <= n; ++x)
    for (int y = -(n - std::abs(x)); y <= n - std::abs(x); ++y)
      for (const int sign : {-1, 1}) {
        const int z = sign * (n - std::abs(x) - std::abs(y));
        if (z != 0 || sign > 0) points.push_back(Vec3(x, y, z).normalized().cwiseProduct(radii));
      }
  return make_convex(points);
}

void add_inertia(const SolidInertia& part, const Pose& pose, Inertia& whole) {
  if (!(part.mass > 0.0)) {
    whole.about_com += pose.rotation * part.about_com * pose.rotation.transpose();
    return;
  }
  const double mass = whole.mass + part.mass;
  const Vec3 at = pose * part.com, com = (whole.mass * whole.com + part.mass * at) / mass;
  const auto shifted = [](double m, const Vec3& d) {
    return Mat3(m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose()));
  };
  whole.about_com += pose.rotation * part.about_com * pose.rotation.transpose() + shifted(whole.mass, whole.com - com) +
                     shifted(part.mass, at - com);
  whole.mass = mass, whole.com = com;
}

}  // namespace stiction
