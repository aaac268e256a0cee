// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/layout.h>
#include <stiction/model/world/tendon.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

JointCode joint_code(const Body& body) {
  switch (body.joint) {
    case JointKind::free:
      return body.parent == kWorldBody ? JointCode::root_free : JointCode::free;
    case JointKind::revolute:
    case JointKind::continuous:
      if (body.axis == Vec3::UnitX()) return JointCode::revolute_x;
      if (body.axis == Vec3::UnitY()) return JointCode::revolute_y;
      if (body.axis == Vec3::UnitZ()) return JointCode::revolute_z;
      return JointCode::revolute;
    case JointKind::prismatic:
      return JointCode::prismatic;
    case JointKind::spherical:
      return JointCode::spherical;
    case JointKind::translation:
      return JointCode::translation;
    case JointKind::planar:
      return JointCode::planar;
  }
  throw InvalidInput("body '" + body.name + "' has a joint kind that the kernels do not know");
}

bool bounded_joint(const World& world, const Body& body) {
  for (int i = body.v; i < body.v + sizes(body.joint).nv; ++i)
    if (std::isfinite(world.lower[i]) || std::isfinite(world.upper[i]) || world.dry_friction[i] > 0.0) return true;
  return false;
}

BodyPlan plan_of(const Body& body) {
  const Mat3& I = body.inertia.about_com;
  BodyPlan plan{};
  plan.parent = body.parent;
  plan.tree = body.tree;
  plan.code = joint_code(body);
  plan.continuous = body.joint == JointKind::continuous;
  plan.aligned = body.placement.rotation == Mat3::Identity();
  plan.massless = body.inertia.mass == 0.0 && I.isZero(0.0);
  plan.q = body.q;
  plan.v = body.v;
  plan.nv = sizes(body.joint).nv;
  plan.placement = body.placement;
  plan.axis = body.axis;
  plan.mass = body.inertia.mass;
  plan.com = body.inertia.com;
  const double packed[6] = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  std::copy(packed, packed + 6, plan.inertia);
  return plan;
}

}  // namespace

Layout::Layout(const World& world) {
  depth.resize(world.nv);
  row.resize(world.nv);
  chain_of.resize(world.nv);
  std::vector<int> tau_of(world.nv, -1);
  for (int i = 0; i < world.ntau; ++i)
    if (const int v = world.tau_velocity[i]; v >= 0) tau_of[v] = i;
  for (const Body& body : world.bodies) {
    BodyPlan plan = plan_of(body);
    plan.tau = tau_of[body.v];
    plan.floating = world.trees[body.tree].floating;
    plan.free_body = world.trees[body.tree].free_body;
    plan.chain = static_cast<int>(chain.size());
    if (body.parent != kWorldBody) {
      const BodyPlan& parent = bodies[body.parent];
      for (int i = 0; i < parent.length; ++i) chain.push_back(chain[parent.chain + i]);
    }
    for (int i = 0; i < plan.nv; ++i) {
      const auto k = plan.v + i;
      depth[k] = static_cast<int>(chain.size()) - plan.chain;
      row[k] = packed;
      chain_of[k] = plan.chain;
      packed += depth[k] + 1;
      chain.push_back(plan.v + i);
    }
    plan.length = static_cast<int>(chain.size()) - plan.chain;
    if (bounded_joint(world, body)) bounded.push_back(static_cast<int>(bodies.size()));
    bodies.push_back(plan);
  }
  find_twins(world);
  find_drives(world);
  find_tendons(world);
  for (const Tree& tree : world.trees) {
    tree_first_body_.push_back(tree.first_body);
    tree_bodies_.push_back(tree.bodies);
    tree_table_.push_back(static_cast<int>(common_.size()));
    for (int i = 0; i < tree.bodies; ++i) {
      for (int j = 0; j < tree.bodies; ++j) {
        const BodyPlan& a = bodies[tree.first_body + i];
        const BodyPlan& b = bodies[tree.first_body + j];
        int shared = 0;
        while (shared < std::min(a.length, b.length) && chain[a.chain + shared] == chain[b.chain + shared]) ++shared;
        common_.push_back(shared);
      }
    }
  }
}

// Velocities that move one body of the path and not another one.
void Layout::find_path_terms(const Tendon& tendon, TendonPlan& plan) const {
  std::vector<int> moved(depth.size(), 0);
  int points = 0;
  for (const PathPoint& p : tendon.path) {
    if (p.kind == PathPoint::pulley) continue;
    ++points;
    if (p.body == kWorldBody) continue;
    const BodyPlan& b = bodies[p.body];
    for (int d = 0; d < b.length; ++d) ++moved[chain[b.chain + d]];
  }
  plan.slots.assign(depth.size(), -1);
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
    for (int v = bodies[i].v; v < bodies[i].v + bodies[i].nv; ++v) {
      if (moved[v] == 0 || moved[v] == points) continue;
      plan.slots[v] = static_cast<int>(plan.terms.size());
      plan.terms.push_back({i, v, 0.0});
    }
}

void Layout::find_tendons(const World& world) {
  const auto sides_of = [](const std::vector<BodyId>& ends) {
    TendonSides out;
    if (ends.size() > kMostChains) return out;
    out.count = static_cast<int>(ends.size());
    std::copy(ends.begin(), ends.end(), out.body);
    return out;
  };
  for (const Tendon& t : world.tendons) {
    TendonPlan plan;
    for (const TendonJoint& j : t.joints) plan.terms.push_back({j.body, bodies[j.body].v, j.coefficient});
    plan.sides = sides_of(tendon_ends(world.bodies, t));
    plan.spatial = !t.path.empty();
    if (plan.spatial)
      find_path_terms(t, plan);
    else
      plan.angular = bodies[t.joints.front().body].code != JointCode::prismatic;
    tendons.push_back(std::move(plan));
  }
  for (std::size_t i = 0; i < world.actuators.size(); ++i)
    if (world.actuators[i].target == Actuator::tendon)
      tendons[world.actuators[i].tendon_index].drives.push_back(static_cast<int>(i));
  for (const Coupling& c : world.couplings)
    coupling_sides.push_back(
        c.tendon_a < 0 ? TendonSides{} : sides_of(tendon_ends(world.bodies, world.tendons, c.tendon_a, c.tendon_b)));
}

void Layout::find_drives(const World& world) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyPlan& plan = bodies[i];
    const auto part = [&](const Vec& x) { return x.segment(plan.v, plan.nv); };
    const bool damped_base = plan.tau < 0 && !part(world.joint_damping).isZero(0.0);
    if (damped_base || !part(world.stiffness).isZero(0.0)) sprung.push_back(static_cast<int>(i));
  }
  std::vector<std::vector<int>> of_body(bodies.size());
  for (std::size_t i = 0; i < world.actuators.size(); ++i) {
    const Actuator& a = world.actuators[i];
    if (a.target == Actuator::nothing || a.target == Actuator::tendon) continue;
    if (a.body == kWorldBody && a.reference_body == kWorldBody) continue;
    if (a.target != Actuator::site && bodies[a.body].nv == 1)
      of_body[a.body].push_back(static_cast<int>(i));
    else
      wide_drives.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (of_body[i].empty()) continue;
    driven.push_back({static_cast<int>(i), static_cast<int>(drives.size()), static_cast<int>(of_body[i].size())});
    drives.insert(drives.end(), of_body[i].begin(), of_body[i].end());
  }
}

namespace {

// Number of bodies of the branch that begins with `first`, 0 if they do not follow each other.
int branch_size(const std::vector<BodyPlan>& bodies, int first, int end) {
  const auto inside = [&](int i) {
    while (i > first) i = bodies[i].parent;
    return i == first;
  };
  int count = 1;
  while (first + count < end && inside(first + count)) ++count;
  for (int i = first + count; i < end; ++i)
    if (inside(i)) return 0;
  return count;
}

bool has_twin_code(const BodyPlan& b) {
  return b.code == JointCode::revolute_x || b.code == JointCode::revolute_y || b.code == JointCode::revolute_z ||
         b.code == JointCode::revolute;
}

bool built_alike(const std::vector<BodyPlan>& bodies, int a, int b, int count) {
  for (int i = 0; i < count; ++i) {
    const BodyPlan &x = bodies[a + i], &y = bodies[b + i];
    if (!has_twin_code(x) || x.code != y.code || x.continuous != y.continuous || x.massless != y.massless) return false;
    if (i > 0 && x.parent - a != y.parent - b) return false;
  }
  return true;
}

Triple<Pair> lanes_of(const Vec3& a, const Vec3& b) { return {Pair{a[0], b[0]}, Pair{a[1], b[1]}, Pair{a[2], b[2]}}; }

TwinBody twin_of(const BodyPlan& a, const BodyPlan& b) {
  TwinBody out{};
  out.q[0] = a.q, out.q[1] = b.q, out.v[0] = a.v, out.v[1] = b.v;
  out.depth = a.length - 1;
  out.code = a.code, out.continuous = a.continuous, out.massless = a.massless;
  out.aligned = a.aligned && b.aligned;
  out.translation = lanes_of(a.placement.translation, b.placement.translation);
  for (int c = 0; c < 3; ++c) out.rotation[c] = lanes_of(a.placement.rotation.col(c), b.placement.rotation.col(c));
  out.axis = lanes_of(a.axis, b.axis), out.com = lanes_of(a.com, b.com);
  out.mass = Pair{a.mass, b.mass};
  for (int i = 0; i < 6; ++i) out.inertia[i] = Pair{a.inertia[i], b.inertia[i]};
  return out;
}

}  // namespace

void Layout::add_twins(int a, int b, int count) {
  TwinBranches twins_here{bodies[a].parent, {}};
  for (int i = 0; i < count; ++i) {
    TwinBody twin = twin_of(bodies[a + i], bodies[b + i]);
    twin.body[0] = a + i, twin.body[1] = b + i;
    twin.above = i == 0 ? -1 : bodies[a + i].parent - a;
    for (const int lane : {0, 1}) {
      is_twin[twin.body[lane]] = i == 0 ? 1 : 2;
      outside[twin.v[lane]] = bodies[twins_here.parent].length;
    }
    twins_here.bodies.push_back(twin);
  }
  twins.push_back(std::move(twins_here));
}

// Branches of the same body with the same joints, the first two that fit, from the root outwards.
void Layout::find_twins(const World& world) {
  is_twin.assign(bodies.size(), 0), outside.assign(world.nv, 0);
  twins_of.assign(1, 0);
  for (const Tree& tree : world.trees) {
    const int end = tree.first_body + tree.bodies;
    for (int a = tree.first_body + 1; a < end; ++a) {
      const int count = is_twin[a] == 0 ? branch_size(bodies, a, end) : 0;
      for (int b = a + count; count > 0 && b + count <= end; ++b) {
        if (is_twin[b] != 0 || bodies[b].parent != bodies[a].parent || branch_size(bodies, b, end) != count) continue;
        if (!built_alike(bodies, a, b, count)) continue;
        add_twins(a, b, count);
        break;
      }
    }
    twins_of.push_back(static_cast<int>(twins.size()));
  }
}

}  // namespace stiction
