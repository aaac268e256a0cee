// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/splitting/admm_rho.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kBalance = 10.0;  // ratio of the residuals at which ρ is changed
constexpr double kWorth = 5.0;     // osqp: a smaller change is not worth a factorisation

}  // namespace

RhoRule::RhoRule(const std::string& rule, double start_exponent, double change_exponent, double factor)
    : kind_(rule == "linear"     ? Kind::linear
            : rule == "osqp"     ? Kind::osqp
            : rule == "constant" ? Kind::constant
                                 : Kind::spectral),
      start_exponent_(start_exponent),
      change_exponent_(change_exponent),
      given_factor_(factor) {}

double RhoRule::start(double L, double m, double given) {
  const double kappa = L / m;
  high_ = 1e3 * L;
  low_ = std::min(std::max(1e-6, 1e-12 * L), high_);
  factor_ = kind_ == Kind::spectral ? std::pow(kappa, change_exponent_) : given_factor_;
  return std::clamp(given > 0.0 ? given : std::sqrt(L * m) * std::pow(kappa, start_exponent_), low_, high_);
}

double RhoRule::next(double rho, const AdmmStep& s) const {
  switch (kind_) {
    case Kind::constant:
      return rho;
    case Kind::osqp: {
      const double impulse = s.largest_impulse > 0.0 ? s.impulse / s.largest_impulse : 0.0;
      const double velocity = s.largest_velocity > 0.0 ? s.velocity / s.largest_velocity : 0.0;
      if (!(impulse > 0.0) && !(velocity > 0.0)) return rho;
      constexpr double kTiny = 1e-12;  // keeps the quotient finite when one residual is exactly 0
      const double change = std::sqrt((impulse + kTiny * velocity) / (velocity + kTiny * impulse));
      return change > kWorth || change < 1.0 / kWorth ? std::clamp(rho * change, low_, high_) : rho;
    }
    case Kind::spectral:
    case Kind::linear:
      break;
  }
  if (s.impulse > kBalance * s.velocity) return std::clamp(rho * factor_, low_, high_);
  if (s.velocity > kBalance * s.impulse) return std::clamp(rho / factor_, low_, high_);
  return rho;
}

}  // namespace stiction
