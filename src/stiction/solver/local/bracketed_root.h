// SPDX-License-Identifier: BSD-2-Clause
// The root of a function of ℓ > 0 that is negative at 0 and positive from some ℓ on, by Newton's method within a bracket.
#pragma once

#include <cmath>

namespace stiction {

// newton(ℓ, sign) is Newton's step; `sign` receives a number with the sign of the function. Ends where a step is shorter than
// `accuracy` · ℓ: Newton squares the relative error.
template <class Newton>
double bracketed_root(double first, double scale, double accuracy, const Newton& newton) {
  constexpr int kSteps = 200;
  double low = 0.0, high = 0.0, sign = 0.0, l = first > 0.0 ? first : scale;
  bool bracketed = false;
  for (int k = 0; k < kSteps; ++k) {
    const double change = newton(l, sign);
    if (sign == 0.0) return l;
    if (sign < 0.0)
      low = l;
    else
      high = l, bracketed = true;
    double next = l + change;
    const bool inside = next > low && (!bracketed || next < high);
    if (inside && std::abs(change) <= accuracy * l) return next;
    if (bracketed && high - low <= 4e-16 * high) return high;
    // Every eighth step, and whenever Newton leaves the bracket, the bracket is cut instead.
    if (!inside || k % 8 == 7) {
      if (!bracketed)
        next = 4.0 * l + scale;
      else
        next = low > 0.0 && high > 16.0 * low ? std::sqrt(low) * std::sqrt(high) : 0.5 * (low + high);
      if (!(next > low)) next = bracketed ? high : 2.0 * low;
      if (next == l) return l;
    }
    l = next;
  }
  return l;
}

}  // namespace stiction
