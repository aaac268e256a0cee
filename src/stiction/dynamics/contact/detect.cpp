// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/detect.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr std::size_t kDirectPairs = 64;  // below this many pairs the broad phase costs more than it saves

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
                 DetectionWork& work) {
  const double fall = dt * world.gravity.norm();
  for (std::size_t i = work.centres.size(); i < world.geoms.size(); ++i)
    work.centres.push_back(middle_of(plan.balls[i], work.poses[i]));  // static ones stay
  for (std::size_t i = 0; i < world.geoms.size(); ++i) {
    const Geom& g = world.geoms[i];
    if (!plan.needed[i] || g.body == kWorldBody) continue;  // static poses were set once
    const auto body = g.body;
    const BodyData& data = k.bodies[body];
    const Pose& base = k.base[layout.bodies[body].tree];
    Pose& pose = work.poses[i];
    const Vec3 center = data.R * g.placement.translation + data.p;
    pose.translation = base.rotation * center + base.translation;
    if (g.shape.kind != ShapeKind::sphere && g.shape.kind != ShapeKind::point)
      pose.rotation = base.rotation * data.R * g.placement.rotation;
    work.centres[i] = middle_of(plan.balls[i], pose);
    const double now = (data.v + data.w.cross(center)).norm() + data.w.norm() * plan.reach[i];
    work.speed[i] = std::max(1.5 * now + fall, work.demand[i]);
  }
}

void resize(const World& world, DetectionWork& work) {
  if (work.poses.size() == world.geoms.size()) return;
  work.poses.resize(world.geoms.size());
  work.centres.clear();
  work.speed.assign(world.geoms.size(), 0.0);
  work.demand.assign(world.geoms.size(), 0.0);
  for (std::size_t i = 0; i < world.geoms.size(); ++i)
    if (world.geoms[i].body == kWorldBody) work.poses[i] = world.geoms[i].placement;
}

// Candidate pairs in key order: the direct ones, and those of the broad phase.
void find_candidates(const World& world, const DetectionPlan& plan, double dt, double margin, DetectionWork& work) {
  if (plan.swept.empty()) {
    work.candidates.assign(plan.direct.begin(), plan.direct.end());
    return;
  }
  work.boxes.resize(plan.swept.size());
  for (std::size_t i = 0; i < plan.swept.size(); ++i) {
    const auto g = plan.swept[i];
    Aabb box = outer_bounds(world.geoms[g].shape, work.poses[g]);
    const double grow = std::max(0.5 * margin, dt * work.speed[g]) + 0.5 * plan.margin;
    box.lo.array() -= grow, box.hi.array() += grow;
    work.boxes[i] = box;
  }
  work.broad_phase.overlaps(work.boxes, work.pairs);
  work.found.clear();
  for (const auto& [i, j] : work.pairs) {
    const int a = plan.swept[i], b = plan.swept[j];
    if (plan.allowed(world, a, b)) work.found.push_back(ordered(world, a, b));
  }
  if (!std::is_sorted(work.found.begin(), work.found.end(), by_key))
    std::sort(work.found.begin(), work.found.end(), by_key);
  work.candidates.resize(plan.direct.size() + work.found.size());
  std::merge(plan.direct.begin(), plan.direct.end(), work.found.begin(), work.found.end(), work.candidates.begin(),
             by_key);
}

// Cheap proof that the bounding balls of two geoms, or a half-space and one, are farther apart than the margin.
bool beyond_margin(const World& world, const DetectionPlan& plan, const DetectionWork& work, int a, int b,
                   double margin) {
  const Vec3 &x = work.centres[a], &y = work.centres[b];
  if (is_half_space(world, a))
    return work.poses[a].rotation.col(2).dot(y - work.poses[a].translation) - plan.balls[b].radius > margin;
  const double far = (plan.balls[a].radius + plan.balls[b].radius + margin) * (1.0 + 1e-12);
  return (y - x).squaredNorm() > far * far;
}

void append(const World& world, const DetectionPlan::Pair& pair, const std::vector<ManifoldPoint>& manifold,
            double margin, std::vector<Contact>& contacts) {
  for (const ManifoldPoint& m : manifold) {
    Contact& c = contacts.emplace_back();
    c.a = geom(world, pair.a).body;
    c.b = geom(world, pair.b).body;
    c.key = {static_cast<std::uint32_t>(pair.a), static_cast<std::uint32_t>(pair.b), m.feature};
    c.point = m.point, c.normal = m.normal, c.gap = m.gap - margin;
  }
}

}  // namespace

DetectionPlan::DetectionPlan(const World& world) {
  const int n = static_cast<int>(world.geoms.size());
  needed.assign(world.geoms.size(), 0);
  for (const PairMaterial& m : world.pair_materials) margin = std::max(margin, m.margin);
  for (const Geom& g : world.geoms) {
    reach.push_back(g.body == kWorldBody ? 0.0 : stiction::reach(g.shape));
    balls.push_back(bounding_ball(g.shape));
  }
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

void detect(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k, double dt,
            double margin, DetectionWork& work, std::vector<Contact>& contacts) {
  contacts.clear();
  resize(world, work);
  place_geoms(world, layout, plan, k, dt, work);
  find_candidates(world, plan, dt, margin, work);
  work.narrow_phase.expect(work.candidates.size());
  for (const DetectionPlan::Pair& pair : work.candidates) {
    const auto a = pair.a, b = pair.b;
    const double touch = plan.margin > 0.0 ? world.material(a, b).margin : 0.0;
    const double ahead = std::max(margin, dt * (work.speed[a] + work.speed[b])) + touch;
    if (beyond_margin(world, plan, work, a, b, ahead)) continue;
    work.manifold.clear();
    work.narrow_phase.collide(world.geoms[a].shape, work.poses[a], world.geoms[b].shape, work.poses[b], ahead,
                              (static_cast<std::uint64_t>(a) << 32) | b, work.manifold);
    std::sort(work.manifold.begin(), work.manifold.end(),
              [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.feature < y.feature; });
    append(world, pair, work.manifold, touch, contacts);
  }
}

namespace {

// Bound of the speed of any point: every velocity counts fully, over the length of the largest tree.
double fastest_point(const DetectionPlan& plan, const double* v, int nv) {
  double sum = 0.0;
  for (int i = 0; i < nv; ++i) sum += std::abs(v[i]);
  return sum * std::max(1.0, plan.extent);
}

}  // namespace

void detect_closed(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                   DetectionWork& work, std::vector<Contact>& contacts) {
  constexpr double kTouch = 1e-12;  // looked this far, so that a gap of exactly zero is seen [m]
  detect(world, layout, plan, k, 0.0, kTouch, work, contacts);
  std::erase_if(contacts, [](const Contact& c) { return !(c.gap <= 0.0); });
}

void reset_look_ahead(const World& world, DetectionWork& work) {
  resize(world, work);
  std::fill(work.demand.begin(), work.demand.end(), 0.0);
}

bool outran_look_ahead(const World& world, const Layout& layout, const DetectionPlan& plan, const Kinematics& k,
                       const double* v, double dt, double margin, DetectionWork& work) {
  if (dt * fastest_point(plan, v, world.nv) <= 0.5 * margin) return false;  // nothing can outrun the smallest margin
  work.body_v.resize(world.bodies.size());
  work.body_w.resize(world.bodies.size());
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    const BodyPlan& body = layout.bodies[i];
    const bool root = body.parent == kWorldBody;
    Vec3 lin = root ? Vec3(Vec3::Zero()) : work.body_v[body.parent];
    Vec3 ang = root ? Vec3(Vec3::Zero()) : work.body_w[body.parent];
    if (body.code == JointCode::root_free) {
      lin = Eigen::Map<const Vec3>(v + body.v), ang = Eigen::Map<const Vec3>(v + body.v + 3);
    } else {
      for (int d = body.v; d < body.v + body.nv; ++d) {
        const Column& s = k.columns[d];
        lin += s.lin * v[d], ang += s.ang * v[d];
      }
    }
    work.body_v[i] = lin, work.body_w[i] = ang;
  }
  bool outran = false;
  for (std::size_t i = 0; i < world.geoms.size(); ++i) {
    const Geom& g = world.geoms[i];
    if (!plan.needed[i] || g.body == kWorldBody) continue;
    const auto b = g.body;
    const Vec3 center = k.bodies[b].R * g.placement.translation + k.bodies[b].p;
    const Vec3 velocity = work.body_v[b] + work.body_w[b].cross(center);
    const double allowed = std::max(work.speed[i], 0.5 * margin / dt);
    if (velocity.cwiseAbs().sum() + work.body_w[b].cwiseAbs().sum() * plan.reach[i] <= allowed)
      continue;  // no root needed
    const double speed = velocity.norm() + work.body_w[b].norm() * plan.reach[i];
    if (speed <= allowed) continue;
    work.demand[i] = 1.5 * speed;
    outran = true;
  }
  return outran;
}

}  // namespace stiction
