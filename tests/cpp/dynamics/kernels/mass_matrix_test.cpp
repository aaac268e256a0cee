// SPDX-License-Identifier: BSD-2-Clause
// Oracles: M = Σ JᵀIJ over bodies with Jacobians by differences of positions; energies; the power balance of the bias.
#include <gtest/gtest.h>
#include <stiction/dynamics/kernels/articulated_body.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::DenseOracle, test::relative_error;

class MassMatrix : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, MassMatrix, ::testing::Range(0, 6));

TEST_P(MassMatrix, IsTheSumOverBodies) {
  const DenseOracle o(GetParam());
  EXPECT_LE(relative_error(mass_matrix(o.world, o.layout, o.tree.q), o.mass_sum()), 1e-8);
}

TEST_P(MassMatrix, IsPositiveDefinite) {
  const DenseOracle o(GetParam());
  const Mat L = test::dense_factor(mass_matrix(o.world, o.layout, o.tree.q));
  for (int j = 0; j < o.world.nv; ++j) EXPECT_GT(L(j, j), 0.0);  // NaN otherwise
}

TEST_P(MassMatrix, RotorsStandOnTheDiagonal) {
  DenseOracle o(GetParam());
  const Mat with = mass_matrix(o.world, o.layout, o.tree.q);
  const Vec armature = o.world.armature;
  o.tree.world.armature.setZero();
  EXPECT_LE(relative_error(with - mass_matrix(o.world, o.layout, o.tree.q), armature.asDiagonal()), 1e-14);
}

TEST_P(MassMatrix, GivesTheKineticEnergy) {
  const DenseOracle o(GetParam());
  const double energy = 0.5 * o.tree.v.dot(mass_matrix(o.world, o.layout, o.tree.q) * o.tree.v);
  EXPECT_NEAR(kinetic_energy(o.world, o.layout, o.k, o.tree.v), energy, 1e-12 * energy);
}

// What the step keeps packed is the same matrix; of a free body it is the factor.
TEST_P(MassMatrix, PackedRowsOfTheStep) {
  const DenseOracle o(GetParam());
  const int n = o.world.trees.front().nv;
  const Mat packed = o.lower(o.packed).topLeftCorner(n, n);
  const Mat wanted = mass_matrix(o.world, o.layout, o.tree.q).topLeftCorner(n, n).triangularView<Eigen::Lower>();
  EXPECT_LE(relative_error(packed, wanted), 1e-14);
}

TEST_P(MassMatrix, BiasAtRestIsTheGradientOfThePotential) {
  const DenseOracle o(GetParam());
  const Vec bias = bias_forces(o.world, o.layout, o.tree.q, Vec::Zero(o.world.nv));
  const double e = 1e-5;
  const auto potential = [&](const Vec& d) {
    double sum = 0.0;
    for (int i = 0; i < o.bodies(); ++i)
      sum -= o.world.bodies[i].inertia.mass * o.world.gravity.dot(o.moved(d, i) * o.world.bodies[i].inertia.com);
    return sum;
  };
  for (int j = 0; j < o.world.nv; ++j) {
    const Vec d = e * Vec::Unit(o.world.nv, j);
    EXPECT_NEAR(bias[j], (potential(d) - potential(-d)) / (2 * e), 1e-7) << "velocity " << j;
  }
}

// Without forces M v̇ = −h, and kinetic plus potential energy do not change: vᵀMv̇ + ½ vᵀṀv + ṗotential = 0.
TEST_P(MassMatrix, BiasKeepsTheEnergy) {
  const DenseOracle o(GetParam());
  const Vec& v = o.tree.v;
  const Vec h = bias_forces(o.world, o.layout, o.tree.q, v);
  const double e = 1e-5;
  const auto energy = [&](double t) {  // at q ⊕ t v with the same face velocity
    Vec q = o.tree.q;
    add_tangent(o.layout, q, t * v, q);
    Kinematics there;
    there.resize(o.world, o.layout);
    forward_kinematics(o.world, o.layout, q.data(), v.data(), there);
    return kinetic_energy(o.world, o.layout, there, v) + potential_energy(o.world, o.layout, there);
  };
  const double along_q = (energy(e) - energy(-e)) / (2 * e);
  EXPECT_NEAR(v.dot(h), along_q, 1e-6 * (1.0 + std::abs(along_q)));
}

// The O(n) recursion against the matrix.
TEST_P(MassMatrix, ArticulatedBodySolves) {
  DenseOracle o(GetParam());
  fused_pass(o.world, o.layout, o.tree.q.data(), o.tree.v.data(), Purpose::articulated, o.k);
  ArticulatedBody recursion;
  recursion.resize(o.world);
  recursion.prepare(o.world, o.layout, o.k);
  const int n = o.world.trees.front().nv;  // free bodies keep their factor
  Vec x = o.tree.vector(o.world.nv);
  x.tail(o.world.nv - n).setZero();
  const Vec b = x;
  recursion.solve(o.layout, x.data());
  EXPECT_LE(relative_error(mass_matrix(o.world, o.layout, o.tree.q).topLeftCorner(n, n) * x.head(n), b.head(n)), 1e-11);
}

}  // namespace
}  // namespace stiction
