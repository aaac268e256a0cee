// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/coupling.h>
#include <stiction/dynamics/kernels/tendons.h>

#include <cmath>
#include <numbers>

namespace stiction {
namespace {

struct Polynomial {
  double value = 0.0, slope = 0.0;
};
Polynomial polynomial(const Coupling& c, double x) {  // Horner's rule, with the derivative
  Polynomial out;
  for (std::size_t i = c.coefficients.size(); i-- > 0;) {
    out.slope = out.slope * x + out.value;
    out.value = out.value * x + c.coefficients[i];
  }
  return out;
}

CouplingError tendon_error(const Layout& layout, const Kinematics& k, const Coupling& c, const double* q) {
  const double x = c.tendon_b < 0 ? 0.0 : tendon_length(layout, k, c.tendon_b, q) - c.zero_b;
  const Polynomial p = polynomial(c, x);
  return {tendon_length(layout, k, c.tendon_a, q) - c.zero_a - p.value, p.slope, layout.tendons[c.tendon_a].angular};
}

}  // namespace

CouplingError coupling_error(const Layout& layout, const Kinematics& k, const Coupling& c, const double* q) {
  if (c.tendon_a >= 0) return tendon_error(layout, k, c, q);
  const BodyPlan& a = layout.bodies[c.a];
  const double x = c.b == kWorldBody ? 0.0 : joint_position(layout.bodies[c.b], q) - c.zero_b;
  const auto [value, slope] = polynomial(c, x);
  CouplingError out{joint_position(a, q) - c.zero_a - value, slope, a.code != JointCode::prismatic};
  if (!a.continuous && (c.b == kWorldBody || !layout.bodies[c.b].continuous)) return out;
  // angles that are known up to whole turns: the short way round, if a turn of one is a turn of the other
  const bool whole = c.b == kWorldBody || std::abs(slope) == 1.0;
  out.position = whole ? std::remainder(out.position, 2.0 * std::numbers::pi) : 0.0;
  return out;
}

}  // namespace stiction
