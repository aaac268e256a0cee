// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/integrate.h>
#include <stiction/step/classical/euler.h>

#include <algorithm>

namespace stiction {
namespace {

double weight_of(const std::string& form) {
  if (form == "explicit") return 0.5;
  if (form == "semi_implicit") return 1.0;
  if (form == "classic") return 0.0;
  throw InvalidInput(unknown_name("stepper 'euler'.form", form, {"explicit", "semi_implicit", "classic"}));
}

}  // namespace

EulerStepper::EulerStepper(const EulerOptions& options, const World& world, const Layout& layout)
    : weight_(weight_of(options.form)) {
  work_.resize(world, layout);
}

StepReport EulerStepper::step(const StepContext& context, const StepInput& input, State& state) {
  SoftWork& w = work_;
  const double h = context.model.dt;
  const SoftContext c{context.world, context.model, input, state.pd, w};
  StepReport report = StepReport::of_one_step();
  evaluate_smooth(c, state.q.data(), state.v.data());
  find_points(c, state.q.data(), state.v.data(), state.anchors, w.points, w.records);
  use_pass_forces(w.points);
  keep_contacts(c, context.work, report);
  add_point_forces(c, w.points, w.force.data());
  factorise_mass(c);
  solve_mass(c, w.force.data());
  for (std::size_t i = 0; i < w.next_v.size(); ++i) {
    const double v = state.v[static_cast<Eigen::Index>(i)];
    w.next_v[i] = v + h * w.force[i];
    w.mean[i] = v + weight_ * (h * w.force[i]);
  }
  std::copy(state.q.data(), state.q.data() + state.q.size(), w.next_q.begin());
  advance(c.model.layout, h, w.mean.data(), w.next_q.data(), w.next_v.data());
  return commit(c, context.work, state, report);
}

}  // namespace stiction
