// SPDX-License-Identifier: BSD-2-Clause
// Explicit Euler on soft contacts:  a = M⁻¹(u + Jᵀλ(q, v)),   v⁺ = v + h a,   q⁺ = q ⊕ h v̄ with
//   explicit       v̄ = v + ½ h a     (the form of [Hammoud22])
//   semi_implicit  v̄ = v + h a
//   classic        v̄ = v
// First order. Failure: stable only for h below about 2B/K and 2/√(K Υ): 0.1 ms for a light quadruped on 1e5 N/m.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/soft/soft_dynamics.h>

#include <string>
#include <tuple>

namespace stiction {

struct EulerOptions {
  std::string form = "explicit";
  static constexpr auto fields() {
    return std::tuple{Field{"form", &EulerOptions::form,
                            "velocity that moves the positions: explicit, semi_implicit or classic [-]"}};
  }
};

class EulerStepper final : public TimeStepper {
 public:
  EulerStepper(const EulerOptions& options, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return &work_; }

 private:
  double weight_;  // of h a in v̄
  SoftWork work_;
};

}  // namespace stiction
