// SPDX-License-Identifier: BSD-2-Clause
// Dense counterparts of what the kernels keep sparse, for tests: Jacobians by differences of positions, the mass matrix as a sum
// over bodies, the factor written as a square matrix.
#pragma once

#include <stiction/dynamics/kernels/manifold.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tree_factor.h>

#include "support/random_tree.h"

namespace stiction::test {

// A random world with its kernels at (q, v); the factor of M is made.
struct DenseOracle {
  explicit DenseOracle(int seed, int bodies = 9) : tree(seed, bodies), layout(tree.world) {
    tree.world.armature = 0.1 * tree.vector(world.nv).cwiseAbs();
    k.resize(world, layout);
    place(tree.q);
    packed = k.factor;
    for (const Tree& t : world.trees)
      if (!t.free_body) factorise(layout, t, k);
  }
  void place(const Vec& q) { fused_pass(world, layout, q.data(), tree.v.data(), Purpose::step, k); }

  // Where a point fixed to a body is after a motion d in the tangent of q, and the body's axes there.
  Pose moved(const Vec& d, int body) const {
    Vec q = tree.q;
    add_tangent(layout, q, d, q);
    Kinematics there;
    there.resize(world, layout);
    forward_kinematics(world, layout, q.data(), tree.v.data(), there);
    return there.pose(layout, body);
  }
  // 6 × nv, (linear, angular) in world axes at a point of the body: central differences of positions and rotations.
  Mat jacobian(int body, const Vec3& point) const {
    const double e = 1e-5;
    const Pose here = k.pose(layout, body);
    const Vec3 local = here.inverse() * point;
    Mat J(6, world.nv);
    for (int j = 0; j < world.nv; ++j) {
      const Vec d = e * Vec::Unit(world.nv, j);
      const Pose plus = moved(d, body), minus = moved(-d, body);
      const Mat3 W = (plus.rotation - minus.rotation) / (2 * e) * here.rotation.transpose();  // ω̂
      J.col(j).head<3>() = (plus * local - minus * local) / (2 * e);
      J.col(j).tail<3>() = 0.5 * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
    }
    return J;
  }
  // Σ Jᵀ diag(m, I) J over bodies, plus the rotors.
  Mat mass_sum() const {
    Mat M = world.armature.asDiagonal();
    for (int i = 0; i < static_cast<int>(world.bodies.size()); ++i) {
      const Inertia& body = world.bodies[i].inertia;
      const Pose pose = k.pose(layout, i);
      const Mat J = jacobian(i, pose * body.com);
      const Mat3 I = pose.rotation * body.about_com * pose.rotation.transpose();
      M += body.mass * J.topRows<3>().transpose() * J.topRows<3>() +
           J.bottomRows<3>().transpose() * I * J.bottomRows<3>();
    }
    return M;
  }
  // The packed rows as a lower triangular matrix.
  Mat lower(const std::vector<double>& rows) const {
    Mat L = Mat::Zero(world.nv, world.nv);
    for (int j = 0; j < world.nv; ++j)
      for (int d = 0; d <= layout.depth[j]; ++d) L(j, layout.chain[layout.chain_of[j] + d]) = rows[layout.row[j] + d];
    return L;
  }
  Mat factor() const { return lower(k.factor); }
  int bodies() const { return static_cast<int>(world.bodies.size()); }

  RandomTree tree;
  const World& world = tree.world;
  Layout layout;
  Kinematics k;
  std::vector<double> packed;  // M before it is factorised; of the free body already the factor
};

// The factor by the textbook: M = LᵀL with L lower triangular, column by column from the last. NaN unless M is positive definite.
inline Mat dense_factor(Mat M) {
  const int n = static_cast<int>(M.rows());
  Mat L = Mat::Zero(n, n);
  for (int j = n - 1; j >= 0; --j) {
    const double pivot = std::sqrt(M(j, j));
    for (int i = 0; i <= j; ++i) L(j, i) = M(j, i) / pivot;
    for (int r = 0; r < j; ++r)
      for (int c = 0; c < j; ++c) M(r, c) -= L(j, r) * L(j, c);
  }
  return L;
}

// M⁻¹ x by this factor.
inline Vec dense_solve(const Mat& L, Vec x) {
  const int n = static_cast<int>(L.rows());
  for (int j = n - 1; j >= 0; --j) {
    x[j] /= L(j, j);
    for (int i = 0; i < j; ++i) x[i] -= L(j, i) * x[j];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) x[j] -= L(j, i) * x[i];
    x[j] /= L(j, j);
  }
  return x;
}

inline double relative_error(const Mat& found, const Mat& wanted) {
  return (found - wanted).norm() / (1.0 + wanted.norm());
}

}  // namespace stiction::test
