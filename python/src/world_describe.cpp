// SPDX-License-Identifier: BSD-2-Clause
// World.describe(): everything that a simulator would be given, as plain Python values. Not for hot loops.
#include <stiction/model/mjcf/mjcf_mass.h>
#include <stiction/model/world/draft.h>

#include "world.h"

namespace stiction::python {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const char* joint_kind(JointKind kind) {
  switch (kind) {
    case JointKind::free:
      return "free";
    case JointKind::revolute:
      return "revolute";
    case JointKind::continuous:
      return "continuous";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::spherical:
      return "spherical";
    case JointKind::translation:
      return "translation";
    case JointKind::planar:
      return "planar";
  }
  return "";
}

std::string joint_name(const World& w, int id) {
  const int robot = w.trees[at(w.bodies[at(id)].tree)].robot;
  return robot < 0 ? "" : w.robots[at(robot)].joint_names[at(id - w.robots[at(robot)].first_body)];
}

nb::dict describe_body(const World& w, int id) {
  const Body& b = w.bodies[at(id)];
  const Tree& tree = w.trees[at(b.tree)];
  nb::dict d;
  d["name"] = b.name;
  d["parent"] = b.parent;
  d["joint"] = joint_kind(b.joint);
  d["joint_name"] = joint_name(w, id);
  d["robot"] = tree.robot;
  d["tree"] = b.tree;
  d["q"] = b.q;
  d["v"] = b.v;
  d["nq"] = sizes(b.joint).nq;
  d["nv"] = sizes(b.joint).nv;
  d["axis"] = new_array(Vec(b.axis));
  d["placement"] = new_pose(b.placement);
  d["mass"] = b.inertia.mass;
  d["com"] = new_array(Vec(b.inertia.com));
  d["inertia"] = new_matrix(Mat(b.inertia.about_com));
  d["pose"] = new_pose(start_pose(w, id));
  return d;
}

nb::dict describe_geom(const World& w, const Geom& g) {
  const Pose start = start_pose(w, g.body) * g.placement;
  const Aabb box = bounds(g.shape, start), own = bounds(g.shape, g.placement);
  const Vec3 centre = g.shape.convex ? g.shape.convex->integrals.com : Vec3(Vec3::Zero());
  nb::dict d;
  d["name"] = g.name;
  d["body"] = g.body;
  d["kind"] = name(g.shape.kind);
  d["size"] = new_array(Vec(full_size(g.shape)));
  d["material"] = g.material;
  d["placement"] = new_pose(g.placement);
  d["volume"] = solid_volume(g.shape);
  d["centre"] = new_array(Vec(g.placement * centre));
  d["box"] = nb::make_tuple(new_array(Vec(own.lo)), new_array(Vec(own.hi)));
  d["start_box"] = nb::make_tuple(new_array(Vec(box.lo)), new_array(Vec(box.hi)));
  d["corners"] = g.shape.convex ? g.shape.convex->vertices.size() : 0;
  return d;
}

nb::dict describe_loop(const World& w, const Loop& l) {
  const Vec3 a = start_pose(w, l.a) * l.frame_a.translation, b = start_pose(w, l.b) * l.frame_b.translation;
  nb::dict d;
  d["name"] = l.name;
  d["kind"] = l.kind == Loop::weld ? "weld" : "point";
  d["a"] = l.a;
  d["b"] = l.b;
  d["gap"] = (a - b).norm();
  return d;
}

nb::dict describe(const WorldBuilder& builder) {
  const World& w = builder.draft();
  nb::list bodies, geoms, frames, loops;
  for (int i = 0; i < static_cast<int>(w.bodies.size()); ++i) bodies.append(describe_body(w, i));
  for (const Geom& g : w.geoms) geoms.append(describe_geom(w, g));
  for (const Frame& f : w.frames) frames.append(nb::make_tuple(f.name, f.body));
  for (const Loop& l : w.loops) loops.append(describe_loop(w, l));
  nb::dict d;
  d["nq"] = w.nq;
  d["nv"] = w.nv;
  d["ntau"] = w.ntau;
  d["bodies"] = bodies;
  d["geoms"] = geoms;
  d["frames"] = frames;
  d["loops"] = loops;
  d["q0"] = new_array(w.q0);
  d["lower"] = new_array(w.lower);
  d["upper"] = new_array(w.upper);
  d["damping"] = new_array(w.joint_damping);
  d["dry_friction"] = new_array(w.dry_friction);
  d["armature"] = new_array(w.armature);
  d["effort_limit"] = new_array(w.effort_limit);
  return d;
}

}  // namespace

void bind_description(WorldClass& world) {
  world.def(
      "describe", &describe,
      "All that a simulator would be given, as a dict of plain values.\n\n"
      "bodies : name, parent, joint (kind), joint_name, mass, com, inertia (about com), q, v, axis, pose at the "
      "start\n"
      "geoms : name, body (-1 is the world), kind, size (as Geom.size), volume, centre and box in the body's frame,\n"
      "        start_box\n"
      "frames : (name, body); loops : name, kind, a, b, gap between the two points at the start [m]\n"
      "q0, lower, upper, damping, dry_friction, armature, effort_limit : per coordinate, per velocity");
}

}  // namespace stiction::python
