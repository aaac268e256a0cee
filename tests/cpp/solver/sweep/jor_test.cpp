// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the convergence bound α_max = 2/λmax(D⁻¹G) by a dense eigenvalue solver; the sliding cube's table; a Schur
// complement formed by Eigen.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"
#include "support/dense_oracles.h"

namespace stiction {
namespace {

using test::run;

// The diagonal used for the steps: tangential entries replaced by their maximum.
Vec step_diagonal(const Mat& G, const std::vector<Block>& blocks) {
  Vec d = G.diagonal();
  for (const Block& b : blocks)
    if (b.kind == BlockKind::coulomb) d[b.row] = d[b.row + 1] = std::max(d[b.row], d[b.row + 1]);
  return d;
}

double alpha_max(const Mat& G, const Vec& d) {
  const Vec s = d.cwiseSqrt().cwiseInverse();
  return 2.0 / test::eigenvalues(s.asDiagonal() * G * s.asDiagonal()).maxCoeff();
}

// Contacts pressed hard enough that they stick: g = −Gλ* with λ* deep in the cone; `bilateral` rows follow.
ContactProblem sticking(std::uint64_t seed, int contacts, int bilateral) {
  Random random(seed);
  const int n = 3 * contacts + bilateral;
  Mat J(n, n + 3);
  for (int i = 0; i < J.size(); ++i) J.data()[i] = random.uniform(-1.0, 1.0);
  const Mat G = J * J.transpose() + 0.2 * Mat::Identity(n, n);
  Vec solution(n);
  for (int i = 0; i < n; ++i) solution[i] = i < 3 * contacts && i % 3 == 2 ? 1.0 : random.uniform(-0.05, 0.05);
  ContactProblem p;
  std::vector<int> start{0};
  for (int i = 0; i < contacts; ++i) p.blocks.push_back(Block::coulomb(3 * i, 1.0)), start.push_back(3 * i + 3);
  if (bilateral > 0) p.blocks.push_back(Block::bilateral(3 * contacts, bilateral)), start.push_back(n);
  p.G = Delassus::from_dense(G, start);
  p.g = GrowingVec(Vec(-G * solution));
  p.dt = 1e-3;
  return p;
}

// From a guess that excites every mode, near enough to the solution that no contact opens or slips on the way.
bool converges(const ContactProblem& p, double alpha, bool direct, std::uint64_t seed) {
  Random random(seed);
  Vec lambda = test::solve_symmetric(p.G.densify(), -p.g.vec());
  const Vec solution = lambda;
  for (int i = 0; i < lambda.size(); ++i) lambda[i] += 1e-3 * random.uniform(-1.0, 1.0);
  const auto solver =
      make_solver("jor", {{"alpha", alpha}, {"max_iterations", 20000}, {"eliminate_bilateral", direct}});
  return solver->solve(p, lambda).status == Status::converged && (lambda - solution).norm() <= 1e-5;
}

// time-stepping 3.5: all contacts stick, so the iteration is linear.
TEST(Jor, ConvergesBelowTheSpectralBoundOnly) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ContactProblem p = sticking(seed, 4, seed % 2 == 0 ? 0 : 3);
    const Mat G = p.G.densify();
    const double bound = alpha_max(G, step_diagonal(G, p.blocks));
    EXPECT_TRUE(converges(p, 0.99 * bound, false, seed)) << seed << " bound " << bound;
    EXPECT_FALSE(converges(p, 1.01 * bound, false, seed)) << seed << " bound " << bound;
  }
}

// Direct bilateral: D stays the diagonal of G_UU, G becomes the Schur complement.
TEST(Jor, ConvergesBelowTheBoundOfTheComplement) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ContactProblem p = sticking(seed, 3, 5);
    const Mat G = p.G.densify();
    const Mat U = G.topLeftCorner(9, 9), B = G.bottomRightCorner(5, 5), C = G.topRightCorner(9, 5);
    const Vec d = step_diagonal(G, p.blocks).head(9);
    const double bound = alpha_max(U - C * test::solve_symmetric(B, C.transpose()), d);
    EXPECT_GT(bound, alpha_max(U, d));
    EXPECT_TRUE(converges(p, 0.99 * bound, true, seed)) << seed << " bound " << bound;
    EXPECT_FALSE(converges(p, 1.01 * bound, true, seed)) << seed << " bound " << bound;
  }
}

// Divergence ends early, finite, and is never called converged.
TEST(Jor, DivergenceIsSeen) {
  const ContactProblem p = sticking(1, 4, 0);
  for (const char* stop : {"judge", "change"}) {
    const auto [lambda, report] =
        run("jor", p, {{"alpha", 2.0}, {"max_iterations", 100000}, {"stop", std::string(stop)}});
    EXPECT_TRUE(report.status == Status::stalled || report.status == Status::numerical_failure) << stop;
    EXPECT_LT(report.iterations, 1000) << stop;
    EXPECT_TRUE(lambda.allFinite()) << stop;
  }
}

TEST(Jor, SlidingCube) {
  struct Row {
    FrictionLaw law;
    Vec3 force;
  };
  for (const Row& row : {Row{{FrictionLaw::coulomb}, {0.975000, -8.774999, 9.81}},
                         Row{{FrictionLaw::convex}, {65.23662, -587.12959, 656.3808}},
                         Row{{FrictionLaw::pyramid}, {9.298173, -9.298173, 10.331303}}}) {
    const ContactProblem p = reference::rp1(row.law);
    const auto [lambda, report] = run("jor", p, {{"tolerance", 1e-11}, {"max_iterations", 20000}});
    EXPECT_EQ(report.status, Status::converged) << name(row.law.kind);
    const double tolerance = row.law.kind == FrictionLaw::convex ? 1e-3 : 1e-5;
    EXPECT_LE((test::total_force(p, lambda, 0, 4) - row.force).norm(), tolerance) << name(row.law.kind);
  }
}

// The default is half of the bound: between a quarter and three quarters of it the work is within a factor of three.
TEST(Jor, DefaultStepIsHalfTheBound) {
  const ContactProblem p = sticking(3, 4, 0);
  const Mat G = p.G.densify();
  const double bound = alpha_max(G, step_diagonal(G, p.blocks));
  const OptionMap patient = {{"max_iterations", 20000}};
  OptionMap given = patient;
  given["alpha"] = 0.5 * bound;
  const int automatic = run("jor", p, patient).report.iterations, half = run("jor", p, given).report.iterations;
  EXPECT_NEAR(automatic, half, 0.1 * half);
}

TEST(Jor, RefusesOptionsWithoutMeaning) {
  const auto refused = [](const OptionMap& o) { EXPECT_THROW(make_solver("jor", o), InvalidInput); };
  refused({{"alpha", -0.1}});
  refused({{"alpha", 5.0}});
  refused({{"stop", std::string("never")}});
  refused({{"relative_change", 1e-4}});
  refused({{"stop", std::string("change")}, {"test_interval", 3}});
  EXPECT_NO_THROW(make_solver("jor", {{"stop", std::string("energy")}, {"relative_change", 1e-4}}));
}

// More than four facets are lemke's, RaiSim's law is bisection's.
TEST(Jor, RefusesOtherLaws) {
  EXPECT_EQ(run("jor", reference::rp1({FrictionLaw::pyramid, 8, 0.0})).report.status, Status::invalid_problem);
  EXPECT_EQ(run("jor", reference::rp1({FrictionLaw::raisim})).report.status, Status::invalid_problem);
}

}  // namespace
}  // namespace stiction
