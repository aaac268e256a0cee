// SPDX-License-Identifier: BSD-2-Clause
// Small tools that every pair shares: emitting a point, choosing four of many.
#pragma once

#include <stiction/geometry/narrow_phase.h>

#include <cmath>
#include <vector>

namespace stiction {

inline constexpr double kTie = 1e-9;        // gaps that differ by less are equal [m]
inline constexpr double kSameDepth = 1e-6;  // points this close in depth are one flat face [m]

// How far from the signed distance s the lowest gap of a face's manifold may be for the manifold to be preferred to the one
// point that realises s: a tilt of 0.04 rad.
inline constexpr double kSimilar = 0.999;  // cosine of the angle between the two normals
inline double face_slack(double s) { return 1e-6 + 1e-3 * std::abs(s); }

// x is the witness on shape b, x − gap·normal the one on shape a; the contact sits in the middle.
inline void emit(std::vector<ManifoldPoint>& out, const Vec3& x, const Vec3& normal, double gap,
                 std::uint32_t feature) {
  out.push_back({x - (0.5 * gap) * normal, normal, gap, feature});
}

// Keeps at most four of out[first …), all with about the same normal, in the order of their features:
//   1. of the deepest (within kSameDepth) the farthest from their middle,  2. the farthest from 1,
//   3, 4. the farthest from the line 1-2 on either side.
// Each is a corner of the patch. Distances are tangential, less twice the height above the deepest: points that are far
// above matter less.
// Ties (relative 1e-6) go to the lowest feature, so that noise does not change the choice.
void reduce_to_four(std::vector<ManifoldPoint>& out, std::size_t first);

// Keeps at most eight points of out[first …) per patch, in the order of their features. A patch is the deepest point that is
// left and all whose normals are within 30° of its own. Of more than eight the deepest stays and, for each of seven
// directions in its tangent plane, the farthest point (less twice the height above the deepest; ties as above). So the
// polygon that carries torques keeps its extent along these: no point of the patch is farther from the kept polygon than a
// quarter of the patch's diameter, on round patches a tenth of the radius.
void reduce_patches(std::vector<ManifoldPoint>& out, std::size_t first);

}  // namespace stiction
