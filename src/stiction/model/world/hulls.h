// SPDX-License-Identifier: BSD-2-Clause
// Convex hulls in place of a moving triangle mesh.
#pragma once

#include <stiction/geometry/shape.h>

#include <string>
#include <vector>

namespace stiction {

// One hull per connected part. Where parts are degenerate (loose or flat triangles) one hull of the whole mesh; where that
// has more corners than a hull may have, a hull of its outermost points; where the whole mesh is flat, nothing. Every
// case is said in a warning.
std::vector<Shape> moving_hulls(const TriangleMesh& mesh, const std::string& place, std::vector<std::string>& warnings);

}  // namespace stiction
