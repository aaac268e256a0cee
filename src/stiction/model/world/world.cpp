// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/hash.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/world/draft.h>
#include <stiction/model/world/world_builder_impl.h>

#include <algorithm>

namespace stiction {
namespace {

template <class Derived>
void add(Hash& h, const Eigen::PlainObjectBase<Derived>& m) {
  h.add(m.data(), m.size());
}

void add(Hash& h, const Pose& p) {
  add(h, p.rotation);
  add(h, p.translation);
}

void add(Hash& h, const std::vector<Vec3>& points) {
  h.add(points.size());
  for (const Vec3& p : points) add(h, p);
}

void add(Hash& h, const Shape& s) {
  h.add(static_cast<int>(s.kind));
  add(h, s.size);
  if (s.convex) add(h, s.convex->vertices);
  if (s.mesh) {
    add(h, s.mesh->vertices);
    for (const Eigen::Vector3i& t : s.mesh->triangles) add(h, t);
  }
  if (s.heightfield) {
    add(h, s.heightfield->heights);
    h.add(s.heightfield->size_x);
    h.add(s.heightfield->size_y);
  }
}

void add(Hash& h, const Body& b) {
  h.add(b.name);
  h.add(b.parent);
  h.add(static_cast<int>(b.joint));
  add(h, b.axis);
  add(h, b.placement);
  h.add(b.inertia.mass);
  add(h, b.inertia.com);
  add(h, b.inertia.about_com);
}

void add(Hash& h, const Loop& l) {
  h.add(static_cast<int>(l.kind));
  h.add(l.a);
  h.add(l.b);
  add(h, l.frame_a);
  add(h, l.frame_b);
  if (l.kind == Loop::hinge || l.kind == Loop::slider) add(h, l.axis);
  h.add(l.stiffness);
  h.add(l.damping);
}

void add(Hash& h, const CutJoint& c) {
  for (const int x : {static_cast<int>(c.kind), c.loop, c.tau, c.slot}) h.add(x);
  h.add(c.lower);
  h.add(c.upper);
  for (const Vec3* x : {&c.damping, &c.dry_friction, &c.armature, &c.effort_limit}) add(h, *x);
}

void add(Hash& h, const std::vector<Softness>& list) {
  for (const Softness& s : list) {
    if (!s.given) continue;
    add(h, s.reference);
    for (const double x : s.impedance) h.add(x);
    for (const double x : {s.weight, s.angular_weight, s.pyramid}) h.add(x);
  }
}

void add(Hash& h, const WorldSoftness& s) {
  for (const auto* list : {&s.contacts, &s.limits, &s.friction, &s.loops, &s.couplings}) add(h, *list);
  for (const double x : s.geoms) h.add(x);
}

}  // namespace

const std::string& World::body_name(BodyId id) const {
  static const std::string world = "world";
  return id < 0 ? world : bodies[id].name;
}

int loop_rows(const Loop& loop) {
  switch (loop.kind) {
    case Loop::point:
      return 3;
    case Loop::weld:
      return 6;
    case Loop::hinge:
    case Loop::slider:
      return 5;
  }
  return 0;
}

bool turns_resist(const World& world) {
  return std::any_of(world.pair_materials.begin(), world.pair_materials.end(), [](const PairMaterial& m) {
    return (m.mu > 0.0 || m.mu_static > 0.0) && (m.mu_torsion > 0.0 || m.mu_rolling > 0.0);
  });
}

std::uint64_t fingerprint(const World& w) {
  Hash h;
  for (const Body& b : w.bodies) add(h, b);
  for (const Geom& g : w.geoms) {
    h.add(g.body);
    add(h, g.placement);
    h.add(g.material);
    add(h, g.shape);
  }
  for (const Loop& l : w.loops) add(h, l);
  for (const CutJoint& c : w.cuts) add(h, c);
  for (const PairMaterial& m : w.pair_materials)
    for (const double x : {m.mu, m.mu_static, m.restitution, m.stiffness, m.damping, m.restitution_tangential})
      h.add(x);
  for (const PairMaterial& m : w.pair_materials)
    if (m.margin != 0.0) h.add(m.margin);
  for (const PairMaterial& m : w.pair_materials)  // worlds without keep their fingerprint
    if (m.mu_torsion != 0.0 || m.mu_rolling != 0.0) h.add(m.mu_torsion), h.add(m.mu_rolling);
  for (const auto& [i, j] : w.excluded_pairs) {
    h.add(i);
    h.add(j);
  }
  add(h, w.gravity);
  h.add(w.ntau);
  for (const Vec* x :
       {&w.q0, &w.v0, &w.lower, &w.upper, &w.joint_damping, &w.dry_friction, &w.armature, &w.effort_limit})
    add(h, *x);
  add_drives(h, w);
  if (!w.softness.empty()) add(h, w.softness);
  return h.value();
}

}  // namespace stiction
