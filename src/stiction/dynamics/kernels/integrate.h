// SPDX-License-Identifier: BSD-2-Clause
// q⁺ = q ⊕ dt v on R³ × SO(3), joint by joint, and the change from internal to face velocities.
//   floating base   p⁺ = p + dt R v,  R⁺ = R exp(dt ω̂);  face: v is given in the axes of R⁺, so v ← exp(dt ω̂)ᵀ v (ω keeps)
//   spherical       R⁺ = R exp(dt ω̂)
//   continuous      (c, s) turns by dt v
// Unit quaternions and (c, s) are normalised at every step.
#pragma once

#include <stiction/dynamics/kernels/layout.h>

namespace stiction {

// v: internal velocities after the step on entry, face velocities on return.
void integrate(const Layout& layout, double dt, double* q, double* v);
// q ⊕ dt·mean: the positions move with `mean`, which need not be the end velocity v; both internal, in the axes at the start.
void advance(const Layout& layout, double dt, const double* mean, double* q, double* v);
// Rates of the coordinates that advance() uses: a body that has turned by Θ = dt·mean since the start has
//   R = R_0 exp(Θ̂),   Θ' = dexp⁻¹(Θ) ω = ω + ½ Θ × ω + c Θ × (Θ × ω),   c = (1 − θ/2 cot(θ/2))/θ²
// so that Runge-Kutta stages in Θ keep their order (Munthe-Kaas). v: velocities on entry, as after advance() except that
// linear ones of floating bases are in the axes at the start; rates on return.
void coordinate_rates(const Layout& layout, double dt, const double* mean, double* v);

}  // namespace stiction
