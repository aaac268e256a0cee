// SPDX-License-Identifier: BSD-2-Clause
// The path of a spatial tendon: straight lines between points of bodies, and curves around spheres and cylinders. Curves have no part in
// the derivative of L: their ends move along the surface to where L is stationary. So with unit vectors n along the lines
//   L̇ = Σ share n · (velocity of the line's end − velocity of its beginning)
#pragma once

#include <stiction/model/tendons/wrap.h>
#include <stiction/model/world/world.h>

namespace stiction {

struct TendonLine {
  BodyId body_a, body_b;
  Vec3 a, b;     // world axes
  double share;  // 1 / divisor of the last pulley
};

// Calls line(TendonLine) for every straight line and returns L. pose_of(body): its pose in the world, also of kWorldBody.
template <class PoseOf, class Line>
double walk_tendon(const Tendon& tendon, const PoseOf& pose_of, const Line& line) {
  const auto& path = tendon.path;
  const auto point = [&](const PathPoint& p) { return Vec3(pose_of(p.body) * p.placement.translation); };
  double length = 0.0, share = 1.0;
  const auto straight = [&](BodyId body_a, const Vec3& a, BodyId body_b, const Vec3& b) {
    length += share * (b - a).norm();
    line(TendonLine{body_a, body_b, a, b, share});
  };
  for (std::size_t i = 0; i + 1 < path.size();) {
    const PathPoint& from = path[i];
    const PathPoint& next = path[i + 1];
    if (from.kind == PathPoint::pulley) share = 1.0 / from.size;
    if (from.kind == PathPoint::pulley || next.kind == PathPoint::pulley) {
      ++i;
      continue;
    }
    const bool around = next.kind != PathPoint::site;
    const PathPoint& to = around ? path[i + 2] : next;
    i += around ? 2 : 1;
    const Vec3 a = point(from), b = point(to);
    std::optional<Wrap> way;
    if (around) {
      const WrapBody body{pose_of(next.body) * next.placement, next.size, next.kind == PathPoint::cylinder};
      const Vec3 side = next.sided ? Vec3(pose_of(next.side_body) * next.side) : Vec3(Vec3::Zero());
      way = wrap(a, b, body, next.sided ? &side : nullptr);
    }
    if (!way) {
      straight(from.body, a, to.body, b);
      continue;
    }
    straight(from.body, a, next.body, way->first);
    length += share * way->length;
    straight(next.body, way->last, to.body, b);
  }
  return length;
}

}  // namespace stiction
