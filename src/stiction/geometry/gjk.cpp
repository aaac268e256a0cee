// SPDX-License-Identifier: BSD-2-Clause
// GJK [Gilbert88, Ericson05 ch. 9]: v is the point nearest to the origin of a simplex in C; the support point w of C along −v
//   either gives a better simplex, or proves ‖v‖² − v · w ≤ tolerance: v is the nearest point of C.
// On the way v · w / ‖v‖ is a lower bound of the distance: shapes known to be farther than asked for end the search.
// For polytopes the search ends at the nearest features after a few steps; if these are a face, the direction is its normal,
// which stays exact when v is tiny.
// Failure modes: cores closer than kTouching (relative) count as overlapping; there EPA answers.
#include <stiction/geometry/gjk.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMostSteps = 96;
constexpr double kConverged = 1e-13, kTouching = 1e-9;  // relative to ‖v‖², to the size of C

// Nearest point to the origin on a segment, as weights.
void on_segment(const Vec3& a, const Vec3& b, double& wa, double& wb) {
  const Vec3 e = b - a;
  const double square = e.squaredNorm();
  wb = square > 0.0 ? std::clamp(-a.dot(e) / square, 0.0, 1.0) : 0.0;
  wa = 1.0 - wb;
}

// The same on a triangle; all three weights are positive only over its inside.        [Ericson05, 5.1.5]
void on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::array<double, 3>& w) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a), d3 = -ab.dot(b), d4 = -ac.dot(b), d5 = -ab.dot(c), d6 = -ac.dot(c);
  w = {0.0, 0.0, 0.0};
  if (d1 <= 0.0 && d2 <= 0.0) return void(w[0] = 1.0);
  if (d3 >= 0.0 && d4 <= d3) return void(w[1] = 1.0);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return on_segment(a, b, w[0], w[1]);
  if (d6 >= 0.0 && d5 <= d6) return void(w[2] = 1.0);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return on_segment(a, c, w[0], w[2]);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return on_segment(b, c, w[1], w[2]);
  const double sum = va + vb + vc;
  w = {va / sum, vb / sum, vc / sum};
}

// Keeps those of n points that have weight; `index` ascends.
void keep(Simplex& s, const std::array<int, 4>& index, const std::array<double, 4>& weight, int n) {
  s.count = 0;
  for (int i = 0; i < n; ++i)
    if (weight[i] > 0.0) s.p[s.count] = s.p[index[i]], s.weight[s.count++] = weight[i];
}

Vec3 nearest(const Simplex& s) {
  if (s.count == 3) {  // along the normal of the face: exact in direction
    const Vec3 n = (s.p[1].w - s.p[0].w).cross(s.p[2].w - s.p[0].w);
    if (const double square = n.squaredNorm(); square > 0.0) return n * (n.dot(s.p[0].w) / square);
  }
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < s.count; ++i) v += s.weight[i] * s.p[i].w;
  if (s.count == 2) {
    const Vec3 e = s.p[1].w - s.p[0].w;
    v -= e * (e.dot(v) / e.squaredNorm());
  }
  return v;
}

// A tetrahedron whose newest point is the last: the origin is inside, or the nearest point is on a face at that point (on any,
// if the tetrahedron is flat).
bool reduce_tetrahedron(Simplex& s) {
  constexpr std::array<std::array<int, 4>, 4> kFaces{{{0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}}};
  const Vec3 &d = s.p[3].w, da = s.p[0].w - d, db = s.p[1].w - d, dc = s.p[2].w - d;
  const Vec3 ab = da.cross(db);
  const double volume = ab.dot(dc);
  const bool flat = volume * volume <= 1e-28 * ab.squaredNorm() * dc.squaredNorm();
  double best = std::numeric_limits<double>::infinity();
  std::array<double, 3> weight{}, w;
  int chosen = -1;
  for (int f = 0; f < (flat ? 4 : 3); ++f) {
    const auto& k = kFaces[f];
    if (!flat) {  // faces (a, b, d), (a, c, d), (b, c, d): whether the origin is on the side of the fourth point
      const double origin = f == 0 ? ab.dot(d) : f == 1 ? dc.cross(da).dot(d) : db.cross(dc).dot(d);
      if (origin * volume <= 0.0) continue;
    }
    const Vec3 &a = s.p[k[0]].w, &b = s.p[k[1]].w, &c = s.p[k[2]].w;
    on_triangle(a, b, c, w);
    const double square = (w[0] * a + w[1] * b + w[2] * c).squaredNorm();
    if (square < best) best = square, weight = w, chosen = f;
  }
  if (chosen < 0) return true;
  keep(s, kFaces[chosen], {weight[0], weight[1], weight[2], 0.0}, 3);
  return false;
}

// The part of the simplex that carries its point nearest to the origin; true if the origin is inside.
bool reduce(Simplex& s) {
  std::array<double, 4> weight{1.0, 0.0, 0.0, 0.0};
  if (s.count == 4) return reduce_tetrahedron(s);
  if (s.count == 2) on_segment(s.p[0].w, s.p[1].w, weight[0], weight[1]);
  if (s.count == 3) {
    std::array<double, 3> w;
    on_triangle(s.p[0].w, s.p[1].w, s.p[2].w, w);
    weight = {w[0], w[1], w[2], 0.0};
  }
  keep(s, {0, 1, 2, 3}, weight, s.count);
  return false;
}

bool holds(const Simplex& s, const DifferencePoint& p) {
  for (int i = 0; i < s.count; ++i)
    if (s.p[i].id_a == p.id_a && s.p[i].id_b == p.id_b) return true;
  return false;
}

Vec3 witness(const Simplex& s) {
  Vec3 x = Vec3::Zero();
  for (int i = 0; i < s.count; ++i) x += s.weight[i] * s.p[i].a;
  return x;
}

}  // namespace

bool Core::exists(const Placed& s) { return !s.shape || s.shape->kind != ShapeKind::cylinder; }

Core::Core(const Placed& s) {
  if (!s.shape) {
    count = 3;
    std::copy_n(s.triangle, 3, corner.begin());
  } else if (s.shape->kind == ShapeKind::box) {
    kind = box, half = s.shape->size;
  } else if (s.shape->kind == ShapeKind::convex) {
    kind = hull, mesh = s.shape->convex.get();
  } else if (s.shape->kind == ShapeKind::capsule) {
    count = 2, radius = s.shape->radius();
    corner[0].z() = -s.shape->half_length(), corner[1].z() = s.shape->half_length();
  } else if (s.shape->kind == ShapeKind::sphere) {
    radius = s.shape->radius();
  }
}

Vec3 Core::point(int id) const {
  return kind == hull ? mesh->vertices[id] : kind == box ? box_corner(half, static_cast<unsigned>(id)) : corner[id];
}

int Core::farthest(const Vec3& d) const {
  if (kind == hull) return mesh->farthest(d);
  if (kind == box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  int best = 0;
  for (int i = 1; i < count; ++i)
    if (d.dot(corner[i]) > d.dot(corner[best])) best = i;
  return best;
}

Difference::Difference(const Placed& placed_a, const Placed& placed_b)
    : a(placed_a),
      b(placed_b),
      R(placed_a.pose.rotation.transpose() * placed_b.pose.rotation),
      t(placed_a.pose.rotation.transpose() * (placed_b.pose.translation - placed_a.pose.translation)) {}

DifferencePoint Difference::support(const Vec3& d) const {
  DifferencePoint p;
  p.id_a = a.farthest(d);
  p.id_b = b.farthest(-(R.transpose() * d));
  p.a = a.point(p.id_a);
  p.w = p.a - (R * b.point(p.id_b) + t);
  return p;
}

CoreSeparation gjk(const Difference& c, double far, Simplex& s) {
  const Vec3 middle_a = c.a.kind == Core::hull ? c.a.mesh->centre : Vec3(c.a.corner[0]);
  const Vec3 middle_b = c.R * (c.b.kind == Core::hull ? c.b.mesh->centre : Vec3(c.b.corner[0])) + c.t;
  Vec3 v = middle_a - middle_b;
  if (!(v.squaredNorm() > 0.0)) v = Vec3::UnitX();
  s.p[0] = c.support(-v);
  s.count = 1, s.weight[0] = 1.0;
  CoreSeparation out{CoreSeparation::found, 0.0, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  if (const double vw = v.dot(s.p[0].w); vw > 0.0 && vw >= far * v.norm()) {
    out.status = CoreSeparation::apart, out.distance = vw / v.norm(), out.normal = -v / v.norm();
    return out;
  }
  v = s.p[0].w;
  double size = v.squaredNorm();
  for (int step = 0; step < kMostSteps; ++step) {
    const double square = v.squaredNorm();
    if (!(square > kTouching * kTouching * size)) {
      out.status = CoreSeparation::inside;
      return out;
    }
    const DifferencePoint w = c.support(-v);
    size = std::max(size, w.w.squaredNorm());
    const double vw = v.dot(w.w);
    if (vw > 0.0 && vw * vw >= far * far * square && far >= 0.0) {
      out.status = CoreSeparation::apart, out.distance = vw / std::sqrt(square), out.normal = -v / std::sqrt(square);
      return out;
    }
    if (square - vw <= kConverged * square || holds(s, w)) break;
    const Simplex last = s;
    s.p[s.count] = w;
    s.weight[s.count++] = 0.0;
    if (reduce(s)) {
      out.status = CoreSeparation::inside;
      return out;
    }
    const Vec3 next = nearest(s);
    if (!(next.squaredNorm() < square)) {  // rounding: no progress is left
      s = last;
      break;
    }
    v = next;
  }
  out.distance = v.norm();
  out.normal = -v / out.distance;
  out.on_a = witness(s), out.on_b = out.on_a - v;
  return out;
}

Separation ConvexQuery::operator()(const Placed& a, const Placed& b, double far) {
  const Difference c(a, b);
  Simplex simplex;
  const double radii = c.a.radius + c.b.radius;
  CoreSeparation s = gjk(c, far + radii, simplex);
  if (s.status == CoreSeparation::inside) s = epa(c, simplex, scratch_);
  Separation out;
  out.valid = s.status != CoreSeparation::failed && std::isfinite(s.distance);
  out.distance = s.distance - radii;
  out.normal = a.pose.rotation * s.normal;
  out.point_a = a.pose * s.on_a + c.a.radius * out.normal;
  out.point_b = a.pose * s.on_b - c.b.radius * out.normal;
  return out;
}

}  // namespace stiction
