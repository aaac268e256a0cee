// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/finite.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/contact/match.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/law/contact_rows.h>
#include <stiction/law/file_softness.h>
#include <stiction/step/core/energy_guard.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/core/smooth_forces.h>
#include <stiction/step/core/spring_energy.h>
#include <stiction/step/hard/moreau.h>

#include <algorithm>
#include <cmath>

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
  end_q_.resize(world.nq), guarded_q_.resize(world.nq);
  if (options.energy_balance) balance_.resize(world, layout);
  if (options.project) projection_.resize(world, layout);
}

// (1): q_M in work.q, u_S in its axes in start_.
void MoreauStepper::half_way(const StepContext& c, const State& state) {
  std::copy_n(state.q.data(), c.world.nq, c.work.q.begin());
  std::copy_n(state.v.data(), c.world.nv, start_.begin());
  integrate(c.model.layout, 0.5 * c.model.dt, c.work.q.data(), start_.data());
}

// M, h, forces and z at the midpoint. False if something is not finite.
bool MoreauStepper::momentum(const StepContext& c, const StepInput& input, const State& state, int round) {
  Workspace& work = c.work;
  const double dt = c.model.dt;
  for (std::size_t i = 0; i < start_.size(); ++i) mean_[i] = round == 1 ? start_[i] : 0.5 * (start_[i] + work.next[i]);
  std::copy(start_.begin(), start_.end(), work.v.begin());
  fused_pass(c.world, c.model.layout, work.q.data(), mean_.data(), Purpose::step, work.kinematics);
  work.flight.start(c, {start_.data(), mean_.data(), 0.5 * dt});
  if (options_.energy_balance) balance_.before_forces(c);
  smooth_forces(c.world, c.model.layout, state.pd, input, {work.q.data(), start_.data(), dt, dt, 0.5 * dt, true, true},
                work.kinematics, work.z.data());
  if (round == 1) find_contacts(c, state);
  if (c.model.compliant())
    for (std::size_t i = 0; i < work.z.size(); ++i) work.z[i] += contact_force_[i];
  if (options_.energy_balance) balance_.after_forces(c, input, state.pd, 0.5 * dt);
  to_momentum(c);
  whiten(c);
  return all_finite(work.z) && all_finite(work.q);
}

// I of (2).
void MoreauStepper::find_contacts(const StepContext& c, const State& state) {
  if (c.model.compliant()) return compliant_forces(c, state);
  detect_closed(c.world, c.model.layout, c.model.detection, c.work.kinematics, c.work.detection, c.work.contacts);
  match(c.model.layout, c.work.kinematics, state.contacts, c.work.contacts);
}

void MoreauStepper::compliant_forces(const StepContext& c, const State& state) {
  const Layout& layout = c.model.layout;
  const Kinematics& k = c.work.kinematics;
  compliant_pass({c.world, layout, c.model.detection, *c.model.compliant(), k}, state.anchors, c.work.detection,
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
  return row_input(c, c.model.hard(), state, {c.work.q.data(), true, options_.stabilise, 0.5 * c.model.dt});
}

void MoreauStepper::assemble_rows(const AssembleInput& in, bool contacts, Assembly& out) const {
  const auto rule = [&](const Contact& c, const PairMaterial& material, const RowBlock& rows) {
    ContactTerms terms;
    if (soften_contact(in, c, material, rows, terms)) return terms;
    terms.restitution_tangential = material.restitution_tangential;
    if (std::isfinite(material.stiffness)) {
      const Spring s = spring(in, c.gap, material.stiffness, material.damping);
      terms.reference = s.reference, terms.compliance = s.compliance;
      return terms;
    }
    terms.reference = drift_reference(in, c.gap);
    if (-rows.before[rows.rows - 1] > in.law.options.restitution_threshold) terms.restitution = material.restitution;
    return terms;
  };
  // On static ground the body's own surface, or the overlap at the midpoint would shorten the lever of friction. Between two
  // bodies one point for both, or their angular momentum would not be kept.
  if (contacts)
    assemble_contacts(in, Touch::own_surface, rule, out);
  else
    out.clear();
  assemble_joints(in, out);
}

// (3): work.next = u_E in the axes at q_M.
void MoreauStepper::solve(const StepContext& c, const State& state, StepReport& report) {
  const AssembleInput in = assemble_input(c, state);
  assemble_rows(in, c.model.compliant() == nullptr, c.work.assembly);
  solve_islands(c, in, false, report);
  // a solver that broke off has handed back finite impulses: the step is made, and the status says what they are worth
  if (report.status == Status::numerical_failure && all_finite(c.work.whitened)) report.status = Status::stalled;
  end_velocity(c);
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (std::size_t r = 0; r < 3; ++r) c.work.impulses[3 * i + r] = c.model.dt * points_[i].force[r];
}

StepReport MoreauStepper::step(const StepContext& c, const StepInput& input, State& state) {
  Workspace& work = c.work;
  StepReport report = StepReport::of_one_step();
  if (options_.energy_balance) balance_.start(c, state);
  half_way(c, state);
  for (int round = 1; round <= options_.rounds; ++round) {
    if (!momentum(c, input, state, round)) return report.failed();
    solve(c, state, report);
  }
  note_overlap(work.contacts, report);
  std::copy(work.q.begin(), work.q.end(), end_q_.begin());
  work.flight.find_touched(c);
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!Eigen::Map<const Vec3>(points_[i].force).isZero(0.0))
      for (const BodyId body : {work.contacts[i].a, work.contacts[i].b})
        if (body != kWorldBody) work.flight.touch(c.model.layout.bodies[body].tree);
  work.flight.finish(c, work.next, work.mean);
  std::copy(work.next.begin(), work.next.end(), start_.begin());
  advance(c.model.layout, 0.5 * c.model.dt, work.mean.data(), end_q_.data(), start_.data());
  guarded_q_ = end_q_;  // a projection lifts bodies: it is not the impulses' doing
  if (options_.project) projection_.project(c, end_q_.data());
  if (options_.energy_balance) {
    const double* moved = options_.project ? projection_.displacement().data() : nullptr;
    report.imbalance = balance_.close(c, moved, state, end_q_.data(), start_.data());
  }
  const GuardedStep guarded{c.world, c.model, work, state.q.data(), state.v.data(), guarded_q_.data(), start_.data()};
  if (c.model.compliant() && energy_is_in_doubt(guarded, report)) {
    // what its contacts did is not a load: their springs may give what they hold
    for (std::size_t i = 0; i < contact_force_.size(); ++i) work.applied[i] -= contact_force_[i];
    forward_kinematics(c.world, c.model.layout, state.q.data(), state.v.data(), work.guard.kinematics);
    work.granted += spring_energy(c.world, c.model, state, work.guard.kinematics, 0.0, work);
  }
  if (!energy_is_explained(c, state, work.v.data(), work.next.data(), guarded_q_, start_, report)) return report;
  return commit(assemble_input(c, state), work, end_q_, start_, c.model.compliant() ? &records_ : nullptr, state,
                report);
}

std::vector<ContactProblem> MoreauStepper::problems(const StepContext& c, const StepInput& input, const State& state,
                                                    bool keep_bodies) {
  if (c.model.compliant()) return TimeStepper::problems(c, input, state, keep_bodies);
  State after = state;
  step(c, input, after);
  return island_problems(assemble_input(c, state), keep_bodies, c.work);
}

}  // namespace stiction
