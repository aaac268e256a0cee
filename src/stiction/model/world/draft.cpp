// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/draft.h>

#include <algorithm>

namespace stiction {
namespace {

void extend(Vec& x, const VecRef& tail) {
  const Eigen::Index n = x.size();
  x.conservativeResize(n + tail.size());
  x.tail(tail.size()) = tail;
}

void extend(Vec& x, int n, double value) { extend(x, Vec::Constant(n, value)); }

// Makes room for the velocities v … v + nv of a root joint or of what hangs on it.
void append_velocities(World& w, const RobotModel& r) {
  extend(w.lower, r.lower);
  extend(w.upper, r.upper);
  extend(w.joint_damping, r.joint_damping);
  extend(w.dry_friction, r.dry_friction);
  extend(w.armature, r.armature);
  extend(w.effort_limit, r.effort_limit);
  const auto extend_or = [n = r.nv](Vec& x, const Vec& given, double otherwise) {
    extend(x, given.size() == n ? given : Vec(Vec::Constant(n, otherwise)));
  };
  extend_or(w.stiffness, r.stiffness, 0.0);
  extend_or(w.actuation_lower, r.actuation_lower, -kInfinity);
  extend_or(w.actuation_upper, r.actuation_upper, kInfinity);
}

void append_free_velocities(World& w) {
  extend(w.lower, 6, -kInfinity);
  extend(w.upper, 6, kInfinity);
  extend(w.joint_damping, 6, 0.0);
  extend(w.dry_friction, 6, 0.0);
  extend(w.armature, 6, 0.0);
  extend(w.effort_limit, 6, kInfinity);
  extend(w.stiffness, 6, 0.0);
  extend(w.actuation_lower, 6, -kInfinity);
  extend(w.actuation_upper, 6, kInfinity);
}

// A root joint opens a tree; every other body joins the last one (bodies come depth first).
void append_body(World& w, Body body, int robot) {
  const JointSizes n = sizes(body.joint);
  if (body.parent == kWorldBody) {
    Tree tree;
    tree.name = body.name;
    tree.first_body = static_cast<int>(w.bodies.size());
    tree.q = w.nq, tree.v = w.nv;
    tree.floating = body.joint == JointKind::free;
    tree.robot = robot;
    w.trees.push_back(tree);
  }
  Tree& tree = w.trees.back();
  tree.bodies += 1, tree.nq += n.nq, tree.nv += n.nv;
  body.tree = static_cast<int>(w.trees.size()) - 1;
  body.q = w.nq, body.v = w.nv;
  w.nq += n.nq, w.nv += n.nv;
  if (body.joint != JointKind::free)
    for (int i = 0; i < n.nv; ++i, ++w.ntau) w.tau_velocity.push_back(body.v + i);
  w.bodies.push_back(std::move(body));
}

// Closed-form inverse inertia needs the centre of mass at the origin and nothing that acts on the joint itself.
void flag_free_body(World& w, Tree& tree) {
  const Vec3& com = w.bodies[tree.first_body].inertia.com;
  tree.free_body = tree.floating && tree.bodies == 1 && com == Vec3::Zero() &&
                   w.armature.segment(tree.v, 6).isZero(0.0) && w.joint_damping.segment(tree.v, 6).isZero(0.0) &&
                   w.dry_friction.segment(tree.v, 6).isZero(0.0) && w.stiffness.segment(tree.v, 6).isZero(0.0);
}

// Floating roots move to the pose; roots on fixed bases carry it in their placement.
void place_roots(World& w, const Robot& robot, const Pose& pose) {
  for (int i = robot.first_body; i < robot.first_body + robot.bodies; ++i) {
    Body& body = w.bodies[i];
    if (body.parent != kWorldBody) continue;
    if (body.joint != JointKind::free) {
      body.placement = pose * body.placement;
      continue;
    }
    const Pose start = pose * body.placement * joint_pose(JointKind::free, body.axis, w.q0.data() + body.q);
    const Quat rotation = Quat(start.rotation).normalized();
    w.q0.segment<3>(body.q) = start.translation;
    w.q0.segment<4>(body.q + 3) = rotation.coeffs();
    w.spring_q.segment<7>(body.q) = w.q0.segment<7>(body.q);
    body.placement = Pose{};
  }
}

// Its free bases move along; velocities are in body axes and stay.
void place_keyframe(const RobotModel& r, const Pose& pose, Keyframe& key) {
  for (const Body& body : r.bodies)
    if (body.joint == JointKind::free) {
      const Pose placed = pose * joint_pose(JointKind::free, body.axis, key.q.data() + body.q);
      key.q.segment<3>(body.q) = placed.translation;
      key.q.segment<4>(body.q + 3) = Quat(placed.rotation).normalized().coeffs();
    }
}

bool names_a_surface(const RobotOptions& o) { return !o.material.empty() || !names_nothing(o.values); }

void describe_materials(MaterialTable& table, const RobotModel& r, const std::string& prefix) {
  for (const FileMaterial& m : r.materials) table.describe(prefix + m.name, m.values);
  for (const FileMaterialPair& p : r.material_pairs) {
    MaterialValues values;
    values.mu = p.mu;
    if (r.materials[p.a].values.margin || r.materials[p.b].values.margin || p.margin != 0.0) values.margin = p.margin;
    const MaterialValues &a = r.materials[p.a].values, &b = r.materials[p.b].values;
    if (a.mu_torsion || b.mu_torsion || p.mu_torsion != 0.0) values.mu_torsion = p.mu_torsion;
    if (a.mu_rolling || b.mu_rolling || p.mu_rolling != 0.0) values.mu_rolling = p.mu_rolling;
    table.set_pair(prefix + r.materials[p.a].name, prefix + r.materials[p.b].name, values);
  }
}

}  // namespace

int append_geom(Draft& draft, const Geom& geom, const GeomOrigin& origin) {
  draft.world.geoms.push_back(geom);
  draft.origins.push_back(origin);
  return static_cast<int>(draft.world.geoms.size()) - 1;
}

BodyId append_free_body(Draft& draft, const Body& body, const Pose& pose, const Vec6& velocity) {
  World& w = draft.world;
  append_body(w, body, -1);
  draft.names.insert(body.name);
  Vec q(7);
  q << pose.translation, Quat(pose.rotation).normalized().coeffs();
  extend(w.q0, q);
  extend(w.spring_q, q);
  extend(w.v0, velocity);
  append_free_velocities(w);
  flag_free_body(w, w.trees.back());
  return static_cast<int>(w.bodies.size()) - 1;
}

int append_robot(Draft& draft, const RobotModel& r, const Pose& pose, const RobotOptions& options) {
  World& w = draft.world;
  const int robot = static_cast<int>(w.robots.size()), body0 = static_cast<int>(w.bodies.size());
  const auto shift = [body0](BodyId b) { return b == kWorldBody ? kWorldBody : b + body0; };
  Robot out{unique_name(draft, "robot", options.name, r.name),
            body0,
            static_cast<int>(r.bodies.size()),
            w.nq,
            r.nq,
            w.nv,
            r.nv,
            w.ntau,
            0,
            options.self_collision.value_or(r.scene),
            r.joint_names,
            static_cast<int>(w.frames.size()),
            static_cast<int>(r.frames.size()),
            r.keyframes};
  draft.names.insert(out.name);
  const std::size_t first_tree = w.trees.size();
  const int geom0 = static_cast<int>(w.geoms.size());
  for (Body body : r.bodies) {
    body.parent = shift(body.parent);
    append_body(w, std::move(body), robot);
  }
  out.ntau = w.ntau - out.tau;
  extend(w.q0, r.q0);
  extend(w.spring_q, r.spring_q.size() == r.nq ? r.spring_q : r.q0);
  extend(w.v0, r.nv, 0.0);
  append_velocities(w, r);
  for (std::size_t t = first_tree; t < w.trees.size(); ++t) flag_free_body(w, w.trees[t]);
  place_roots(w, out, pose);
  for (Keyframe& key : out.keyframes) place_keyframe(r, pose, key);
  if (r.timestep > 0.0) w.timestep = w.timestep > 0.0 ? std::min(w.timestep, r.timestep) : r.timestep;
  const auto on_world = [&pose](BodyId b, const Pose& p) { return b == kWorldBody ? pose * p : p; };
  for (Frame frame : r.frames) {
    frame.placement = on_world(frame.body, frame.placement);
    frame.body = shift(frame.body);
    w.frames.push_back(std::move(frame));
  }
  const bool from_file = !r.material_of.empty() && !names_a_surface(options);
  if (from_file) describe_materials(draft.materials, r, out.name + "/");
  for (std::size_t i = 0; i < r.geoms.size(); ++i) {
    Geom geom = r.geoms[i];
    geom.placement = on_world(geom.body, geom.placement);
    geom.body = shift(geom.body);
    geom.material = from_file ? draft.materials.index(out.name + "/" + r.materials[r.material_of[i]].name, {})
                              : draft.materials.index(options.material, options.values);
    GeomOrigin origin = r.origins[i];
    origin.robot = robot;
    append_geom(draft, geom, origin);
  }
  for (Loop loop : r.loops) {
    loop.frame_a = on_world(loop.a, loop.frame_a), loop.frame_b = on_world(loop.b, loop.frame_b);
    loop.a = shift(loop.a), loop.b = shift(loop.b);
    w.loops.push_back(std::move(loop));
  }
  const FirstOfRobot first{robot, body0, geom0, static_cast<int>(w.tendons.size()),
                           static_cast<int>(w.actuators.size())};
  append_drives(w, r, robot, body0, pose);
  append_sensors(w, r, first, pose);
  append_softness(draft, r, out.name + "/", from_file);
  for (const auto& [i, j] : r.excluded_geoms) draft.pair_filters.emplace_back(i + geom0, j + geom0);
  for (const auto& [i, j] : r.forced_geoms)
    draft.forced_pairs.emplace(std::minmax(i, j).first + geom0, std::minmax(i, j).second + geom0);
  draft.scene.push_back(r.scene);
  draft.parents_collide.push_back(r.parents_collide);
  for (const std::string& text : r.warnings) draft.warnings.push_back(out.name + ": " + text);
  w.robots.push_back(std::move(out));
  return robot;
}

std::string unique_name(const Draft& draft, const std::string& what, const std::string& wanted,
                        const std::string& base) {
  if (!wanted.empty()) {
    if (draft.names.contains(wanted))
      throw InvalidInput(what + " name '" + wanted + "' is already taken; give another name");
    return wanted;
  }
  std::string name = base;
  for (int i = 2; draft.names.contains(name); ++i) name = base + "_" + std::to_string(i);
  return name;
}

}  // namespace stiction
