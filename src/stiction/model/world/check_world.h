// SPDX-License-Identifier: BSD-2-Clause
// A world that was read from bytes: nobody has compiled it, so nothing in it is trusted.
#pragma once

#include <stiction/model/world/world.h>

namespace stiction {

// Every index, range and size; throws InvalidInput that names what is wrong. (Whether the physics makes sense is not asked.)
void check_indices(const World& world);

}  // namespace stiction
