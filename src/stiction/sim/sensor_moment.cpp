// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/cholesky.h>
#include <stiction/dynamics/contact/coupling.h>
#include <stiction/dynamics/contact/cut_joint.h>
#include <stiction/dynamics/contact/cut_state.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/dynamics/kernels/accelerations.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tendons.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/model/world/draft.h>
#include <stiction/model/world/tendon.h>
#include <stiction/sim/sensor_moment.h>
#include <stiction/step/core/actuators.h>

#include <algorithm>

namespace stiction {
namespace {

// x ← M⁻¹ x with the factors of all trees.
void solve_trees(const World& world, const Layout& layout, const Kinematics& k, double* x) {
  for (const Tree& tree : world.trees) solve_transposed(layout, tree, k, x), solve_lower(layout, tree, k, x);
}

// x ← (M + Σ a JᵀJ)⁻¹ M x: tendons with inertia a of their own, which the factor of M leaves out (Woodbury).
void add_tendon_inertia(const World& world, const Layout& layout, const Kinematics& k, Vec& x) {
  std::vector<int> heavy;
  for (std::size_t i = 0; i < world.tendons.size(); ++i)
    if (world.tendons[i].armature > 0.0) heavy.push_back(static_cast<int>(i));
  if (heavy.empty()) return;
  const auto n = static_cast<Eigen::Index>(heavy.size());
  Mat Z = Mat::Zero(world.nv, n), inner = Mat::Zero(n, n);
  Vec rate(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::vector<TendonTerm>& t = tendon_terms(layout, k, heavy[static_cast<std::size_t>(i)]);
    add_tendon_force(t, 1.0, Z.col(i).data());
    solve_trees(world, layout, k, Z.col(i).data());
    rate[i] = tendon_rate(t, x.data());
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j)
      inner(i, j) = tendon_rate(tendon_terms(layout, k, heavy[static_cast<std::size_t>(i)]), Z.col(j).data());
    inner(i, i) += 1.0 / world.tendons[static_cast<std::size_t>(heavy[static_cast<std::size_t>(i)])].armature;
  }
  if (!factor_in_place(inner)) return;
  solve_factored(inner, rate);
  x -= Z * rate;
}

}  // namespace

SensorMoment::SensorMoment(const Simulator::Impl& simulator) : s_(simulator), q_(s_.state.q), v_(s_.state.v) {
  if (s_.minimal != s_.world) {
    own_layout_.emplace(*s_.minimal);
    measure_minimal_state(*s_.minimal, *s_.world, s_.state.q, s_.state.v, q_, v_);
  }
  k_.resize(world(), layout());
  forward_kinematics(world(), layout(), q_.data(), v_.data(), k_);
}

StepInput SensorMoment::input() const {
  const LastStep& last = s_.last;
  return {last.tau.size() != 0 ? last.tau.data() : nullptr, last.wrenches.data(),
          static_cast<int>(last.wrenches.size()), s_.state.ctrl.data(), s_.state.act.data()};
}

const Vec& SensorMoment::actuator_forces() {
  if (!actuator_forces_) {
    actuator_forces_ = Vec::Zero(static_cast<Eigen::Index>(world().actuators.size()));
    evaluate_actuators(world(), layout(), input(), q_.data(), v_.data(), k_, actuator_forces_->data());
  }
  return *actuator_forces_;
}

const Vec& SensorMoment::actuation() {
  if (!actuation_) {
    Kinematics k = k_;
    actuation_ = Vec::Zero(world().nv);
    add_actuator_forces(world(), layout(), input(), {q_.data(), v_.data(), 0.0, 0.0, 0.0}, k, actuation_->data());
  }
  return *actuation_;
}

void SensorMoment::add_contacts_of_last_step() {
  const Workspace& work = s_.work;
  for (std::size_t i = 0; i < work.contacts.size(); ++i) {
    const Contact& c = work.contacts[i];
    const Vec3 impulse = Eigen::Map<const Vec3>(work.impulses.data() + 3 * i);
    contacts_->push_back({static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b), s_.world->public_body(c.a),
                          s_.world->public_body(c.b), c.point, c.frame, c.gap,
                          c.frame.transpose() * impulse / s_.settings.dt, contact_torque(work, i, s_.settings.dt)});
  }
}

// The contacts of the present configuration with the forces that the state remembers for them.
void SensorMoment::add_remembered_contacts() {
  if (s_.state.contacts.empty() || s_.model->soft()) return;
  DetectionWork work;
  std::vector<Contact> found;
  const Layout& stepped = s_.model->layout;
  const Kinematics k = s_.kinematics();
  reset_look_ahead(*s_.world, work);
  detect(*s_.world, stepped, s_.model->detection, k, s_.model->dt, s_.model->hard().options.margin, work, found,
         s_.state.contacts);
  match(stepped, k, s_.state.contacts, found);
  const std::vector<TorqueRecord>& torques = s_.state.torques;
  for (const Contact& c : found) {
    const auto record = std::find_if(torques.begin(), torques.end(), [&](const auto& r) { return r.key == c.key; });
    const Vec3 torque = record != torques.end() ? Vec3(Eigen::Map<const Vec3>(record->torque)) : Vec3(Vec3::Zero());
    contacts_->push_back({static_cast<int>(c.key.geom_a), static_cast<int>(c.key.geom_b), s_.world->public_body(c.a),
                          s_.world->public_body(c.b), c.point, c.frame, c.gap,
                          c.frame.transpose() * Eigen::Map<const Vec3>(c.force), c.frame.transpose() * torque});
  }
}

const std::vector<FeltContact>& SensorMoment::contacts() {
  if (!contacts_) {
    contacts_.emplace();
    if (s_.last.made)
      add_contacts_of_last_step();
    else
      add_remembered_contacts();
  }
  return *contacts_;
}

// The rows of law/joint_blocks.cpp: forces along `linear` at both ends, couples along `angular`.
void SensorMoment::add_loop_loads() {
  const Vec& row_force = s_.state.loop_force;
  Eigen::Index row = 0;
  for (const Loop& loop : world().loops) {
    const LoopError e = loop_error(layout(), k_, loop);
    const Axes2 t = across(e.a.rotation * loop.axis);
    Vec3 force = Vec3::Zero(), couple = Vec3::Zero();
    if (loop.kind == Loop::slider)
      force = t.transpose() * row_force.segment<2>(row), row += 2;
    else
      force = row_force.segment<3>(row), row += 3;
    if (loop.kind == Loop::hinge)
      couple = t.transpose() * row_force.segment<2>(row), row += 2;
    else if (loop.kind != Loop::point)
      couple = row_force.segment<3>(row), row += 3;
    const Vec3& point_a = loop.kind == Loop::slider ? e.b.translation : e.a.translation;
    loads_->push_back({loop.a, -1, -force, -couple, point_a});
    loads_->push_back({loop.b, -1, force, couple, e.b.translation});
  }
}

const std::vector<Load>& SensorMoment::loads() {
  if (loads_) return *loads_;
  loads_.emplace();
  for (const FeltContact& c : contacts()) {
    loads_->push_back({c.a, c.geom_a, -c.force, -c.torque, c.point});
    loads_->push_back({c.b, c.geom_b, c.force, c.torque, c.point});
  }
  add_loop_loads();
  for (const Wrench& w : s_.last.wrenches)
    loads_->push_back({w.body, -1, w.force, w.torque, w.at_centre ? body_centre(layout(), k_, w.body) : w.point});
  return *loads_;
}

void SensorMoment::add_row_forces(Vec& force) const {
  const State& state = s_.state;
  force += state.limit_force + state.friction_force;
  Eigen::Index row = 0;
  for (const Loop& loop : world().loops) row += loop_rows(loop);
  for (const Coupling& c : world().couplings) {
    const double f = state.loop_force[row++], slope = coupling_error(layout(), k_, c, q_.data()).slope;
    if (c.tendon_a >= 0) {
      add_tendon_force(tendon_terms(layout(), k_, c.tendon_a), f, force.data());
      if (c.tendon_b >= 0) add_tendon_force(tendon_terms(layout(), k_, c.tendon_b), -slope * f, force.data());
    } else {
      force[layout().bodies[static_cast<std::size_t>(c.a)].v] += f;
      if (c.b != kWorldBody) force[layout().bodies[static_cast<std::size_t>(c.b)].v] -= slope * f;
    }
  }
  // Tendons: limit and dry friction; the third row is what is implicit, which has no part in (1).
  for (std::size_t i = 0; i < world().tendons.size(); ++i, row += kTendonRows)
    add_tendon_force(tendon_terms(layout(), k_, static_cast<int>(i)), state.loop_force[row] + state.loop_force[row + 1],
                     force.data());
}

Vec SensorMoment::solve_motion(Kinematics& k) {
  const World& w = world();
  Vec force(w.nv);
  fused_pass(w, layout(), q_.data(), v_.data(), Purpose::query, k);
  smooth_forces(w, layout(), s_.state.pd, input(), {q_.data(), v_.data(), 0.0, 0.0, 0.0}, k, force.data());
  add_row_forces(force);
  const std::size_t held = 2 * (contacts().size() + w.loops.size());  // wrenches are among the smooth forces
  for (std::size_t i = 0; i < held; ++i) {
    const Load& x = loads()[i];
    add_load(layout(), k, x.body, x.force, x.torque, x.point, force.data());
  }
  for (const Tree& tree : w.trees) factorise(layout(), tree, k);
  solve_trees(w, layout(), k, force.data());
  add_tendon_inertia(w, layout(), k, force);
  return force;
}

const Kinematics& SensorMoment::accelerations() {
  if (!accelerated_) {
    Kinematics k = k_;
    const Vec rate = solve_motion(k);
    add_accelerations(world(), layout(), rate.data(), k);
    accelerated_ = std::move(k);
  }
  return *accelerated_;
}

}  // namespace stiction
