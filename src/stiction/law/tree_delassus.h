// SPDX-License-Identifier: BSD-2-Clause
// G = J M⁻¹ Jᵀ of contact points, applied and never formed; neither is J. For impulses λ at the points:
//   F_b   = Σ (f, p × f) of the points of body b, f = axesᵀ λ, about the base origin of its tree
//   leaf to root     F_parent += F_b,   τ_j = S_jᵀ F                    (Jᵀ λ)
//   leaf to root     y = L̂⁻ᵀ τ,   root to leaf  v = L̂⁻¹ y               (M⁻¹, the tree's own factor)
//   root to leaf     V_b = V_parent + S_b v_b                           (J v)
//   u = axes (v_b + ω_b × p)
// Cost of a product: O(bodies + velocities × depth) whatever the number of points, beside 9 n² for the dense G of n
// points; memory: one wrench and one twist per body. It pays when points are many more than velocities: a hand full of
// contacts, a robot lying down. The configuration that `kinematics` holds must stay as it is while the operator lives.
// Reference: Featherstone 2008, sections 5.3 and 6.5.
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>
#include <stiction/problem/delassus.h>

#include <vector>

namespace stiction {

struct DelassusPoint {
  BodyId a = kWorldBody, b = kWorldBody;  // u is the velocity of b against a
  Vec3 point = Vec3::Zero();              // world
  Mat3 axes = Mat3::Identity();           // rows T1, T2, N in world axes
};

class TreeDelassus : public DelassusProduct {
 public:
  // `kinematics`: after fused_pass(…, Purpose::step) and factorise() of every tree that is not a free body.
  TreeDelassus(const World& world, const Layout& layout, const Kinematics& kinematics,
               std::vector<DelassusPoint> points);
  // x and y: 3 rows (T1, T2, N) per point. Not to be called from two threads at once: the passes share a workspace.
  void multiply(const double* x, double* y) const override;

 private:
  struct Spatial {
    Vec3 linear, angular;  // force and moment, or velocity and rate: base axes, at the base origin of the tree
  };
  void add_wrenches(const double* x) const;
  void project_wrenches() const;
  void spread_velocities() const;
  Vec3 velocity(BodyId body, const Vec3& point) const;

  const World& world_;
  const Layout& layout_;
  const Kinematics& kinematics_;
  std::vector<DelassusPoint> points_;
  mutable std::vector<Spatial> bodies_;
  mutable std::vector<double> v_;
};

}  // namespace stiction
