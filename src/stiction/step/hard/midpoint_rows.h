// SPDX-License-Identifier: BSD-2-Clause
// Contact rows of Moreau's scheme: contacts closed at the midpoint, at velocity level.
//   g = J u_free + ε J u_S − c*,    c* = 0, or the drift correction of the law                                         (1)
// so that u = Gλ + g is ξ = J u_E + ε J u_S. ε_N counts from the restitution threshold on. A pair with stiffness k and damping
// d obeys f_N = −k (g_N + reach u_N) − d u_N instead, without ε_N.
// Reference: Gehring, Diethelm, Siegwart, Nützi, Leine 2014, (9)-(12).
#pragma once

#include <stiction/law/assemble.h>

namespace stiction {

// Rows of in.contacts; in.positions says whether c* is used. Call assemble_joints() next.
void assemble_midpoint_rows(const AssembleInput& in, Assembly& out);

}  // namespace stiction
