// SPDX-License-Identifier: BSD-2-Clause
// Quantities of the present configuration in face conventions (Pinocchio's), for users and tests. They may allocate.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

namespace stiction {

Mat mass_matrix(const World& world, const Layout& layout, const VecRef& q);
Vec bias_forces(const World& world, const Layout& layout, const VecRef& q, const VecRef& v);
// 6 × nv, rows (linear, angular) in world axes at a point fixed to the body.
Mat point_jacobian(const World& world, const Layout& layout, const Kinematics& k, int body, const Vec3& world_point);
// Frame of a body in the world; that of the world itself is the identity.
inline Pose body_pose(const Layout& layout, const Kinematics& k, int body) {
  return body == kWorldBody ? Pose{} : k.pose(layout, body);
}
// Of one tree; those of a world are their sums. v: internal velocities.
struct TreeEnergy {
  double kinetic, potential;
};
TreeEnergy tree_energy(const World& world, const Layout& layout, const Kinematics& k, const Tree& tree,
                       const double* v);
double kinetic_energy(const World& world, const Layout& layout, const Kinematics& k, const VecRef& v);
double potential_energy(const World& world, const Layout& layout, const Kinematics& k);
Vec3 centre_of_mass(const Layout& layout, const Kinematics& k);
Vec6 total_momentum(const Layout& layout, const Kinematics& k);         // (linear, angular about the world's origin)
Vec3 body_centre(const Layout& layout, const Kinematics& k, int body);  // centre of mass, world
// Of one body about its centre of mass, world axes.
struct BodyMotion {
  Vec3 centre, linear, angular, spin_momentum;
  double mass;
};
BodyMotion body_motion(const Layout& layout, const Kinematics& k, int body);
Mat3 body_inertia(const Layout& layout, const Kinematics& k, int body);  // about its centre of mass, world axes
Vec3 point_velocity(const Layout& layout, const Kinematics& k, int body, const Vec3& world_point);
// (linear, angular) of a point fixed to the body, world axes.
Vec6 point_twist(const Layout& layout, const Kinematics& k, int body, const Vec3& world_point);
// J̇v: acceleration of such a point, (classical p̈, ω̇) in world axes, while the face's v̇ is zero. `k` has been through
// fused_pass with Purpose::query; the gravity that it carries as an upward acceleration of the root is taken out again.
Vec6 point_drift(const World& world, const Layout& layout, const Kinematics& k, int body, const Vec3& world_point);
Mat centre_jacobian(const World& world, const Layout& layout, const Kinematics& k);  // 3 × nv: ċ = J_c v
Vec3 centre_drift(const World& world, const Layout& layout, const Kinematics& k);    // J̇_c v; `k` as for point_drift

}  // namespace stiction
