// SPDX-License-Identifier: BSD-2-Clause
// Pairs of hulls of 200 vertices, placed at random, and the same as a scene of MuJoCo.
#pragma once

#include <stiction/geometry/support.h>

#include <string>
#include <vector>

namespace stiction::bench {

struct PlacedPair {
  Pose a, b;
};
struct Case {
  std::string name;
  std::vector<PlacedPair> pairs;
};

inline constexpr double kMargin = 1e-3;  // contacts are looked for this far ahead [m]

Shape random_hull(unsigned seed, const Vec3& scale);

// Apart by 5 to 20 mm, or overlapping by up to 1 mm.
std::vector<Case> make_cases(const Shape& a, const Shape& b, int count);

// Every pair of the case as two bodies with an explicit <pair>, so that nothing else is collided.
void write_mjcf(const std::string& path, const Shape& a, const Shape& b, const Case& pairs);

}  // namespace stiction::bench
