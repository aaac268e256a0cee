// SPDX-License-Identifier: BSD-2-Clause
// Contacts as bilateral equalities, for comparison: every active point is held at its anchor,
//   J a = −J̇v + kp (p₀ − p) − kd ṗ     ⇔     (Υ + 1e-12) λ = −[β + kp Δp + kd ṗ],     kd = 1/h, kp = kd²/2              (1)
// stepped by Euler (scheme 1), the midpoint rule (2) or the classic Runge-Kutta method (4).
// No unilaterality, friction or impact law: points that touched pull as well as push until they have left geometrically, which
// they hardly can. For bilateral tests only. [Hammoud22, section 5]
#pragma once

#include <stiction/step/core/time_stepper.h>
#include <stiction/step/exponential/contact_averages.h>
#include <stiction/step/soft/runge_kutta.h>

#include <tuple>

namespace stiction {

struct RigidEulerOptions {
  int scheme = 1;
  static constexpr auto fields() {
    return std::tuple{Field{"scheme", &RigidEulerOptions::scheme, "1 Euler, 2 midpoint, 4 Runge-Kutta [-]"}};
  }
};

class RigidEulerStepper final : public TimeStepper {
 public:
  RigidEulerStepper(const RigidEulerOptions& options, const World& world, const Layout& layout);
  StepReport step(const StepContext& context, const StepInput& input, State& state) override;
  const SoftWork* soft() const override { return &work_; }

 private:
  void hold_points(const SoftContext& c, double h, std::vector<SoftPoint>& points);

  int scheme_;
  SoftWork work_;
  StageWork stages_;
  AverageWork average_work_;
};

}  // namespace stiction
