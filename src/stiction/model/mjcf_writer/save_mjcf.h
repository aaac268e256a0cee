// SPDX-License-Identifier: BSD-2-Clause
// A compiled world as an MJCF file, for MuJoCo, for add_mjcf and for those who read it.
#pragma once

#include <stiction/model/world/world.h>

#include <string>
#include <vector>

namespace stiction {

// Writes `path`, and beside it the folder <name>_meshes with an .obj per hull and mesh, if there are any. Returns sentences: what MJCF
// cannot say, with the names that it concerns. Numbers read back as the same doubles.
std::vector<std::string> save_mjcf(const World& world, const std::string& path);

}  // namespace stiction
