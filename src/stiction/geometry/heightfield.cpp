// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/invalid_input.h>
#include <stiction/geometry/heightfield.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace stiction {

std::shared_ptr<const Heightfield> make_height_grid(const Mat& heights, double size_x, double size_y) {
  const int rows = static_cast<int>(heights.rows()), cols = static_cast<int>(heights.cols());
  if (rows < 2 || cols < 2)
    throw InvalidInput("heightfield.heights is " + std::to_string(rows) + " x " + std::to_string(cols) +
                       ", expected at least 2 x 2");
  if (!heights.allFinite()) throw InvalidInput("heightfield.heights has an entry that is not finite");
  auto field = std::make_shared<Heightfield>();
  field->heights = heights;
  field->size_x = size_x;
  field->size_y = size_y;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      field->surface.vertices.emplace_back((j / (cols - 1.0) - 0.5) * size_x, (i / (rows - 1.0) - 0.5) * size_y,
                                           heights(i, j));
  for (int i = 0; i + 1 < rows; ++i)
    for (int j = 0; j + 1 < cols; ++j) {
      const int v = i * cols + j;
      field->surface.triangles.emplace_back(v, v + 1, v + cols + 1);
      field->surface.triangles.emplace_back(v, v + cols + 1, v + cols);
    }
  finish_triangles(field->surface);
  return field;
}

void Heightfield::find(const Aabb& query, std::vector<int>& found) const {
  found.clear();
  const auto cell = [](double x, double size, int cells) {
    return static_cast<int>(std::floor(std::clamp((x / size + 0.5) * cells, -1.0, cells + 1.0)));
  };
  const int nx = static_cast<int>(heights.cols()) - 1, ny = static_cast<int>(heights.rows()) - 1;
  const int j0 = std::max(0, cell(query.lo.x(), size_x, nx)), j1 = std::min(nx - 1, cell(query.hi.x(), size_x, nx));
  const int i0 = std::max(0, cell(query.lo.y(), size_y, ny)), i1 = std::min(ny - 1, cell(query.hi.y(), size_y, ny));
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j) {
      found.push_back(2 * (i * nx + j));
      found.push_back(2 * (i * nx + j) + 1);
    }
}

}  // namespace stiction
