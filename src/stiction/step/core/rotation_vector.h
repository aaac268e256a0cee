// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stiction/base/types.h>

#include <cmath>

namespace stiction {

// Axis times angle of a unit quaternion, the short way round.
inline Vec3 rotation_vector(const Quat& q) {
  const double s = q.vec().norm();
  if (!(s > 0.0)) return Vec3::Zero();
  const double angle = 2.0 * std::atan2(s, q.w());
  return (angle > 3.14159265358979323846 ? angle - 2.0 * 3.14159265358979323846 : angle) / s * q.vec();
}

}  // namespace stiction
