// SPDX-License-Identifier: BSD-2-Clause
// A soft step, measured from outside as rigid Coulomb contact: with Υ, ṗ and β at the start of the step,
//   u = Υ h λ̄ + ṗ + hβ,     λ = h λ̄   (the forces that the step used)
// goes to the same judge as every other law (problem/judge.h); the report's `own` and `ncp` are its residual. It tells what
// softness costs; it decides nothing. For comparisons: it allocates and doubles the price of a step.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/exponential/contact_averages.h>

namespace stiction {

class JudgedStepper final : public TimeStepper {
 public:
  JudgedStepper(std::unique_ptr<TimeStepper> stepper, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return stepper_->soft(); }

 private:
  std::unique_ptr<TimeStepper> stepper_;
  SoftWork work_;
  AverageWork averages_;
};

}  // namespace stiction
