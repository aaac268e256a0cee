// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/place_geoms.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kChange = 0.1;  // of its speed: a change of velocity within a step that is no surprise

Vec3 middle_of(const Ball& ball, const Pose& pose) {
  return ball.centre.isZero() ? pose.translation : Vec3(pose * ball.centre);
}

// How far the bodies of geoms have turned since the last look.
void turn_bodies(const Layout& layout, const DetectionPlan& plan, const Kinematics& k, DetectionWork& work) {
  BodyId last = kWorldBody;
  for (const int i : plan.moving) {
    const BodyId body = plan.body[i];
    if (body == last) continue;
    last = body;
    BodyTurn& t = work.ahead.turns[body];
    const Mat3 rotation = k.base[layout.bodies[body].tree].rotation * k.bodies[body].R;
    t.turn = std::sqrt(0.5 * (rotation - t.rotation).squaredNorm());
    t.rotation = rotation;
    if (!layout.bodies[body].floating) continue;
    t.turn_from_base = std::sqrt(0.5 * (k.bodies[body].R - t.from_base).squaredNorm());
    t.from_base = k.bodies[body].R;
  }
}

// The same motion seen from the base of a floating tree.
void place_within(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
                  int i, DetectionWork& work) {
  const BodyId body = plan.body[i];
  const BodyData &data = k.bodies[body], &root = k.bodies[world.trees[layout.bodies[body].tree].first_body];
  const double radius = plan.balls[i].radius;
  const Vec3 centre = data.R * plan.centres[i] + data.p;
  work.schedule.move(PairSchedule::within, i,
                     (centre - work.ahead.from_base[i]).norm() + plan.swing[i] * work.ahead.turns[body].turn_from_base);
  work.ahead.from_base[i] = centre;
  const Vec3 spin = data.w - root.w, velocity = data.v - root.v + spin.cross(centre);
  work.ahead.way_within[i] = dt * (velocity.norm() + radius * spin.norm());
}

void resize_detection(const World& world, const DetectionPlan& plan, DetectionWork& work) {
  const std::size_t n = world.geoms.size();
  work.schedule.resize(n, plan.groups);
  if (work.poses.size() == n && work.ahead.motion.size() == n) return;
  LookAhead& ahead = work.ahead;
  work.poses.resize(n), ahead.motion.assign(n, {}), ahead.way.assign(n, 0.0), ahead.slack.assign(n, 0.0);
  ahead.demand.resize(n, 0.0);
  ahead.way_within.assign(n, 0.0), ahead.from_base.assign(n, Vec3::Zero()), ahead.turns.assign(world.bodies.size(), {});
  for (std::size_t i = 0; i < n; ++i) {
    if (world.geoms[i].body != kWorldBody) continue;
    work.poses[i] = world.geoms[i].placement;
    ahead.motion[i].centre = middle_of(plan.balls[i], work.poses[i]);
  }
}

}  // namespace

void place_geoms(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
                 double margin, DetectionWork& work) {
  resize_detection(world, plan, work);
  LookAhead& ahead = work.ahead;
  const double fall = dt * world.gravity.norm();
  work.schedule.begin();
  turn_bodies(layout, plan, k, work);
  for (const int i : plan.moving) {
    const Geom& g = world.geoms[i];
    const BodyData& data = k.bodies[g.body];
    const Pose& base = k.base[layout.bodies[g.body].tree];
    Pose& pose = work.poses[i];
    pose.translation = base.rotation * (data.R * g.placement.translation + data.p) + base.translation;
    if (plan.swing[i] > 0.0) pose.rotation = ahead.turns[g.body].rotation * g.placement.rotation;
    GeomMotion& motion = ahead.motion[i];
    const Vec3 centre = middle_of(plan.balls[i], pose);
    work.schedule.move(PairSchedule::across, i,
                       (centre - motion.centre).norm() + plan.swing[i] * ahead.turns[g.body].turn);
    motion.centre = centre;
    motion.spin = base.rotation * data.w;
    motion.velocity = base.rotation * data.v + motion.spin.cross(motion.centre - base.translation);
    const double speed = fastest_point(motion, plan.balls[i].radius);
    ahead.way[i] = dt * speed;
    ahead.slack[i] = std::max({dt * (kChange * speed + fall), 0.5 * margin, ahead.demand[i]});
    if (layout.bodies[g.body].floating) place_within(world, layout, plan, k, dt, i, work);
  }
  work.schedule.end();
}

}  // namespace stiction
