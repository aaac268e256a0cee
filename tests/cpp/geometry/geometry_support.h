// SPDX-License-Identifier: BSD-2-Clause
// Random poses and shapes, and the short way to a manifold.
#pragma once

#include <stiction/geometry/narrow_phase.h>

#include <algorithm>
#include <random>
#include <vector>

namespace stiction::test {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  Vec3 vec(double scale) { return {real(-scale, scale), real(-scale, scale), real(-scale, scale)}; }
  Vec3 unit() {
    std::normal_distribution<double> n;
    const Vec3 v(n(engine_), n(engine_), n(engine_));
    return v.normalized();
  }
  Mat3 rotation() {
    std::normal_distribution<double> n;
    const double w = n(engine_), x = n(engine_), y = n(engine_), z = n(engine_);
    return Quat(w, x, y, z).normalized().toRotationMatrix();
  }
  Pose pose(double scale) { return {rotation(), vec(scale)}; }

 private:
  std::mt19937 engine_;
};

inline Pose at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }
inline Mat3 turn(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

inline std::vector<ManifoldPoint> collide(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                                          double margin) {
  static NarrowPhase narrow;
  std::vector<ManifoldPoint> out;
  narrow.collide(a, pa, b, pb, margin, 0, Vec3::Zero(), out);
  return out;
}

inline double lowest_gap(const std::vector<ManifoldPoint>& points) {
  double gap = std::numeric_limits<double>::infinity();
  for (const ManifoldPoint& p : points) gap = std::min(gap, p.gap);
  return gap;
}

inline std::vector<std::uint32_t> features(const std::vector<ManifoldPoint>& points) {
  std::vector<std::uint32_t> out;
  for (const ManifoldPoint& p : points) out.push_back(p.feature);
  std::sort(out.begin(), out.end());
  return out;
}

inline Shape rock(unsigned seed, int points = 20) {
  Dice dice(seed);
  std::vector<Vec3> cloud;
  for (int i = 0; i < points; ++i) cloud.push_back(0.2 * dice.unit().cwiseProduct(Vec3(1.0, 0.7, 0.5)));
  return make_convex(cloud);
}

// A floor of n x n cells in [−size/2, size/2]², at height f(x, y).
template <class Height>
Shape floor_mesh(int n, double size, const Height& f) {
  std::vector<Vec3> v;
  std::vector<Eigen::Vector3i> t;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double x = (static_cast<double>(j) / n - 0.5) * size, y = (static_cast<double>(i) / n - 0.5) * size;
      v.emplace_back(x, y, f(x, y));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int a = i * (n + 1) + j, b = a + 1, c = a + n + 2, d = a + n + 1;
      t.emplace_back(a, b, c);
      t.emplace_back(a, c, d);
    }
  return make_mesh(v, t);
}

}  // namespace stiction::test
