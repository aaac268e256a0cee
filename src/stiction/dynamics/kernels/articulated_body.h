// SPDX-License-Identifier: BSD-2-Clause
// Accelerations without a mass matrix: the articulated-body recursion, everything in the base frame of the tree, at its origin.
//   inertias, leaf to root, velocity by velocity (a joint of several velocities is a row of joints with massless bodies between):
//     U_k = I s_k,   D_k = s_kᵀU_k + armature_k,   I ← I − U_k U_kᵀ/D_k,   I_parent += I                              (1)
//   forces, leaf to root:          u_k = τ_k − s_kᵀp,   p ← p + U_k u_k/D_k,   p_parent += p                          (2)
//   accelerations, root to leaf:   q̈_k = (u_k − U_kᵀa)/D_k,   a ← a + s_k q̈_k                                         (3)
// Bias forces are in τ already (τ − h of the kinematic pass), so that (2) and (3) are linear: M q̈ = τ. Unit forces at contact
// points, three columns at a time, give the contact-space inverse inertia by the accelerations that they cause,
//   A = J M⁻¹ Jᵀ,   column j = a(e_j)                                                                               (4)
// in O(bodies on the chains of the contacts) per contact: no n × n matrix is formed or factorised.
// Failure: D_k ≤ 0 for massless leaves without armature gives NaN, which the step reports as numerical_failure.
// References: Featherstone 2008, ch. 7; Kokkevis 2004 (unit forces).
#pragma once

#include <stiction/dynamics/kernels/kinematics.h>

#include <vector>

namespace stiction {

// Where a contact acts: b is pushed along the rows of `frame`, a against them.
struct ContactPlace {
  BodyId a, b;
  Vec3 point;  // world [m]
  Mat3 frame;  // rows T1, T2, N in world axes
};

class ArticulatedBody {
 public:
  void resize(const World& world);
  // (1), after fused_pass() with Purpose::articulated; what was added to the diagonals of k.factor counts as armature.
  void prepare(const World& world, const Layout& layout, const Kinematics& k);
  // x ← M⁻¹ x by (2) and (3).
  void solve(const Layout& layout, double* x);
  // Acceleration of a point of a body by the last solve(), world axes; zero for the world.
  Vec3 point_acceleration(const Layout& layout, const Kinematics& k, BodyId body, const Vec3& point) const;
  // A, 3m × 3m row-major and symmetric up to round-off, by (4).
  void contact_inertia(const World& world, const Layout& layout, const Kinematics& k, const ContactPlace* places, int m,
                       double* A);

 private:
  using Columns = Eigen::Matrix<double, 6, 3>;
  struct Joint {
    Vec6 s, U;
    double inverse;  // 1/D
  };
  void mark_chains(const World& world, const Layout& layout, const ContactPlace* places, int m);
  void push(const Layout& layout, const Kinematics& k, const ContactPlace& place);
  void sweep_tree(const Layout& layout, int tree);

  std::vector<Mat6> inertia_;       // per body, articulated
  std::vector<Joint> joints_;       // per velocity
  std::vector<Vec6> force_, move_;  // per body: p and a
  std::vector<double> moment_;      // per velocity: u
  std::vector<Columns> forces_, moves_;
  std::vector<Eigen::RowVector3d> moments_;
  std::vector<char> marked_;                  // per body: on the chain of a contact
  std::vector<int> chain_bodies_;             // those, in order
  std::vector<std::pair<int, int>> of_tree_;  // per tree: their range
};

}  // namespace stiction
