// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/model/draft.h>
#include <stiction/model/hash.h>

namespace stiction {
namespace {

void add(Hasher& h, const Shape& s) {
  h.add(static_cast<int>(s.kind));
  h.add(s.size);
  if (!s.convex && !s.mesh && !s.heightfield) return;
  const Aabb box = bounds(s, Pose{});
  h.add(box.lo);
  h.add(box.hi);
  h.add(reach(s));
}

void add(Hasher& h, const Body& b) {
  h.add(b.name);
  h.add(b.parent);
  h.add(static_cast<int>(b.joint));
  h.add(b.axis);
  h.add(b.placement);
  h.add(b.inertia.mass);
  h.add(b.inertia.com);
  h.add(b.inertia.about_com);
}

void add(Hasher& h, const Loop& l) {
  h.add(static_cast<int>(l.kind));
  h.add(l.a);
  h.add(l.b);
  h.add(l.frame_a);
  h.add(l.frame_b);
  h.add(l.stiffness);
  h.add(l.damping);
}

}  // namespace

const std::string& World::body_name(BodyId id) const {
  static const std::string world = "world";
  return id < 0 ? world : bodies[static_cast<std::size_t>(id)].name;
}

int loop_rows(const Loop& loop) { return loop.kind == Loop::weld ? 6 : 3; }

std::uint64_t fingerprint(const World& w) {
  Hasher h;
  for (const Body& b : w.bodies) add(h, b);
  for (const Geom& g : w.geoms) {
    h.add(g.body);
    h.add(g.placement);
    h.add(g.material);
    add(h, g.shape);
  }
  for (const Loop& l : w.loops) add(h, l);
  for (const PairMaterial& m : w.pair_materials)
    for (const double x : {m.mu, m.mu_static, m.restitution, m.stiffness, m.damping}) h.add(x);
  for (const auto& [i, j] : w.excluded_pairs) {
    h.add(i);
    h.add(j);
  }
  h.add(w.gravity);
  h.add(w.ntau);
  for (const Vec* x :
       {&w.q0, &w.v0, &w.lower, &w.upper, &w.joint_damping, &w.dry_friction, &w.armature, &w.effort_limit})
    h.add(*x);
  return h.value();
}

}  // namespace stiction
