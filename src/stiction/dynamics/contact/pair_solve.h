// SPDX-License-Identifier: BSD-2-Clause
// Two right-hand sides at the price of one: the numbers of a velocity lie side by side, (x, y) at 2·velocity, so that every
// entry of rows and factor is loaded once and serves both halves of a register. Same operations as add_impulse (rows.h) and
// solve_lower (tree_factor.h) on each.
#pragma once

#include <stiction/dynamics/contact/rows.h>

namespace stiction {

// ŵ += Y_iᵀ (λ, μ) for one block of rows.
void add_impulse_pair(const Layout& layout, const RowSet& rows, const RowBlock& i, const double* lambda,
                      const double* mu, double* whitened);
// (x, y) ← L̂⁻¹ (x, y) on the velocities of one tree.
void solve_lower_pair(const Layout& layout, const Tree& tree, const Kinematics& k, double* x);

}  // namespace stiction
