// SPDX-License-Identifier: BSD-2-Clause
// Rows of a tendon. Its Jacobian touches the chains of its joints; a block of rows has at the most two chains (dynamics/contact/rows.h), so
// limits, dry friction, armature, implicit forces and equalities need tendons whose joints lie on two chains or fewer.
#pragma once

#include <stiction/model/world/world.h>

#include <algorithm>
#include <vector>

namespace stiction {

inline constexpr int kTendonRows = 3;  // remembered per tendon: limit, dry friction, what is implicit
inline constexpr std::size_t kMostChains = 2;

// Bodies whose chains hold all joints of the list, none of them above another one. Ascending.
inline std::vector<BodyId> tendon_ends(const std::vector<Body>& bodies, const std::vector<TendonJoint>& joints) {
  std::vector<BodyId> ends;
  for (const TendonJoint& j : joints) ends.push_back(j.body);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const std::vector<BodyId> all = ends;
  for (const BodyId end : all)
    for (BodyId b = bodies[end].parent; b != kWorldBody; b = bodies[b].parent) std::erase(ends, b);
  return ends;
}

// Of the joints of one tendon, or of both tendons of an equality; b = −1: of a alone.
inline std::vector<BodyId> tendon_ends(const std::vector<Body>& bodies, const std::vector<Tendon>& tendons, int a,
                                       int b) {
  std::vector<TendonJoint> joints = tendons[static_cast<std::size_t>(a)].joints;
  if (b >= 0) {
    const std::vector<TendonJoint>& more = tendons[static_cast<std::size_t>(b)].joints;
    joints.insert(joints.end(), more.begin(), more.end());
  }
  return tendon_ends(bodies, joints);
}

inline bool tendon_needs_rows(const Tendon& t) {
  return t.range[0] > -kInfinity || t.range[1] < kInfinity || t.dry_friction > 0.0 || t.armature > 0.0;
}

}  // namespace stiction
