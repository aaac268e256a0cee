// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/hash.h>
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/model/world/draft.h>
#include <stiction/model/world/state.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Called before every step: no allocation unless something is wrong.
void check_vector(const char* field, const Vec& x, Eigen::Index size) {
  if (x.size() != size)
    throw InvalidInput(std::string(field) + " has size " + std::to_string(x.size()) + ", expected " +
                       std::to_string(size));
  if (finite_entries(x.data(), static_cast<std::size_t>(size))) return;
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(x[i])) check_finite(std::string(field) + '[' + std::to_string(i) + ']', x[i]);
}

// Unit part of a joint's q: quaternion or (cos, sin); no entries for the other kinds.
struct UnitPart {
  int first = 0, size = 0;
};

UnitPart unit_part(JointKind kind) {
  switch (kind) {
    case JointKind::free:
      return {3, 4};
    case JointKind::spherical:
      return {0, 4};
    case JointKind::continuous:
      return {0, 2};
    case JointKind::planar:
      return {2, 2};
    default:
      return {};
  }
}

void check_units(const World& world, const Vec& q) {
  for (const Body& b : world.bodies) {
    const UnitPart u = unit_part(b.joint);
    if (u.size == 0) continue;
    const double square = q.segment(b.q + u.first, u.size).squaredNorm();
    if (std::abs(square - 1.0) <= 1e-14) continue;  // the usual case, before every step
    const double n = std::sqrt(square);
    if (!(std::abs(n - 1.0) <= 1e-3))
      throw InvalidInput("State.q[" + std::to_string(b.q + u.first) + ":" + std::to_string(b.q + u.first + u.size) +
                         "] of body '" + b.name + "' has length " + text(n) + ", expected a " +
                         (u.size == 4 ? "unit quaternion (x, y, z, w)" : "pair (cos, sin) of unit length"));
  }
}

// What is a unit vector up to rounding stays bit for bit.
void normalise_units(const World& world, Vec& q) {
  for (const Body& b : world.bodies) {
    const UnitPart u = unit_part(b.joint);
    if (u.size == 0) continue;
    auto part = q.segment(b.q + u.first, u.size);
    if (!(std::abs(part.squaredNorm() - 1.0) <= 1e-14)) part /= part.norm();
  }
}

// A caller may hand them over in any order; what a step leaves behind is sorted and stays bit for bit.
template <class Record>
void sort_by_key(std::vector<Record>& records) {
  const auto before = [](const Record& a, const Record& b) { return a.key < b.key; };
  if (!std::is_sorted(records.begin(), records.end(), before)) std::sort(records.begin(), records.end(), before);
}

void add(Hash& h, const Vec& x) { h.add(x.data(), x.size()); }

}  // namespace

State initial_state(const World& world) {
  State s;
  s.q = world.q0;
  s.v = world.v0;
  s.limit_force = Vec::Zero(world.nv);
  s.friction_force = Vec::Zero(world.nv);
  s.loop_force = Vec::Zero(remembered_rows(world));
  s.pd.kp = s.pd.kd = s.pd.target = Vec::Zero(world.ntau);
  s.ctrl = Vec::Zero(static_cast<Eigen::Index>(world.actuators.size()));
  s.act = Vec::Zero(world.activations);
  return s;
}

void check_state(const World& world, State& s) {
  if (!std::isfinite(s.time)) check_finite("State.time", s.time);
  check_vector("State.q", s.q, world.nq);
  check_vector("State.v", s.v, world.nv);
  check_vector("State.limit_force", s.limit_force, world.nv);
  check_vector("State.friction_force", s.friction_force, world.nv);
  check_vector("State.loop_force", s.loop_force, remembered_rows(world));
  check_vector("State.ctrl", s.ctrl, static_cast<Eigen::Index>(world.actuators.size()));
  check_vector("State.act", s.act, world.activations);
  if (s.pd.active) {
    check_vector("State.pd.kp", s.pd.kp, world.ntau);
    check_vector("State.pd.kd", s.pd.kd, world.ntau);
    check_vector("State.pd.target", s.pd.target, world.ntau);
  }
  check_units(world, s.q);
  normalise_units(world, s.q);
  sort_by_key(s.contacts);
  sort_by_key(s.torques);
  sort_by_key(s.anchors);
}

std::uint64_t hash(const State& s) {
  Hash h;
  h.add(s.time);
  for (const Vec* x : {&s.q, &s.v, &s.limit_force, &s.friction_force, &s.loop_force}) add(h, *x);
  h.add(std::string_view(reinterpret_cast<const char*>(s.contacts.data()), s.contacts.size() * sizeof(ContactRecord)));
  h.add(std::string_view(reinterpret_cast<const char*>(s.anchors.data()), s.anchors.size() * sizeof(AnchorRecord)));
  if (!s.torques.empty())
    h.add(std::string_view(reinterpret_cast<const char*>(s.torques.data()), s.torques.size() * sizeof(TorqueRecord)));
  h.add(s.pd.active);
  h.add(s.pd.implicit);
  for (const Vec* x : {&s.pd.kp, &s.pd.kd, &s.pd.target}) add(h, *x);
  if (s.ctrl.size() > 0) add(h, s.ctrl), add(h, s.act);  // a state without actuators keeps its hash
  return h.value();
}

}  // namespace stiction
