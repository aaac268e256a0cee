// SPDX-License-Identifier: BSD-2-Clause
// Oracle: Eigen's dense product of the same matrix, for each storage, with blocks of sizes 1, 2, 3, 5 and self-contacts.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/problem/delassus.h>

#include <algorithm>

namespace stiction {
namespace {

const std::vector<int> kStart{0, 3, 4, 7, 12, 14, 17, 18};  // sizes 3 1 3 5 2 3 1

int size_of(int i) { return kStart[static_cast<std::size_t>(i) + 1] - kStart[static_cast<std::size_t>(i)]; }

// Every stored block of the matrix whose entry is not zero, as block CSR.
Delassus block_sparse(const Mat& G) {
  Delassus d;
  d.storage = Delassus::Storage::block_sparse;
  d.start = kStart;
  d.row_start.push_back(0);
  for (int i = 0; i < d.blocks(); ++i) {
    for (int j = 0; j < d.blocks(); ++j) {
      const Mat block =
          G.block(kStart[static_cast<std::size_t>(i)], kStart[static_cast<std::size_t>(j)], size_of(i), size_of(j));
      if (block.isZero(0.0)) continue;
      d.column.push_back(j);
      d.value_start.push_back(static_cast<int>(d.values.size()));
      for (int r = 0; r < block.rows(); ++r)
        for (int c = 0; c < block.cols(); ++c) d.values.push_back(block(r, c));
    }
    d.row_start.push_back(static_cast<int>(d.column.size()));
  }
  d.refresh_diagonal();
  return d;
}

// Three groups of 6, 2 and 4 velocities. Blocks touch one or two groups, or one group twice. Fills H with the same map.
Delassus body_space(Random& random, Mat& H) {
  Delassus d;
  d.storage = Delassus::Storage::body_space;
  d.start = kStart;
  d.body.velocities = 12;
  d.body.group_start = {0, 6, 8, 12};
  d.body.term_start.push_back(0);
  H = Mat::Zero(d.rows(), 12);
  const auto add_term = [&](int i, int group, std::vector<int> columns) {
    BodySpace& b = d.body;
    const int width = static_cast<int>(columns.size());
    b.terms.push_back({group, width, static_cast<int>(b.values.size()), static_cast<int>(b.column.size())});
    b.column.insert(b.column.end(), columns.begin(), columns.end());
    for (int r = 0; r < size_of(i); ++r)
      for (const int c : columns) {
        b.values.push_back(random.uniform(-1, 1));
        H(kStart[static_cast<std::size_t>(i)] + r, c) += b.values.back();
      }
  };
  for (int i = 0; i < d.blocks(); ++i) {
    if (i % 3 == 0) add_term(i, 0, {0, 1, 2, 5}), add_term(i, 0, {1, 3, 5});  // self-contact
    if (i % 3 == 1) add_term(i, 1, {6, 7}), add_term(i, 2, {8, 10, 11});
    if (i % 3 == 2) add_term(i, 0, {0, 1, 2, 3, 4, 5});
    d.body.term_start.push_back(static_cast<int>(d.body.terms.size()));
  }
  d.refresh_diagonal();
  return d;
}

void expect_same_operator(const Delassus& d, const Mat& G, Random& random) {
  GrowingVec scratch;
  const int n = static_cast<int>(G.rows());
  for (int k = 0; k < 20; ++k) {
    const Vec x = random.uniform_vector(n, -1, 1);
    Vec y = Vec::Constant(n, 7.0);  // must be overwritten
    d.multiply(x.data(), y.data(), scratch);
    ASSERT_LE((y - G * x).norm(), 1e-14 * G.norm() * x.norm());
    if (d.storage == Delassus::Storage::body_space) continue;
    for (int i = 0; i < d.blocks(); ++i) {
      Vec part = Vec::Constant(size_of(i), 7.0);
      d.multiply_block_row(i, x.data(), part.data());
      ASSERT_LE((part - G.middleRows(kStart[static_cast<std::size_t>(i)], size_of(i)) * x).norm(),
                1e-14 * G.norm() * x.norm());
    }
  }
  EXPECT_LE((d.densify() - G).norm(), 1e-14 * G.norm());
  for (int i = 0; i < d.blocks(); ++i) {
    const int first = kStart[static_cast<std::size_t>(i)], size = size_of(i);
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c)
        ASSERT_NEAR(d.diagonal_block(i)[r * size + c], G(first + r, first + c), 1e-14 * G.norm()) << "block " << i;
  }
}

TEST(Delassus, DenseIsEigensProduct) {
  Random random(11);
  const Mat G = random.uniform_matrix(18, 18, -1, 1);  // not symmetric: a transposed product would be seen
  const Delassus d = Delassus::from_dense(G, kStart);
  EXPECT_FALSE(d.symmetric);
  EXPECT_TRUE(Delassus::from_dense(G * G.transpose(), kStart).symmetric);
  expect_same_operator(d, G, random);
}

TEST(Delassus, BlockSparseIsEigensProduct) {
  Random random(12);
  Mat G = random.uniform_matrix(18, 18, -1, 1);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      if ((i + 2 * j) % 3 == 1 && i != j)
        G.block(kStart[static_cast<std::size_t>(i)], kStart[static_cast<std::size_t>(j)], size_of(i), size_of(j))
            .setZero();
  expect_same_operator(block_sparse(G), G, random);
}

TEST(Delassus, BodySpaceIsHTimesItsTranspose) {
  Random random(13);
  Mat H;
  const Delassus d = body_space(random, H);
  expect_same_operator(d, H * H.transpose(), random);
  for (int i = 0; i < d.blocks(); ++i) {  // ŵ += H_iᵀ λ_i and u_i = H_i ŵ
    const Vec lambda = random.uniform_vector(size_of(i), -1, 1), before = random.uniform_vector(12, -1, 1);
    const Mat Hi = H.middleRows(kStart[static_cast<std::size_t>(i)], size_of(i));
    Vec w = before, u(size_of(i));
    d.add_transposed(i, lambda.data(), w.data());
    ASSERT_LE((w - before - Hi.transpose() * lambda).norm(), 1e-14);
    d.multiply_velocity(i, w.data(), u.data());
    ASSERT_LE((u - Hi * w).norm(), 1e-14 * (1.0 + w.norm()));
  }
}

TEST(Delassus, RefusesAMatrixOfTheWrongSize) {
  EXPECT_THROW(Delassus::from_dense(Mat::Zero(4, 3), {0, 3}), InvalidInput);
  EXPECT_THROW(Delassus::from_dense(Mat::Zero(4, 4), {0, 3}), InvalidInput);
}

}  // namespace
}  // namespace stiction
