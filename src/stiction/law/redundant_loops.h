// SPDX-License-Identifier: BSD-2-Clause
// Loops that hold a velocity twice: a planar mechanism closed by points in space, two welds side by side. G of their rows is
// singular, their impulses are not unique, and first-order solvers take tens of thousands of iterations. Such an island gets a
// small compliance on the rows of its rigid loops:
//   R = 1e-9 · (bound of the largest eigenvalue of G over these rows)
// A loop then gives way by 1e-9 of what it would move by if it were open. Islands of independent loops are left as they are.
// Redundant: a pivot of the factor of G (in the order of the rows) below 1e-10 of its diagonal. Private to this module.
#pragma once

#include <stiction/law/assemble.h>

namespace stiction {

// After the islands were found.
void soften_redundant_loops(const AssembleInput& in, Assembly& out);

}  // namespace stiction
