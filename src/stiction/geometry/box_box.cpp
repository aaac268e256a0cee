// SPDX-License-Identifier: BSD-2-Clause
// Two boxes, closed form. In the frame of a: R = RₐᵀR_b, t = Rₐᵀ(t_b − tₐ), half edges h. Separation along a unit axis L:
//   s(L) = |t · L| − Σ hₐᵢ |Lᵢ| − Σ h_bⱼ |(RᵀL)ⱼ|
// The largest s over the 6 face normals and 9 edge products is the signed distance if the boxes overlap
// [Gottschalk96], and a lower bound if they do not. A face wins a near tie (kAxisTie) against an edge, box a against
// box b, a low axis against a high one: noise must not change features. Faces give clipped manifolds (polygon.h), a pair
// of edges one point. If the boxes are apart and the winning feature does not realise s, the nearest points are found by
// looking at all: 16 corners against boxes and 144 pairs of edges. A face's manifold is preferred to one point if its lowest
// gap is as good (face_slack): a box that overhangs another and tilts a little touches edge on edge, but is held by its face.
// Failure modes: deep overlap (beyond half an edge) may leave through the other side.
#include <stiction/geometry/manifold.h>
#include <stiction/geometry/pairs.h>

#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kAxisTie = 1e-7;  // [m]
constexpr std::uint32_t kBoxEdges = 0x2000'0000u, kNearest = 0x3000'0000u;

struct Boxes {
  const Shape &a, &b;
  const Pose &pose_a, &pose_b;
  Mat3 R;  // axes of b in the frame of a
  Vec3 t;  // centre of b in the frame of a
  Boxes(const Shape& shape_a, const Pose& pa, const Shape& shape_b, const Pose& pb)
      : a(shape_a),
        b(shape_b),
        pose_a(pa),
        pose_b(pb),
        R(pa.rotation.transpose() * pb.rotation),
        t(pa.rotation.transpose() * (pb.translation - pa.translation)) {}
};

struct Axis {
  double s = -std::numeric_limits<double>::infinity();
  int i = -1, j = -1;
  Vec3 direction = Vec3::Zero();  // edges only: unit, frame of a, from a to b
};

Axis best_face(const Vec3& t, const Vec3& own, const Vec3& reach_of_other) {
  Axis best;
  for (int i = 0; i < 3; ++i)
    if (const double s = std::abs(t[i]) - own[i] - reach_of_other[i]; s > best.s + kTie) best.s = s, best.i = i;
  return best;
}

// Axis a_i × b_j; its norm is the sine of the angle between the edges, so nearly parallel ones are left out.
Axis best_edges(const Boxes& x, double beat) {
  Axis best;
  best.s = beat;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double square = 1.0 - x.R(i, j) * x.R(i, j);
      if (!(square > 1e-10)) continue;
      // e_i × R_j has components (i1, i2) = (−R(i2,j), R(i1,j)); on b's axes they are R(i, ·) of the other two.
      const double l1 = -x.R(i2, j), l2 = x.R(i1, j);
      const double along = x.t[i1] * l1 + x.t[i2] * l2;
      const double extent = x.a.size[i1] * std::abs(l1) + x.a.size[i2] * std::abs(l2) +
                            x.b.size[j1] * std::abs(x.R(i, j2)) + x.b.size[j2] * std::abs(x.R(i, j1));
      const double s = (std::abs(along) - extent) / std::sqrt(square);
      if (!(s > best.s + kTie)) continue;
      best.s = s, best.i = i, best.j = j;
      const double scale = (along < 0.0 ? -1.0 : 1.0) / std::sqrt(square);
      best.direction.setZero();
      best.direction[i1] = scale * l1, best.direction[i2] = scale * l2;
    }
  }
  return best;
}

// The clipped manifold of a face; returns its lowest gap, ∞ if there is none.
double add_face(const Boxes& x, const Axis& axis, bool of_a, double margin, std::vector<ManifoldPoint>& out) {
  const Placed a{&x.a, x.pose_a, nullptr}, b{&x.b, x.pose_b, nullptr};
  const Placed &reference = of_a ? a : b, &other = of_a ? b : a;
  const double side = reference.pose.rotation.col(axis.i).dot(other.pose.translation - reference.pose.translation);
  ReferenceFace face;
  face_along(reference, (side < 0.0 ? -1.0 : 1.0) * reference.pose.rotation.col(axis.i), face);
  return clip_over(face, other, of_a, margin, out);
}

// Nearest points p + u·d, q + v·e of two segments (|u| ≤ 1, |v| ≤ 1); unclamped for overlap, whose lines are what counts.
bool add_edges(const Boxes& x, const Axis& axis, double margin, std::vector<ManifoldPoint>& out) {
  const Vec3 &l = axis.direction, m = x.R.transpose() * l;
  Vec3 p = x.a.size, q = x.b.size;
  std::uint32_t corner_a = 0, corner_b = 0;
  for (int k = 0; k < 3; ++k) {
    if (l[k] < 0.0)
      p[k] = -p[k];
    else
      corner_a |= 1u << k;
    if (m[k] > 0.0)
      q[k] = -q[k];
    else
      corner_b |= 1u << k;
  }
  p[axis.i] = 0.0, q[axis.j] = 0.0;
  const Vec3 d = Vec3::Unit(axis.i), e = x.R.col(axis.j), w = x.R * q + x.t - p;
  const double de = d.dot(e), det = 1.0 - de * de, dw = d.dot(w), ew = e.dot(w);
  const double u = (dw - de * ew) / det, v = (de * dw - ew) / det;
  const double ha = x.a.size[axis.i], hb = x.b.size[axis.j];
  if (axis.s > 0.0 && !(std::abs(u) <= ha + kClipTie && std::abs(v) <= hb + kClipTie)) return false;
  if (!(axis.s < margin)) return true;
  const Vec3 on_a = p + std::clamp(u, -ha, ha) * d, on_b = x.R * q + x.t + std::clamp(v, -hb, hb) * e;
  corner_a &= ~(1u << axis.i), corner_b &= ~(1u << axis.j);
  const auto edge_a = corner_a * 4 + static_cast<std::uint32_t>(axis.i),
             edge_b = corner_b * 4 + static_cast<std::uint32_t>(axis.j);
  out.push_back({x.pose_a * (0.5 * (on_a + on_b)), x.pose_a.rotation * l, axis.s, kBoxEdges | edge_a * 64 | edge_b});
  return true;
}

struct Nearest {
  double square = std::numeric_limits<double>::infinity();
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  std::uint32_t id = 0;
  void offer(const Vec3& p, const Vec3& q, std::uint32_t name) {
    const double s = (q - p).squaredNorm();
    if (s < square * (1.0 - 1e-9)) square = s, on_a = p, on_b = q, id = name;
  }
};

void offer_corners(const Boxes& x, Nearest& best) {
  for (unsigned c = 0; c < 8; ++c) {
    const Vec3 q = x.R * box_corner(x.b.size, c) + x.t;
    best.offer(q.cwiseMax(-x.a.size).cwiseMin(x.a.size), q, c);
    const Vec3 p = box_corner(x.a.size, c), p_b = x.R.transpose() * (p - x.t);
    best.offer(p, x.R * p_b.cwiseMax(-x.b.size).cwiseMin(x.b.size) + x.t, 8 + c);
  }
}

void offer_edges(const Boxes& x, Nearest& best) {
  for (unsigned ia = 0; ia < 12; ++ia) {
    const unsigned i = ia % 3, ca = ia / 3;  // axis, and which of the four edges along it
    Vec3 p = Vec3::Zero();
    p[(i + 1) % 3] = (ca & 1 ? 1.0 : -1.0) * x.a.size[(i + 1) % 3];
    p[(i + 2) % 3] = (ca & 2 ? 1.0 : -1.0) * x.a.size[(i + 2) % 3];
    for (unsigned jb = 0; jb < 12; ++jb) {
      const unsigned j = jb % 3, cb = jb / 3;
      Vec3 q_b = Vec3::Zero();
      q_b[(j + 1) % 3] = (cb & 1 ? 1.0 : -1.0) * x.b.size[(j + 1) % 3];
      q_b[(j + 2) % 3] = (cb & 2 ? 1.0 : -1.0) * x.b.size[(j + 2) % 3];
      const Vec3 e = x.R.col(j), q = x.R * q_b + x.t, w = q - p;
      const double de = e[i], det = 1.0 - de * de;
      if (!(det > 1e-10)) continue;  // parallel edges: their ends were offered as corners
      const double u = (w[i] - de * e.dot(w)) / det, v = (de * w[i] - e.dot(w)) / det;
      if (!(std::abs(u) <= x.a.size[i] && std::abs(v) <= x.b.size[j])) continue;  // an end is nearer: a corner
      best.offer(p + u * Vec3::Unit(i), q + v * e, 64 + ia * 16 + jb);
    }
  }
}

}  // namespace

double collide_boxes(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                     std::vector<ManifoldPoint>& out) {
  const Boxes x(a, pose_a, b, pose_b);
  const Mat3 absolute = x.R.cwiseAbs();
  const Axis face_a = best_face(x.t, a.size, absolute * b.size);
  if (face_a.s >= margin) return face_a.s;
  const Axis face_b = best_face(x.R.transpose() * x.t, b.size, absolute.transpose() * a.size);
  if (face_b.s >= margin) return face_b.s;
  const bool of_a = face_a.s >= face_b.s - kAxisTie;
  const Axis& face = of_a ? face_a : face_b;
  const Axis edges = best_edges(x, face.s + kAxisTie);
  const std::size_t first = out.size();
  const double lowest = add_face(x, face, of_a, margin, out);
  const auto is_as_good = [&](const Vec3& normal, double s) {
    return std::abs(lowest - s) <= face_slack(s) && out[first].normal.dot(normal) >= kSimilar;
  };
  if (edges.i < 0) {
    if (face.s <= 0.0 || lowest <= face.s + face_slack(face.s)) return margin;
  } else {
    if (is_as_good(pose_a.rotation * edges.direction, edges.s)) return margin;
    const std::size_t before = out.size();
    if (add_edges(x, edges, margin, out)) {
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(first), out.begin() + static_cast<std::ptrdiff_t>(before));
      return std::max(margin, edges.s);
    }
  }
  Nearest near;
  offer_corners(x, near);
  offer_edges(x, near);
  const double gap = std::sqrt(near.square);
  const Vec3 normal = pose_a.rotation * ((near.on_b - near.on_a) / gap);
  if (is_as_good(normal, gap)) return margin;
  out.resize(first);
  if (!(gap < margin) || !(gap > 0.0)) return std::max(margin, gap);
  out.push_back({pose_a * (0.5 * (near.on_a + near.on_b)), normal, gap, kNearest | near.id});
  return margin;
}

}  // namespace stiction
