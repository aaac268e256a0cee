// SPDX-License-Identifier: BSD-2-Clause
// Any two convex shapes. Their signed distance is
//   max over unit n of  s(n) = −h_b(−n) − hₐ(n),     h(d) = max d · x over the shape  (support function)
// both when they are apart and when they overlap. GJK and EPA give n and s: our own (gjk.h) if a hull or a triangle takes part,
// else Coal's, n to about 1e-4 rad and s to 1e-8 m. Candidates that are exact (face normals, products of edges, the line between parallel edges) replace it if their s is not smaller by more
// than a tie. So a body that rests on a face sees that face's normal to the last bit.
// The manifold follows from the winner: clipped faces (polygon.h), one or two points of an edge pair, or one point.
// Failure modes: GJK that does not converge falls back on the line between the origins, whose s is a lower bound.
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/manifold.h>
#include <stiction/geometry/pairs.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kFaceTie = 5e-7, kEdgeTie = 1e-8, kAgree = 1e-6;  // [m]
constexpr double kNearlyFlat = 0.02;                               // sine: edges this close to ⟂ n are candidates
constexpr double kParallel = 1e-4;                                 // sine
constexpr std::uint32_t kEdges = 0x2000'0000u, kSingle = 0x3000'0000u;

// Directions ⟂ to both edges that are close to n. Parallel edges: the direction between their lines.
bool edge_normal(const SupportEdges::Edge& p, const SupportEdges::Edge& q, const Vec3& n, Vec3& out) {
  const Vec3 d = (p.b - p.a).normalized(), e = (q.b - q.a).normalized();
  Vec3 c = d.cross(e);
  if (c.norm() <= kParallel) {
    c = q.a - p.a;
    c -= d.dot(c) * d;
  }
  const double length = c.norm();
  if (!(length > 1e-9)) return false;
  out = (c.dot(n) < 0.0 ? -1.0 : 1.0) / length * c;
  return out.dot(n) > 0.999;
}

void try_edges(const Placed& a, const Placed& b, RefinedSeparation& out) {
  const Vec3 n = out.normal;
  double best = out.distance;
  SupportEdges ea, eb;
  edges_along(a, n, kNearlyFlat, ea);
  edges_along(b, -n, kNearlyFlat, eb);
  for (int i = 0; i < ea.count; ++i)
    for (int j = 0; j < eb.count; ++j) {
      const auto &p = ea.edge[i], &q = eb.edge[j];
      Vec3 c;
      if (!edge_normal(p, q, n, c)) continue;
      const double s = separation(a, b, c);
      if (s < best - kEdgeTie || (out.kind == RefinedSeparation::edges && s <= best)) continue;
      best = std::max(best, s);
      out.kind = RefinedSeparation::edges;
      out.distance = s, out.normal = c, out.edge_a = p, out.edge_b = q;
    }
}

bool is_curved(const Placed& s) { return s.shape && s.shape->kind == ShapeKind::cylinder; }

// Compass search for a larger s(n) around n, steps 1e-3 … 1e-8 rad: what EPA leaves open on rims of cylinders.
void polish(const Placed& a, const Placed& b, Vec3& n, double& s) {
  const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
  const std::array<Vec3, 8> compass{u, v, -u, -v, u + v, u - v, v - u, -u - v};
  for (double step = 1e-3; step > 1e-8; step *= 0.4)
    for (int moves = 0; moves < 4; ++moves) {
      Vec3 best = n;
      for (const Vec3& d : compass) {
        const Vec3 m = (n + step * d).normalized();
        if (const double t = separation(a, b, m); t > s) s = t, best = m;
      }
      if (best == n) break;
      n = best;
    }
}

// Normal and witness points of the first attempt that is consistent: its distance is that of its own normal, and the line
// between the centres does not separate better (EPA on cylinders sometimes claims success far from it).
void start(DistanceQuery& query, const Placed& a, const Placed& b, RefinedSeparation& out) {
  const bool curved = is_curved(a) || is_curved(b);
  const std::array<int, 3> attempts = curved ? std::array{1, 0, 2} : std::array{0, 1, 2};
  const Vec3 d = centre(b) - centre(a);
  const Vec3 line = d.norm() > 1e-12 ? Vec3(d.normalized()) : Vec3::UnitZ();
  const double bound = separation(a, b, line);
  double agreement = kNever;
  out.kind = RefinedSeparation::general;
  out.distance = bound, out.normal = line;
  out.point_a = centre(a), out.point_b = centre(b);
  for (const int attempt : attempts) {
    const Separation raw = query(a, b, attempt);
    if (!raw.valid) continue;
    const double s = separation(a, b, raw.normal);
    if (s < out.distance) continue;
    out.distance = s, out.normal = raw.normal, out.point_a = raw.point_a, out.point_b = raw.point_b;
    agreement = std::abs(s - raw.distance);
    if (agreement <= kAgree && (!curved || attempt != attempts[0])) break;  // curved: a second opinion, always
  }
  if (curved && !(agreement <= kFaceTie)) polish(a, b, out.normal, out.distance);
  out.raw_normal = out.normal;
}

void emit_pair(const RefinedSeparation& s, const Vec3& on_a, const Vec3& on_b, double gap, std::uint32_t end,
               std::vector<ManifoldPoint>& out) {
  const Vec3 x = on_a + s.edge_a.radius * s.normal, y = on_b - s.edge_b.radius * s.normal;
  out.push_back({0.5 * (x + y), s.normal, gap, kEdges | (s.edge_a.id << 16) | (s.edge_b.id << 2) | end});
}

void add_edges(const RefinedSeparation& s, double margin, std::vector<ManifoldPoint>& out) {
  const Vec3 &p0 = s.edge_a.a, &q0 = s.edge_b.a;
  const Vec3 dp = s.edge_a.b - p0, dq = s.edge_b.b - q0, w = q0 - p0;
  const double pp = dp.squaredNorm(), qq = dq.squaredNorm(), pq = dp.dot(dq), det = pp * qq - pq * pq;
  if (det > kParallel * kParallel * pp * qq) {
    const double u = std::clamp((dp.dot(w) * qq - dq.dot(w) * pq) / det, 0.0, 1.0);
    const double v = std::clamp((u * pq - dq.dot(w)) / qq, 0.0, 1.0);
    if (s.distance < margin) emit_pair(s, p0 + u * dp, q0 + v * dq, s.distance, 0, out);
    return;
  }
  // Parallel: the ends of the overlap, as parameters of a's edge.
  const double t0 = dp.dot(w) / pp, t1 = dp.dot(w + dq) / pp;
  const double lo = std::clamp(std::min(t0, t1), 0.0, 1.0), hi = std::clamp(std::max(t0, t1), 0.0, 1.0);
  const auto add = [&](double u, std::uint32_t end) {
    const Vec3 on_a = p0 + u * dp, on_b = q0 + std::clamp(dq.dot(on_a - q0) / qq, 0.0, 1.0) * dq;
    const double gap = s.normal.dot(on_b - on_a) - s.edge_a.radius - s.edge_b.radius;
    if (gap < margin) emit_pair(s, on_a, on_b, gap, end, out);
  };
  add(lo, 1);
  if ((hi - lo) * std::sqrt(pp) > kSameDepth) add(hi, 2);
}

// The clipped manifold of a face, if its lowest gap is about the signed distance s.
bool add_face(const ReferenceFace& face, const Placed& other, bool reference_is_a, double s, double margin,
              std::vector<ManifoldPoint>& out) {
  const std::size_t first = out.size();
  if (std::abs(clip_over(face, other, reference_is_a, margin, out) - s) <= face_slack(s)) return true;
  out.resize(first);
  return false;
}

// Along the hint if there is one. Else faces of boxes are tried along all axes, others along the line between the centres.
bool best_face(const Placed& reference, const Placed& other, const Vec3& hint, ReferenceFace& face, double& s) {
  if (!hint.isZero()) {
    if (!face_along(reference, hint, face)) return false;
    s = -support(other, -face.normal) - face.offset;
    return true;
  }
  const Vec3 d = centre(other) - centre(reference);
  if (reference.shape->kind != ShapeKind::box) {
    if (!face_along(reference, d.normalized(), face)) return false;
    s = -support(other, -face.normal) - face.offset;
    return true;
  }
  s = -kNever;
  Vec3 direction = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 n = (reference.pose.rotation.col(i).dot(d) < 0.0 ? -1.0 : 1.0) * reference.pose.rotation.col(i);
    const double si = -support(other, -n) - n.dot(reference.pose.translation) - reference.shape->size[i];
    if (si > s + kTie) s = si, direction = n;
  }
  return face_along(reference, direction, face);
}

// Without GJK, if a face of `reference` provably gives the signed distance s: s ≥ margin (nothing to find), or the lowest
// point of the other shape lies over the face (apart), or a ball of radius |s| about it fits into the reference (overlap:
// then no shorter motion than |s| along the normal can bring that point out).
bool try_face(const Placed& reference, const Placed& other, bool reference_is_a, double margin, const Vec3& hint,
              Vec3& axis, std::vector<ManifoldPoint>& out) {
  if (!reference.shape || reference.shape->kind < ShapeKind::box) return false;
  ReferenceFace face;
  double s;
  if (!best_face(reference, other, reference_is_a ? hint : Vec3(-hint), face, s)) return false;
  if (s >= margin) {
    axis = reference_is_a ? face.normal : Vec3(-face.normal);
    return true;
  }
  const std::size_t first = out.size();
  clip_over(face, other, reference_is_a, margin, out);
  Vec3 lowest = Vec3::Zero();  // middle of the lowest points: one of them, as the shape is convex
  double count = 0.0;
  for (std::size_t i = first; i < out.size(); ++i)
    if (out[i].gap <= s + kTie) lowest += out[i].point + 0.5 * out[i].gap * face.normal, count += 1.0;
  const bool round = reference.shape->kind == ShapeKind::cylinder;  // its polygon is larger than the cap
  if (count > 0.0 && ((s > 0.0 && !round) || slack(reference, face, lowest / count) >= std::max(0.0, -s) - kTie))
    return true;
  out.resize(first);
  return false;
}

bool is_polytope(const Placed& s) { return !s.shape || s.shape->kind == ShapeKind::convex; }

bool is_own(const Placed& a, const Placed& b) {
  return (is_polytope(a) || is_polytope(b)) && Core::exists(a) && Core::exists(b);
}

}  // namespace

double separation(const Placed& a, const Placed& b, const Vec3& n) { return -support(b, -n) - support(a, n); }

bool refine(Queries& query, const Placed& a, const Placed& b, double far, RefinedSeparation& out) {
  Separation raw;
  raw.valid = false;
  if (is_own(a, b)) raw = query.own(a, b, far);
  if (raw.valid) {
    out.kind = RefinedSeparation::general;
    out.distance = raw.distance, out.normal = out.raw_normal = raw.normal;
    out.point_a = raw.point_a, out.point_b = raw.point_b;
  } else {
    start(query.coal, a, b, out);
  }
  if (out.distance >= far) return false;
  const Vec3& n = out.raw_normal;
  double best = out.distance;  // the largest there is, if the query is our own
  const double sa = face_along(a, n, out.face) ? separation(a, b, out.face.normal) : -kNever;
  const bool decided = raw.valid && sa >= best - kFaceTie;
  ReferenceFace face_b;
  const double sb = !decided && face_along(b, -n, face_b) ? separation(a, b, -face_b.normal) : -kNever;
  best = std::max({best, sa, sb});
  if (sa >= best - kFaceTie) {
    out.kind = RefinedSeparation::face_a;
    out.distance = sa, out.normal = out.face.normal;
  } else if (sb >= best - kFaceTie) {
    out.kind = RefinedSeparation::face_b;
    out.face = face_b;
    out.distance = sb, out.normal = -face_b.normal;
  } else {
    if (is_curved(a) || is_curved(b)) polish(a, b, out.normal, out.distance);
    try_edges(a, b, out);
  }
  return out.distance < far;
}

double collide_convex(Queries& query, const Placed& a, const Placed& b, double margin, const Vec3& hint, Vec3& axis,
                      std::vector<ManifoldPoint>& out) {
  axis.setZero();
  const bool try_faces = !is_own(a, b) || !hint.isZero();
  if (try_faces && (try_face(a, b, true, margin, hint, axis, out) || try_face(b, a, false, margin, hint, axis, out)))
    return axis.isZero() ? 0.0 : separation(a, b, axis);
  RefinedSeparation s;
  if (refine(query, a, b, margin, s)) {
    add_manifold(a, b, s, margin, out);
    return 0.0;
  }
  axis = s.normal;
  return separation(a, b, axis);
}

void add_manifold(const Placed& a, const Placed& b, RefinedSeparation& s, double margin,
                  std::vector<ManifoldPoint>& out) {
  if (!(s.distance < margin)) return;
  if (s.kind == RefinedSeparation::face_a || s.kind == RefinedSeparation::face_b) {
    const bool of_a = s.kind == RefinedSeparation::face_a;
    if (add_face(s.face, of_a ? b : a, of_a, s.distance, margin, out)) return;
    // The nearest point lies beside the face: an edge or a corner after all.
    s.kind = RefinedSeparation::general;
    s.normal = s.raw_normal;
    s.distance = separation(a, b, s.normal);
    if (is_curved(a) || is_curved(b)) polish(a, b, s.normal, s.distance);
    try_edges(a, b, s);
  }
  // A shape that overhangs a face and tilts a little is held by the face.
  if (face_along(a, s.normal, s.face) && s.face.normal.dot(s.normal) > kSimilar &&
      add_face(s.face, b, true, s.distance, margin, out))
    return;
  if (face_along(b, -s.normal, s.face) && s.face.normal.dot(s.normal) < -kSimilar &&
      add_face(s.face, a, false, s.distance, margin, out))
    return;
  if (s.kind == RefinedSeparation::edges)
    add_edges(s, margin, out);
  else if (s.distance < margin)
    out.push_back({0.5 * (s.point_a + s.point_b), s.normal, s.distance, kSingle});
}

}  // namespace stiction
