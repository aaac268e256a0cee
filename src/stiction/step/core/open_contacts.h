// SPDX-License-Identifier: BSD-2-Clause
// Contacts and limits that are seen ahead but stay open. Most of them do, and each costs a row and a column of G. A block with
// g_N ≥ 0 and no impulse in the last step is left out; after the solve it has λ = 0, which is right if u = g + Yw has u_N ≥ 0 with
// w = Yᵀλ of the others (law `convex`: u_N ≥ μ‖u_T‖, its dual cone). The rest are woken and the island is solved again. Nothing is put to sleep again within a step, so
// that this ends, and the impulses solve the problem of all blocks.
#pragma once

#include <stiction/step/core/simulation_model.h>

namespace stiction {

// Blocks of the island in a new order, those that may carry first: their number.
int put_awake_first(FrictionLaw::Kind law, int island, Assembly& assembly);
// After a solve of the first `awake` blocks, whose impulses are in own.lambda: how many more are needed; they follow the others.
// own.lambda gets zeros for the blocks that sleep, and the awake ones start from their λ in the next solve.
int wake(const AssembleInput& in, int island, int awake, Assembly& assembly, IslandScratch& own);

}  // namespace stiction
