// SPDX-License-Identifier: BSD-2-Clause
// Which triangle is seen in which pixel. Inner loop of stiction.render.
#pragma once

#include <cstdint>
#include <vector>

#include "bind.h"

namespace stiction::python {

struct Buffer {
  Buffer(int width, int height, double background);

  // A triangle with corners (x, y, z): x to the right and y down in pixels; the largest z wins.
  void draw(const double* a, const double* b, const double* c, std::int32_t id);
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }

  int width, height;
  std::vector<std::int32_t> index;  // −1: nothing
  std::vector<double> depth;
};

// Weights of the corners at a point of the screen; they sum to 1 and are ≥ 0 inside.
inline Vec3 weights(const double* a, const double* b, const double* c, double x, double y) {
  const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  const double wa = ((b[0] - x) * (c[1] - y) - (c[0] - x) * (b[1] - y)) / area;
  const double wb = ((c[0] - x) * (a[1] - y) - (a[0] - x) * (c[1] - y)) / area;
  return {wa, wb, 1.0 - wa - wb};
}

}  // namespace stiction::python
