// SPDX-License-Identifier: BSD-2-Clause
// Closed forms of round shapes: balls (spheres, points, capsule ends) against balls, segments, boxes and cylinders.
// Normals point from a to b. Coinciding centres have no direction: +z of the world is taken, so that the answer is
// deterministic. No allocation once `out` has grown.
#pragma once

#include <stiction/geometry/manifold.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::closed_form {

// Balls of radii ra, rb around pa, pb:  gap = ‖pb − pa‖ − ra − rb.
inline void add_balls(const Vec3& pa, double ra, const Vec3& pb, double rb, double margin, std::uint32_t feature,
                      std::vector<ManifoldPoint>& out) {
  const Vec3 d = pb - pa;
  const double square = d.squaredNorm(), far = ra + rb + margin;
  if (!(square < far * far) || far <= 0.0) return;
  const double distance = std::sqrt(square);
  const Vec3 normal = distance > 1e-12 ? Vec3(d / distance) : Vec3::UnitZ();
  emit(out, pb - rb * normal, normal, distance - ra - rb, feature);
}

struct Segment {
  Vec3 middle, half;  // end points middle ± half
  Segment(const Shape& capsule, const Pose& pose)
      : middle(pose.translation), half(capsule.half_length() * pose.rotation.col(2)) {}
  Vec3 at(double t) const { return middle + t * half; }  // t ∈ [−1, 1]
  double nearest(const Vec3& x) const {
    const double l2 = half.squaredNorm();
    return l2 > 0.0 ? std::clamp(half.dot(x - middle) / l2, -1.0, 1.0) : 0.0;
  }
};

inline void add_ball_capsule(const Vec3& pa, double ra, const Shape& b, const Pose& pose_b, double margin,
                             std::vector<ManifoldPoint>& out) {
  const Segment s(b, pose_b);
  add_balls(pa, ra, s.at(s.nearest(pa)), b.radius(), margin, 0, out);
}

// Closest points of the two axes. Parallel axes (angle below 1e-6 rad, or both ends of the overlap equally close within
// kSameDepth) give the two ends of the overlap: features 0, 1; else one point, feature 2. Features 0, 1 are ends of b or a,
// whichever bounds the overlap on that side of b's axis.
inline void add_capsules(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<ManifoldPoint>& out) {
  const Segment p(a, pose_a), q(b, pose_b);
  const Vec3 w = q.middle - p.middle;
  const double pp = p.half.squaredNorm(), qq = q.half.squaredNorm(), pq = p.half.dot(q.half);
  const double determinant = pp * qq - pq * pq;
  const double far = a.radius() + b.radius() + margin;
  if (determinant <= 1e-8 * pp * qq) {  // overlap of a's ends with b, as parameters of b
    const double t0 = q.nearest(p.at(pq >= 0.0 ? -1.0 : 1.0)), t1 = q.nearest(p.at(pq >= 0.0 ? 1.0 : -1.0));
    if ((t1 - t0) * std::sqrt(qq) > kSameDepth) {
      const Vec3 x0 = q.at(t0), x1 = q.at(t1), y0 = p.at(p.nearest(x0)), y1 = p.at(p.nearest(x1));
      const double d0 = (x0 - y0).norm(), d1 = (x1 - y1).norm();
      if (std::min(d0, d1) > 1e-12) {
        add_balls(y0, a.radius(), x0, b.radius(), margin, 0, out);
        add_balls(y1, a.radius(), x1, b.radius(), margin, 1, out);
        return;
      }
    }
  }
  // min ‖w + t q − s p‖² over the square: unconstrained s, clamp, best t, clamp, best s.
  const double pw = p.half.dot(w), qw = q.half.dot(w);
  double s = determinant > 1e-14 * pp * qq ? std::clamp((pw * qq - qw * pq) / determinant, -1.0, 1.0) : 0.0;
  const double t = q.nearest(p.at(s));
  s = p.nearest(q.at(t));
  const Vec3 x = p.at(s), y = q.at(t);
  if ((y - x).norm() > 1e-9) return add_balls(x, a.radius(), y, b.radius(), margin, 2, out);
  const Vec3 cross = p.half.cross(q.half);  // the axes meet: separate across both
  if (!(cross.norm() > 1e-12) || far <= 0.0) return add_balls(x, a.radius(), y, b.radius(), margin, 2, out);
  const Vec3 normal = cross.normalized() * (cross.dot(w) >= 0.0 ? 1.0 : -1.0);
  emit(out, y - b.radius() * normal, normal, -a.radius() - b.radius(), 2);
}

// Ball a against box b. Outside: nearest point by clamping. Inside: the nearest face, ties within kTie to the lowest axis.
inline void add_ball_box(const Vec3& pa, double ra, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<ManifoldPoint>& out) {
  const Vec3 x = pose_b.rotation.transpose() * (pa - pose_b.translation);
  const Vec3 near = x.cwiseMax(-b.size).cwiseMin(b.size);
  const Vec3 d = near - x;
  const double square = d.squaredNorm(), far = ra + margin;
  if (square > 0.0) {
    if (!(square < far * far) || far <= 0.0) return;
    const double distance = std::sqrt(square);
    if (distance > 1e-12) return emit(out, pose_b * near, pose_b.rotation * (d / distance), distance - ra, 0);
  }
  int axis = 0;
  double depth = b.size[0] - std::abs(x[0]);
  for (int i = 1; i < 3; ++i)
    if (const double e = b.size[i] - std::abs(x[i]); e < depth - kTie) depth = e, axis = i;
  if (!(-depth - ra < margin)) return;
  const double sign = x[axis] >= 0.0 ? 1.0 : -1.0;
  Vec3 surface = x;
  surface[axis] = sign * b.size[axis];
  emit(out, pose_b * surface, -sign * pose_b.rotation.col(axis), -depth - ra, 0);  // from the ball into the box
}

// Ball a against cylinder b, in cylinder coordinates (ρ, z): nearest point by clamping; inside, the nearer of side and cap.
inline void add_ball_cylinder(const Vec3& pa, double ra, const Shape& b, const Pose& pose_b, double margin,
                              std::vector<ManifoldPoint>& out) {
  const Vec3 x = pose_b.rotation.transpose() * (pa - pose_b.translation);
  const double r = b.radius(), h = b.half_length(), rho = std::hypot(x.x(), x.y());
  const double cx = rho > 1e-12 ? x.x() / rho : 1.0, cy = rho > 1e-12 ? x.y() / rho : 0.0;
  const double to_side = rho - r, to_cap = std::abs(x.z()) - h, up = x.z() >= 0.0 ? 1.0 : -1.0;
  double distance;
  Vec3 outward;  // from the cylinder to the ball
  if (to_side > 0.0 && to_cap > 0.0) {
    distance = std::hypot(to_side, to_cap);
    outward = Vec3(to_side * cx, to_side * cy, up * to_cap) / distance;
  } else if (to_side > to_cap + kTie) {
    distance = to_side;
    outward = {cx, cy, 0.0};
  } else {
    distance = to_cap;
    outward = {0.0, 0.0, up};
  }
  const double gap = distance - ra;
  if (gap < margin) emit(out, pose_b * (x - distance * outward), pose_b.rotation * -outward, gap, 0);
}

}  // namespace stiction::closed_form
