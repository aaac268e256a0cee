// SPDX-License-Identifier: BSD-2-Clause
// dx⁺/dx and dx⁺/du of the steps of semi_implicit and moreau: the step is made on a copy of the state with every joint of dry friction
// as a row, and differentiated at its solution (step/derivative/velocity_tangents.h). Moreau's has a half step before and behind.
#include <stiction/base/invalid_input.h>
#include <stiction/law/contact_query.h>
#include <stiction/step/core/impulses.h>
#include <stiction/step/derivative/end_impulses.h>
#include <stiction/step/derivative/end_tangents.h>
#include <stiction/step/derivative/flight_tangents.h>
#include <stiction/step/hard/moreau.h>
#include <stiction/step/hard/semi_implicit.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Where both rules of contacts are the same: springs, and correction of rigid ones.
ContactSlope position_slope(const AssembleInput& in, const Contact& c, const PairMaterial& material,
                            const RowBlock& rows, const BlockSpec& spec, double restitution, double near) {
  ContactSlope out;
  if (std::isfinite(material.stiffness)) {
    out.by_gap = spring(in, 1.0, material.stiffness, material.damping).reference;
    return out;
  }
  const ReferenceSlope slope = drift_slope(in, c.gap, near);
  out.by_gap = slope.by_gap, out.border = slope.border;
  if (c.gap >= 0.0) return out;
  const double share = correction_share(rows, spec, restitution);
  out.by_gap *= share, out.exact = share == 0.0 || share == 1.0;
  out.scaled = share != 1.0 && !(share == 0.0 && correction_pauses(in, c));
  return out;
}

bool is_about(double x, double bound, double near) { return std::abs(x - bound) <= near; }

// Law/assemble.h: what approaches fast and closes rebounds, unless the correction asks for more.
class SemiImplicitRule final : public ContactRule {
 public:
  explicit SemiImplicitRule(const AssembleInput& in) : in_(in) {}
  ContactSlope slope(const Contact& c, const PairMaterial& material, const RowBlock& rows, const BlockSpec& spec,
                     double near) const override {
    const int n = rows.rows - 1;
    const bool may = material.restitution > 0.0 && (c.flags & kOpen) != 0;
    const double approach = -rows.before[n], rebound = material.restitution * approach;
    ContactSlope out;
    if (spec.armed && spec.reference == rebound)
      out.restitution = material.restitution;
    else
      out = position_slope(in_, c, material, rows, spec, 0.0, near);
    const double speed = near / in_.dt;
    if (may && is_about(approach, in_.law.options.restitution_threshold, speed)) out.border = true;
    if (may && approach > in_.law.options.restitution_threshold &&
        (is_about(c.gap + in_.dt * rows.free[n], 0.0, near) ||
         (spec.armed && is_about(drift_reference(in_, c.gap), rebound, speed))))
      out.border = true;
    return out;
  }

 private:
  const AssembleInput& in_;
};

// Equation (3) of moreau.h.
class MoreauRule final : public ContactRule {
 public:
  explicit MoreauRule(const AssembleInput& in) : in_(in) {}
  ContactSlope slope(const Contact& c, const PairMaterial& material, const RowBlock& rows, const BlockSpec& spec,
                     double near) const override {
    const double approach = -rows.before[rows.rows - 1], threshold = in_.law.options.restitution_threshold;
    const bool rebounds = approach > threshold && !std::isfinite(material.stiffness);
    const double restitution = rebounds ? material.restitution : 0.0;
    ContactSlope out = position_slope(in_, c, material, rows, spec, restitution, near);
    out.restitution = restitution, out.restitution_tangential = material.restitution_tangential;
    if (is_about(c.gap, 0.0, near)) out.border = true;
    if (material.restitution > 0.0 && is_about(approach, threshold, near / in_.dt)) out.border = true;
    return out;
  }

 private:
  const AssembleInput& in_;
};

bool is_made(const StepReport& report) {
  return report.status != Status::numerical_failure && report.status != Status::unphysical;
}

// The step on a copy; false if it is not made.
template <class Stepper>
bool make_step(Stepper& stepper, const StepContext& c, const StepInput& input, const State& state,
               VelocityTangentWork& tangent, StepDerivatives& out) {
  tangent.scratch = state;
  c.work.friction.rows_only = true;
  const StepReport report = stepper.step(c, input, tangent.scratch);
  c.work.friction.rows_only = false;
  out.status = is_made(report) ? Status::converged : Status::numerical_failure;
  tangent.accepted = report.status == Status::converged;
  out.mode.clear();
  return out.status == Status::converged;
}

constexpr double kBorder = 1e-6;  // relative distance to another mode that counts as on its border

}  // namespace

bool SemiImplicitStepper::derivatives(const StepContext& c, const StepInput& input, const State& state,
                                      StepDerivatives& out) {
  refuse_step(c, input);
  if (!make_step(*this, c, input, state, tangent_, out)) return true;
  Workspace& work = c.work;
  const double dt = c.model.dt;
  std::copy(state.v.data(), state.v.data() + c.world.nv, work.v.begin());
  const AssembleInput in = row_input(c, c.model.hard(), state);
  tangent_.accepted = settle_impulses(c, in, input.relax, kBorder, tangent_) && tangent_.accepted;
  find_end_velocity(c, tangent_);
  const SemiImplicitRule rule(in);
  const VelocityStep step{c,
                          input,
                          in,
                          {state.q.data(), work.v.data(), dt, dt, dt, true, true},
                          tangent_.next.data(),
                          0.0,
                          Touch::midpoint,
                          rule,
                          kBorder};
  if (!velocity_tangents(step, tangent_, out)) {
    out.status = Status::numerical_failure;
    return true;
  }
  add_flight(step, tangent_);
  advance_columns(step, {dt, work.mean.data(), tangent_.scratch.v.data()}, tangent_);
  hand_out_columns(step, tangent_, out);
  return true;
}

bool MoreauStepper::derivatives(const StepContext& c, const StepInput& input, const State& state,
                                StepDerivatives& out) {
  const auto refuse = [](const std::string& what) {
    throw InvalidInput("step_derivatives: stepper 'moreau' with " + what);
  };
  if (c.model.compliant()) refuse("law 'compliant' has no derivative; take law 'coulomb' or 'convex'");
  if (options_.project) refuse("project=True has no derivative; take stabilise=True");
  if (options_.energy_balance) refuse("energy_balance=True has no derivative; leave it away");
  if (options_.rounds > 1) refuse("rounds > 1 has no derivative; take rounds=1");
  refuse_step(c, input);
  if (!make_step(*this, c, input, state, tangent_, out)) return true;
  Workspace& work = c.work;
  const double dt = c.model.dt, half = 0.5 * dt;
  const AssembleInput in = assemble_input(c, state);
  tangent_.accepted = settle_impulses(c, in, input.relax, kBorder, tangent_) && tangent_.accepted;
  find_end_velocity(c, tangent_);
  const MoreauRule rule(in);
  const VelocityStep step{c,
                          input,
                          in,
                          {work.q.data(), work.v.data(), dt, dt, half, true, true},
                          tangent_.next.data(),
                          half,
                          Touch::own_surface,
                          rule,
                          kBorder};
  if (!velocity_tangents(step, tangent_, out)) {
    out.status = Status::numerical_failure;
    return true;
  }
  add_flight(step, tangent_);
  advance_columns(step, {half, work.mean.data(), tangent_.scratch.v.data()}, tangent_);
  precede_columns(step, half, state.v.data(), tangent_);
  hand_out_columns(step, tangent_, out);
  return true;
}

}  // namespace stiction
