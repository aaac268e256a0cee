// SPDX-License-Identifier: BSD-2-Clause
// The penalty ρ of ADMM [1/kg]. With e_λ the impulse residual and e_u the velocity residual of an iteration,
// L = λmax(G + R), m = μ_p + min R, κ = L/m; start ρ = √(Lm) κ^p unless given:
//   spectral  e_λ > 10 e_u: ρ ← ρκ^q;   e_u > 10 e_λ: ρ ← ρ/κ^q                               [Carpentier et al. 2024]
//   linear    the same with a fixed factor
//   osqp      ρ ← ρ √((e_λ/‖λ‖)/(e_u/‖u‖)), done only if that is more than a factor 5          [Stellato et al. 2020, 5.2]
//   constant  ρ stays
// ρ is clamped to [max(1e-6, 1e-12 L), 1e3 L]: when every contact sticks e_λ is exactly 0, and an unclamped rule divides
// ρ until it underflows. The ρ reached is not kept for the next solve: the same problem and guess must give the same bits.
#pragma once

#include <string>

namespace stiction {

struct AdmmStep {
  double impulse = 0.0, velocity = 0.0;                  // e_λ [N s], e_u [m/s], largest entries
  double largest_impulse = 0.0, largest_velocity = 0.0;  // scales of the two
  bool finite = true;
};

class RhoRule {
 public:
  RhoRule() = default;
  RhoRule(const std::string& rule, double start_exponent, double change_exponent, double factor);
  // ρ of the first iteration; `given` > 0 replaces √(Lm) κ^p.
  double start(double L, double m, double given);
  double next(double rho, const AdmmStep& step) const;

 private:
  enum class Kind { spectral, linear, osqp, constant } kind_ = Kind::spectral;
  double start_exponent_ = 0.2, change_exponent_ = 0.05, given_factor_ = 2.0;
  double factor_ = 1.0, low_ = 0.0, high_ = 0.0;
};

}  // namespace stiction
