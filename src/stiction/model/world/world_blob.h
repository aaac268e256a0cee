// SPDX-License-Identifier: BSD-2-Clause
// A compiled world as bytes, meshes included: a recording carries its own model and needs no file of the robot.
#pragma once

#include <stiction/model/world/world.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace stiction {

std::vector<std::byte> save_world(const World& world);
// The same world, bit for bit: its fingerprint is that of the original. InvalidInput if the bytes are not of save_world(),
// were damaged, or were written by another version of the format.
std::shared_ptr<const World> load_world(const std::vector<std::byte>& bytes);
// Of a world that was read from bytes, in which nothing is trusted: every index, range and size; throws InvalidInput that names
// what is wrong. (Whether the physics makes sense is not asked.)
void check_indices(const World& world);

}  // namespace stiction
