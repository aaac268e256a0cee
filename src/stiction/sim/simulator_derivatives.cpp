// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/model/world/checks.h>
#include <stiction/sim/simulator_impl.h>
#include <stiction/step/exponential/exponential_derivatives.h>

#include <cmath>

namespace stiction {

void Simulator::step_derivatives(const VecRef& tau, StepDerivatives& out, double smooth) {
  Impl& s = *impl_;
  StepInput acting = s.input("step_derivatives.tau", tau);
  if (!(smooth >= 0.0) || !std::isfinite(smooth))
    throw InvalidInput("step_derivatives.smooth is " + text(smooth) +
                       ", expected a finite number of joules >= 0: a contact at gap d then carries the force smooth/d");
  if (smooth > 0.0 && s.model->anchored())
    throw InvalidInput(
        "step_derivatives.smooth: law 'anchored' has no contact problem to relax; take law 'coulomb' or 'convex' with "
        "semi_implicit or moreau");
  acting.relax = smooth;
  check_state(*s.world, s.state);
  if (!s.derivative_stepper)
    s.derivative_stepper = make_stepper(s.settings.stepper, s.settings.stepper_options, *s.world, *s.model);
  if (!s.derivative_work) {
    s.derivative_work = std::make_unique<Workspace>();
    s.derivative_work->resize(*s.world, s.model->layout);
  }
  if (!s.derivative_stepper->derivatives(s.context(*s.derivative_work), acting, s.state, out))
    throw InvalidInput("step_derivatives: stepper '" + s.settings.stepper +
                       "' has none; take 'semi_implicit' or 'moreau' with law 'coulomb' or 'convex', or 'exponential' "
                       "with law 'anchored'");
}

}  // namespace stiction
