// SPDX-License-Identifier: BSD-2-Clause
// Rows of constraints. Oracles: Jacobians by differences of positions, and dense products J M⁻¹ Jᵀ.
#include <gtest/gtest.h>
#include <stiction/dynamics/contact/pair_solve.h>
#include <stiction/dynamics/contact/rows.h>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

using test::DenseOracle, test::relative_error;

struct RowRig : DenseOracle {
  explicit RowRig(int seed)
      : DenseOracle(seed), z(tree.vector(world.nv)), context{layout, k, tree.v.data(), z.data()} {}

  // Y as a dense matrix.
  Mat whitened(const RowBlock& block) const {
    Mat Y = Mat::Zero(block.rows, world.nv);
    for (int s = 0; s < block.sides; ++s) {
      const RowSide& side = block.side[s];
      for (int d = 0; d < side.length; ++d)
        for (int r = 0; r < block.rows; ++r)
          Y(r, layout.chain[layout.bodies[side.body].chain + d]) +=
              rows.values[side.offset + row_stride(block.rows) * d + r];
    }
    return Y;
  }
  // J = Y L̂.
  Mat jacobian_of(const RowBlock& block) const { return whitened(block) * factor(); }
  // 6 × nv: velocity of b against a at their own points, by differences.
  Mat relative(int a, const Vec3& point_a, int b, const Vec3& point_b) const {
    Mat J = Mat::Zero(6, world.nv);
    if (b != kWorldBody) J += jacobian(b, point_b);
    if (a != kWorldBody) J -= jacobian(a, point_a);
    return J;
  }

  Vec z;
  RowContext context;
  RowSet rows;
  Mat3 axes = tree.rotation();
  Vec3 point{0.3, -0.1, 0.4};
};

// Pairs of bodies: world and leaf, two of one tree, a body of the tree and the free one.
std::vector<std::pair<int, int>> pairs_of(const RowRig& rig) {
  const int last = rig.bodies() - 1;
  return {{kWorldBody, last - 1}, {kWorldBody, last}, {1, last - 1}, {last / 2, last}, {last - 2, last - 1}};
}

Mat inverse_mass(const RowRig& rig) {
  const Mat L = test::dense_factor(mass_matrix(rig.world, rig.layout, rig.tree.q));
  Mat inverse(rig.world.nv, rig.world.nv);
  for (int j = 0; j < rig.world.nv; ++j) inverse.col(j) = test::dense_solve(L, Vec::Unit(rig.world.nv, j));
  return inverse;
}

class Rows : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(RandomTrees, Rows, ::testing::Range(0, 4));

TEST_P(Rows, ContactRowsAreTheDerivativeOfPositions) {
  RowRig rig(GetParam());
  for (const auto& [a, b] : pairs_of(rig)) {
    const Mat J = rig.relative(a, rig.point, b, rig.point).topRows<3>();
    EXPECT_LE(
        relative_error(rig.jacobian_of(add_point_rows(rig.context, a, b, rig.point, rig.axes, rig.rows)), rig.axes * J),
        1e-8);
    const Axes2 two = rig.axes.topRows<2>();
    EXPECT_LE(relative_error(rig.jacobian_of(add_point_pair(rig.context, a, b, rig.point, two, rig.rows)), two * J),
              1e-8);
    const Vec3 one = rig.axes.row(2);
    EXPECT_LE(relative_error(rig.jacobian_of(add_normal_row(rig.context, a, b, rig.point, one, rig.rows)),
                             one.transpose() * J),
              1e-8);
  }
}

TEST_P(Rows, LoopRowsTakeAPointOfEachBody) {
  RowRig rig(GetParam());
  const Vec3 other(-0.2, 0.5, 0.1);
  for (const auto& [a, b] : pairs_of(rig)) {
    const Mat J = rig.relative(a, rig.point, b, other).topRows<3>();
    const RowBlock& block = add_loop_rows(rig.context, a, rig.point, b, other, rig.axes, rig.rows);
    EXPECT_LE(relative_error(rig.jacobian_of(block), rig.axes * J), 1e-8);
  }
}

TEST_P(Rows, AngularRowsAreTheDerivativeOfRotations) {
  RowRig rig(GetParam());
  for (const auto& [a, b] : pairs_of(rig)) {
    const Mat J = rig.relative(a, rig.point, b, rig.point).bottomRows<3>();
    const Axes2 two = rig.axes.topRows<2>();
    const Vec3 one = rig.axes.row(2);
    EXPECT_LE(relative_error(rig.jacobian_of(add_angular_rows(rig.context, a, b, rig.axes, rig.rows)), rig.axes * J),
              1e-8);
    EXPECT_LE(relative_error(rig.jacobian_of(add_angular_pair(rig.context, a, b, two, rig.rows)), two * J), 1e-8);
    EXPECT_LE(relative_error(rig.jacobian_of(add_angular_row(rig.context, a, b, one, rig.rows)), one.transpose() * J),
              1e-8);
  }
}

TEST_P(Rows, JointRowsPickOneVelocity) {
  RowRig rig(GetParam());
  for (int body = 0; body < rig.bodies(); ++body) {
    for (int v = rig.layout.bodies[body].v; v < rig.layout.bodies[body].v + rig.layout.bodies[body].nv; ++v) {
      const RowBlock& block = add_joint_row(rig.context, body, v, -1.0, rig.rows);
      EXPECT_LE(relative_error(rig.jacobian_of(block), -Vec::Unit(rig.world.nv, v).transpose()), 1e-12);
      EXPECT_EQ(block.before[0], -rig.tree.v[v]);
    }
  }
}

// before = J v; free = J (v + L̂⁻¹ z).
TEST_P(Rows, VelocitiesBeforeAndWithoutContact) {
  RowRig rig(GetParam());
  Vec free_v = rig.z;  // L̂⁻¹ z
  for (const Tree& tree : rig.world.trees) solve_lower(rig.layout, tree, rig.k, free_v.data());
  free_v += rig.tree.v;
  for (const auto& [a, b] : pairs_of(rig)) {
    for (const bool angular : {false, true}) {
      const RowBlock& block = angular ? add_angular_rows(rig.context, a, b, rig.axes, rig.rows)
                                      : add_point_rows(rig.context, a, b, rig.point, rig.axes, rig.rows);
      const Mat J = rig.jacobian_of(block);
      EXPECT_LE(relative_error(Eigen::Map<const Vec3>(block.before), J * rig.tree.v), 1e-12);
      EXPECT_LE(relative_error(Eigen::Map<const Vec3>(block.free), J * free_v), 1e-12);
    }
  }
}

// Blocks of every size, among them some that share no tree.
void add_blocks_of_every_size(RowRig& rig) {
  for (const auto& [a, b] : pairs_of(rig)) {
    add_point_rows(rig.context, a, b, rig.point, rig.axes, rig.rows);
    add_point_pair(rig.context, a, b, rig.point, rig.axes.topRows<2>(), rig.rows);
    add_angular_row(rig.context, a, b, rig.axes.row(0), rig.rows);
  }
}

TEST_P(Rows, DelassusBlocks) {
  RowRig rig(GetParam());
  add_blocks_of_every_size(rig);
  const Mat inverse = inverse_mass(rig);
  for (const RowBlock& i : rig.rows.blocks) {
    for (const RowBlock& j : rig.rows.blocks) {
      Eigen::Matrix<double, 3, 5, Eigen::RowMajor> out;
      out.setConstant(7.0);
      delassus_block(rig.layout, rig.rows, i, j, out.data(), 5);
      const Mat wanted = rig.jacobian_of(i) * inverse * rig.jacobian_of(j).transpose();
      EXPECT_LE(relative_error(out.topLeftCorner(i.rows, j.rows), wanted), 1e-10);
      EXPECT_EQ(out(0, 3), 7.0);  // nothing beyond the block is written
    }
  }
}

// All at once: on one base (few, and too many for that), and with a block between two bodies among them.
TEST_P(Rows, DelassusOfContacts) {
  for (const auto& [count, pair] : std::vector<std::pair<int, bool>>{{5, false}, {30, false}, {4, true}}) {
    RowRig rig(GetParam());
    const int last = rig.bodies() - 1;
    std::vector<int> block;
    for (int i = 0; i < count; ++i) {
      block.insert(block.begin(), i);
      const int body = i % last;
      add_point_rows(rig.context, pair && i == 1 ? last : kWorldBody, body, rig.point + 0.1 * i * Vec3::Ones(),
                     rig.axes, rig.rows);
    }
    const int n = 3 * count;
    std::vector<double> out(n * n, 7.0), wanted(9);
    delassus_of_contacts(rig.layout, rig.rows, block.data(), count, out.data());
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        delassus_block(rig.layout, rig.rows, rig.rows.blocks[block[i]], rig.rows.blocks[block[j]], wanted.data(), 3);
        for (int r = 0; r < 9; ++r) {
          const double found = out[(3 * i + r / 3) * n + 3 * j + r % 3];
          EXPECT_NEAR(found, wanted[r], 1e-13 * (1.0 + std::abs(wanted[r]))) << count << ' ' << i << ' ' << j;
          EXPECT_EQ(found, out[(3 * j + r % 3) * n + 3 * i + r / 3]);
        }
      }
  }
}

TEST_P(Rows, BlocksOfDifferentTreesDoNotFeelEachOther) {
  RowRig rig(GetParam());
  const int last = rig.bodies() - 1;
  add_point_rows(rig.context, kWorldBody, last - 1, rig.point, rig.axes, rig.rows);
  add_point_rows(rig.context, kWorldBody, last, rig.point, rig.axes, rig.rows);
  double out[9];
  delassus_block(rig.layout, rig.rows, rig.rows.blocks[0], rig.rows.blocks[1], out, 3);
  for (const double x : out) EXPECT_EQ(x, 0.0);
}

// L̂⁻¹ Yᵀλ is the change of velocity M⁻¹Jᵀλ.
TEST_P(Rows, ImpulsesChangeTheVelocity) {
  RowRig rig(GetParam());
  add_blocks_of_every_size(rig);
  const Mat inverse = inverse_mass(rig);
  for (const RowBlock& block : rig.rows.blocks) {
    const Vec lambda = rig.tree.vector(3);
    Vec w = Vec::Zero(rig.world.nv);
    add_impulse(rig.layout, rig.rows, block, lambda.data(), w.data());
    for (const Tree& tree : rig.world.trees) solve_lower(rig.layout, tree, rig.k, w.data());
    EXPECT_LE(relative_error(w, inverse * rig.jacobian_of(block).transpose() * lambda.head(block.rows)), 1e-10);
  }
}

TEST_P(Rows, ApplyingIsTheTransposeOfPushing) {
  RowRig rig(GetParam());
  add_blocks_of_every_size(rig);
  const Vec w = rig.tree.vector(rig.world.nv);
  for (const RowBlock& block : rig.rows.blocks) {
    Vec out = Vec::Constant(block.rows, 9.0);  // overwritten
    apply_rows(rig.layout, rig.rows, block, w.data(), out.data());
    EXPECT_LE(relative_error(out, rig.whitened(block) * w), 1e-13);
  }
}

// Two right-hand sides at once give what one at a time gives.
TEST_P(Rows, TwoAtOnce) {
  RowRig rig(GetParam());
  add_point_rows(rig.context, 1, rig.bodies() - 2, rig.point, rig.axes, rig.rows);
  add_normal_row(rig.context, kWorldBody, rig.bodies() - 2, rig.point, rig.axes.row(2), rig.rows);
  const int n = rig.world.nv;
  const Vec first = rig.tree.vector(3), second = rig.tree.vector(3);
  Vec x = Vec::Zero(n), y = Vec::Zero(n), both = Vec::Zero(2 * n);
  for (const RowBlock& block : rig.rows.blocks) {
    add_impulse(rig.layout, rig.rows, block, first.data(), x.data());
    add_impulse(rig.layout, rig.rows, block, second.data(), y.data());
    add_impulse_pair(rig.layout, rig.rows, block, first.data(), second.data(), both.data());
  }
  const Tree& tree = rig.world.trees.front();
  solve_lower(rig.layout, tree, rig.k, x.data());
  solve_lower(rig.layout, tree, rig.k, y.data());
  solve_lower_pair(rig.layout, tree, rig.k, both.data());
  EXPECT_LE(relative_error(Eigen::Map<const Vec, 0, Eigen::InnerStride<2>>(both.data(), n), x), 1e-12);
  EXPECT_LE(relative_error(Eigen::Map<const Vec, 0, Eigen::InnerStride<2>>(both.data() + 1, n), y), 1e-12);
}

}  // namespace
}  // namespace stiction
