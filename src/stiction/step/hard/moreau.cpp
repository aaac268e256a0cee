// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/hard/midpoint_rows.h>
#include <stiction/step/hard/moreau.h>

#include <algorithm>

namespace stiction {

MoreauStepper::MoreauStepper(const MoreauOptions& options, const World& world, const Layout& layout)
    : options_(options) {
  if (options.rounds < 1)
    throw InvalidInput("stepper 'moreau': rounds is " + std::to_string(options.rounds) + ", expected a number >= 1");
  if (options.energy_balance && options.stabilise)
    throw InvalidInput(
        "stepper 'moreau': energy_balance and stabilise exclude each other, a drift correction adds energy; project "
        "closes "
        "joints without it");
  const auto nv = world.nv;
  for (std::vector<double>* x : {&start_, &mean_, &contact_force_}) x->resize(nv);
  end_q_.resize(world.nq);
  if (options.energy_balance) balance_.resize(world, layout);
  if (options.project) projection_.resize(world, layout);
}

// (1): q_M in work.q, u_S in its axes in start_.
void MoreauStepper::half_way(const StepContext& c, const State& state) {
  std::copy_n(state.q.data(), c.world.nq, c.work.q.begin());
  std::copy_n(state.v.data(), c.world.nv, start_.begin());
  integrate(c.machine.layout, 0.5 * c.machine.dt, c.work.q.data(), start_.data());
}

// M, h, forces and z at the midpoint. False if something is not finite.
bool MoreauStepper::momentum(const StepContext& c, const StepInput& input, const State& state, int round) {
  Workspace& work = c.work;
  const double dt = c.machine.dt;
  for (std::size_t i = 0; i < start_.size(); ++i) mean_[i] = round == 1 ? start_[i] : 0.5 * (start_[i] + work.next[i]);
  std::copy(start_.begin(), start_.end(), work.v.begin());
  fused_pass(c.world, c.machine.layout, work.q.data(), mean_.data(), Purpose::step, work.kinematics);
  if (options_.energy_balance) balance_.before_forces(c);
  smooth_forces(c.world, c.machine.layout, state.pd, input, {work.q.data(), start_.data(), dt, dt, 0.5 * dt},
                work.kinematics, work.z.data());
  if (round == 1) find_contacts(c, state);
  if (c.machine.compliant)
    for (std::size_t i = 0; i < work.z.size(); ++i) work.z[i] += contact_force_[i];
  if (options_.energy_balance) balance_.after_forces(c, input, state.pd, 0.5 * dt);
  whiten(c.world, c.machine, work);
  return all_finite(work.z) && all_finite(work.q);
}

// I of (2).
void MoreauStepper::find_contacts(const StepContext& c, const State& state) {
  if (c.machine.compliant) return compliant_forces(c, state);
  detect_closed(c.world, c.machine.layout, c.machine.detection, c.work.kinematics, c.work.detection, c.work.contacts);
  match(c.machine.layout, c.work.kinematics, state.contacts, c.work.contacts);
}

void MoreauStepper::compliant_forces(const StepContext& c, const State& state) {
  const Layout& layout = c.machine.layout;
  const Kinematics& k = c.work.kinematics;
  compliant_pass({c.world, layout, c.machine.detection, *c.machine.compliant, k}, state.anchors, c.work.detection,
                 c.work.contacts, points_, records_);
  std::fill(contact_force_.begin(), contact_force_.end(), 0.0);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Contact& contact = c.work.contacts[i];
    const Vec3 f = contact.frame.transpose() * Eigen::Map<const Vec3>(points_[i].force);
    add_point_force(layout, k, contact.a, points_[i].point, -f, contact_force_.data());
    add_point_force(layout, k, contact.b, points_[i].point, f, contact_force_.data());
  }
}

AssembleInput MoreauStepper::assemble_input(const StepContext& c, const State& state) const {
  Workspace& w = c.work;
  return {c.world,      c.machine.layout,
          w.kinematics, c.machine.law,
          state,        w.contacts,
          w.v.data(),   w.z.data(),
          c.machine.dt, {w.q.data(), true, options_.stabilise, 0.5 * c.machine.dt}};
}

void MoreauStepper::assemble_rows(const StepContext& c, const State& state) const {
  const AssembleInput in = assemble_input(c, state);
  Assembly& assembly = c.work.assembly;
  if (c.machine.compliant)
    assembly.rows.clear(), assembly.specs.clear();
  else
    assemble_midpoint_rows(in, assembly);
  assemble_joints(in, assembly);
}

// (3): work.next = u_E in the axes at q_M.
void MoreauStepper::solve(const StepContext& c, const State& state, StepOutcome& outcome) {
  assemble_rows(c, state);
  solve_islands(assemble_input(c, state), c.solver, false, c.work, outcome);
  // a solver that broke off has handed back finite impulses: the step is made, and the status says what they are worth
  if (outcome.status == Status::numerical_failure && all_finite(c.work.whitened)) outcome.status = Status::stalled;
  end_velocity(c.world, c.machine, c.work);
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (std::size_t r = 0; r < 3; ++r) c.work.impulses[3 * i + r] = c.machine.dt * points_[i].force[r];
}

StepOutcome MoreauStepper::step(const StepContext& c, const StepInput& input, State& state) {
  Workspace& work = c.work;
  StepOutcome outcome;
  const auto fail = [&] {
    outcome.status = Status::numerical_failure, outcome.accepted = false;
    return outcome;
  };
  if (options_.energy_balance) balance_.start(c, state);
  half_way(c, state);
  for (int round = 1; round <= options_.rounds; ++round) {
    if (!momentum(c, input, state, round)) return fail();
    solve(c, state, outcome);
  }
  for (const Contact& contact : work.contacts) outcome.penetration = std::max(outcome.penetration, -contact.gap);
  std::copy(work.q.begin(), work.q.end(), end_q_.begin());
  std::copy(work.next.begin(), work.next.end(), start_.begin());
  integrate(c.machine.layout, 0.5 * c.machine.dt, end_q_.data(), start_.data());
  if (options_.project) projection_.project(c, end_q_.data());
  if (options_.energy_balance) {
    const double* moved = options_.project ? projection_.displacement().data() : nullptr;
    outcome.imbalance = balance_.close(c, moved, state, end_q_.data(), start_.data());
  }
  if (!all_finite(end_q_) || !all_finite(start_)) return fail();
  const AssembleInput in = assemble_input(c, state);
  if (c.machine.compliant)
    state.anchors.assign(records_.begin(), records_.end());
  else
    remember_contacts(in, work, state);
  remember_joints(in, work, state);
  std::copy(end_q_.begin(), end_q_.end(), state.q.data());
  std::copy(start_.begin(), start_.end(), state.v.data());
  state.time += c.machine.dt;
  return outcome;
}

bool MoreauStepper::problems(const StepContext& c, const StepInput& input, const State& state,
                             std::vector<ContactProblem>& out) {
  half_way(c, state);
  momentum(c, input, state, 1);
  assemble_rows(c, state);
  island_problems(assemble_input(c, state), c.work, out);
  return true;
}

}  // namespace stiction
