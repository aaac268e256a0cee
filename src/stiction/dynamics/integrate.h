// SPDX-License-Identifier: BSD-2-Clause
// q⁺ = q ⊕ dt v on R³ × SO(3), joint by joint, and the change from internal to face velocities.
//   floating base   p⁺ = p + dt R v,  R⁺ = R exp(dt ω̂);  face: v is given in the axes of R⁺, so v ← exp(dt ω̂)ᵀ v (ω keeps)
//   spherical       R⁺ = R exp(dt ω̂)
//   continuous      (c, s) turns by dt v
// Unit quaternions and (c, s) are normalised at every step.
#pragma once

#include <stiction/dynamics/layout.h>

namespace stiction {

// v: internal velocities after the step on entry, face velocities on return.
void integrate(const Layout& layout, double dt, double* q, double* v);

}  // namespace stiction
