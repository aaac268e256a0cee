// SPDX-License-Identifier: BSD-2-Clause
// World.add_ground and World.add_static_*: geometry that never moves, and further shapes on bodies.
#include <nanobind/stl/filesystem.h>
#include <stiction/model/files/mesh_files.h>
#include <stiction/model/world/checks.h>

#include "world.h"

namespace stiction::python {

std::vector<Vec3> read_points(nb::handle points, const std::string& field) {
  const Mat m = read_matrix(points, field, -1, 3);
  std::vector<Vec3> out;
  for (Eigen::Index i = 0; i < m.rows(); ++i) out.emplace_back(m.row(i).transpose());
  return out;
}

Shape read_mesh(nb::handle mesh, nb::handle scale, const std::string& field) {
  const Vec3 s = read_vec3(scale, field + ".scale");
  if (nb::isinstance<nb::tuple>(mesh) || nb::isinstance<nb::list>(mesh)) {
    if (nb::len(mesh) != 2) throw InvalidInput(field + ".mesh: expected a file or a pair (vertices, triangles)");
    std::vector<Vec3> vertices = read_points(mesh[0], field + ".mesh[0]");
    for (Vec3& x : vertices) x = x.cwiseProduct(s);
    const Mat t = nb::len(nb::object(mesh[1])) == 0 ? Mat(0, 3) : read_matrix(mesh[1], field + ".mesh[1]", -1, 3);
    std::vector<Eigen::Vector3i> triangles;
    for (Eigen::Index i = 0; i < t.rows(); ++i)
      for (Eigen::Index k = 0; k < 3; ++k)
        if (!(t(i, k) == std::floor(t(i, k)) && t(i, k) >= 0.0 && t(i, k) < static_cast<double>(vertices.size())))
          throw InvalidInput(field + ".mesh[1][" + std::to_string(i) + ", " + std::to_string(k) + "] is " +
                             text(t(i, k)) + ", expected the number of a vertex, 0 to " +
                             std::to_string(static_cast<std::ptrdiff_t>(vertices.size()) - 1));
    for (Eigen::Index i = 0; i < t.rows(); ++i) triangles.emplace_back(t.row(i).transpose().cast<int>());
    return make_mesh(vertices, triangles);
  }
  std::filesystem::path path;
  if (!nb::try_cast(mesh, path)) throw InvalidInput(field + ".mesh: expected a file or a pair (vertices, triangles)");
  return read_mesh_file(path.string(), s);
}

namespace {

std::string static_keywords() {
  return std::string(kPoseText) + kMaterialText + kSurfaceText +
         "name : for messages\n\nReturns\n-------\nint : the number of the shape";
}

template <class... Args, class Make, class... Names>
void def_static_shape(WorldClass& world, const char* method, const char* doc, Make make, const Names&... names) {
  const std::string who = method;
  world.def(
      method,
      [make, who](WorldBuilder& w, const Args&... args, const ArrayLike& position, const ArrayLike& rotation,
                  const std::string& material, Number mu, Number restitution, Number mu_static, Number stiffness,
                  Number damping, Number restitution_tangential, Number mu_torsion, Number mu_rolling,
                  const std::string& name) {
        BodyOptions o;
        o.name = name;
        o.position = read_vec3(position, who + ".position");
        o.rotation = read_rotation(rotation, who + ".rotation");
        o.material = material;
        o.values =
            surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential, mu_torsion, mu_rolling);
        return w.add_static(make(who, args...), o);
      },
      names..., nb::kw_only(), "position"_a = nb::make_tuple(0.0, 0.0, 0.0),
      "rotation"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0), "material"_a = "", "mu"_a = nb::none(),
      "restitution"_a = nb::none(), "mu_static"_a = nb::none(), "stiffness"_a = nb::none(), "damping"_a = nb::none(),
      "restitution_tangential"_a = nb::none(), "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(), "name"_a = "",
      (std::string(doc) + static_keywords()).c_str());
}

Shape heightfield(const std::string& who, const ArrayLike& heights, const ArrayLike& size) {
  const Vec s = read_vector(size, who + ".size", 2);
  return make_heightfield(read_matrix(heights, who + ".heights"), s[0], s[1]);
}

}  // namespace

void bind_static_geometry(WorldClass& world) {
  world.def(
      "add_ground",
      [](WorldBuilder& w, Number mu, Number restitution, const std::string& material, Number mu_static,
         Number stiffness, Number damping, Number restitution_tangential, Number mu_torsion, Number mu_rolling) {
        return w.add_ground(
            surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential, mu_torsion, mu_rolling),
            material);
      },
      nb::kw_only(), "mu"_a = nb::none(), "restitution"_a = nb::none(), "material"_a = "", "mu_static"_a = nb::none(),
      "stiffness"_a = nb::none(), "damping"_a = nb::none(), "restitution_tangential"_a = nb::none(),
      "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(),
      (std::string("The half-space z <= 0.\n\nParameters\n----------\n") + kMaterialText + kSurfaceText +
       "\nReturns\n-------\nint : the number of the shape")
          .c_str());
  def_static_shape<>(world, "add_static_half_space",
                     "A half-space, solid where z <= 0 in its own frame.\n\nParameters\n----------\n",
                     [](const std::string&) { return make_half_space(); });
  def_static_shape<double>(
      world, "add_static_sphere", "A static ball.\n\nParameters\n----------\nradius : [m]\n",
      [](const std::string&, double r) { return make_sphere(r); }, "radius"_a);
  def_static_shape<ArrayLike>(
      world, "add_static_box", "A static box.\n\nParameters\n----------\nsize : full edge lengths (x, y, z) [m]\n",
      [](const std::string& who, const ArrayLike& size) { return make_box(read_vec3(size, who + ".size")); }, "size"_a);
  def_static_shape<double, double>(
      world, "add_static_capsule",
      "A static capsule along z.\n\nParameters\n----------\nradius : [m]\nlength : without the caps [m]\n",
      [](const std::string&, double r, double l) { return make_capsule(r, l); }, "radius"_a, "length"_a);
  def_static_shape<double, double>(
      world, "add_static_cylinder",
      "A static cylinder along z.\n\nParameters\n----------\nradius : [m]\nlength : full length [m]\n",
      [](const std::string&, double r, double l) { return make_cylinder(r, l); }, "radius"_a, "length"_a);
  def_static_shape<ArrayLike>(
      world, "add_static_convex",
      "A static convex hull.\n\nParameters\n----------\npoints : (n, 3) whose hull it is [m]\n",
      [](const std::string& who, const ArrayLike& points) { return make_convex(read_points(points, who + ".points")); },
      "points"_a);
  def_static_shape<MeshLike, ArrayLike>(
      world, "add_static_mesh",
      "A static triangle mesh. One-sided: solid behind the triangles.\n\nParameters\n----------\n"
      "mesh : a file (STL, OBJ, DAE), or a pair (vertices, triangles) [m]\n"
      "scale : factors along x, y, z [-]\n",
      [](const std::string& who, const MeshLike& mesh, const ArrayLike& scale) { return read_mesh(mesh, scale, who); },
      "mesh"_a, "scale"_a = nb::make_tuple(1.0, 1.0, 1.0));
  def_static_shape<ArrayLike, ArrayLike>(world, "add_heightfield",
                                         "A static grid of heights, centred, solid below.\n\nParameters\n----------\n"
                                         "heights : rows run along y, columns along x [m]\n"
                                         "size : full edge lengths (x, y) [m]\n",
                                         &heightfield, "heights"_a, "size"_a);
}

}  // namespace stiction::python
