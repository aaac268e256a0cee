// SPDX-License-Identifier: BSD-2-Clause
// The Schur complement of the bilateral rows, alone and around every solver.
#include <gtest/gtest.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/bilateral_elimination.h>
#include <stiction/solver/core/solver.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

// Oracle: Eigen on the dense matrices.
TEST(BilateralElimination, IsTheSchurComplement) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem p = test::random_mix(seed, 4, 4, false, 1e-3);
    if (!BilateralElimination::needed(p)) continue;
    std::vector<int> kept, held;
    for (const Block& b : p.blocks)
      for (int r = 0; r < b.size; ++r) (b.kind == BlockKind::bilateral ? held : kept).push_back(b.row + r);
    const Mat G = p.G.densify();
    const Mat GB = G(held, held), GUB = G(kept, held);
    const Vec g = p.g.vec();
    const Mat complement = G(kept, kept) - GUB * test::solve_symmetric(GB, G(held, kept));
    const Vec rest = g(kept) - GUB * test::solve_symmetric(GB, g(held));
    BilateralElimination elimination;
    ASSERT_TRUE(elimination.load(p));
    const double scale = G.cwiseAbs().maxCoeff();
    EXPECT_LE((elimination.reduced().G.densify() - complement).cwiseAbs().maxCoeff(), 1e-10 * scale) << seed;
    EXPECT_LE((elimination.reduced().g.vec() - rest).cwiseAbs().maxCoeff(), 1e-9) << seed;
    const Vec x = Vec::LinSpaced(static_cast<int>(kept.size()), 0.1, 0.2);
    Vec lambda(p.rows());
    elimination.expand(p, x, lambda);
    const Vec u = test::velocity(p, lambda);
    EXPECT_LE(u(held).cwiseAbs().maxCoeff(), 1e-10) << seed;
    EXPECT_EQ(Vec(lambda(kept)), x);
  }
}

// A joint held twice: the complement exists all the same, and the rows stay at rest.
TEST(BilateralElimination, SurvivesRedundantRows) {
  Mat J(9, 6);
  J.setRandom();
  J.bottomRows(3) = J.middleRows(3, 3);
  ContactProblem p;
  p.blocks = {Block::coulomb(0, 0.5), Block::bilateral(3, 3), Block::bilateral(6, 3)};
  p.G = Delassus::from_dense(J * J.transpose(), {0, 3, 6, 9});
  Vec g(9);
  g << 0.1, -0.2, -0.5, 0.3, 0.1, -0.4, 0.3, 0.1, -0.4;
  p.g = GrowingVec(g);
  p.dt = 1e-3;
  const auto [lambda, report] = test::run("nsgs", p, {{"eliminate_bilateral", true}});
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE(test::velocity(p, lambda).tail(6).norm(), 1e-9);
}

// Every solver: the same motion with the rows eliminated and without.
TEST(BilateralElimination, OfferedToAll) {
  for (const SolverInfo& s : solver_catalog())
    for (const FrictionLaw::Kind law : s.laws) {
      SCOPED_TRACE(s.name + " " + name(law));
      for (unsigned seed = 0; seed < 4; ++seed) {
        ContactProblem p = test::random_mix(seed, 3, 2, false, 1e-3);
        p.law.kind = law;
        OptionMap options = {{"tolerance", 1e-11}, {"max_iterations", 50000}};
        if (s.regularises) {
          p.compliance.assign(p.rows(), 0.02);
          options["regularisation"] = std::string("none");
        }
        const auto reference = test::run("auto", p, {{"tolerance", 1e-11}, {"max_iterations", 50000}});
        options["eliminate_bilateral"] = true;
        const auto reduced = test::run(s.name, p, options);
        EXPECT_EQ(reduced.report.status, Status::converged) << seed;
        EXPECT_LE((test::velocity(p, reduced.lambda) - test::velocity(p, reference.lambda)).norm(), 1e-7) << seed;
        EXPECT_EQ(reduced.report.own.ratio <= 1.0, true);
      }
    }
}

}  // namespace
}  // namespace stiction
