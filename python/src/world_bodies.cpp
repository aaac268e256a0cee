// SPDX-License-Identifier: BSD-2-Clause
// World.add_sphere … add_mesh: free bodies of one shape. One function binds them all, so that keywords cannot differ.
#include "world.h"

namespace stiction::python {
namespace {

std::string body_keywords() {
  return std::string("mass : [kg]\n") + kPoseText +
         "velocity : of the centre of mass at the start, world axes [m/s]\n"
         "angular_velocity : at the start, world axes [rad/s]\n"
         "inertia : (3, 3), or 3 principal moments, about the centre of mass [kg m^2]; of the solid shape unless "
         "given\n" +
         kMaterialText + kSurfaceText + "name : for lookups and messages\n\nReturns\n-------\nBody";
}

std::optional<Mat3> read_inertia(const ArrayLike& inertia, const std::string& field) {
  if (inertia.is_none()) return std::nullopt;
  if (nb::hasattr(inertia, "__len__") && nb::len(inertia) == 3 && !nb::hasattr(inertia[0], "__len__"))
    return Mat3(read_vec3(inertia, field).asDiagonal());
  return Mat3(read_matrix(inertia, field, 3, 3));
}

// `make` turns the shape's own arguments (already typed) into a Shape. `names` covers them and the mass, which is the last
// positional argument, or a keyword where the shape has arguments with defaults.
template <class... Args, class Make, class... Names>
void def_body_named(WorldClass& world, const char* method, const char* doc, Make make, const Names&... names) {
  const std::string who = method;
  world.def(
      method,
      [make, who](WorldBuilder& w, const Args&... args, double mass, const ArrayLike& position,
                  const ArrayLike& rotation, const ArrayLike& velocity, const ArrayLike& angular_velocity,
                  const ArrayLike& inertia, const std::string& material, Number mu, Number restitution,
                  Number mu_static, Number stiffness, Number damping, Number restitution_tangential, Number mu_torsion,
                  Number mu_rolling, const std::string& name) {
        BodyOptions o;
        o.name = name;
        o.position = read_vec3(position, who + ".position");
        o.rotation = read_rotation(rotation, who + ".rotation");
        o.velocity = read_vec3(velocity, who + ".velocity");
        o.angular_velocity = read_vec3(angular_velocity, who + ".angular_velocity");
        o.inertia = read_inertia(inertia, who + ".inertia");
        o.material = material;
        o.values =
            surface(mu, restitution, mu_static, stiffness, damping, restitution_tangential, mu_torsion, mu_rolling);
        const BodyId id = w.add_body(make(who, args...), mass, o);
        return body_handle(w.draft(), id);
      },
      names..., "position"_a = nb::make_tuple(0.0, 0.0, 0.0), "rotation"_a = nb::make_tuple(0.0, 0.0, 0.0, 1.0),
      "velocity"_a = nb::make_tuple(0.0, 0.0, 0.0), "angular_velocity"_a = nb::make_tuple(0.0, 0.0, 0.0),
      "inertia"_a = nb::none(), "material"_a = "", "mu"_a = nb::none(), "restitution"_a = nb::none(),
      "mu_static"_a = nb::none(), "stiffness"_a = nb::none(), "damping"_a = nb::none(),
      "restitution_tangential"_a = nb::none(), "mu_torsion"_a = nb::none(), "mu_rolling"_a = nb::none(), "name"_a = "",
      (std::string(doc) + body_keywords()).c_str());
}

template <class... Args, class Make, class... Names>
void def_body(WorldClass& world, const char* method, const char* doc, Make make, const Names&... names) {
  def_body_named<Args...>(world, method, doc, make, names..., "mass"_a, nb::kw_only());
}

}  // namespace

void bind_free_bodies(WorldClass& world) {
  def_body<double>(
      world, "add_sphere", "A ball.\n\nParameters\n----------\nradius : [m]\n",
      [](const std::string&, double radius) { return make_sphere(radius); }, "radius"_a);
  def_body<ArrayLike>(
      world, "add_box", "A box.\n\nParameters\n----------\nsize : full edge lengths (x, y, z) [m]\n",
      [](const std::string& who, const ArrayLike& size) { return make_box(read_vec3(size, who + ".size")); }, "size"_a);
  def_body<double, double>(
      world, "add_capsule",
      "A capsule along z.\n\nParameters\n----------\nradius : [m]\nlength : without the caps [m]\n",
      [](const std::string&, double r, double l) { return make_capsule(r, l); }, "radius"_a, "length"_a);
  def_body<double, double>(
      world, "add_cylinder", "A cylinder along z.\n\nParameters\n----------\nradius : [m]\nlength : full length [m]\n",
      [](const std::string&, double r, double l) { return make_cylinder(r, l); }, "radius"_a, "length"_a);
  def_body<ArrayLike>(
      world, "add_convex", "A convex hull.\n\nParameters\n----------\npoints : (n, 3) whose hull it is [m]\n",
      [](const std::string& who, const ArrayLike& points) { return make_convex(read_points(points, who + ".points")); },
      "points"_a);
  def_body_named<MeshLike, ArrayLike>(
      world, "add_mesh",
      "A mesh. Moving meshes become a convex hull per connected part; World.warnings says so.\n\n"
      "Parameters\n----------\n"
      "mesh : a file (STL, OBJ, DAE), or a pair (vertices, triangles) [m]\n"
      "scale : factors along x, y, z [-]\n",
      [](const std::string& who, const MeshLike& mesh, const ArrayLike& scale) { return read_mesh(mesh, scale, who); },
      "mesh"_a, nb::kw_only(), "scale"_a = nb::make_tuple(1.0, 1.0, 1.0), "mass"_a);
}

}  // namespace stiction::python
