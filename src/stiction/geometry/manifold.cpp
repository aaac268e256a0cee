// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/geometry/manifold.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// Index of the largest score; nearly equal scores go to the first, that is to the lowest feature.
template <class Score>
std::size_t best_of(const ManifoldPoint* points, std::size_t n, double tolerance, const Score& score) {
  constexpr std::size_t kMany = 64;  // scores that are kept; more are computed twice
  std::array<double, kMany> kept;
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double s = score(points[i]);
    top = std::max(top, s);
    if (i < kMany) kept[i] = s;
  }
  for (std::size_t i = 0; i < n; ++i)
    if ((i < kMany ? kept[i] : score(points[i])) >= top - tolerance) return i;
  return 0;
}

}  // namespace

void reduce_to_four(std::vector<ManifoldPoint>& out, std::size_t first) {
  const std::size_t n = out.size() - first;
  if (n <= 4) return;
  ManifoldPoint* const p = out.data() + first;
  const auto by_feature = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; };
  if (!std::is_sorted(p, p + n, by_feature)) std::sort(p, p + n, by_feature);
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

namespace {

constexpr std::size_t kMostOfPatch = 8;
constexpr double kPatch = 0.86602540378443864676;  // cosine of 30°

// Which of n points of a patch stay: moves them to the front and returns their number.
std::size_t keep_of_patch(ManifoldPoint* p, std::size_t n, const ManifoldPoint& deepest) {
  const Vec3 u = deepest.normal.unitOrthogonal(), v = deepest.normal.cross(u), origin = deepest.point;
  double extent = 0.0;
  for (std::size_t i = 0; i < n; ++i) extent = std::max(extent, (p[i].point - origin).norm());
  std::array<std::size_t, kMostOfPatch> kept;
  kept[0] = best_of(p, n, 0.0, [&](const ManifoldPoint& q) { return -q.gap; });
  for (std::size_t k = 1; k < kMostOfPatch; ++k) {
    const double phi = 2.0 * M_PI * static_cast<double>(k) / (kMostOfPatch - 1);
    const Vec3 d = std::cos(phi) * u + std::sin(phi) * v;
    kept[k] = best_of(p, n, 1e-6 * extent, [&](const ManifoldPoint& q) {
      return d.dot(q.point - origin) - 2.0 * std::max(0.0, q.gap - deepest.gap - kSameDepth);
    });
  }
  std::sort(kept.begin(), kept.end());
  const auto end = std::unique(kept.begin(), kept.end());
  std::size_t count = 0;
  for (auto it = kept.begin(); it != end; ++it) p[count++] = p[*it];
  return count;
}

}  // namespace

void reduce_patches(std::vector<ManifoldPoint>& out, std::size_t first) {
  const auto no_direction = [](const ManifoldPoint& q) {
    return !(q.normal.squaredNorm() > 0.5);
  };  // it is in no patch
  out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), no_direction), out.end());
  if (out.size() - first <= kMostOfPatch) return;
  const auto by_feature = [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; };
  std::size_t kept = first, begin = first;
  while (begin < out.size()) {
    ManifoldPoint *const p = out.data() + begin, *const end = out.data() + out.size();
    const ManifoldPoint deepest = *std::min_element(p, end, [](const ManifoldPoint& a, const ManifoldPoint& b) {
      return a.gap != b.gap ? a.gap < b.gap : a.feature < b.feature;
    });
    const auto in_patch = [&](const ManifoldPoint& q) { return q.normal.dot(deepest.normal) >= kPatch; };
    std::size_t n = static_cast<std::size_t>(std::partition(p, end, in_patch) - p);
    begin += n;
    std::sort(p, p + n, by_feature);
    if (n > kMostOfPatch) n = keep_of_patch(p, n, deepest);
    std::copy(p, p + n, out.begin() + static_cast<std::ptrdiff_t>(kept));
    kept += n;
  }
  out.resize(kept);
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), by_feature);
}

}  // namespace stiction
