// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/step/core/late_limits.h>
#include <stiction/step/core/time_stepper.h>

#include <algorithm>
#include <cmath>

namespace stiction {

void LateLimits::begin(const StepContext& c) {
  if (any_ || speeds_.empty()) speeds_.assign(c.world.nv, 0.0);
  any_ = false;
}

bool LateLimits::review(const StepContext& c, const State& state) {
  const HardContact& law = c.model.hard();
  if (law.from_file) return false;  // soft limits push once they are passed
  bool more = false;
  for (const int body : c.model.layout.bounded) {
    const BodyPlan& plan = c.model.layout.bodies[body];
    if (plan.nv != 1 || plan.continuous) continue;
    const double now = c.work.next[plan.v], seen = std::max(std::abs(c.work.v[plan.v]), speeds_[plan.v]);
    const double q = state.q[plan.q];
    const double gap = now < 0.0 ? q - c.world.lower[plan.v] : c.world.upper[plan.v] - q;
    const double margin = law.options.margin, way = c.model.dt * std::abs(now);
    if (!(gap > std::max(margin, c.model.dt * seen)) || !(gap - way < -margin)) continue;
    speeds_[plan.v] = std::abs(now);
    more = any_ = true;
  }
  return more;
}

}  // namespace stiction
