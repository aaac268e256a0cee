// SPDX-License-Identifier: BSD-2-Clause
// Rows of a tendon. Its Jacobian touches the chains of its joints or of the bodies on its path; a block of rows has at the most two chains
// (dynamics/contact/rows.h), so limits, dry friction, armature, implicit forces and equalities need tendons on two chains or fewer.
#pragma once

#include <stiction/model/world/world.h>

#include <algorithm>
#include <vector>

namespace stiction {

inline constexpr int kTendonRows = 3;  // remembered per tendon: limit, dry friction, what is implicit
inline constexpr std::size_t kMostChains = 2;

// Bodies that move the tendon, of its joints or of its path.
inline void add_tendon_bodies(const Tendon& t, std::vector<BodyId>& out) {
  for (const TendonJoint& j : t.joints) out.push_back(j.body);
  for (const PathPoint& p : t.path)
    if (p.kind != PathPoint::pulley && p.body != kWorldBody) out.push_back(p.body);
}

// Those of the list whose chains hold all of it, none of them above another one. Ascending.
inline std::vector<BodyId> chain_ends(const std::vector<Body>& bodies, std::vector<BodyId> ends) {
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const std::vector<BodyId> all = ends;
  for (const BodyId end : all)
    for (BodyId b = bodies[end].parent; b != kWorldBody; b = bodies[b].parent) std::erase(ends, b);
  return ends;
}

inline std::vector<BodyId> tendon_ends(const std::vector<Body>& bodies, const Tendon& t) {
  std::vector<BodyId> all;
  add_tendon_bodies(t, all);
  return chain_ends(bodies, std::move(all));
}

// Of both tendons of an equality; b = −1: of a alone.
inline std::vector<BodyId> tendon_ends(const std::vector<Body>& bodies, const std::vector<Tendon>& tendons, int a,
                                       int b) {
  std::vector<BodyId> all;
  add_tendon_bodies(tendons[static_cast<std::size_t>(a)], all);
  if (b >= 0) add_tendon_bodies(tendons[static_cast<std::size_t>(b)], all);
  return chain_ends(bodies, std::move(all));
}

// A site at both ends of the path and of each of its parts between pulleys; spheres and cylinders between two sites.
inline bool is_tendon_path(const std::vector<PathPoint>& path) {
  const auto is = [&path](std::size_t i, PathPoint::Kind kind) { return i < path.size() && path[i].kind == kind; };
  std::size_t sites = 0;  // of this part
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPoint& p = path[i];
    if (p.kind > PathPoint::pulley || !(p.size > 0.0)) return false;
    if (p.kind == PathPoint::site) {
      ++sites;
    } else if (p.kind == PathPoint::pulley) {
      if (sites == 1 || !is(i + 1, PathPoint::site)) return false;
      sites = 0;
    } else if (i == 0 || !is(i - 1, PathPoint::site) || !is(i + 1, PathPoint::site)) {
      return false;
    }
  }
  return sites >= 2;
}

inline bool tendon_needs_rows(const Tendon& t) {
  return t.range[0] > -kInfinity || t.range[1] < kInfinity || t.dry_friction > 0.0 || t.armature > 0.0;
}

}  // namespace stiction
