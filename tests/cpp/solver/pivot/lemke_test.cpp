// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/pivot/lemke_tableau.h>
#include <stiction/solver/pivot/pyramid_lcp.h>

#include <cmath>
#include <numbers>

#include "solver/newton_problems.h"
#include "solver/random_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

FrictionLaw pyramid(int facets = 4, double angle = 0.0) { return {FrictionLaw::pyramid, facets, angle}; }

struct Lcp {
  const char* name;
  Mat M;
  Vec q;
  int pivots;
  Vec z;
};

Mat matrix(int n, std::initializer_list<double> rows) {
  Mat M(n, n);
  int k = 0;
  for (const double x : rows) M(k / n, k % n) = x, ++k;
  return M;
}
Vec vector(std::initializer_list<double> x) { return Eigen::Map<const Vec>(x.begin(), static_cast<int>(x.size())); }
Mat murty(int n) {
  Mat M = Mat::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) M(i, j) = 2.0;
  return M;
}

// Oracle: the published problems, their solutions and the pivots of the method with a covering vector of ones.
TEST(Lemke, PublishedProblems) {
  const std::vector<Lcp> set = {
      {"CPS_1", matrix(2, {1, 1, 1, 1}), vector({-1, -1}), 2, {}},  // a segment of solutions
      {"CPS_2", matrix(3, {0, -1, 2, 2, 0, -2, -1, 1, 0}), vector({-3, 6, -1}), 5, vector({0, 1, 3})},
      {"CPS_4", matrix(4, {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0}), vector({50, 50, 10, -6}), 5,
       vector({2, 2, 2, 92})},
      {"CPS_5", matrix(2, {1, -1, -1, 1}), vector({1, -1}), 2, vector({0, 1})},
      {"Pang", matrix(3, {0, -1, -1, 1, 0, 0, -1, 0, 0}), vector({0, -1, 1}), 3, vector({1, 0, 0})},
      {"perturbed", matrix(3, {0, -1, 1, 1, 0, 0, -1, 0, 0}), vector({-1e-4, -1, 1}), 5, vector({1, 0, 1e-4})},
      {"deudeu", matrix(2, {2, 1, 1, 2}), vector({-5, -6}), 3, vector({4.0 / 3.0, 7.0 / 3.0})},
      {"ortiz", matrix(4, {3, 1, 0, -1, -1, 2, 1, 1, 0, 1, 3, -1, 0, 0, 1, 2}), vector({-2, 1, -1, 1}), 3,
       vector({2.0 / 3.0, 0, 1.0 / 3.0, 0})},
      {"murty", murty(6), vector({-1, -1, -1, -1, -1, -1}), 4, vector({0, 0, 0, 0, 0, 1})},
      {"murty2", murty(6), vector({-126, -124, -120, -112, -96, -64}), 64, vector({0, 0, 0, 0, 0, 64})},
  };
  for (const Lcp& l : set)
    for (const double scale : {1.0, 1e-6}) {  // q scaled by 1e-6 scales z by 1e-6
      SCOPED_TRACE(l.name);
      const auto [z, report] = run("lemke", lcp_problem(l.M, scale * l.q));
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_EQ(report.iterations, l.pivots);
      EXPECT_LE(lcp_error(l.M, scale * l.q, z), 1e-14 * l.q.lpNorm<Eigen::Infinity>());
      if (l.z.size() > 0) {
        EXPECT_LE((z - scale * l.z).lpNorm<Eigen::Infinity>(), 1e-12 * scale * l.z.maxCoeff());
      }
    }
}

// Rays and problems without a solution are never called solved.
TEST(Lemke, Rays) {
  const Mat game = matrix(4, {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0});
  const auto ray = run("lemke", lcp_problem(game, vector({-1, -1, -1, -1})));
  EXPECT_EQ(ray.report.status, Status::numerical_failure);
  EXPECT_STREQ(ray.report.path, "lemke:ray");
  EXPECT_EQ(ray.report.iterations, 1);
  for (const double m : {0.0, -1.0}) {
    const auto none = run("lemke", lcp_problem(matrix(1, {m}), vector({-1})));
    EXPECT_EQ(none.report.status, Status::numerical_failure) << m;
    EXPECT_FALSE(none.report.own.accepted()) << m;
    EXPECT_TRUE(none.lambda.allFinite()) << m;
  }
}

TEST(Lemke, NothingToDo) {
  const auto [z, report] = run("lemke", lcp_problem(-Mat::Identity(3, 3), vector({0, 1, 2})));
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(z, Vec::Zero(3));
}

TEST(Lemke, MaxIterationsCountsPivots) {
  const auto [z, report] =
      run("lemke", lcp_problem(murty(6), vector({-126, -124, -120, -112, -96, -64})), {{"max_iterations", 63}});
  EXPECT_EQ(report.status, Status::max_iterations);
  EXPECT_EQ(report.iterations, 63);
}

// Oracle: the table of the sliding cube.
TEST(Lemke, SlidingCube) {
  const ContactProblem p = reference::rp1(pyramid());
  const auto [lambda, report] = run("lemke", p);
  EXPECT_EQ(report.status, Status::converged);
  const Vec3 f = test::total_force(p, lambda, 0, 4);
  EXPECT_NEAR(f.z(), 10.331303, 1e-5);
  EXPECT_NEAR(f.x(), 9.298173, 1e-5);
  EXPECT_NEAR(f.y(), -9.298173, 1e-5);
  EXPECT_LE(report.iterations, 25);
  const auto swept = run("pgs", p, {{"tolerance", 1e-12}, {"max_iterations", 50000}});
  EXPECT_LE((f - test::total_force(p, swept.lambda, 0, 4)).norm(), 1e-6);
}

// Oracle: weight. Masses 1e-3 kg under 1e3 kg.
TEST(Lemke, HeavyOnLight) {
  for (const bool equilibrate : {true, false}) {
    const ContactProblem p = reference::rp2(pyramid());
    const auto [lambda, report] = run("lemke", p, {{"equilibrate", equilibrate}});
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_NEAR(test::total_force(p, lambda, 0, 4).z(), 9810.00981, 1e-3);
    EXPECT_NEAR(test::total_force(p, lambda, 4, 8).z(), 9810.00000, 1e-3);
  }
}

// The pyramid of K facets turned by 2π/K is itself.
TEST(Lemke, TurnByOneFacet) {
  for (const int facets : {4, 6, 8})
    for (unsigned seed = 0; seed < 5; ++seed) {
      ContactProblem p = test::random_contacts(seed, 4, 0.5, pyramid(facets, 0.3));
      const Vec a = run("lemke", p).lambda;
      p.law.angle += 2.0 * std::numbers::pi / facets;
      EXPECT_LE((run("lemke", p).lambda - a).norm(), 1e-9 * (1.0 + a.norm())) << facets << " " << seed;
    }
}

// Oracle: an independent method on the same law.
TEST(Lemke, AgreesWithPgs) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 1 + static_cast<int>(seed % 6), 0.5, pyramid(4, 0.1 * seed));
    const auto a = run("lemke", p), b = run("pgs", p, {{"tolerance", 1e-12}, {"max_iterations", 50000}});
    EXPECT_EQ(a.report.status, Status::converged) << seed;
    if (b.report.status != Status::converged) continue;
    EXPECT_LE((a.lambda - b.lambda).norm(), 1e-6 * (1.0 + b.lambda.norm())) << seed;
  }
}

// Facets go to the cone: the polygon exceeds the disc by 1/cos(π/K) − 1 ~ π²/2K².
TEST(Lemke, ManyFacetsGoToTheCone) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    ContactProblem p = test::random_contacts(seed, 4, 0.5);
    const Vec cone = run("nsgs", p, {{"tolerance", 1e-12}, {"max_iterations", 50000}}).lambda;
    double last = 0.0;
    for (const int facets : {8, 32, 128}) {
      p.law = pyramid(facets);
      const auto [lambda, report] = run("lemke", p);
      EXPECT_EQ(report.status, Status::converged) << facets;
      last = (lambda - cone).norm();
      EXPECT_LE(last, 8.0 / facets * cone.norm()) << facets << " facets, seed " << seed;
    }
    EXPECT_LE(last, 0.03 * cone.norm());
  }
}

// Every kind of box beside contacts, judged.
TEST(Lemke, Boxes) {
  const double inf = std::numeric_limits<double>::infinity();
  Random random(4);
  for (int k = 0; k < 50; ++k) {
    ContactProblem p = test::random_contacts(static_cast<unsigned>(k), 3, 0.5, pyramid());
    p.blocks = {Block::coulomb(0, 0.5),   Block::box(3, -0.1, 0.2), Block::box(4, 0.05, inf), Block::box(5, -inf, 0.1),
                Block::box(6, -inf, inf), Block::box(7, 0.3, 0.3),  Block::unilateral(8)};
    p.G = Delassus::from_dense(p.G.densify(), {0, 3, 4, 5, 6, 7, 8, 9});
    p.validate();
    for (const char* solver : {"lemke", "dantzig"}) {
      const auto [lambda, report] = run(solver, p);
      EXPECT_EQ(report.status, Status::converged) << solver << " " << k;
      const Report warm = make_solver(solver)->solve(p, const_cast<Vec&>(lambda));
      EXPECT_EQ(warm.status, Status::converged);
      EXPECT_EQ(warm.iterations, 1) << solver << " " << k;
    }
  }
}

// The LCP's own words: w of (3) is complementary to the z that a judged λ gives back.
TEST(PyramidLcp, MapsThereAndBack) {
  for (const int facets : {4, 10})
    for (unsigned seed = 0; seed < 10; ++seed) {
      const ContactProblem p = test::random_contacts(seed, 3, 0.4, pyramid(facets, 0.2));
      const Vec lambda = run("lemke", p).lambda;
      for (const bool equilibrate : {false, true}) {
        PyramidLcp lcp;
        ASSERT_TRUE(lcp.load(p, equilibrate));
        Vec z(lcp.size()), back(p.rows());
        lcp.from_lambda(p, lambda.data(), z.data());
        lcp.to_lambda(z.data(), back.data());
        EXPECT_LE((back - lambda).norm(), 1e-9 * lambda.norm());
        const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> M(lcp.M(), lcp.size(), lcp.size());
        const Eigen::Map<const Vec> q(lcp.q(), lcp.size());
        EXPECT_LE(lcp_error(M, q, z), 1e-8) << facets << " facets, seed " << seed;
      }
    }
}

TEST(LemkeTableau, UsableAlone) {
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> M = murty(6);
  const Vec q = vector({-126, -124, -120, -112, -96, -64});
  LemkeTableau tableau;
  EXPECT_EQ(tableau.solve(M.data(), q.data(), 6, 1000), LemkeTableau::State::solved);
  EXPECT_EQ(tableau.pivots(), 64);
  Vec z(6);
  tableau.read_solution(z.data());
  EXPECT_LE((z - vector({0, 0, 0, 0, 0, 64})).norm(), 1e-9);
  EXPECT_EQ(tableau.solve(M.data(), q.data(), 6, 10), LemkeTableau::State::running);
}

// 400 problems of 1 to 20 contacts, rank deficient, duplicated, masses to 1e6, μ to 2, with a solution by construction.
TEST(Lemke, RandomProblems) {
  int solved = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const test::RandomProblem r = test::random_pyramid(seed);
    const auto [lambda, report] = run("lemke", r.problem);
    ASSERT_TRUE(lambda.allFinite()) << seed;
    ASSERT_EQ(report.status == Status::converged, evaluate(r.problem, lambda).accepted()) << seed;
    if (!r.consistent) continue;
    ++asked, solved += report.status == Status::converged;
  }
  EXPECT_EQ(solved, asked);
}

}  // namespace
}  // namespace stiction
