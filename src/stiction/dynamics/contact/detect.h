// SPDX-License-Identifier: BSD-2-Clause
// All contact points of a world at the present configuration, and their identity from step to step.
// The look-ahead margin of a pair is max(margin, dt · bound of its closing speed): a contact is known before it closes. The
// speeds are those at the start of the step, half as much again and what gravity adds; impulses may exceed them (a ball hit by
// another one), so outran_look_ahead() asks after the solve whether a second look with the new speeds is due.
//                                                                        docs/laws.md, "Look-ahead"; contact frames there too
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/geometry/broad_phase.h>
#include <stiction/geometry/narrow_phase.h>
#include <stiction/model/world/state.h>

#include <vector>

namespace stiction {

struct Contact {
  BodyId a, b;  // a is static or the lower id; the normal points from a to b
  ContactKey key;
  Vec3 point, normal;
  double gap;           // negative is overlap [m]
  Mat3 frame;           // rows T1, T2, N in world axes
  double force[3];      // of the last step in this frame, zero if new [N]
  std::uint32_t flags;  // kOpen, kStuck of the last step
  bool known;           // was there in the last step
};

// Which pairs are looked at, computed once per world.
struct DetectionPlan {
  explicit DetectionPlan(const World& world);

  struct Pair {
    int a, b;  // geoms; a's body is static or lower
  };
  std::vector<Pair> direct;   // always tested one by one: half-spaces, and all pairs of small worlds
  std::vector<int> swept;     // geoms that go through the broad phase; empty for small worlds
  std::vector<double> reach;  // per geom: distance of its farthest point from the body origin
  std::vector<Ball> balls;    // per geom: bounding ball in the geom's frame
  double extent = 0.0;  // no point is farther from its tree's base: the sum of all lengths (∞ with sliding joints) [m]
  std::vector<char> needed;  // per geom: whether its pose and speed are computed
  double margin = 0.0;       // largest PairMaterial::margin [m]
  bool allowed(const World& world, int geom_a, int geom_b) const;
};

struct DetectionWork {
  std::vector<Pose> poses;           // per geom, world
  std::vector<Vec3> centres;         // per geom: centre of its bounding ball, world
  std::vector<double> speed;         // per geom: bound of its points' speed, that the last detection relied on [m/s]
  std::vector<double> demand;        // per geom: speed that a second look must allow for; zero at first [m/s]
  std::vector<Vec3> body_v, body_w;  // per body: velocity after the solve, as BodyData's
  std::vector<Aabb> boxes;           // per swept geom
  std::vector<std::pair<int, int>> pairs;
  std::vector<DetectionPlan::Pair> found, candidates;  // of the broad phase; all, in key order
  std::vector<ManifoldPoint> manifold;
  BroadPhase broad_phase;
  NarrowPhase narrow_phase;
};

// Fills `contacts`, sorted by key. `margin`: smallest look-ahead distance.
void detect(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
            double margin, DetectionWork& work, std::vector<Contact>& contacts);

// Only those that are closed, gap ≤ 0: no look-ahead.
void detect_closed(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                   DetectionWork& work, std::vector<Contact>& contacts);

// Forgets the demands of the last step; call before the first look.
void reset_look_ahead(const World& world, DetectionWork& work);
// Whether some geom moves, with the internal velocities v after the solve, faster than detect() allowed for. Records what a
// second look must allow for.
bool outran_look_ahead(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                       const double* v, double dt, double margin, DetectionWork& work);

}  // namespace stiction
