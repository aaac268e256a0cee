// SPDX-License-Identifier: BSD-2-Clause
// What there is to draw: shapes of a world with their placements, and where the bodies are now.
#include <nanobind/stl/filesystem.h>
#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/triangle_mesh.h>
#include <stiction/model/files/mesh_files.h>

#include "simulator.h"
#include "world.h"

namespace stiction::python {
namespace {

struct GeomHandle {
  int id;
  Geom geom;
  std::string material;
};

class IndexArray : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(IndexArray, nb::object, "numpy.typing.NDArray[numpy.int32]", accept)
};

using Triangles = std::vector<Eigen::Vector3i>;

FloatArray new_points(const std::vector<Vec3>& points) {
  Mat m(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) m.row(static_cast<Eigen::Index>(i)) = points[i].transpose();
  return new_matrix(m);
}

IndexArray new_triangles(const Triangles& triangles) {
  auto* copy = new std::int32_t[3 * triangles.size() + 1];
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) copy[3 * i + static_cast<std::size_t>(k)] = triangles[i][k];
  using Array = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>, nb::c_contig>;
  return nb::steal<IndexArray>(nb::cast(Array(copy, {triangles.size(), 3}, owner)).release());
}

// Polygonal faces as fans.
Triangles fans(const ConvexMesh& hull) {
  Triangles out;
  for (const ConvexMesh::Face& face : hull.faces) {
    const int* v = hull.face_vertices.data() + face.first;
    for (int i = 2; i < face.count; ++i) out.emplace_back(v[0], v[i - 1], v[i]);
  }
  return out;
}

const TriangleMesh* surface_of(const Shape& shape) {
  if (shape.kind == ShapeKind::mesh) return shape.mesh.get();
  return shape.kind == ShapeKind::heightfield ? &shape.heightfield->surface : nullptr;
}

FloatArray vertices(const GeomHandle& g) {
  if (g.geom.shape.kind == ShapeKind::convex) return new_points(g.geom.shape.convex->vertices);
  const TriangleMesh* surface = surface_of(g.geom.shape);
  return new_points(surface ? surface->vertices : std::vector<Vec3>{});
}

IndexArray triangles(const GeomHandle& g) {
  if (g.geom.shape.kind == ShapeKind::convex) return new_triangles(fans(*g.geom.shape.convex));
  const TriangleMesh* surface = surface_of(g.geom.shape);
  return new_triangles(surface ? surface->triangles : Triangles{});
}

}  // namespace

Vec3 full_size(const Shape& shape) {
  if (shape.kind == ShapeKind::box) return 2.0 * shape.size;
  if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder)
    return {shape.size.x(), 2.0 * shape.size.y(), 0.0};
  return shape.size;
}

namespace {

std::vector<GeomHandle> list_geoms(const World& world) {
  std::vector<GeomHandle> out;
  for (const Geom& g : world.geoms) {
    const auto material = static_cast<std::size_t>(g.material);
    const bool named = material < world.material_names.size();
    out.push_back({static_cast<int>(out.size()), g, named ? world.material_names[material] : ""});
  }
  return out;
}

FloatArray poses(PySimulator& s) {
  const World& world = s.world();
  const Layout layout(world);
  Kinematics k;
  k.resize(world, layout);
  s.run([&](Simulator& e) { forward_kinematics(world, layout, e.state().q.data(), e.state().v.data(), k); });
  Mat out(static_cast<Eigen::Index>(world.bodies.size()), 7);
  for (int i = 0; i < static_cast<int>(world.bodies.size()); ++i) {
    const Pose pose = k.pose(layout, i);
    out.row(i) << pose.translation.transpose(), Quat(pose.rotation).coeffs().transpose();
  }
  return new_matrix(out);
}

}  // namespace

void bind_geoms(nb::module_& m) {
  nb::class_<GeomHandle>(m, "Geom", "A collision shape of a world: what it is and where it hangs.")
      .def_ro("id", &GeomHandle::id, "number of the shape, as in contacts()[\"geom_a\"]")
      .def_prop_ro(
          "name", [](const GeomHandle& g) { return g.geom.name; }, "as in the file, or made up")
      .def_prop_ro(
          "body", [](const GeomHandle& g) { return g.geom.body; }, "id of the body that carries it, -1 is the world")
      .def_prop_ro(
          "kind", [](const GeomHandle& g) { return std::string(name(g.geom.shape.kind)); },
          "point, sphere, capsule, box, cylinder, convex, half_space, mesh or heightfield")
      .def_prop_ro(
          "size", [](const GeomHandle& g) { return new_array(Vec(full_size(g.geom.shape))); },
          "(3,) [m], lengths as World.add_* takes them: box full edge lengths; sphere (radius, 0, 0); capsule and\n"
          "cylinder along z (radius, length, 0), a capsule's without its caps; else zero")
      .def_prop_ro(
          "pose", [](const GeomHandle& g) { return new_pose(g.geom.placement); },
          "(position, quaternion xyzw) in the frame of its body")
      .def_ro("material", &GeomHandle::material, "name of its material")
      .def_prop_ro("vertices", &vertices,
                   "(n, 3) of convex, mesh and heightfield, in the shape's frame [m]; else empty")
      .def_prop_ro("triangles", &triangles, "(n, 3) indices into vertices, counter-clockwise seen from outside")
      .def("__repr__", [](const GeomHandle& g) {
        return "Geom(id=" + std::to_string(g.id) + ", kind='" + name(g.geom.shape.kind) + "', name='" + g.geom.name +
               "', body=" + std::to_string(g.geom.body) + ")";
      });
  m.def(
      "load_mesh",
      [](const std::filesystem::path& path, const ArrayLike& scale) {
        const Shape shape = read_mesh_file(path.string(), read_vec3(scale, "load_mesh.scale"));
        return nb::make_tuple(new_points(shape.mesh->vertices), new_triangles(shape.mesh->triangles));
      },
      "path"_a, "scale"_a = nb::make_tuple(1.0, 1.0, 1.0),
      nb::sig("def load_mesh(path: str | os.PathLike, scale: numpy.typing.ArrayLike = (1.0, 1.0, 1.0)) -> "
              "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]"),
      "(vertices, triangles) of the mesh file at `path` (STL, OBJ, DAE …), scaled by `scale` along x, y, z.");
}

void bind_world_geometry(WorldClass& c) {
  c.def_prop_ro(
      "geoms", [](const WorldBuilder& w) { return list_geoms(w.draft()); }, "all shapes, static ones included");
}

void bind_simulator_geometry(SimulatorClass& c) {
  c.def_prop_ro(
       "geoms", [](const PySimulator& s) { return list_geoms(s.world()); }, "all shapes, static ones included")
      .def("poses", &poses,
           "(bodies, 7): position and quaternion xyzw of every body's frame in the world, in one call.")
      .def_prop_ro(
          "joint_limits",
          [](const PySimulator& s) {
            const World& w = s.world();
            Mat out(w.ntau, 2);
            for (int i = 0; i < w.ntau; ++i) {
              const int v = w.tau_velocity[static_cast<std::size_t>(i)];
              out.row(i) << w.lower[v], w.upper[v];
            }
            return new_matrix(out);
          },
          "(ntau, 2) lowest and highest position of each joint [rad, m]; infinite where there is none")
      .def(
          "frame",
          [](const PySimulator& s, const FrameLike& frame) {
            const Frame& f = s.world().frames[static_cast<std::size_t>(read_frame(s.world(), frame, "frame.frame"))];
            return nb::make_tuple(f.body == kWorldBody ? nb::none() : nb::cast(body_handle(s.world(), f.body)),
                                  new_pose(f.placement));
          },
          "frame"_a,
          "Where a frame (by name, or \"robot/name\") is fixed: the Body that carries it (None is the world) and its\n"
          "(position, quaternion xyzw) in that body's frame.")
      .def(
          "variant",
          [](PySimulator& s, const std::optional<std::string>& law, const std::optional<std::string>& solver,
             const std::optional<std::string>& stepper,
             std::optional<double> dt) { return s.variant(law, solver, stepper, dt); },
          "law"_a = nb::none(), "solver"_a = nb::none(), "stepper"_a = nb::none(), "dt"_a = nb::none(),
          "The same world, q, v, time, PD and drive under other settings; contacts are new to it.\n\n"
          "What is None stays; options go with the name that they belong to. A new law takes solver and stepper back\n"
          "to 'auto' unless they are given; dt is in seconds.");
}

}  // namespace stiction::python
