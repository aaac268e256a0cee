// SPDX-License-Identifier: BSD-2-Clause
// Limits of joints that lay too far ahead to be looked at and were passed within the step. The look-ahead goes as far as the joint
// moves at its speed at the start; a motor that is strong beside the inertia moves it farther:
//   gap > max(margin, dt |v|)   but   gap + dt u⁺ < −margin,   u⁺ towards the limit
// Such a joint is looked at with the speed that it has reached, and the step is solved again.
#pragma once

#include <stiction/model/world/state.h>

#include <vector>

namespace stiction {

struct StepContext;

class LateLimits {
 public:
  void begin(const StepContext& c);
  // After end_velocity(): true if limits were passed that had no row.
  bool review(const StepContext& c, const State& state);
  // Speed per velocity with which limits are looked for, at the least; null: that of the start. For AssembleInput.
  const double* speeds() const { return any_ ? speeds_.data() : nullptr; }

 private:
  bool any_ = false;
  std::vector<double> speeds_;
};

}  // namespace stiction
