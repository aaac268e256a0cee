// SPDX-License-Identifier: BSD-2-Clause
// Blocks of tendons. With the rate u = J v of the length L:
//   limit           0 ≤ λ ⟂ ±u − c* ≥ 0
//   dry friction    |λ| ≤ dt f
//   what is implicit    u⁺ + λ/D = u,   D = armature + dt damping + dt·reach stiffness, of the tendon and its actuators
// The last is what D Jᵀ J added to M does: λ = −D (u⁺ − u). It is a row because J may reach over branches, where the factor of M has no
// entries. D is Kinematics::tendon_inertia, which the smooth forces of the step wrote.
#pragma once

#include <stiction/law/assemble.h>

namespace stiction {

void add_tendon_blocks(const AssembleInput& in, const RowContext& context, Assembly& out);
// Rate of a's length minus `slope` times that of b.
RowBlock& add_tendon_equality_row(const AssembleInput& in, const RowContext& context, const Coupling& coupling,
                                  double slope, RowSet& rows);
// Throws InvalidInput if a tendon needs rows, which `law` does not have.
void refuse_tendon_rows(const World& world, const char* law);

}  // namespace stiction
