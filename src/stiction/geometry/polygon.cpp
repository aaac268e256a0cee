// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/geometry/manifold.h>
#include <stiction/geometry/polygon.h>

#include <algorithm>

namespace stiction {
namespace {

constexpr std::uint32_t kCut = 0x4000'0000u, kCorner = 0x8000'0000u, kSide = 0x8000u;

// An edge of the incident feature (label < kSide) or a side of the reference (kSide + k), met by reference side k.
std::uint32_t crossing(std::uint32_t edge, std::uint32_t k) {
  if (edge < kSide) return kCut | (edge << 8) | k;
  const std::uint32_t j = edge - kSide;
  return kCorner | (std::min(j, k) << 8) | std::max(j, k);
}

struct Side {
  Vec3 normal;  // outward, unit
  double offset;
  double operator()(const Vec3& x) const { return normal.dot(x) - offset; }
};

Polygon::Vertex cut(const Polygon::Vertex& p, double dp, const Polygon::Vertex& q, double dq, std::uint32_t k) {
  const double t = dp / (dp - dq);
  return {p.x + t * (q.x - p.x), crossing(p.edge, k), p.edge};
}

void clip_segment(const Side& side, std::uint32_t k, Polygon& s) {
  const double d0 = side(s.vertex[0].x), d1 = side(s.vertex[1].x);
  if (d0 > kClipTie && d1 > kClipTie)
    s.count = 0;
  else if (d0 > kClipTie)
    s.vertex[0] = cut(s.vertex[0], d0, s.vertex[1], d1, k);
  else if (d1 > kClipTie)
    s.vertex[1] = {cut(s.vertex[0], d0, s.vertex[1], d1, k).x, crossing(s.vertex[0].edge, k), 0};
}

void clip_polygon(const Side& side, std::uint32_t k, Polygon& poly, Polygon& scratch) {
  scratch.count = 0;
  const auto push = [&](const Polygon::Vertex& v) {
    if (scratch.count < Polygon::kMax) scratch.vertex[scratch.count++] = v;
  };
  const auto n = poly.count;
  std::array<double, Polygon::kMax> d;
  bool all_inside = true;
  for (int i = 0; i < n; ++i) d[i] = side(poly.vertex[i].x), all_inside &= d[i] <= kClipTie;
  if (all_inside) return;
  for (int i = 0; i < n; ++i) {
    const int j = i + 1 < n ? i + 1 : 0;
    const bool in = d[i] <= kClipTie, next_in = d[j] <= kClipTie;
    if (in) push(poly.vertex[i]);
    if (in == next_in) continue;
    Polygon::Vertex v = cut(poly.vertex[i], d[i], poly.vertex[j], d[j], k);
    if (in) v.edge = kSide + k;  // the boundary goes on along the reference's side
    push(v);
  }
  poly.count = scratch.count;
  std::copy_n(scratch.vertex.begin(), scratch.count, poly.vertex.begin());
}

}  // namespace

void Polygon::name_edges() {
  for (int i = 0; i < count; ++i) {
    const std::uint32_t a = vertex[i].id, b = vertex[(i + 1) % count].id;
    const std::uint32_t lo = std::min(a, b), hi = std::max(a, b);
    vertex[i].edge = (hi < 128 ? lo * 128 + hi : lo * 40503u + hi * 9973u) & 0x7fffu;
  }
}

void clip_to_manifold(const ReferenceFace& reference, Polygon& incident, bool reference_is_a, double margin,
                      std::vector<ManifoldPoint>& out) {
  const Polygon& face = reference.polygon;
  Polygon scratch;
  for (int k = 0; k < face.count && incident.count > 0; ++k) {
    const Vec3& a = face.vertex[k].x;
    const Vec3& b = face.vertex[k + 1 < face.count ? k + 1 : 0].x;
    const Vec3 outward = (b - a).cross(reference.normal);
    const double length = outward.norm();
    if (!(length > 0.0)) continue;
    const Vec3 normal = outward / length;
    const Side side{normal, normal.dot(a)};
    if (incident.count == 1)
      incident.count = side(incident.vertex[0].x) <= kClipTie ? 1 : 0;
    else if (incident.count == 2)
      clip_segment(side, static_cast<std::uint32_t>(k), incident);
    else
      clip_polygon(side, static_cast<std::uint32_t>(k), incident, scratch);
  }
  const std::size_t first = out.size();
  const std::uint32_t mix = (reference.id + (reference_is_a ? 1u : 1000u)) * 0x9E37'79B1u;
  for (int i = 0; i < incident.count; ++i) {
    const Polygon::Vertex& v = incident.vertex[i];
    const double gap = reference.normal.dot(v.x) - reference.offset;
    if (!(gap < margin)) continue;
    const Vec3 normal = reference_is_a ? reference.normal : Vec3(-reference.normal);
    out.push_back({v.x - 0.5 * gap * reference.normal, normal, gap, v.id ^ mix});
  }
  reduce_to_four(out, first);
}

}  // namespace stiction
