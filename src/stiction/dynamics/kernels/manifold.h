// SPDX-License-Identifier: BSD-2-Clause
// Configurations as points of a Lie group, in Pinocchio's convention (face velocities):
//   q1 = q0 ⊕ d          every joint moves for one unit of time with the constant face velocity d
//   d  = q1 ⊖ q0         the shortest such d: q0 ⊕ (q1 ⊖ q0) = q1
//   q(α) = q0 ⊕ α (q1 ⊖ q0)
// Floating bases and free joints are SE(3) with exp6 / log6, planar joints SE(2), spherical joints SO(3), continuous joints
// the circle; all others are numbers. With t = ‖ω‖ and ω̂ x = ω × x, the translation of exp6(v, ω) is V v,
//   V = I + (1 − cos t)/t² ω̂ + (t − sin t)/t³ ω̂²,   V⁻¹ = I − ½ ω̂ + (1/t² − sin t / (2t (1 − cos t))) ω̂².
// This is not the step's own map (integrate.h), which moves the base straight in world axes: R³ × SO(3). Tests, controllers
// along references and error measures use this one, so that their numbers compare with those of others.
// Fails softly at half a turn: log picks one of the two directions.                                [Solà18, §D, App. E]
#pragma once

#include <stiction/dynamics/kernels/layout.h>

namespace stiction {

void add_tangent(const Layout& layout, const VecRef& q, const VecRef& d, VecOut out);  // out = q ⊕ d; may be q itself
void tangent_between(const Layout& layout, const VecRef& q0, const VecRef& q1, VecOut out);  // out = q1 ⊖ q0

}  // namespace stiction
