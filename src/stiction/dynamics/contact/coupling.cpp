// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/dynamics/contact/coupling.h>

#include <cmath>
#include <numbers>

namespace stiction {

CouplingError coupling_error(const Layout& layout, const Coupling& c, const double* q) {
  const BodyPlan& a = layout.bodies[c.a];
  const double x = c.b == kWorldBody ? 0.0 : joint_position(layout.bodies[c.b], q) - c.zero_b;
  double value = 0.0, slope = 0.0;  // Horner's rule, with the derivative
  for (std::size_t i = c.coefficients.size(); i-- > 0;) {
    slope = slope * x + value;
    value = value * x + c.coefficients[i];
  }
  CouplingError out{joint_position(a, q) - c.zero_a - value, slope, a.code != JointCode::prismatic};
  if (!a.continuous && (c.b == kWorldBody || !layout.bodies[c.b].continuous)) return out;
  // angles that are known up to whole turns: the short way round, if a turn of one is a turn of the other
  const bool whole = c.b == kWorldBody || std::abs(slope) == 1.0;
  out.position = whole ? std::remainder(out.position, 2.0 * std::numbers::pi) : 0.0;
  return out;
}

}  // namespace stiction
