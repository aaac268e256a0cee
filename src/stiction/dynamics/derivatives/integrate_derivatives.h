// SPDX-License-Identifier: BSD-2-Clause
// Derivative of q⁺ = q ⊕ dt·mean (integrate.h, advance) and of the change of axes of a floating base's velocity.
// With X = exp(dt ω̂) of the mean and its right Jacobian J_r, tangents in the axes at the end:
//   floating or free    δp⁺ = Xᵀ (δp + δφ × dt m + dt δm)      δφ⁺ = Xᵀδφ + δθ,   δθ = dt J_r δω
//   face velocity       v⁺ = Xᵀ v                                δv⁺ = Xᵀδv + v⁺ × δθ
//   spherical           δφ⁺ = Xᵀδφ + δθ                          planar: the same in the plane; others: δq + dt δm
// J_r = 1 − (1 − cos θ)/θ² φ̂ + (θ − sin θ)/θ³ φ̂²,  φ = dt ω.
#pragma once

#include <stiction/dynamics/kernels/layout.h>

namespace stiction {

// Blocks are row-major, nv rows of `columns` numbers, `stride` apart (those of dmean `mean_stride`).
// dmean: derivative of the mean velocity. dv: derivative of the internal end velocity on entry, of the face velocity on
// return; v: face velocity at the end. dq += what dmean does.
void advance_derivative(const Layout& layout, double dt, const double* mean, const double* v, int columns,
                        int mean_stride, const double* dmean, int stride, double* dv, double* dq);
// dq += derivative by the tangent of q at the start, nv × nv.
void add_transport(const Layout& layout, double dt, const double* mean, int stride, double* dq);

}  // namespace stiction
