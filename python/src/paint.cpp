// SPDX-License-Identifier: BSD-2-Clause
// Light of every pixel, for stiction.render: the triangles and planes that a camera sees under a sun.
//   colour = albedo (ambient + up (1 + n_z)/2 + sun · shadow · max(0, n·l)) + shine (n·h)^40, h between l and the eye   [Blinn77]
// Shadows: the sun draws the triangles too; what lies deeper than its picture is dark, averaged over nine of its pixels.
// Planes are checkered; squares smaller than a few pixels melt into their mean, and the distance into the sky.
// A pixel of the result is the mean of samples² pixels.
#include <algorithm>
#include <cmath>

#include "raster.h"

namespace stiction::python {
namespace {

using Triples = nb::ndarray<const double, nb::shape<-1, 3, 3>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const Vec3 kSky(0.80, 0.86, 0.93), kHorizon(0.97, 0.975, 0.98), kLight(0.93, 0.935, 0.94), kDark(0.80, 0.815, 0.83);

// Rows of an axis frame (right, up, forward), the place it looks from, and pixels per unit (over depth: with perspective).
struct Eye {
  Mat3 axes;
  Vec3 position;
  double scale;
  bool perspective;

  Vec3 project(const Vec3& x, const Buffer& to) const {
    const Vec3 p = axes * (x - position);
    const double depth = perspective ? (p.z() > 0.0 ? p.z() : std::nan("")) : 1.0;
    return {0.5 * to.width + scale * p.x() / depth, 0.5 * to.height - scale * p.y() / depth,
            perspective ? 1.0 / depth : -p.z()};
  }
  // Of the pixel's centre, one unit deep.
  Vec3 ray(int x, int y, const Buffer& of) const {
    return axes.transpose() * Vec3((x + 0.5 - 0.5 * of.width) / scale, -(y + 0.5 - 0.5 * of.height) / scale, 1.0);
  }
};

struct Plane {
  Vec3 position;
  Mat3 rotation;
};

struct Scene {
  Triples corners, normals;
  Rows colours;
  Flags shadow;
  std::vector<Plane> planes;
  Eye camera, sun;
  Vec3 target;
  double cell, fade, reach;  // edge of a square; distance at which the ground is gone; size of what throws shadows [m]

  Vec3 corner(std::size_t i, std::size_t k) const { return Eigen::Map<const Vec3>(corners.data() + 9 * i + 3 * k); }
};

class Painter {
 public:
  Painter(const Scene& scene, int width, int height, int map_size)
      : s_(scene), seen_(width, height, 0.0), lit_(map_size, map_size, -kInfinity) {
    const std::size_t n = s_.corners.shape(0);
    screen_.resize(9 * n);
    for (std::size_t i = 0; i < n; ++i) {
      double map[9];
      for (std::size_t k = 0; k < 3; ++k) {
        Eigen::Map<Vec3>(screen_.data() + 9 * i + 3 * k) = s_.camera.project(s_.corner(i, k), seen_);
        Eigen::Map<Vec3>(map + 3 * k) = s_.sun.project(s_.corner(i, k), lit_);
      }
      const double* t = screen_.data() + 9 * i;
      seen_.draw(t, t + 3, t + 6, static_cast<std::int32_t>(i));
      if (s_.shadow.data()[i]) lit_.draw(map, map + 3, map + 6, static_cast<std::int32_t>(i));
    }
  }

  Vec3 pixel(int x, int y) const {
    const Vec3 ray = s_.camera.ray(x, y, seen_);
    const double rise = std::pow(std::clamp(ray.normalized().z(), 0.0, 1.0), 0.6);
    const Vec3 sky = kHorizon + rise * (kSky - kHorizon);
    double nearest = seen_.depth[seen_.at(x, y)];
    const Plane* ground = nullptr;
    for (const Plane& plane : s_.planes) {
      const Vec3 normal = plane.rotation.col(2);
      const double inverse = normal.dot(ray) / normal.dot(plane.position - s_.camera.position);
      if (inverse > nearest) nearest = inverse, ground = &plane;
    }
    if (ground) return on_plane(*ground, s_.camera.position + ray / nearest, ray, sky);
    const std::int32_t i = seen_.index[seen_.at(x, y)];
    return i < 0 ? sky : on_triangle(static_cast<std::size_t>(i), s_.camera.position + ray / nearest, x + 0.5, y + 0.5);
  }

 private:
  // Part of the sun that arrives.
  double light(const Vec3& point) const {
    const Vec3 p = s_.sun.project(point, lit_);
    const double slack = 4.0 / s_.sun.scale;
    const int x = static_cast<int>(std::clamp(std::floor(p.x()), -2.0, lit_.width + 1.0));
    const int y = static_cast<int>(std::clamp(std::floor(p.y()), -2.0, lit_.height + 1.0));
    int free = 0;
    for (int j = y - 1; j <= y + 1; ++j)
      for (int i = x - 1; i <= x + 1; ++i)
        free += i < 0 || j < 0 || i >= lit_.width || j >= lit_.height || lit_.depth[lit_.at(i, j)] <= p.z() + slack;
    return free / 9.0;
  }

  Vec3 on_plane(const Plane& plane, const Vec3& point, const Vec3& ray, const Vec3& sky) const {
    const Vec3 local = plane.rotation.transpose() * (point - plane.position) / s_.cell;
    const double depth = (point - s_.camera.position).dot(s_.camera.axes.row(2).transpose());
    const double slant = std::abs(plane.rotation.col(2).dot(ray.normalized()));
    const double pixels = s_.cell * s_.camera.scale * slant / depth;  // height of a square on the screen
    const double contrast = std::clamp((pixels - 2.0) / 6.0, 0.0, 1.0);
    const bool even =
        (static_cast<std::int64_t>(std::floor(local.x())) + static_cast<std::int64_t>(std::floor(local.y()))) % 2 == 0;
    const double part = 0.5 + (even ? 0.5 : -0.5) * contrast;
    const Vec3 colour = (kDark + part * (kLight - kDark)) * (0.66 + 0.34 * light(point));
    const double gone = std::pow(std::clamp((point - s_.target).norm() / s_.fade, 0.0, 1.0), 1.5);
    return colour + gone * (sky - colour);
  }

  Vec3 on_triangle(std::size_t i, const Vec3& point, double x, double y) const {
    const double* t = screen_.data() + 9 * i;
    const Vec3 w = weights(t, t + 3, t + 6, x, y);
    Vec3 normal = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k)  // over depth: straight in space, not on the screen
      normal +=
          w[static_cast<Eigen::Index>(k)] * t[3 * k + 2] * Eigen::Map<const Vec3>(s_.normals.data() + 9 * i + 3 * k);
    normal.normalize();
    const Vec3 eye = (s_.camera.position - point).normalized(), sun = -s_.sun.axes.row(2).transpose();
    if (normal.dot(eye) < 0.0) normal = -normal;
    const double lit = s_.shadow.data()[i] ? light(point + 0.01 * s_.reach * normal) : 1.0;
    const double bright = 0.40 + 0.22 * 0.5 * (1.0 + normal.z()) + 0.56 * lit * std::max(0.0, normal.dot(sun));
    const double shine = 0.16 * lit * std::pow(std::max(0.0, normal.dot((eye + sun).normalized())), 40.0);
    return bright * Eigen::Map<const Vec3>(s_.colours.data() + 3 * i) + Vec3::Constant(shine);
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Scene& s_;
  Buffer seen_, lit_;
  std::vector<double> screen_;  // corners of the triangles as the camera sees them
};

nb::object paint(const Triples& corners, const Triples& normals, const Rows& colours, const Flags& shadow,
                 const nb::list& planes, const nb::tuple& camera, const nb::tuple& sun, const ArrayLike& target,
                 double cell, double fade, int width, int height, int samples, int map_size) {
  const std::size_t n = corners.shape(0);
  if (normals.shape(0) != n || colours.shape(0) != n || shadow.shape(0) != n)
    throw InvalidInput("paint: corners, normals, colours and shadow must have the same length");
  const auto read = [](const nb::tuple& x, bool perspective) {
    return Eye{read_matrix(x[0], "paint.axes", 3, 3), read_vec3(x[1], "paint.position"), nb::cast<double>(x[2]),
               perspective};
  };
  Scene scene{
      corners, normals, colours, shadow, {}, read(camera, true), read(sun, false), read_vec3(target, "paint.target"),
      cell,    fade,    0.0};
  scene.reach = 0.5 * map_size / scene.sun.scale;
  for (const nb::handle plane : planes)
    scene.planes.push_back({read_vec3(plane[0], "paint.plane"), read_matrix(plane[1], "paint.plane", 3, 3)});
  auto* bytes = new std::uint8_t[static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3];
  nb::capsule owner(bytes, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
  {
    nb::gil_scoped_release release;
    const Painter painter(scene, samples * width, samples * height, map_size);
    std::uint8_t* out = bytes;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        Vec3 sum = Vec3::Zero();
        for (int j = 0; j < samples; ++j)
          for (int i = 0; i < samples; ++i) sum += painter.pixel(samples * x + i, samples * y + j).cwiseMin(1.0);
        sum /= samples * samples;
        for (int k = 0; k < 3; ++k) *out++ = static_cast<std::uint8_t>(255.0 * std::clamp(sum[k], 0.0, 1.0) + 0.5);
      }
  }
  using Picture = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>, nb::c_contig>;
  return nb::cast(Picture(bytes, {static_cast<std::size_t>(height), static_cast<std::size_t>(width), 3}, owner));
}

}  // namespace

void bind_paint(nb::module_& m) {
  m.def("paint", &paint, "corners"_a, "normals"_a, "colours"_a, "shadow"_a, nb::kw_only(), "planes"_a, "camera"_a,
        "sun"_a, "target"_a, "cell"_a, "fade"_a, "width"_a, "height"_a, "samples"_a, "map_size"_a,
        nb::sig(
            "def paint(corners: numpy.typing.NDArray[numpy.float64], normals: numpy.typing.NDArray[numpy.float64], "
            "colours: numpy.typing.NDArray[numpy.float64], shadow: numpy.typing.NDArray[numpy.bool_], *, planes: list, "
            "camera: tuple, sun: tuple, target: numpy.typing.ArrayLike, cell: float, fade: float, width: int, height: "
            "int, "
            "samples: int, map_size: int) -> numpy.typing.NDArray[numpy.uint8]"),
        "(height, width, 3) bytes. corners and normals (m, 3, 3) of triangles in world axes, colours (m, 3) from 0 to "
        "1, shadow (m,)\n"
        "whether they throw one; planes: (position, rotation matrix); camera, sun: (axes right, up, forward as rows, "
        "position, scale).");
}

}  // namespace stiction::python
