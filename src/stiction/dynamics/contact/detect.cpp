// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/detect.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace stiction {
namespace {

constexpr double kChange = 0.1;             // of its speed: a change of velocity within a step that is no surprise
constexpr int kFewestCandidates = 200;      // worth a round of threads
constexpr std::size_t kDirectPairs = 2048;  // below this many pairs the broad phase costs more than it saves

const Geom& geom(const World& world, int i) { return world.geoms[i]; }

bool is_half_space(const World& world, int i) { return geom(world, i).shape.kind == ShapeKind::half_space; }

// Puts the static or lower body first.
DetectionPlan::Pair ordered(const World& world, int i, int j) {
  const BodyId bi = geom(world, i).body, bj = geom(world, j).body;
  return bi < bj || (bi == bj && i < j) ? DetectionPlan::Pair{i, j} : DetectionPlan::Pair{j, i};
}

bool by_key(const DetectionPlan::Pair& x, const DetectionPlan::Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

Vec3 middle_of(const Ball& ball, const Pose& pose) {
  return ball.centre.isZero() ? pose.translation : Vec3(pose * ball.centre);
}

void place_geoms(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
                 double margin, DetectionWork& work) {
  LookAhead& ahead = work.ahead;
  const double fall = dt * world.gravity.norm();
  work.schedule.begin();
  for (std::size_t i = 0; i < world.geoms.size(); ++i) {
    const Geom& g = world.geoms[i];
    if (!plan.needed[i] || g.body == kWorldBody) continue;  // static poses were set once
    const BodyData& data = k.bodies[g.body];
    const Pose& base = k.base[layout.bodies[g.body].tree];
    Pose& pose = work.poses[i];
    pose.translation = base.rotation * (data.R * g.placement.translation + data.p) + base.translation;
    GeomMotion& motion = ahead.motion[i];
    Vec3 centre = pose.translation;
    if (g.shape.kind == ShapeKind::sphere || g.shape.kind == ShapeKind::point) {  // how they are turned is no matter
      centre = middle_of(plan.balls[i], pose);
      work.schedule.move(static_cast<int>(i), (centre - motion.centre).norm(), pose.rotation, pose.rotation, 0.0);
    } else {
      const Mat3 before = pose.rotation;
      pose.rotation = base.rotation * data.R * g.placement.rotation;
      centre = middle_of(plan.balls[i], pose);
      work.schedule.move(static_cast<int>(i), (centre - motion.centre).norm(), before, pose.rotation,
                         plan.balls[i].radius);
    }
    motion.centre = centre;
    motion.spin = base.rotation * data.w;
    motion.velocity = base.rotation * data.v + motion.spin.cross(motion.centre - base.translation);
    const double speed = fastest_point(motion, plan.balls[i].radius);
    ahead.way[i] = dt * speed;
    ahead.slack[i] = std::max({dt * (kChange * speed + fall), 0.5 * margin, ahead.demand[i]});
  }
  work.schedule.end();
}

void resize(const World& world, const DetectionPlan& plan, DetectionWork& work) {
  const std::size_t n = world.geoms.size();
  work.schedule.resize(n, plan.direct.size());
  work.due.reserve(plan.direct.size());  // how many pairs are due depends on what is remembered of them
  if (work.poses.size() == n && work.ahead.motion.size() == n) return;
  LookAhead& ahead = work.ahead;
  work.poses.resize(n), ahead.motion.assign(n, {}), ahead.way.assign(n, 0.0), ahead.slack.assign(n, 0.0);
  ahead.demand.resize(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (world.geoms[i].body != kWorldBody) continue;
    work.poses[i] = world.geoms[i].placement;
    ahead.motion[i].centre = middle_of(plan.balls[i], work.poses[i]);
  }
}

// Direct pairs that are not known to be farther apart.
void wake_direct(const DetectionPlan& plan, double margin, DetectionWork& work) {
  const LookAhead& ahead = work.ahead;
  double longest = 0.0;
  for (std::size_t i = 0; i < ahead.way.size(); ++i) longest = std::max(longest, ahead.way[i] + ahead.slack[i]);
  work.schedule.find_due(std::max(margin, 2.0 * longest) + plan.margin, work.due);
  work.candidates.clear();
  for (const int n : work.due) {
    const DetectionPlan::Pair& pair = plan.direct[n];
    const double far = farthest_look(ahead, pair, margin);
    if (work.schedule.is_beyond(n, pair.a, pair.b, far + plan.margin)) continue;
    work.candidates.push_back({pair, n, far});
  }
}

// Candidate pairs in key order: the direct ones, and those of the broad phase.
void find_candidates(const World& world, const DetectionPlan& plan, double margin, DetectionWork& work) {
  wake_direct(plan, margin, work);
  if (plan.swept.empty()) return;
  work.boxes.resize(plan.swept.size());
  for (std::size_t i = 0; i < plan.swept.size(); ++i) {
    const auto g = plan.swept[i];
    Aabb box = outer_bounds(world.geoms[g].shape, work.poses[g]);
    const double grow = std::max(0.5 * margin, work.ahead.way[g] + work.ahead.slack[g]) + 0.5 * plan.margin;
    box.lo.array() -= grow, box.hi.array() += grow;
    work.boxes[i] = box;
  }
  work.broad_phase.overlaps(work.boxes, work.pairs);
  work.found.clear();
  for (const auto& [i, j] : work.pairs) {
    const int a = plan.swept[i], b = plan.swept[j];
    if (!plan.allowed(world, a, b)) continue;
    const DetectionPlan::Pair pair = ordered(world, a, b);
    work.found.push_back({pair, -1, farthest_look(work.ahead, pair, margin)});
  }
  const auto by_pair = [](const auto& x, const auto& y) { return by_key(x.pair, y.pair); };
  if (!std::is_sorted(work.found.begin(), work.found.end(), by_pair))
    std::sort(work.found.begin(), work.found.end(), by_pair);
  work.merged.resize(work.candidates.size() + work.found.size());
  // They change places: neither allocates once the other has been as large.
  work.candidates.reserve(work.merged.capacity());
  std::merge(work.candidates.begin(), work.candidates.end(), work.found.begin(), work.found.end(), work.merged.begin(),
             by_pair);
  work.candidates.swap(work.merged);
}

// The normal that the pair had in the last step, zero if it had no contact.
Vec3 normal_of(std::vector<ContactRecord>::const_iterator record, std::vector<ContactRecord>::const_iterator end,
               const DetectionPlan::Pair& pair) {
  const bool is_of_pair =
      record != end && static_cast<int>(record->key.geom_a) == pair.a && static_cast<int>(record->key.geom_b) == pair.b;
  return is_of_pair ? Vec3(record->frame[6], record->frame[7], record->frame[8]) : Vec3(Vec3::Zero());
}

// Points that may close in the step; the others are noted as skipped.
void append(const World& world, const DetectionPlan& plan, const DetectionPlan::Pair& pair, double dt, double margin,
            double touch, const LookAhead& ahead, DetectionShare& own) {
  const GeomMotion &first = ahead.motion[pair.a], &second = ahead.motion[pair.b];
  const double slack = ahead.slack[pair.a] + ahead.slack[pair.b];
  for (const ManifoldPoint& m : own.manifold) {
    const double gap = m.gap - touch;
    if (gap > margin) {
      const Vec3 u = relative_velocity(first, second, m.point);
      if (gap > dt * (plan.any_direction ? u.norm() : -m.normal.dot(u)) + slack) {
        own.skipped.push_back({pair.a, pair.b, m.point, m.normal, gap});
        continue;
      }
    }
    Contact& c = own.contacts.emplace_back();
    c.a = geom(world, pair.a).body;
    c.b = geom(world, pair.b).body;
    c.key = {static_cast<std::uint32_t>(pair.a), static_cast<std::uint32_t>(pair.b), m.feature};
    c.point = m.point, c.normal = m.normal, c.gap = gap;
  }
}

struct Look {
  const World& world;
  const DetectionPlan& plan;
  double dt, margin;
  const std::vector<ContactRecord>& memory;
};

// The candidates [first, last). Threads do this side by side: each writes to what belongs to its candidates.
void look_at(const Look& look, int first, int last, DetectionWork& work, DetectionShare& own) {
  const auto& [world, plan, dt, margin, memory] = look;
  own.contacts.clear(), own.skipped.clear();
  own.narrow_phase.expect(last - first);
  auto recorded = memory.begin();
  const auto before = [](const ContactRecord& r, const DetectionPlan::Pair& p) {
    return by_key({static_cast<int>(r.key.geom_a), static_cast<int>(r.key.geom_b)}, p);
  };
  for (int n = first; n < last; ++n) {
    DetectionWork::Candidate& candidate = work.candidates[n];
    const DetectionPlan::Pair& pair = candidate.pair;
    const auto [a, b] = pair;
    const double touch = plan.margin > 0.0 ? world.material(a, b).margin : 0.0;
    double apart = ball_distance(world, plan, work, pair);
    if (apart <= candidate.far + touch) {
      candidate.far = look_distance(world, plan, work, pair, dt, margin);
      if (apart <= candidate.far + touch) {
        own.manifold.clear();
        recorded = std::lower_bound(recorded, memory.end(), pair, before);
        apart = own.narrow_phase.collide(world.geoms[a].shape, work.poses[a], world.geoms[b].shape, work.poses[b],
                                         candidate.far + touch, (static_cast<std::uint64_t>(a) << 32) | b,
                                         normal_of(recorded, memory.end(), pair), own.manifold);
        std::sort(own.manifold.begin(), own.manifold.end(),
                  [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.feature < y.feature; });
        append(world, plan, pair, dt, margin, touch, work.ahead, own);
      }
    }
    if (candidate.direct >= 0) work.schedule.note(candidate.direct, a, b, apart);
  }
}

}  // namespace

DetectionPlan::DetectionPlan(const World& world) {
  const int n = static_cast<int>(world.geoms.size());
  needed.assign(world.geoms.size(), 0);
  for (const PairMaterial& m : world.pair_materials) margin = std::max(margin, m.margin);
  for (const Geom& g : world.geoms) balls.push_back(bounding_ball(g.shape));
  std::vector<Pair> planes, others;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (!allowed(world, i, j)) continue;
      const Pair pair = ordered(world, i, j);
      const bool plane = is_half_space(world, pair.a) || is_half_space(world, pair.b);
      if (plane)
        planes.push_back(pair);
      else if (others.size() <= kDirectPairs)
        others.push_back(pair);
      needed[i] = needed[j] = 1;
    }
  }
  for (const Body& body : world.bodies)
    extent += body.placement.translation.norm() * (body.parent == kWorldBody ? 0.0 : 1.0);
  for (const Geom& g : world.geoms)
    if (g.body != kWorldBody && g.shape.kind != ShapeKind::half_space)
      extent += g.placement.translation.norm() + stiction::reach(g.shape);
  for (const Body& body : world.bodies)
    if (body.joint == JointKind::prismatic || (body.joint == JointKind::translation)) extent = kInfinity;
  direct = planes;
  if (others.size() <= kDirectPairs) {
    direct.insert(direct.end(), others.begin(), others.end());
  } else {
    for (int i = 0; i < n; ++i)
      if (needed[i] && !is_half_space(world, i)) swept.push_back(i);
  }
  std::sort(direct.begin(), direct.end(), by_key);
}

bool DetectionPlan::allowed(const World& world, int i, int j) const {
  const Geom &a = geom(world, i), &b = geom(world, j);
  if (a.body == b.body) return false;
  const auto point_on_moving = [](const Geom& p, const Geom& other) {
    return p.shape.kind == ShapeKind::point &&
           other.body != kWorldBody;  // contact points are tested against static geometry
  };
  if (point_on_moving(a, b) || point_on_moving(b, a)) return false;
  return !std::binary_search(world.excluded_pairs.begin(), world.excluded_pairs.end(),
                             std::pair{std::min(i, j), std::max(i, j)});
}

double farthest_look(const LookAhead& ahead, const DetectionPlan::Pair& p, double margin) {
  return std::max(margin, ahead.way[p.a] + ahead.way[p.b] + ahead.slack[p.a] + ahead.slack[p.b]);
}

double look_distance(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const DetectionPlan::Pair& pair, double dt, double margin) {
  const LookAhead& ahead = work.ahead;
  return std::max(
      margin, dt * closing_speed(world, plan, work, ahead.motion, pair) + ahead.slack[pair.a] + ahead.slack[pair.b]);
}

double ball_distance(const World& world, const DetectionPlan& plan, const DetectionWork& work,
                     const DetectionPlan::Pair& pair) {
  const auto [a, b] = pair;
  const Vec3 &x = work.ahead.motion[a].centre, &y = work.ahead.motion[b].centre;
  if (is_half_space(world, a))
    return work.poses[a].rotation.col(2).dot(y - work.poses[a].translation) - plan.balls[b].radius;
  return (y - x).norm() * (1.0 - 1e-12) - plan.balls[a].radius - plan.balls[b].radius;
}

void detect(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
            double margin, DetectionWork& work, std::vector<Contact>& contacts,
            const std::vector<ContactRecord>& memory) {
  resize(world, plan, work);
  place_geoms(world, layout, plan, k, dt, margin, work);
  find_candidates(world, plan, margin, work);
  const Look look{world, plan, dt, margin, memory};
  const int n = static_cast<int>(work.candidates.size());
  work.first.contacts.swap(contacts), work.first.skipped.swap(work.ahead.skipped);
  if (work.pool == nullptr || n < kFewestCandidates) {
    look_at(look, 0, n, work, work.first);
  } else {
    const int threads = work.pool->threads();
    if (static_cast<int>(work.others.size()) != threads - 1) work.others = std::vector<DetectionShare>(threads - 1);
    const auto part = [&](int t) { return static_cast<int>(static_cast<std::int64_t>(n) * t / threads); };
    const auto share = [&](int, int t) {
      look_at(look, part(t), part(t + 1), work, t == 0 ? work.first : work.others[t - 1]);
    };
    work.pool->parallel_for(threads, std::ref(share));
    for (const DetectionShare& other : work.others) {
      work.first.contacts.insert(work.first.contacts.end(), other.contacts.begin(), other.contacts.end());
      work.first.skipped.insert(work.first.skipped.end(), other.skipped.begin(), other.skipped.end());
    }
  }
  work.first.contacts.swap(contacts), work.first.skipped.swap(work.ahead.skipped);
}

void detect_closed(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                   DetectionWork& work, std::vector<Contact>& contacts) {
  constexpr double kTouch = 1e-12;  // looked this far, so that a gap of exactly zero is seen [m]
  detect(world, layout, plan, k, 0.0, kTouch, work, contacts);
  std::erase_if(contacts, [](const Contact& c) { return !(c.gap <= 0.0); });
}

}  // namespace stiction
