// SPDX-License-Identifier: BSD-2-Clause
// The impulses that a step is differentiated at. The judge accepts what is right to its tolerance, 1e-6 N and more: a contact that hardly
// presses is known to a few digits, and so would be its derivative. So Newton steps on the laws of the present modes
// (solver/derivative) bring every island to round-off, or it stays as it was. With relaxation ε the impulses become those of the
// relaxed problem (solver/derivative/relaxed.h), at which everything else is differentiated as well. Private to this room.
#pragma once

#include <stiction/step/derivative/velocity_tangents.h>

namespace stiction {

// After the step on the copy: changes the impulses and the momentum of c.work. False: a relaxed problem was not solved.
bool settle_impulses(const StepContext& c, const AssembleInput& in, double relax, double threshold,
                     VelocityTangentWork& work);
// Puts the problem and the impulses of an island into c.work, blocks in their order; its number of rows.
int gather_island(const StepContext& c, const AssembleInput& in, int island);

}  // namespace stiction
