// SPDX-License-Identifier: BSD-2-Clause
// A regular grid of heights, two triangles per cell, solid below.
#pragma once

#include <stiction/geometry/triangle_mesh.h>

namespace stiction {

inline constexpr double kDeep = 1e3;  // how far below its lowest point a heightfield is still solid [m]

struct Heightfield {
  Mat heights;            // rows along y, columns along x [m]
  double size_x, size_y;  // full lengths [m]
  TriangleMesh surface;   // cell (i, j) has triangles 2(i (cols−1) + j) and the one after

  // Replaces `found` by the triangles of the cells under `query` (x and y only), in ascending order.
  void find(const Aabb& query, std::vector<int>& found) const;
};

std::shared_ptr<const Heightfield> make_height_grid(const Mat& heights, double size_x, double size_y);

}  // namespace stiction
