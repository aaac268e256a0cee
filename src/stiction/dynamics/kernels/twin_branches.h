// SPDX-License-Identifier: BSD-2-Clause
// The passes of kinematics.h and tree_factor.h over two branches that are built alike, one per lane of a pair: a leg costs half.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// Placements, velocities, bias and rows of M of two branches; what they are joined to has its motion. Of their bodies
// placement, velocity and acceleration are written; composite inertia and force of the first two only, for what they are joined to.
void twin_pass(const World& world, const Layout& layout, const TwinBranches& twins, const double* q, const double* v,
               Kinematics& k);
// The factor of their rows, leaf to foot; rows of what they are joined to are left alone.
void twin_factor(const Layout& layout, const TwinBranches& twins, Kinematics& k);

}  // namespace stiction
