// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/geometry/manifold.h>

#include <algorithm>
#include <array>
#include <limits>

namespace stiction {
namespace {

// Index of the largest score; nearly equal scores go to the first, that is to the lowest feature.
template <class Score>
std::size_t best_of(const ManifoldPoint* points, std::size_t n, double tolerance, const Score& score) {
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) top = std::max(top, score(points[i]));
  for (std::size_t i = 0; i < n; ++i)
    if (score(points[i]) >= top - tolerance) return i;
  return 0;
}

}  // namespace

void reduce_to_four(std::vector<ManifoldPoint>& out, std::size_t first) {
  const std::size_t n = out.size() - first;
  if (n <= 4) return;
  ManifoldPoint* const p = out.data() + first;
  std::sort(p, p + n, [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; });
  double lowest = p[0].gap;
  for (std::size_t i = 1; i < n; ++i) lowest = std::min(lowest, p[i].gap);
  const auto is_deep = [&](const ManifoldPoint& q) { return q.gap <= lowest + kSameDepth; };
  Vec3 middle = Vec3::Zero();
  double deep = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    if (is_deep(p[i])) middle += p[i].point, deep += 1.0;
  middle /= deep;
  const std::size_t i0 = best_of(p, n, kSameDepth, [&](const ManifoldPoint& q) {
    return is_deep(q) ? (q.point - middle).norm() : -std::numeric_limits<double>::infinity();
  });
  const Vec3 normal = p[i0].normal, origin = p[i0].point;
  const auto height = [&](const ManifoldPoint& q) { return 2.0 * std::max(0.0, q.gap - lowest - kSameDepth); };
  const auto offset = [&](const ManifoldPoint& q) -> Vec3 {
    const Vec3 d = q.point - origin;
    return d - normal.dot(d) * normal;
  };
  double extent = 0.0;
  for (std::size_t i = 0; i < n; ++i) extent = std::max(extent, offset(p[i]).norm());
  const double tolerance = 1e-6 * extent;
  const std::size_t i1 = best_of(p, n, tolerance, [&](const ManifoldPoint& q) { return offset(q).norm() - height(q); });
  const Vec3 line = offset(p[i1]);
  const Vec3 side = line.norm() > 0.0 ? Vec3(normal.cross(line).normalized()) : Vec3(normal.unitOrthogonal());
  const std::size_t i2 =
      best_of(p, n, tolerance, [&](const ManifoldPoint& q) { return side.dot(offset(q)) - height(q); });
  const std::size_t i3 =
      best_of(p, n, tolerance, [&](const ManifoldPoint& q) { return -side.dot(offset(q)) - height(q); });
  std::array<std::size_t, 4> keep{i0, i1, i2, i3};
  std::sort(keep.begin(), keep.end());
  const auto end = std::unique(keep.begin(), keep.end());
  std::size_t kept = 0;
  for (auto it = keep.begin(); it != end; ++it) p[kept++] = p[*it];
  out.resize(first + kept);
}

}  // namespace stiction
