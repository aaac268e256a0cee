// SPDX-License-Identifier: BSD-2-Clause
// Rows and G of contacts in registers of four. Oracle: the same in pairs, to the last bit.
#include <gtest/gtest.h>
#include <stiction/dynamics/contact/rows.h>
#include <stiction/dynamics/lanes/row_kernels.h>

#include <bit>
#include <cstdint>

#include "dynamics/dense_oracle.h"

namespace stiction {
namespace {

class WideRows : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    use_row_kernels(true);
    if (row_kernels() == nullptr) GTEST_SKIP() << "this machine has no avx2";
  }
  void TearDown() override { use_row_kernels(true); }
};
INSTANTIATE_TEST_SUITE_P(RandomTrees, WideRows, ::testing::Range(0, 16));

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

struct Made {
  RowSet rows;
  std::vector<double> G;
};

// Contacts of bodies of the tree with the ground, and of two bodies with each other if asked.
Made make(const test::DenseOracle& rig, const Vec& z, const std::vector<Vec3>& points, bool pairs, bool wide) {
  use_row_kernels(wide);
  Made out;
  const RowContext context{rig.layout, rig.k, rig.tree.v.data(), z.data()};
  const int bodies = rig.bodies() - 1;  // the last one is free and has rows of its own kind
  std::vector<int> blocks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int b = static_cast<int>(i) % bodies, a = pairs ? (b + 2) % bodies : kWorldBody;
    const Mat3 axes =
        Quat(Eigen::Vector4d(points[i].x(), points[i].y(), points[i].z(), 0.5).normalized()).toRotationMatrix();
    add_point_rows(context, a, b, points[i], axes, out.rows);
    blocks.push_back(static_cast<int>(i));
  }
  const std::size_t n = 3 * points.size();
  out.G.assign(n * n, -1.0);
  delassus_of_contacts(rig.layout, out.rows, blocks.data(), static_cast<int>(blocks.size()), out.G.data());
  return out;
}

void expect_same(const Made& wanted, const Made& found) {
  ASSERT_EQ(wanted.rows.values.size(), found.rows.values.size());
  for (std::size_t i = 0; i < wanted.rows.values.size(); ++i)
    if (i % 4 != 3) {
      ASSERT_TRUE(same(wanted.rows.values[i], found.rows.values[i])) << i;
    }
  for (std::size_t b = 0; b < wanted.rows.blocks.size(); ++b)
    for (int r = 0; r < 3; ++r) {
      EXPECT_TRUE(same(wanted.rows.blocks[b].before[r], found.rows.blocks[b].before[r])) << b;
      EXPECT_TRUE(same(wanted.rows.blocks[b].free[r], found.rows.blocks[b].free[r])) << b;
    }
  for (std::size_t i = 0; i < wanted.G.size(); ++i) ASSERT_TRUE(same(wanted.G[i], found.G[i])) << i;
}

TEST_P(WideRows, TakeTheBitsOfPairs) {
  const test::DenseOracle rig(2 * GetParam());  // even seeds float
  const Vec z = rig.tree.vector(rig.world.nv);
  for (const int contacts : {1, 2, 4, 7, 24, 30}) {
    std::vector<Vec3> points;
    for (int i = 0; i < contacts; ++i) points.push_back(rig.tree.vector(3));
    for (const bool pairs : {false, true})
      expect_same(make(rig, z, points, pairs, false), make(rig, z, points, pairs, true));
  }
}

}  // namespace
}  // namespace stiction
