// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/step/classical/rk4.h>

namespace stiction {

Rk4Stepper::Rk4Stepper(const Rk4Options& options, const World& world, const Layout& layout)
    : lie_(options.turns == "lie") {
  if (!lie_ && options.turns != "mean")
    throw InvalidInput(unknown_name("stepper 'rk4': turns", options.turns, {"mean", "lie"}));
  work_.resize(world, layout);
  stages_.resize(world);
}

StepReport Rk4Stepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  StepReport report = StepReport::of_one_step();
  const auto accelerate = [&](int stage, const double* q, const double* v, double* out) {
    evaluate_smooth(c, q, v);
    if (stage == 0) {
      find_points(c, q, v, state.anchors, w.points, w.records);
      use_pass_forces(w.points);
      keep_contacts(c, context.work, report);
    } else {
      find_points(c, q, v, w.records, w.stage_points, w.stage_records);
    }
    add_point_forces(c, stage == 0 ? w.points : w.stage_points, w.force.data());
    factorise_mass(c);
    solve_mass(c, w.force.data());
    std::copy(w.force.begin(), w.force.end(), out);
  };
  runge_kutta(c, 4, context.model.dt, state.q.data(), state.v.data(), stages_, accelerate, lie_);
  return commit(c, context.work, state, report);
}

}  // namespace stiction
