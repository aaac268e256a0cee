// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/tendon.h>
#include <stiction/model/world/world_blob.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace stiction {
namespace {

void require(bool ok, const char* what, std::size_t index) {
  if (!ok)
    throw InvalidInput("saved world is damaged: " + std::string(what) + " " + std::to_string(index) +
                       " refers to something that is not there; record it again");
}

bool inside(int first, int count, int size) {
  return first >= 0 && count >= 0 && first <= size && count <= size - first;
}
bool names_body(const World& w, int body) { return body >= kWorldBody && body < static_cast<int>(w.bodies.size()); }
bool finite(const Pose& p) { return p.rotation.allFinite() && p.translation.allFinite(); }

void check_bodies(const World& w) {
  const int trees = static_cast<int>(w.trees.size());
  int q = 0, v = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    const Body& b = w.bodies[i];
    require(b.joint <= JointKind::planar && b.parent >= kWorldBody && b.parent < static_cast<int>(i), "body", i);
    require(b.tree >= 0 && b.tree < trees, "body", i);
    const Tree& tree = w.trees[b.tree];
    const int at = static_cast<int>(i), last = tree.first_body + tree.bodies;
    require(tree.first_body <= at && at < last, "body", i);
    require(at == tree.first_body ? b.parent == kWorldBody : b.parent >= tree.first_body, "body", i);
    const JointSizes size = sizes(b.joint);
    require(inside(b.q, size.nq, w.nq) && inside(b.v, size.nv, w.nv), "body", i);
    require(b.q >= tree.q && b.q + size.nq <= tree.q + tree.nq && b.v >= tree.v && b.v + size.nv <= tree.v + tree.nv,
            "body", i);
    require(finite(b.placement) && b.axis.allFinite() && b.inertia.com.allFinite(), "body", i);
    q += size.nq, v += size.nv;
  }
  require(q == w.nq && v == w.nv, "the list of bodies", w.bodies.size());
}

void check_trees(const World& w) {
  int bodies = 0, q = 0, v = 0;
  for (std::size_t i = 0; i < w.trees.size(); ++i) {
    const Tree& t = w.trees[i];
    require(t.bodies > 0 && t.first_body == bodies && inside(t.first_body, t.bodies, static_cast<int>(w.bodies.size())),
            "tree", i);
    require(inside(t.q, t.nq, w.nq) && inside(t.v, t.nv, w.nv), "tree", i);
    const Body& root = w.bodies[t.first_body];
    require(t.floating == (root.joint == JointKind::free) && (!t.free_body || (t.floating && t.bodies == 1)), "tree",
            i);
    require(!t.floating || (root.q == t.q && root.v == t.v), "tree", i);
    require(t.robot >= -1 && t.robot < static_cast<int>(w.robots.size()), "tree", i);
    bodies += t.bodies, q += t.nq, v += t.nv;
  }
  require(bodies == static_cast<int>(w.bodies.size()) && q == w.nq && v == w.nv, "the list of trees", w.trees.size());
}

void check_robots(const World& w) {
  for (std::size_t i = 0; i < w.robots.size(); ++i) {
    const Robot& r = w.robots[i];
    require(inside(r.first_body, r.bodies, static_cast<int>(w.bodies.size())) && inside(r.q, r.nq, w.nq), "robot", i);
    require(inside(r.v, r.nv, w.nv) && inside(r.tau, r.ntau, w.ntau), "robot", i);
    require(inside(r.first_frame, r.frames, static_cast<int>(w.frames.size())), "robot", i);
    require(static_cast<int>(r.joint_names.size()) == r.bodies, "robot", i);
  }
}

void check_geometry(const World& w) {
  const int materials = static_cast<int>(w.material_names.size()), geoms = static_cast<int>(w.geoms.size());
  require(w.pair_materials.size() == w.material_names.size() * w.material_names.size(), "the table of materials", 0);
  for (std::size_t i = 0; i < w.geoms.size(); ++i) {
    const Geom& g = w.geoms[i];
    require(names_body(w, g.body) && g.material >= 0 && g.material < materials, "geom", i);
    require(finite(g.placement) && g.shape.kind <= ShapeKind::heightfield && g.shape.size.allFinite(), "geom", i);
  }
  for (std::size_t i = 0; i < w.frames.size(); ++i)
    require(names_body(w, w.frames[i].body) && finite(w.frames[i].placement), "frame", i);
  for (std::size_t i = 0; i < w.excluded_pairs.size(); ++i) {
    const auto [a, b] = w.excluded_pairs[i];
    require(a >= 0 && a < b && b < geoms, "excluded pair", i);
  }
  require(std::is_sorted(w.excluded_pairs.begin(), w.excluded_pairs.end()), "excluded pair", 0);
}

bool sound_zone(const Zone& z) { return z.kind <= Zone::box && z.size.allFinite() && (z.size.array() >= 0.0).all(); }

bool names_object(const World& w, const Sensor& s) {
  const int bodies = static_cast<int>(w.bodies.size());
  switch (sensor_info(s.kind).object) {
    case SensorObject::joint:
      return s.object >= 0 && s.object < bodies && sizes(w.bodies[s.object].joint).nv == 1;
    case SensorObject::ball:
      return s.object >= 0 && s.object < bodies && w.bodies[s.object].joint == JointKind::spherical;
    case SensorObject::tendon:
      return s.object >= 0 && s.object < static_cast<int>(w.tendons.size());
    case SensorObject::actuator:
      return s.object >= 0 && s.object < static_cast<int>(w.actuators.size());
    default:
      return names_body(w, s.object);
  }
}

void check_sensors(const World& w) {
  const int robots = static_cast<int>(w.robots.size()), geoms = static_cast<int>(w.geoms.size());
  for (std::size_t i = 0; i < w.sites.size(); ++i) {
    const Site& s = w.sites[i];
    require(names_body(w, s.body) && finite(s.placement) && sound_zone(s.zone), "site", i);
    require(s.robot >= -1 && s.robot < robots, "site", i);
  }
  for (std::size_t i = 0; i < w.sensors.size(); ++i) {
    const Sensor& s = w.sensors[i];
    require(s.kind <= SensorKind::e_kinetic && s.robot >= -1 && s.robot < robots && names_object(w, s), "sensor", i);
    require(names_body(w, s.reference) && finite(s.placement) && finite(s.reference_placement), "sensor", i);
    require(sound_zone(s.zone) && s.field.allFinite() && s.cutoff >= 0.0 && s.noise >= 0.0, "sensor", i);
    for (const SensorPart& p : s.parts)
      require(names_body(w, p.body) && p.mass >= 0.0 && p.com.allFinite() && p.about_com.allFinite(), "sensor", i);
    for (const std::vector<int>* list : {&s.geoms, &s.others}) {
      require(std::is_sorted(list->begin(), list->end()), "sensor", i);
      for (const int g : *list) require(g >= 0 && g < geoms, "sensor", i);
    }
    const ContactReading& r = s.reading;
    require(r.reduce <= ContactReading::netforce && r.fields > 0 && r.fields < 1U << ContactReading::kFields, "sensor",
            i);
    require(r.slots >= 1 && r.slots <= kMostContactSlots, "sensor", i);
  }
}

void check_loops(const World& w) {
  for (std::size_t i = 0; i < w.loops.size(); ++i) {
    const Loop& l = w.loops[i];
    require(l.kind <= Loop::slider && names_body(w, l.a) && names_body(w, l.b), "loop", i);
    require(l.a != kWorldBody || l.b != kWorldBody, "loop", i);
    require(finite(l.frame_a) && finite(l.frame_b) && l.axis.allFinite(), "loop", i);
  }
  for (std::size_t i = 0; i < w.cuts.size(); ++i) {
    const CutJoint& c = w.cuts[i];
    require(c.kind <= JointKind::planar && c.loop >= 0 && c.loop < static_cast<int>(w.loops.size()), "cut joint", i);
    require(inside(c.tau, sizes(c.kind).nv, w.ntau) && inside(c.slot, 6, w.nv) && sizes(c.kind).nv <= 3, "cut joint",
            i);
  }
}

void check_path(const World& w, const Tendon& t, std::size_t i) {
  require(is_tendon_path(t.path), "tendon", i);
  for (const PathPoint& p : t.path)
    require(names_body(w, p.body) && names_body(w, p.side_body) && finite(p.placement) && p.side.allFinite() &&
                std::isfinite(p.size),
            "tendon", i);
}

void check_tendons(const World& w) {
  for (std::size_t i = 0; i < w.tendons.size(); ++i) {
    const Tendon& t = w.tendons[i];
    require(t.joints.empty() != t.path.empty() && t.range[0] <= t.range[1] && t.spring[0] <= t.spring[1], "tendon", i);
    for (const double x : {t.stiffness, t.damping, t.dry_friction, t.armature})
      require(x >= 0.0 && std::isfinite(x), "tendon", i);
    require(t.spring.allFinite(), "tendon", i);
    for (const TendonJoint& j : t.joints) {
      require(j.body >= 0 && j.body < static_cast<int>(w.bodies.size()) && std::isfinite(j.coefficient), "tendon", i);
      require(sizes(w.bodies[j.body].joint).nv == 1, "tendon", i);
    }
    if (!t.path.empty()) check_path(w, t, i);
    require(!tendon_needs_rows(t) || tendon_ends(w.bodies, t).size() <= kMostChains, "tendon", i);
  }
}

void check_drives(const World& w) {
  const int bodies = static_cast<int>(w.bodies.size());
  const auto is_body = [bodies](BodyId b) { return b >= 0 && b < bodies; };
  const auto is_tendon = [&w](int t) { return t >= 0 && t < static_cast<int>(w.tendons.size()); };
  check_tendons(w);
  for (std::size_t i = 0; i < w.actuators.size(); ++i) {
    const Actuator& a = w.actuators[i];
    require(a.target <= Actuator::tendon && a.dynamics <= Actuator::constant, "actuator", i);
    require(names_body(w, a.body) && (a.target == Actuator::nothing || a.target == Actuator::site ||
                                      a.target == Actuator::tendon || is_body(a.body)),
            "actuator", i);
    require(a.robot >= -1 && a.robot < static_cast<int>(w.robots.size()) && finite(a.placement), "actuator", i);
    require(a.target == Actuator::tendon ? is_tendon(a.tendon_index) : a.tendon_index == -1, "actuator", i);
    require(a.activation >= -1 && a.activation < w.activations, "actuator", i);
    require(names_body(w, a.reference_body) && finite(a.reference), "actuator", i);
  }
  for (std::size_t i = 0; i < w.couplings.size(); ++i) {
    const Coupling& c = w.couplings[i];
    require(!c.coefficients.empty(), "coupling", i);
    if (c.tendon_a != -1) {
      require(is_tendon(c.tendon_a) && (c.tendon_b == -1 || is_tendon(c.tendon_b)), "coupling", i);
      require(c.a == kWorldBody && c.b == kWorldBody, "coupling", i);
      require(tendon_ends(w.bodies, w.tendons, c.tendon_a, c.tendon_b).size() <= kMostChains, "coupling", i);
      continue;
    }
    require(is_body(c.a) && names_body(w, c.b) && c.tendon_b == -1, "coupling", i);
    require(sizes(w.bodies[c.a].joint).nv == 1 && (c.b == kWorldBody || sizes(w.bodies[c.b].joint).nv == 1), "coupling",
            i);
  }
  for (std::size_t i = 0; i < w.gravity_compensation.size(); ++i)
    require(names_body(w, w.gravity_compensation[i].body), "gravity compensation", i);
  for (std::size_t i = 0; i < w.fluid.size(); ++i) {
    const FluidPart& f = w.fluid[i];
    require(names_body(w, f.body) && finite(f.placement) && (!f.ellipsoid || f.coefficients.size() == 5), "fluid", i);
  }
  for (std::size_t i = 0; i < w.robots.size(); ++i)
    for (const Keyframe& key : w.robots[i].keyframes)
      require(key.q.size() == w.robots[i].nq && key.v.size() == w.robots[i].nv, "keyframe of robot", i);
}

bool sound(const Softness& s) {
  return s.reference.allFinite() &&
         std::all_of(s.impedance.begin(), s.impedance.end(), [](double x) { return std::isfinite(x); }) &&
         s.weight >= 0.0 && s.angular_weight >= 0.0 && s.pyramid >= 0.0;
}

void check_softness(const World& w) {
  const WorldSoftness& s = w.softness;
  if (s.empty()) return;
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  require(s.contacts.size() == w.pair_materials.size() && s.geoms.size() == w.geoms.size(), "the softness", 0);
  require(s.limits.size() == size(w.nv) && s.friction.size() == size(w.nv), "the softness", 0);
  require(s.loops.size() == w.loops.size() && s.couplings.size() == w.couplings.size(), "the softness", 0);
  for (const auto* list : {&s.contacts, &s.limits, &s.friction, &s.loops, &s.couplings})
    require(std::all_of(list->begin(), list->end(), sound), "the softness", 0);
}

void check_vectors(const World& w) {
  require(w.nq >= 0 && w.nv >= 0 && w.ntau >= 0 && w.q0.size() == w.nq && w.v0.size() == w.nv, "the state", 0);
  require(w.q0.allFinite() && w.v0.allFinite() && w.gravity.allFinite(), "the state", 0);
  for (const Vec* x : {&w.lower, &w.upper, &w.joint_damping, &w.dry_friction, &w.armature, &w.effort_limit,
                       &w.stiffness, &w.actuation_lower, &w.actuation_upper})
    require(x->size() == w.nv, "the list of joints", 0);
  require(w.spring_q.size() == w.nq && w.activations >= 0, "the list of springs", 0);
  require(static_cast<int>(w.tau_velocity.size()) == w.ntau, "the list of motors", 0);
  for (std::size_t i = 0; i < w.tau_velocity.size(); ++i)
    require(w.tau_velocity[i] >= -1 && w.tau_velocity[i] < w.nv, "motor", i);
  require(w.public_id.empty() || w.public_id.size() == w.bodies.size(), "the list of body ids", 0);
  for (std::size_t i = 0; i < w.public_id.size(); ++i) require(w.public_id[i] >= 0, "body id", i);
}

}  // namespace

void check_indices(const World& world) {
  check_vectors(world);
  check_trees(world);
  check_bodies(world);
  check_robots(world);
  check_geometry(world);
  check_loops(world);
  check_drives(world);
  check_sensors(world);
  check_softness(world);
}

}  // namespace stiction
