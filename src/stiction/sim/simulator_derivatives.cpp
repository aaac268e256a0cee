// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <cmath>

namespace stiction {

void Simulator::step_derivatives(const VecRef& tau, StepDerivatives& out) {
  Impl& s = *impl_;
  if (tau.size() != 0 && tau.size() != s.world->ntau)
    throw InvalidInput("step_derivatives.tau has size " + std::to_string(tau.size()) + ", expected " +
                       std::to_string(s.world->ntau));
  for (Eigen::Index i = 0; i < tau.size(); ++i)
    if (!std::isfinite(tau[i])) throw InvalidInput("step_derivatives.tau[" + std::to_string(i) + "] is not finite");
  check_state(*s.world, s.state);
  StepInput input;
  input.tau = tau.size() != 0 ? tau.data() : nullptr;
  input.wrenches = s.wrenches.data();
  input.wrench_count = static_cast<int>(s.wrenches.size());
  if (!s.derivative_stepper)
    s.derivative_stepper = make_stepper(s.settings.stepper, s.settings.stepper_options, *s.world, *s.machine);
  if (!s.derivative_stepper->derivatives({*s.world, *s.machine, *s.solver, s.work}, input, s.state, out))
    throw InvalidInput("step_derivatives: stepper '" + s.settings.stepper + "' has none; take 'exponential'");
}

}  // namespace stiction
