// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/joint_friction.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kWithin = 1e-9;     // of the bound: a joint this near to it may be about to slide
constexpr double kAtRest = 1e-8;     // a row that sticks leaves this much at the most; it is zero then [rad/s, m/s]
constexpr double kRoundOff = 1e-12;  // likewise, of a joint that slides
constexpr double kMayStop = 4.0;     // times dt·friction: joints with less momentum of their own may stop
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr int kLeastVelocities = 3;  // that a contact needs

// Where the chain of `body` parts from that of `other`.
int first_apart(const Layout& layout, int body, int other) {
  const bool same = other != kWorldBody && layout.bodies[other].tree == layout.bodies[body].tree;
  return same ? layout.common(body, other) : 0;
}

}  // namespace

std::vector<DryJoint> dry_joints(const World& world, const Layout& layout) {
  std::vector<DryJoint> out;
  if (!world.cuts.empty()) return out;  // their joints have rows of another kind
  std::vector<char> busy(world.nv, 0);
  // A loop moves only with what lies between its two bodies: its forces do not reach the joints above both.
  const auto mark_chain = [&](BodyId body, BodyId other) {
    if (body == kWorldBody) return;
    const BodyPlan& plan = layout.bodies[body];
    for (int d = first_apart(layout, body, other); d < plan.length; ++d) busy[layout.chain[plan.chain + d]] = 1;
  };
  for (const Loop& loop : world.loops) mark_chain(loop.a, loop.b), mark_chain(loop.b, loop.a);
  for (const Coupling& coupling : world.couplings)
    for (const BodyId body : {coupling.a, coupling.b})
      if (body != kWorldBody) busy[layout.bodies[body].v] = 1;
  for (const TendonPlan& tendon : layout.tendons)
    for (const TendonTerm& x : tendon.terms) busy[x.velocity] = 1;
  for (const int body : layout.bounded) {
    const BodyPlan& plan = layout.bodies[body];
    for (int v = plan.v; v < plan.v + plan.nv; ++v)
      if (world.dry_friction[v] > 0.0) out.push_back({body, v, plan.nv == 1 && busy[v] == 0});
  }
  return out;
}

bool JointFriction::may_hold(const StepContext& c, const State& state, const DryJoint& joint, Bearing& limits) const {
  const int v = joint.velocity;
  if (!joint.lockable) return false;
  const BodyPlan& plan = c.model.layout.bodies[joint.body];
  const LawOptions& law = c.model.hard().options;
  const double below = plan.continuous ? kNoLimit : state.q[plan.q] - c.world.lower[v];
  const double above = plan.continuous ? kNoLimit : c.world.upper[v] - state.q[plan.q];
  if (const double nearest = std::min(below, above); !(nearest > law.margin)) {
    const double correction = law.baumgarte * (-nearest - law.dead_band) / c.model.dt;
    if (c.model.hard().from_file || !(correction <= kAtRest)) return false;
    limits = {below <= law.dead_band, above <= law.dead_band};
  }
  const double friction = state.friction_force[v];
  return std::abs(friction) <= (1.0 - kWithin) * c.world.dry_friction[v] || limits.bears(friction);
}

// It slides too fast to stop, or the way it slid in the last step, which it mostly goes on to do.
bool JointFriction::goes_on(const StepContext& c, const State& state, int j) const {
  const double v = c.work.v[j], friction = state.friction_force[j], bound = c.world.dry_friction[j];
  const double inertia = mass_[c.model.layout.row[j] + c.model.layout.depth[j]];
  if (std::abs(v) * inertia > kMayStop * c.model.dt * bound) return true;
  return std::abs(v) > kAtRest && v * friction < 0.0 && std::abs(friction) >= (1.0 - kWithin) * bound;
}

void JointFriction::begin(const StepContext& c, const State& state) {
  const Workspace& work = c.work;
  const std::vector<DryJoint>& joints = c.model.dry;
  if (joints.empty()) return;
  mass_ = work.kinematics.factor, momentum_ = work.z;
  way_.assign(joints.size(), row), push_.assign(joints.size(), 0.0), limits_.assign(joints.size(), {});
  held_.assign(c.world.nv, 0), needs_.assign(c.world.nv, RowNeed::any);
  for (std::size_t i = 0; i < joints.size() && !rows_only; ++i) {
    const int j = joints[i].velocity;
    const double v = work.v[j], bound = c.model.dt * c.world.dry_friction[j];
    if (v == 0.0) {
      if (may_hold(c, state, joints[i], limits_[i])) way_[i] = held;
    } else if (goes_on(c, state, j)) {
      way_[i] = pushed, push_[i] = v > 0.0 ? -bound : bound;
    }
    held_[j] = way_[i] == held;
  }
}

// Velocities that move one of the bodies and not the other, and are not held.
int JointFriction::free_velocities(const StepContext& c, int body, int other) const {
  if (body == kWorldBody) return 0;
  const Layout& layout = c.model.layout;
  const BodyPlan& plan = layout.bodies[body];
  int count = 0;
  for (int d = first_apart(layout, body, other); d < plan.length; ++d)
    count += held_[layout.chain[plan.chain + d]] == 0;
  return count;
}

void JointFriction::free_chain(const StepContext& c, int body, int other) {
  if (body == kWorldBody) return;
  const Layout& layout = c.model.layout;
  const BodyPlan& plan = layout.bodies[body];
  for (int d = first_apart(layout, body, other); d < plan.length; ++d) held_[layout.chain[plan.chain + d]] = 0;
}

void JointFriction::free_contacts(const StepContext& c) {
  for (const Contact& contact : c.work.contacts) {
    if (free_velocities(c, contact.a, contact.b) + free_velocities(c, contact.b, contact.a) >= kLeastVelocities)
      continue;
    free_chain(c, contact.a, contact.b), free_chain(c, contact.b, contact.a);
  }
}

void JointFriction::apply(const StepContext& c) {
  Workspace& work = c.work;
  const std::vector<DryJoint>& joints = c.model.dry;
  if (joints.empty()) return;
  free_contacts(c);
  work.kinematics.factor = mass_, work.z = momentum_;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int j = joints[i].velocity;
    if (way_[i] == held && held_[j] == 0) way_[i] = row;
    if (way_[i] == pushed) work.z[j] += push_[i];
    needs_[j] = way_[i] == held ? RowNeed::none : way_[i] == pushed ? RowNeed::limits : RowNeed::any;
  }
  whiten(c, held_.data());
}

// (Jᵀλ)_j of all contacts: wrenches about the base of each tree, summed from the leaves to the root.
void JointFriction::contact_torques(const StepContext& c) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  const std::size_t bodies = layout.bodies.size();
  force_.assign(bodies, Vec3::Zero()), moment_.assign(bodies, Vec3::Zero());
  for (std::size_t i = 0; i < c.work.contacts.size(); ++i) {
    const Contact& contact = c.work.contacts[i];
    const Vec3 impulse = contact.frame.transpose() * Eigen::Map<const Vec3>(c.work.impulses.data() + 3 * i);
    const Vec3 twist = contact_torque(c.work, i, 1.0);  // of spin and roll
    for (const auto& [body, sign] : {std::pair{contact.a, -1.0}, std::pair{contact.b, 1.0}}) {
      if (body == kWorldBody) continue;
      const Pose& base = k.base[layout.bodies[body].tree];
      const Vec3 f = sign * (base.rotation.transpose() * impulse);
      force_[body] += f;
      moment_[body] += (base.rotation.transpose() * (contact.point - base.translation)).cross(f);
      if (c.model.turns) moment_[body] += sign * (base.rotation.transpose() * twist);
    }
  }
  for (std::size_t b = bodies; b-- > 0;) {
    const BodyPlan& plan = layout.bodies[b];
    for (int v = plan.v; v < plan.v + plan.nv; ++v)
      torque_[v] -= k.columns[v].lin.dot(force_[b]) + k.columns[v].ang.dot(moment_[b]);
    if (plan.parent != kWorldBody) force_[plan.parent] += force_[b], moment_[plan.parent] += moment_[b];
  }
}

// The impulses of the round before belong to each other; those of the last step belong to another motion.
void JointFriction::guess_again(const StepContext& c) {
  Assembly& assembly = c.work.assembly;
  for (std::size_t i = 0; i < assembly.specs.size(); ++i)
    block_impulse(assembly.specs[i], assembly.rows.blocks[i], c.work, assembly.specs[i].guess);
}

bool JointFriction::review(const StepContext& c) {
  Workspace& work = c.work;
  const std::vector<DryJoint>& joints = c.model.dry;
  if (joints.empty()) return false;
  const Layout& layout = c.model.layout;
  torque_.resize(c.world.nv);
  for (int j = 0; j < c.world.nv; ++j) torque_[j] = -momentum_[j];
  for (int j = 0; j < c.world.nv; ++j) {  // M Δv on the packed rows
    const double* line = mass_.data() + layout.row[j];
    const int* chain = layout.chain.data() + layout.chain_of[j];
    const double own = work.next[j] - work.v[j];
    for (int d = 0; d < layout.depth[j]; ++d) {
      torque_[j] += line[d] * (work.next[chain[d]] - work.v[chain[d]]);
      torque_[chain[d]] += line[d] * own;
    }
    torque_[j] += line[layout.depth[j]] * own;
  }
  contact_torques(c);
  bool again = false;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int j = joints[i].velocity;
    const double bound = c.model.dt * c.world.dry_friction[j];
    const bool borne = way_[i] == held && limits_[i].bears(torque_[j]);
    const bool wrong = way_[i] == held     ? !borne && !(std::abs(torque_[j]) <= bound)
                       : way_[i] == pushed ? !(work.next[j] * push_[i] <= 0.0)
                                           : false;
    if (wrong) {  // as a row it starts in the other state: dragged along, or at rest
      work.friction_impulse[j] = way_[i] == held ? std::copysign(bound, torque_[j]) : 0.0;
      way_[i] = row, held_[j] = 0, again = true;
      continue;
    }
    if (way_[i] == held) (borne ? work.limit_impulse : work.friction_impulse)[j] = torque_[j];
    if (way_[i] == pushed) work.friction_impulse[j] = push_[i];
    const bool sticks = way_[i] == row && std::abs(work.friction_impulse[j]) < (1.0 - kWithin) * bound;
    if (std::abs(work.next[j]) <= (sticks ? kAtRest : kRoundOff)) work.next[j] = 0.0;
  }
  return again;
}

}  // namespace stiction
