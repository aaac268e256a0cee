// SPDX-License-Identifier: BSD-2-Clause
// The factor of the mass matrix of a tree, M = L̂ᵀL̂ with L̂ lower triangular and the sparsity of the tree: row k has entries
// only for the velocities of its own chain, so nothing fills in. [Featherstone08, section 6.5]
// Failure: a joint that moves no mass has a zero on the diagonal; worlds with one are refused when they are compiled.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// M = L̂ᵀL̂ in place on the packed rows of one tree. `held`, per velocity: those that stay as they are; their rows are zero, and
// L̂ is the factor of M without their rows and columns.
void factorise(const Layout& layout, const Tree& tree, Kinematics& k, const char* held = nullptr);
// y ← L̂⁻ᵀ y and x ← L̂⁻¹ x on the velocities of one tree (absolute indices).
void solve_transposed(const Layout& layout, const Tree& tree, const Kinematics& k, double* y);
void solve_lower(const Layout& layout, const Tree& tree, const Kinematics& k, double* x);

}  // namespace stiction
