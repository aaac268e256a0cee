// SPDX-License-Identifier: BSD-2-Clause
// A pixel centre p is inside of (a, b, c) if all three weights are ≥ 0,
//   weight_a = (b − p) × (c − p) / (b − a) × (c − a), …          their sum is 1,
// and the triangle with the largest interpolated z wins (1/depth: linear on the screen; any linear depth without perspective).
// Triangles without area, and those with a corner that is not finite, are left out.
#include "raster.h"

#include <algorithm>
#include <cmath>

namespace stiction::python {
namespace {

using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Corners = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// First and last pixel whose centre lies between lo and hi, within 0 … size − 1.
std::pair<int, int> span(double lo, double hi, int size) {
  return {static_cast<int>(std::clamp(std::ceil(lo - 0.5), 0.0, static_cast<double>(size))),
          static_cast<int>(std::clamp(std::floor(hi - 0.5), -1.0, size - 1.0))};
}

template <class T>
nb::object new_picture(const std::vector<T>& from, int width, int height) {
  T* data = new T[from.size()];
  std::copy(from.begin(), from.end(), data);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>(data, {h, w}, owner));
}

nb::tuple rasterise(const Points& points, const Corners& triangles, int width, int height, double background) {
  Buffer out(width, height, background);
  const auto corners = static_cast<std::int32_t>(points.shape(0));
  for (std::size_t i = 0; i < triangles.shape(0); ++i) {
    const std::int32_t* t = triangles.data() + 3 * i;
    if (std::min({t[0], t[1], t[2]}) < 0 || std::max({t[0], t[1], t[2]}) >= corners) continue;
    out.draw(points.data() + 3 * t[0], points.data() + 3 * t[1], points.data() + 3 * t[2],
             static_cast<std::int32_t>(i));
  }
  return nb::make_tuple(new_picture(out.index, width, height), new_picture(out.depth, width, height));
}

}  // namespace

Buffer::Buffer(int w, int h, double background) : width(w), height(h) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384)
    throw InvalidInput("the picture is " + std::to_string(width) + " x " + std::to_string(height) +
                       " pixels, expected 1 to 16384 each way");
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  index.assign(pixels, -1);
  depth.assign(pixels, background);
}

void Buffer::draw(const double* a, const double* b, const double* c, std::int32_t id) {
  const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (!(std::abs(area) > 1e-12) || !std::isfinite(area + a[2] + b[2] + c[2])) return;
  const auto [x0, x1] = span(std::min({a[0], b[0], c[0]}), std::max({a[0], b[0], c[0]}), width);
  const auto [y0, y1] = span(std::min({a[1], b[1], c[1]}), std::max({a[1], b[1], c[1]}), height);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Vec3 w = weights(a, b, c, x + 0.5, y + 0.5);
      if (w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) continue;
      const double z = w[0] * a[2] + w[1] * b[2] + w[2] * c[2];
      if (const std::size_t i = at(x, y); z > depth[i]) depth[i] = z, index[i] = id;
    }
}

void bind_raster(nb::module_& m) {
  m.def("rasterise", &rasterise, "points"_a, "triangles"_a, "width"_a, "height"_a, "background"_a,
        nb::sig(
            "def rasterise(points: numpy.typing.NDArray[numpy.float64], triangles: numpy.typing.NDArray[numpy.int32], "
            "width: int, height: int, background: float) -> tuple[numpy.typing.NDArray[numpy.int32], "
            "numpy.typing.NDArray[numpy.float64]]"),
        "(height, width) numbers of the triangles that are seen (-1: none) and their depth. points holds (x, y, z): x "
        "to\n"
        "the right and y down in pixels, the largest z wins if it is larger than `background`.");
}

}  // namespace stiction::python
