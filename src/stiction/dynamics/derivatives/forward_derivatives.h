// SPDX-License-Identifier: BSD-2-Clause
// The tree factor on many right-hand sides at once: row-major blocks whose rows are velocities, so that every entry of the
// factor acts on contiguous numbers. With D = ∂(M a + h − Jᵀf) of derivatives.h:  ∂FD = −M⁻¹ D.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// Y ← L̂⁻ᵀ Y and X ← L̂⁻¹ X, nv rows of `columns` numbers, `stride` apart.
void solve_transposed_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride,
                           double* y);
void solve_lower_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride,
                      double* x);
// M⁻¹ X.
void solve_mass_many(const World& world, const Layout& layout, const Kinematics& k, int columns, int stride, double* x);

}  // namespace stiction
