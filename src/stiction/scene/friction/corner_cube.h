// SPDX-License-Identifier: BSD-2-Clause
// The cube of the sliding, dragging and stacking scenes: it touches the world only with eight small spheres at its
// corners, so every contact is a point whose place is known in closed form.            [LeLidec24, section IV]
#pragma once

#include <stiction/model/world/world_builder.h>

namespace stiction {

inline constexpr double kCubeSide = 0.2;                              // a [m]
inline constexpr double kCornerRadius = kCubeSide / 50.0;             // r [m]
inline constexpr double kCubeRest = kCubeSide / 2.0 + kCornerRadius;  // height of the centre at rest [m]

// Inertia m a²/6 about the centre; options.position is the centre. The values name the material of all eight spheres.
BodyId add_corner_cube(WorldBuilder& world, double mass, const BodyOptions& options);

}  // namespace stiction
