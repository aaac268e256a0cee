// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/detect.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Bound of the change of speed of any point: every velocity counts fully, over the length of the largest tree.
double largest_change(const DetectionPlan& plan, const double* before, const double* v, int nv) {
  double sum = 0.0;
  for (int i = 0; i < nv; ++i) sum += std::abs(v[i] - before[i]);
  return sum * std::max(1.0, plan.extent);
}

// Twists of all bodies at internal velocities v.
void body_velocities(const Layout& layout, const Kinematics& k, const double* v, LookAhead& ahead) {
  ahead.body_v.resize(layout.bodies.size()), ahead.body_w.resize(layout.bodies.size());
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyPlan& body = layout.bodies[i];
    const bool root = body.parent == kWorldBody;
    Vec3 lin = root ? Vec3(Vec3::Zero()) : ahead.body_v[body.parent];
    Vec3 ang = root ? Vec3(Vec3::Zero()) : ahead.body_w[body.parent];
    if (body.code == JointCode::root_free) {
      for (int d = 0; d < 3; ++d) lin[d] = v[body.v + d], ang[d] = v[body.v + 3 + d];
    } else {
      for (int d = body.v; d < body.v + body.nv; ++d) {
        const Column& s = k.columns[d];
        lin += s.lin * v[d], ang += s.ang * v[d];
      }
    }
    ahead.body_v[i] = lin, ahead.body_w[i] = ang;
  }
}

bool moves(const World& world, const DetectionPlan& plan, std::size_t geom) {
  return plan.needed[geom] && world.geoms[geom].body != kWorldBody;
}

// ahead.after of a geom, with the twists of the bodies.
void move_after(const World& world, const Layout& layout, const Kinematics& k, std::size_t geom, LookAhead& ahead) {
  GeomMotion& out = ahead.after[geom];
  out.centre = ahead.motion[geom].centre;
  const BodyId body = world.geoms[geom].body;
  const Pose& base = k.base[layout.bodies[body].tree];
  out.spin = base.rotation * ahead.body_w[body];
  out.velocity = base.rotation * ahead.body_v[body] + out.spin.cross(out.centre - base.translation);
}

// How geoms move at the end, which of them changed their velocity by more than their slack, and what these ask for.
bool find_changed(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
                  LookAhead& ahead) {
  bool any = false;
  ahead.changed.assign(world.geoms.size(), 0);
  if (ahead.after.size() != world.geoms.size()) ahead.after = ahead.motion;  // what never moves stays so
  for (std::size_t i = 0; i < world.geoms.size(); ++i) {
    if (!moves(world, plan, i)) continue;
    move_after(world, layout, k, i, ahead);
    const GeomMotion &now = ahead.motion[i], &after = ahead.after[i];
    const GeomMotion change{now.centre, after.velocity - now.velocity, after.spin - now.spin};
    const double way = dt * fastest_point(change, plan.balls[i].radius);
    if (way <= ahead.slack[i]) continue;
    ahead.demand[i] = 1.5 * way;
    ahead.changed[i] = any = true;
  }
  return any;
}

// A pair comes nearer with the new velocities than it was looked at, and something of it is as near. The answer depends on poses and
// velocities alone: what is remembered of pairs only says which of them need no look.
bool nears_unseen(const World& world, const DetectionPlan& plan, const DetectionPlan::Pair& pair, double dt,
                  double margin, DetectionWork& work) {
  const auto [a, b] = pair;
  if (!work.ahead.changed[a] && !work.ahead.changed[b]) return false;
  const double touch = plan.margin > 0.0 ? world.material(a, b).margin : 0.0;
  const double balls = ball_distance(world, plan, work, pair);
  const double near = dt * closing_speed(world, plan, work, work.ahead.after, pair);
  if (balls > near + touch) return false;
  const double farthest = farthest_look(work.ahead, pair, margin);
  if (near <= (balls > farthest + touch ? farthest : look_distance(world, plan, work, pair, dt, margin))) return false;
  work.first.manifold.clear();
  work.first.narrow_phase.collide(world.geoms[a].shape, work.poses[a], world.geoms[b].shape, work.poses[b],
                                  near + touch, (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint32_t>(b),
                                  Vec3::Zero(), work.first.manifold);
  return !work.first.manifold.empty();
}

// With the new velocities: a geom that leaves the box of its broad phase, a pair that comes nearer than it was looked at, or a
// skipped point that closes.
bool closes_unseen(const World& world, const DetectionPlan& plan, double dt, double margin, DetectionWork& work) {
  const LookAhead& ahead = work.ahead;
  double longest = 0.0;
  for (std::size_t i = 0; i < world.geoms.size(); ++i) {
    if (!moves(world, plan, i)) continue;
    const double way = dt * fastest_point(ahead.after[i], plan.balls[i].radius);
    longest = std::max(longest, way);
    if (ahead.changed[i] && !plan.swept.empty() && way > ahead.way[i] + ahead.slack[i]) return true;
  }
  for (const DetectionWork::Candidate& c : work.candidates)
    if (c.direct < 0 && nears_unseen(world, plan, c.pair, dt, margin, work)) return true;
  const double reach = 2.0 * longest + plan.margin;
  work.schedule.find_due(reach, work.due);
  for (const int n : work.due) {
    const DetectionPlan::Pair& pair = plan.direct[n];
    if (work.schedule.distance(n, pair.a, pair.b) <= reach && nears_unseen(world, plan, pair, dt, margin, work))
      return true;
  }
  return std::any_of(ahead.skipped.begin(), ahead.skipped.end(), [&](const SkippedPoint& p) {
    if (!ahead.changed[p.a] && !ahead.changed[p.b]) return false;
    const Vec3 u = relative_velocity(ahead.after[p.a], ahead.after[p.b], p.point);
    return p.gap < dt * (plan.any_direction ? u.norm() : -p.normal.dot(u));
  });
}

}  // namespace

double approach_speed(const GeomMotion& a, const GeomMotion& b, const Vec3& centre, double r, const Vec3* normal) {
  const Vec3 u = relative_velocity(a, b, centre), w = b.spin - a.spin;
  if (normal == nullptr) return u.norm() + w.norm() * r;
  return std::max(0.0, -normal->dot(u)) + w.cross(*normal).norm() * r;
}

double closing_speed(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const std::vector<GeomMotion>& motion, const DetectionPlan::Pair& pair) {
  const auto [a, b] = pair;
  const bool plane = world.geoms[a].shape.kind == ShapeKind::half_space && !plan.any_direction;
  const Vec3 normal = work.poses[a].rotation.col(2);
  const int small = plan.balls[b].radius <= plan.balls[a].radius ? b : a;  // contact points lie in its ball
  return approach_speed(motion[a], motion[b], motion[small].centre, plan.balls[small].radius,
                        plane ? &normal : nullptr);
}

void reset_look_ahead(const World& world, DetectionWork& work) { work.ahead.demand.assign(world.geoms.size(), 0.0); }

bool outran_look_ahead(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                       const double* before, const double* v, double dt, double margin, DetectionWork& work) {
  LookAhead& ahead = work.ahead;
  if (dt * largest_change(plan, before, v, world.nv) <= 0.5 * margin) return false;
  body_velocities(layout, k, v, ahead);
  return find_changed(world, layout, plan, k, dt, ahead) && closes_unseen(world, plan, dt, margin, work);
}

}  // namespace stiction
