// SPDX-License-Identifier: BSD-2-Clause
// What acts on joints and bodies besides users: actuators, tendons, couplings, gravity compensation, fluid.
#include <stiction/base/hash.h>
#include <stiction/model/world/draft.h>
#include <stiction/model/world/tendon.h>
#include <stiction/model/world/world_builder_impl.h>

namespace stiction {
namespace {

template <class Derived>
void add_values(Hash& h, const Eigen::PlainObjectBase<Derived>& m) {
  h.add(m.data(), m.size());
}

void add_place(Hash& h, BodyId body, const Pose& p) {
  h.add(body);
  add_values(h, p.rotation);
  add_values(h, p.translation);
}

void add_actuator(Hash& h, const Actuator& a) {
  h.add(static_cast<int>(a.target));
  add_place(h, a.body, a.placement);
  add_values(h, a.gear);
  for (const Vec3* x : {&a.gain, &a.bias}) add_values(h, *x);
  h.add(static_cast<int>(a.dynamics));
  h.add(a.time_constant);
  for (const Vec2* x : {&a.ctrl_range, &a.force_range, &a.act_range}) add_values(h, *x);
  if (a.tendon_index >= 0) h.add(a.tendon_index);
  if (a.referred) add_place(h, a.reference_body, a.reference);
}

void add_tendon(Hash& h, const Tendon& t) {
  for (const TendonJoint& j : t.joints) h.add(j.body), h.add(j.coefficient);
  for (const Vec2* x : {&t.range, &t.spring}) add_values(h, *x);
  for (const double x : {t.stiffness, t.damping, t.dry_friction, t.armature}) h.add(x);
  for (const PathPoint& p : t.path) {
    h.add(static_cast<int>(p.kind));
    add_place(h, p.body, p.placement);
    h.add(p.size);
    if (!p.sided) continue;
    h.add(p.side_body);
    add_values(h, p.side);
  }
}

}  // namespace

void append_drives(World& w, const RobotModel& r, int robot_id, BodyId first_body, const Pose& pose) {
  const auto shift = [first_body](BodyId b) { return b == kWorldBody ? kWorldBody : b + first_body; };
  const int first_tendon = static_cast<int>(w.tendons.size());
  const auto shift_tendon = [first_tendon](int t) { return t < 0 ? -1 : t + first_tendon; };
  int activations = 0;
  for (Actuator a : r.actuators) {
    a.robot = robot_id;
    if (a.body == kWorldBody) a.placement = pose * a.placement;
    if (a.reference_body == kWorldBody) a.reference = pose * a.reference;
    a.reference_body = shift(a.reference_body);
    a.body = shift(a.body), a.tendon_index = shift_tendon(a.tendon_index);
    if (a.activation >= 0) a.activation += w.activations, ++activations;
    w.actuators.push_back(std::move(a));
  }
  w.activations += activations;
  for (Coupling c : r.couplings) {
    c.a = shift(c.a), c.b = shift(c.b);
    c.tendon_a = shift_tendon(c.tendon_a), c.tendon_b = shift_tendon(c.tendon_b);
    w.couplings.push_back(std::move(c));
  }
  for (Tendon t : r.tendons) {
    for (TendonJoint& j : t.joints) j.body = shift(j.body);
    for (PathPoint& p : t.path) {
      if (p.body == kWorldBody) p.placement = pose * p.placement;
      if (p.side_body == kWorldBody) p.side = pose * p.side;
      p.body = shift(p.body), p.side_body = shift(p.side_body);
    }
    w.tendons.push_back(std::move(t));
  }
  for (GravityCompensation g : r.gravity_compensation) {
    g.body = shift(g.body);
    w.gravity_compensation.push_back(g);
  }
  for (FluidPart part : r.fluid) {
    part.body = shift(part.body);
    w.fluid.push_back(std::move(part));
  }
}

int remembered_rows(const World& world) {
  int rows = static_cast<int>(world.couplings.size() + kTendonRows * world.tendons.size());
  for (const Loop& l : world.loops) rows += loop_rows(l);
  return rows;
}

// Nothing is added for a world without any of it: it keeps the fingerprint that it had before there was such a thing.
void add_drives(Hash& h, const World& w) {
  for (const Actuator& a : w.actuators) add_actuator(h, a);
  for (const Coupling& c : w.couplings) {
    h.add(c.a), h.add(c.b), h.add(c.zero_a), h.add(c.zero_b);
    h.add(c.coefficients.data(), c.coefficients.size());
    if (c.tendon_a >= 0) h.add(c.tendon_a), h.add(c.tendon_b);
  }
  for (const Tendon& t : w.tendons) add_tendon(h, t);
  for (const GravityCompensation& g : w.gravity_compensation) {
    h.add(g.body), h.add(g.mass);
    add_values(h, g.point);
  }
  for (const FluidPart& p : w.fluid) {
    add_place(h, p.body, p.placement);
    for (const Vec3* x : {&p.size, &p.wind}) add_values(h, *x);
    h.add(p.density), h.add(p.viscosity), h.add(p.ellipsoid);
    h.add(p.coefficients.data(), p.coefficients.size());
  }
  if (!w.stiffness.isZero(0.0)) add_values(h, w.stiffness), add_values(h, w.spring_q);
  if (!w.actuation_upper.array().isInf().all() || !w.actuation_lower.array().isInf().all())
    add_values(h, w.actuation_lower), add_values(h, w.actuation_upper);
}

}  // namespace stiction
