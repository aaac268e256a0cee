// SPDX-License-Identifier: BSD-2-Clause
// A G that is known only by its product. Oracle: the dense matrix of the same operator.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <memory>

namespace stiction {
namespace {

struct FactorProduct : DelassusProduct {
  Mat H;
  mutable Vec velocity;
  mutable int calls = 0;
  void multiply(const double* x, double* y) const override {
    ++calls;
    velocity.noalias() = H.transpose() * Eigen::Map<const Vec>(x, H.rows());
    Eigen::Map<Vec>(y, H.rows()).noalias() = H * velocity;
  }
};

ContactProblem matrix_free(FrictionLaw::Kind law, std::shared_ptr<FactorProduct>& product) {
  Random random(5);
  product = std::make_shared<FactorProduct>();
  product->H.resize(12, 14);
  for (double& h : product->H.reshaped()) h = random.uniform(-1.0, 1.0);
  product->velocity.resize(14);
  ContactProblem p;
  p.G.storage = Delassus::Storage::matrix_free;
  p.G.product = product;
  p.G.start = {0, 3, 6, 9, 12};
  for (int i = 0; i < 4; ++i) p.blocks.push_back(Block::coulomb(3 * i, 0.4));
  p.g.resize(12);
  for (int i = 0; i < 12; ++i) p.g[i] = random.uniform(-1.0, i % 3 == 2 ? 0.0 : 1.0);
  p.law.kind = law;
  p.dt = 1e-3;
  p.G.refresh_diagonal();
  p.validate();
  return p;
}

TEST(MatrixFree, DiagonalAndDenseAreThoseOfTheProduct) {
  std::shared_ptr<FactorProduct> product;
  const ContactProblem p = matrix_free(FrictionLaw::coulomb, product);
  const Mat G = product->H * product->H.transpose();
  EXPECT_LE((p.G.densify() - G).norm(), 1e-14 * G.norm());
  Delassus written;
  GrowingVec unit, scratch;
  p.G.densify(written, unit, scratch);
  EXPECT_LE((written.densify() - G).norm(), 1e-14 * G.norm());
  for (int i = 0; i < 4; ++i)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_EQ(p.G.diagonal_block(i)[3 * r + c], written.diagonal_block(i)[3 * r + c]);
}

TEST(MatrixFree, JudgeSeesTheSameResidual) {
  std::shared_ptr<FactorProduct> product;
  const ContactProblem p = matrix_free(FrictionLaw::coulomb, product);
  ContactProblem dense = p;
  dense.G = Delassus::from_dense(p.G.densify(), p.G.start);
  const Vec lambda = Vec::LinSpaced(12, 0.0, 1.0);
  const Residual a = evaluate(p, lambda), b = evaluate(dense, lambda);
  EXPECT_NEAR(a.natural, b.natural, 1e-12 * b.natural);
  EXPECT_NEAR(a.dual, b.dual, 1e-12 * b.dual);
  EXPECT_GE(a.floor, b.floor);  // a bound of the bound
  EXPECT_LE(a.floor, 12.0 * b.floor);
}

// Oracle: the same solver on G written out beforehand. Methods that read rows make the same bits; those that work with
// products alone make the same answer.
TEST(MatrixFree, EverySolverTakesIt) {
  for (const SolverInfo& info : solver_catalog())
    for (const FrictionLaw::Kind law : info.laws) {
      std::shared_ptr<FactorProduct> product;
      const ContactProblem p = matrix_free(law, product);
      ContactProblem dense = p;
      GrowingVec unit, scratch;
      dense.G = {};
      p.G.densify(dense.G, unit, scratch);
      Vec a = Vec::Zero(12), b = Vec::Zero(12);
      const Report ra = info.make({})->solve(p, a), rb = info.make({})->solve(dense, b);
      EXPECT_EQ(ra.status, rb.status) << info.name << " " << name(law);
      EXPECT_LE((a - b).norm(), 1e-6 * b.norm()) << info.name << " " << name(law);
      EXPECT_GT(product->calls, 0) << info.name;
    }
}

TEST(MatrixFree, AMissingProductIsRefused) {
  std::shared_ptr<FactorProduct> product;
  ContactProblem p = matrix_free(FrictionLaw::coulomb, product);
  p.G.product = nullptr;
  EXPECT_ANY_THROW(p.validate());
}

}  // namespace
}  // namespace stiction
