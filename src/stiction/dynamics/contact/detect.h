// SPDX-License-Identifier: BSD-2-Clause
// All contact points of a world at the present configuration, and their identity from step to step.
// Pairs are looked at as far as look_ahead.h says: a contact is known before it closes.
//                                                                        docs/laws.md, "Look-ahead"; contact frames there too
#pragma once

#include <stiction/base/thread_pool.h>
#include <stiction/dynamics/contact/look_ahead.h>
#include <stiction/dynamics/contact/pair_schedule.h>
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
  std::vector<Pair> direct;  // looked at one by one: half-spaces, and all pairs of small worlds
  std::vector<int> swept;    // geoms that go through the broad phase; empty for small worlds
  std::vector<Ball> balls;   // per geom: bounding ball in the geom's frame
  double extent = 0.0;  // no point is farther from its tree's base: the sum of all lengths (∞ with sliding joints) [m]
  std::vector<char> needed;    // per geom: whether its pose and speed are computed
  double margin = 0.0;         // largest PairMaterial::margin [m]
  bool any_direction = false;  // contacts act on points that move along each other as well (law `convex`)
  bool allowed(const World& world, int geom_a, int geom_b) const;
};

// What a thread needs to look at pairs, and what it finds.
struct DetectionShare {
  NarrowPhase narrow_phase;
  std::vector<ManifoldPoint> manifold;
  std::vector<Contact> contacts;
  std::vector<SkippedPoint> skipped;
};

struct DetectionWork {
  std::vector<Pose> poses;  // per geom, world
  LookAhead ahead;
  std::vector<Aabb> boxes;  // per swept geom
  std::vector<std::pair<int, int>> pairs;
  struct Candidate {
    DetectionPlan::Pair pair;
    int direct;  // its number in DetectionPlan::direct, or −1
    double far;  // looked at up to this distance [m]
  };
  std::vector<Candidate> found, merged, candidates;  // of the broad phase; scratch; all, in key order
  PairSchedule schedule;                             // of the direct pairs
  std::vector<int> due;                              // direct pairs that may be near
  BroadPhase broad_phase;
  DetectionShare first;                // of the calling thread
  ThreadPool* pool = nullptr;          // null: one thread
  std::vector<DetectionShare> others;  // of the other threads
};

// Bound of the speed at which a pair of geoms can approach, with these motions.
double closing_speed(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const std::vector<GeomMotion>& motion, const DetectionPlan::Pair& pair);

// Lower bound of the distance of two geoms, or of a half-space and one, by their bounding balls.
double ball_distance(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const DetectionPlan::Pair& pair);
// How far detect() looks at a pair: with its velocities in any direction, which costs nothing; of pairs whose balls are nearer, by
// the speed at which they can approach.
double farthest_look(const LookAhead& ahead, const DetectionPlan::Pair& pair, double margin);
double look_distance(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const DetectionPlan::Pair& pair, double dt, double margin);

// Fills `contacts`, sorted by key. `margin`: smallest look-ahead distance. `memory`: contacts of the last step, sorted by key,
// whose normals are where the search starts.
void detect(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
            double margin, DetectionWork& work, std::vector<Contact>& contacts,
            const std::vector<ContactRecord>& memory = {});

// Only those that are closed, gap ≤ 0: no look-ahead.
void detect_closed(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                   DetectionWork& work, std::vector<Contact>& contacts);

// Forgets the demands of the last step; call before the first look.
void reset_look_ahead(const World& world, DetectionWork& work);
// Whether the internal velocities after the solve, v instead of `before`, let a contact close that detect() left out. Records
// what a second look must allow for.
bool outran_look_ahead(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                       const double* before, const double* v, double dt, double margin, DetectionWork& work);

}  // namespace stiction
