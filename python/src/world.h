// SPDX-License-Identifier: BSD-2-Clause
// Keywords that all `World.add_*` share.
#pragma once

#include <stiction/model/world/world_builder.h>

#include <initializer_list>

#include "handles.h"

namespace stiction::python {

using WorldClass = nb::class_<WorldBuilder>;
using Number = std::optional<double>;

inline MaterialValues surface(Number mu, Number restitution, Number mu_static, Number stiffness, Number damping,
                              Number restitution_tangential, Number mu_torsion, Number mu_rolling) {
  return {mu, mu_static, restitution, stiffness, damping, restitution_tangential, {}, mu_torsion, mu_rolling};
}

// What the reference says of the values of a surface, and of where a thing is placed.
inline constexpr const char* kSurfaceText =
    "mu : friction coefficient [-]; 0.8 where neither side of a contact names one\n"
    "restitution : bounce of the normal velocity, 0 to 1 [-]\n"
    "mu_static : friction coefficient while sticking, at least mu [-]\n"
    "stiffness : of each contact point under the soft laws [N/m]\n"
    "damping : of each contact point under the soft laws [N s/m]\n"
    "restitution_tangential : bounce of the slip, 0 to 1 [-]; stepper moreau only\n"
    "mu_torsion : torque against spin about the normal, per newton of normal force [m]\n"
    "mu_rolling : torque against rolling about the tangents, per newton of normal force [m]\n";
inline constexpr const char* kMaterialText =
    "material : name of a material (World.add_material), or describe this surface by what follows\n";
inline constexpr const char* kPoseText =
    "position : of the origin, world axes [m]\n"
    "rotation : quaternion (x, y, z, w)\n";

void bind_free_bodies(WorldClass& world);
void bind_static_geometry(WorldClass& world);
void bind_robots(WorldClass& world);
void bind_world_geometry(WorldClass& world);
void bind_description(WorldClass& world);
void bind_world_sensors(WorldClass& world);

// A file, or a pair (vertices, triangles).
class MeshLike : public nb::object {
  static bool accept(nb::handle) { return true; }

 public:
  NB_OBJECT_DEFAULT(MeshLike, nb::object, "str | os.PathLike | tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike]",
                    accept)
};
// Lengths of a shape as add_* takes them: full edges and full lengths.
Vec3 full_size(const Shape& shape);
Shape read_mesh(nb::handle mesh, nb::handle scale, const std::string& field);
std::vector<Vec3> read_points(nb::handle points, const std::string& field);

}  // namespace stiction::python
