// SPDX-License-Identifier: BSD-2-Clause
// The classic Runge-Kutta method on soft contacts (runge_kutta.h). Stages after the first run the force pass on copies of the
// contact states of the start; what slips or touches in between is forgotten.
// Failure: an explicit method, stable up to about 2.8/√(K Υ); of first order across contacts that open or close.
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/soft/runge_kutta.h>

#include <string>
#include <tuple>

namespace stiction {

struct Rk4Options {
  std::string turns = "mean";
  static constexpr auto fields() {
    return std::tuple{Field{"turns", &Rk4Options::turns,
                            "how stages of free turns are put together: mean (order 2) or lie (order 4) [-]"}};
  }
};

class Rk4Stepper final : public TimeStepper {
 public:
  Rk4Stepper(const Rk4Options& options, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return &work_; }

 private:
  bool lie_;
  SoftWork work_;
  StageWork stages_;
};

}  // namespace stiction
