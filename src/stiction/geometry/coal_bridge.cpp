// SPDX-License-Identifier: BSD-2-Clause
// The only file that sees Coal. GJK on the difference A − B, EPA if the shapes overlap [Montaut22, GJK++].
// GJK and EPA stop at 1e-7 m or so; callers refine normals against faces (convex_convex.cpp).
#include <coal/BVH/BVH_model.h>
#include <coal/mesh_loader/loader.h>
#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <stiction/base/missing_file.h>
#include <stiction/geometry/coal_bridge.h>

#include <filesystem>
#include <limits>

namespace stiction {

struct CoalHull {
  std::unique_ptr<coal::Convex<coal::Triangle>> convex;
};

std::shared_ptr<const CoalHull> hull_of(const std::vector<Vec3>& points, std::vector<Vec3>& vertices,
                                        std::vector<Eigen::Vector3i>& triangles) {
  auto hull = std::make_shared<CoalHull>();
  try {
    hull->convex.reset(dynamic_cast<coal::Convex<coal::Triangle>*>(
        coal::ConvexBase::convexHull(points.data(), static_cast<unsigned>(points.size()), true, nullptr)));
  } catch (const std::exception& e) {
    throw InvalidInput(std::string("convex: Qhull found no hull of these points: ") + e.what());
  }
  if (!hull->convex) throw InvalidInput("convex: Qhull found no hull of these points");
  const auto& convex = *hull->convex;
  vertices.assign(convex.points->begin(), convex.points->begin() + convex.num_points);
  Vec3 middle = Vec3::Zero();
  for (const Vec3& v : vertices) middle += v / static_cast<double>(vertices.size());
  for (unsigned i = 0; i < convex.num_polygons; ++i) {
    const coal::Triangle& t = (*convex.polygons)[i];
    const auto a = static_cast<int>(t[0]), b = static_cast<int>(t[1]), c = static_cast<int>(t[2]);
    const Vec3 &p = vertices[t[0]], &q = vertices[t[1]], &r = vertices[t[2]];
    const bool outward = (q - p).cross(r - p).dot(p - middle) >= 0.0;
    triangles.emplace_back(a, outward ? b : c, outward ? c : b);
  }
  return hull;
}

void read_mesh(const std::string& path, const Vec3& scale, std::vector<Vec3>& vertices,
               std::vector<Eigen::Vector3i>& triangles) {
  if (!is_file(path)) throw MissingFile("mesh file '" + path + "' does not exist; check the path");
  if (!scale.allFinite() || (scale.array() == 0.0).any())
    throw InvalidInput("mesh file '" + path + "': scale must be finite and not zero in any direction");
  coal::BVHModelPtr_t model;
  try {
    model = coal::MeshLoader(coal::BV_AABB).load(path, scale);
  } catch (const std::exception& e) {
    throw InvalidInput("mesh file '" + path + "' cannot be read: " + e.what());
  }
  if (!model || model->num_tris == 0) throw InvalidInput("mesh file '" + path + "' has no faces");
  const bool mirrored = scale.prod() < 0.0;  // keep the outside outside
  vertices.assign(model->vertices->begin(), model->vertices->begin() + model->num_vertices);
  for (unsigned i = 0; i < model->num_tris; ++i) {
    const coal::Triangle& t = (*model->tri_indices)[i];
    const auto b = static_cast<int>(t[1]), c = static_cast<int>(t[2]);
    triangles.emplace_back(static_cast<int>(t[0]), mirrored ? c : b, mirrored ? b : c);
  }
}

struct DistanceQuery::Impl {
  coal::GJKSolver solver;
  // One object of each kind per side: their sizes are set before each query.
  coal::Sphere sphere[2]{coal::Sphere(0.0), coal::Sphere(0.0)};
  coal::Capsule capsule[2]{coal::Capsule(0.0, 0.0), coal::Capsule(0.0, 0.0)};
  coal::Box box[2];
  coal::Cylinder cylinder[2]{coal::Cylinder(0.0, 0.0), coal::Cylinder(0.0, 0.0)};
  coal::TriangleP triangle[2]{{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}, {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}};

  Impl() {
    solver.gjk_tolerance = 1e-8;
    solver.gjk_max_iterations = 256;
    solver.epa_max_iterations = 256;
  }

  const coal::ShapeBase& fit(const Placed& p, std::size_t side) {
    if (!p.shape) {
      triangle[side].a = p.triangle[0], triangle[side].b = p.triangle[1], triangle[side].c = p.triangle[2];
      return triangle[side];
    }
    const Shape& s = *p.shape;
    switch (s.kind) {
      case ShapeKind::capsule:
        capsule[side].radius = s.radius(), capsule[side].halfLength = s.half_length();
        return capsule[side];
      case ShapeKind::box:
        box[side].halfSide = s.size;
        return box[side];
      case ShapeKind::cylinder:
        cylinder[side].radius = s.radius(), cylinder[side].halfLength = s.half_length();
        return cylinder[side];
      case ShapeKind::convex:
        return *s.convex->coal->convex;
      default:
        sphere[side].radius = s.kind == ShapeKind::point ? 0.0 : s.radius();
        return sphere[side];
    }
  }
};

namespace {

// Coal decides once per process, by the first direction along which a box is asked for its support point, whether boxes are
// larger by 1e-10 (it is if a component is zero). So that no result depends on what was simulated before, the first one is ours.
bool ask_for_a_box() {
  coal::GJKSolver solver;
  const coal::Sphere sphere(0.1);
  const coal::Box box(0.2, 0.3, 0.4);
  const Mat3 turned =
      (Eigen::AngleAxisd(0.5, Vec3::UnitX()) * Eigen::AngleAxisd(0.7, Vec3::UnitY())).toRotationMatrix();
  Vec3 a, b, normal;
  return solver.shapeDistance(sphere, {Mat3::Identity(), Vec3(1.0, 0.3, 0.2)}, box, {turned, Vec3::Zero()}, true, a, b,
                              normal) > 0.0;
}

}  // namespace

DistanceQuery::DistanceQuery() : impl_(std::make_unique<Impl>()) {
  [[maybe_unused]] static const bool asked = ask_for_a_box();
}
DistanceQuery::~DistanceQuery() = default;
DistanceQuery::DistanceQuery(DistanceQuery&&) noexcept = default;
DistanceQuery& DistanceQuery::operator=(DistanceQuery&&) noexcept = default;

// Attempt 0: EPA to 1e-8; it fails on 0.3 % of the overlaps of cylinders. 1: to 1e-6. 2: from another starting direction.
Separation DistanceQuery::operator()(const Placed& a, const Placed& b, int attempt) {
  coal::GJKSolver& solver = impl_->solver;
  solver.support_func_cached_guess.setZero();  // no memory: results must not depend on earlier pairs
  solver.epa_tolerance = attempt == 0 ? 1e-8 : 1e-6;
  solver.gjk_initial_guess = attempt < 2 ? coal::GJKInitialGuess::DefaultGuess : coal::GJKInitialGuess::CachedGuess;
  solver.cached_guess = attempt < 2 ? Vec3(1.0, 0.0, 0.0) : Vec3(-0.3, 0.5, 0.8);
  Separation out;
  out.distance =
      solver.shapeDistance(impl_->fit(a, 0), {a.pose.rotation, a.pose.translation}, impl_->fit(b, 1),
                           {b.pose.rotation, b.pose.translation}, true, out.point_a, out.point_b, out.normal);
  const double length = out.normal.norm();
  using Epa = coal::details::EPA;
  const auto epa = solver.epa.status;
  const bool trusted = solver.gjk.status != coal::details::GJK::Failed &&
                       (epa == Epa::DidNotRun || epa == Epa::Valid || epa == Epa::AccuracyReached);
  out.valid = trusted && std::abs(out.distance) < 1e6 && std::abs(length - 1.0) <= 1e-3;
  if (out.valid) out.normal /= length;
  return out;
}

}  // namespace stiction
