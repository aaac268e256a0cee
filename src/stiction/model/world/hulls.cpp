// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/world/hulls.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// The points farthest out in n directions spread evenly over the sphere (golden spiral): an inner approximation.
std::vector<Vec3> outermost(const std::vector<Vec3>& points, int n) {
  std::vector<std::size_t> chosen;
  for (int i = 0; i < n; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / n, angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
    const double r = std::sqrt(1.0 - z * z);
    const Vec3 d(r * std::cos(angle), r * std::sin(angle), z);
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
      if (points[k].dot(d) > points[best].dot(d)) best = k;
    chosen.push_back(best);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Vec3> out;
  for (const std::size_t k : chosen) out.push_back(points[k]);
  return out;
}

}  // namespace

std::vector<Shape> moving_hulls(const TriangleMesh& mesh, const std::string& place,
                                std::vector<std::string>& warnings) {
  const std::string text = place + ": the mesh moves and is replaced by ";
  try {
    std::vector<Shape> parts = convex_parts(mesh);
    if (parts.empty()) throw InvalidInput("no parts");
    warnings.push_back(text + "the convex hulls of its " + std::to_string(parts.size()) + " connected part(s)");
    return parts;
  } catch (const InvalidInput&) {
  }
  try {
    std::vector<Shape> whole{make_convex(mesh.vertices)};
    warnings.push_back(text + "one convex hull: its connected parts are not all solid");
    return whole;
  } catch (const InvalidInput&) {
  }
  try {
    std::vector<Shape> whole{make_convex(outermost(mesh.vertices, 128))};
    warnings.push_back(text + "the convex hull of its outermost points: the full hull has too many corners");
    return whole;
  } catch (const InvalidInput& e) {
    warnings.push_back(place + ": the mesh moves but has no convex hull and is left out (" + e.what() + ")");
    return {};
  }
}

}  // namespace stiction
