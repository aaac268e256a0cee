// SPDX-License-Identifier: BSD-2-Clause
// Small functions of doubles.
#pragma once

#include <cmath>

namespace stiction {

inline double length(double a, double b) { return std::sqrt(a * a + b * b); }  // of a vector in the plane
inline void raise(double& top, double x) { top = top < x ? x : top; }          // top = max(top, x)

}  // namespace stiction
