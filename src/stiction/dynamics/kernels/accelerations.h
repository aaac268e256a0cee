// SPDX-License-Identifier: BSD-2-Clause
// Accelerations of bodies for a given v̇ (face, Pinocchio's spatial convention): A_i = bias A_i + Σ S_j v̇_j over the chain of i, root to
// leaf. The root accelerates by −gravity, so that all of them are what an accelerometer feels.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// `k` has been through fused_pass() with Purpose::query: a and alpha of its bodies become those with v̇.
void add_accelerations(const World& world, const Layout& layout, const double* rate, Kinematics& k);
// (classical p̈ − gravity, ω̇) of a point fixed to the body, world axes, after add_accelerations(); the world itself has −gravity.
Vec6 felt_acceleration(const World& world, const Layout& layout, const Kinematics& k, int body,
                       const Vec3& world_point);

}  // namespace stiction
