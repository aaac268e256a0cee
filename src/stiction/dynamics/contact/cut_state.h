// SPDX-License-Identifier: BSD-2-Clause
// States of a world with cut joints and of the same world in minimal coordinates (face convention, Pinocchio).
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

// q and v of the minimal world as measured from the bodies: bases from their links, joints from the two bodies they join.
// What has drifted apart is not repaired: every joint is read off on its own.
void measure_minimal_state(const World& minimal, const World& cut, const VecRef& q_cut, const VecRef& v_cut, Vec& q,
                           Vec& v);
// q and v of the cut world from those of the minimal one; all loops of cut joints are closed and at rest then.
void place_cut_state(const World& minimal, const World& cut, const VecRef& q, const VecRef& v, Vec& q_cut, Vec& v_cut);

}  // namespace stiction
