// SPDX-License-Identifier: BSD-2-Clause
// Mass properties of MJCF geoms and bodies.
#pragma once

#include <stiction/geometry/convex_mesh.h>
#include <stiction/geometry/shape.h>
#include <stiction/model/world/world.h>

namespace stiction {

double solid_volume(const Shape& shape);  // of primitives and hulls; 0 for what is open or without end [m³]
// Integrals of a mesh by MuJoCo's rules: "legacy" (tetrahedra from inside, all counted as positive: too much where the mesh is
// concave), "exact" (signed), "convex" (of the hull), "shell" (of the surface, `volume` is its area).
VolumeIntegrals mesh_integrals(const Shape& mesh, const std::string& rule);
SolidInertia from_integrals(const VolumeIntegrals& v, double mass);
SolidInertia ellipsoid_inertia(const Vec3& radii, double mass);
// Of a shell: all mass on the surface, evenly. That of an ellipsoid is what lies between it and one whose semi-axes are a micrometre
// longer, its area that of Thomsen's formula, as MuJoCo has them.
double shell_area(const Shape& shape);  // [m²]
double ellipsoid_area(const Vec3& radii);
SolidInertia shell_inertia(const Shape& shape, double mass);
SolidInertia ellipsoid_shell_inertia(const Vec3& radii, double mass);
Shape make_ellipsoid(
    const Vec3& radii);  // a convex polyhedron with its corners on the ellipsoid; a sphere if it is one

void add_inertia(const SolidInertia& part, const Pose& pose, Inertia& whole);  // whole += part at pose

}  // namespace stiction
