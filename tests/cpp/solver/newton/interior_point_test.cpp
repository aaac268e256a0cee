// SPDX-License-Identifier: BSD-2-Clause
// interior_point: the algebra of one cone, closed forms of every kind of block, and what the method promises: few
// iterations at any condition, a guess that is used or forgotten, an honest end on problems without a solution.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/interior/nipm_cone.h>

#include <cmath>

#include "solver/newton_problems.h"
#include "solver/solver_support.h"

namespace stiction {
namespace {

using test::run;

Vec3 inside(Random& random) {
  Vec3 x = random.uniform_vector(3, -1.0, 1.0);
  x[2] = std::hypot(x[0], x[1]) + random.uniform(1e-3, 1.0);
  return x;
}

// Oracle: Arw(x) Arw(x)⁻¹ = I and Arw(x) Θ v = y ∘ v, by the product alone.
TEST(NipmCone, ArrowIsInverted) {
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 x = inside(random), y = inside(random), v = random.uniform_vector(3, -1.0, 1.0);
    Vec3 w, back, want;
    nipm::invert_arrow(x.data(), v.data(), 3, w.data());
    nipm::multiply_arrow(x.data(), w.data(), 3, back.data());
    const double size = w.norm() * x.norm();
    EXPECT_LE((back - v).norm(), 1e-13 * size);
    Eigen::Matrix<double, 3, 3, Eigen::RowMajor> theta;
    nipm::scaling_matrix(x.data(), y.data(), 3, theta.data());
    w = theta * v;
    nipm::multiply_arrow(x.data(), w.data(), 3, back.data());
    nipm::multiply_arrow(y.data(), v.data(), 3, want.data());
    EXPECT_LE((back - want).norm(), 1e-13 * theta.norm() * x.norm());
  }
}

// Oracle: membership. Just before the step the point is inside, just after it is outside.
TEST(NipmCone, LongestStepEndsOnTheBoundary) {
  Random random(2);
  const auto height = [](const Vec3& x) { return x[2] - std::hypot(x[0], x[1]); };
  int bounded = 0;
  for (int k = 0; k < 1000; ++k) {
    const Vec3 x = inside(random), d = random.uniform_vector(3, -1.0, 1.0);
    const double a = nipm::longest_step(x.data(), d.data(), 3);
    if (a >= 1e300) {
      EXPECT_GT(height(x + 1e6 * d), 0.0);
      continue;
    }
    ++bounded;
    EXPECT_GT(height(x + (1.0 - 1e-9) * a * d), 0.0);
    EXPECT_LT(height(x + (1.0 + 1e-9) * a * d), 0.0);
  }
  EXPECT_GE(bounded, 500);
}

// Oracle: one row, G = 2: λ = clamp(−g/2, lo, hi), bilateral −g/2. μ = 0: no tangential impulse at all.
TEST(InteriorPoint, ClosedFormsOfEveryBlock) {
  const double infinity = std::numeric_limits<double>::infinity();
  struct Case {
    Block block;
    double g, want;
  };
  for (const Case& c : {Case{Block::unilateral(0), -3.0, 1.5}, Case{Block::unilateral(0), 3.0, 0.0},
                        Case{Block::bilateral(0, 1), 3.0, -1.5}, Case{Block::box(0, -1.0, 0.5), -3.0, 0.5},
                        Case{Block::box(0, -1.0, 0.5), 3.0, -1.0}, Case{Block::box(0, -1.0, 0.5), 0.4, -0.2},
                        Case{Block::box(0, -infinity, 1.0), 30.0, -15.0}, Case{Block::box(0, 0.25, 0.25), 1.0, 0.25},
                        Case{Block::box(0, -infinity, infinity), 1.0, -0.5}}) {
    ContactProblem p;
    p.blocks = {c.block};
    p.G = Delassus::from_dense(Mat::Constant(1, 1, 2.0), {0, 1});
    p.g.push_back(c.g);
    p.dt = 1e-3;
    const auto [lambda, report] = run("interior_point", p, {{"tolerance", 1e-12}});
    EXPECT_EQ(report.status, Status::converged) << name(c.block.kind) << " " << c.g;
    EXPECT_NEAR(lambda[0], c.want, 1e-8) << name(c.block.kind) << " " << c.g;
  }
  ContactProblem smooth = test::random_contacts(4, 3, 0.0);
  const auto [lambda, report] = run("interior_point", smooth);
  EXPECT_EQ(report.status, Status::converged);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lambda.segment<2>(3 * i).norm(), 0.0);
}

// Iterations hardly depend on the mass ratio, where sweeps need 1e5 and more.
TEST(InteriorPoint, FewIterationsAtAnyMassRatio) {
  for (const FrictionLaw::Kind law : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (const double ratio : {1.0, 1e2, 1e4}) {
      const auto [lambda, report] = run("interior_point", reference::heavy_on_light(ratio, {law}));
      EXPECT_EQ(report.status, Status::converged) << ratio;
      EXPECT_LE(report.iterations, 60) << ratio;
    }
}

// Oracle: the convex program has one value; ADMM finds it in another way.
TEST(InteriorPoint, ConvexObjectiveAgreesWithAdmm) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem p = test::random_contacts(seed, 5, 0.6, {FrictionLaw::convex});
    const Mat G = p.G.densify();
    const auto value = [&](const Vec& x) { return 0.5 * x.dot(G * x) + p.g.vec().dot(x); };
    const OptionMap tight = {{"tolerance", 1e-11}};
    const auto a = run("interior_point", p, tight), b = run("admm", p, tight);
    ASSERT_EQ(a.report.status, Status::converged) << seed;
    ASSERT_EQ(b.report.status, Status::converged) << seed;
    EXPECT_NEAR(value(a.lambda), value(b.lambda), 1e-9 * std::abs(value(b.lambda))) << seed;
    EXPECT_STREQ(a.report.path, "interior_point");
  }
}

// A guess that is not the solution costs one iteration and changes no bit of the result.
TEST(InteriorPoint, ForgetsAGuess) {
  const ContactProblem p = test::random_contacts(7, 5, 0.6);
  const auto cold = run("interior_point", p);
  Vec lambda = Vec::Constant(p.rows(), 0.3);
  const Report warm = make_solver("interior_point")->solve(p, lambda);
  EXPECT_EQ(warm.iterations, cold.report.iterations + 1);
  EXPECT_EQ(warm.factorisations, cold.report.factorisations);
  EXPECT_EQ(lambda, cold.lambda);
}

// Oracle: u_1 + u_2 = −0.2 whatever λ is, so that no solution exists.
TEST(InteriorPoint, JammedProblemStalls) {
  Mat G = Mat::Identity(6, 6);
  G(2, 5) = G(5, 2) = -1.0;
  Vec g = Vec::Zero(6);
  g[2] = g[5] = -0.1;
  const ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5), {}, 1e-3);
  const auto [lambda, report] = run("interior_point", p);
  EXPECT_EQ(report.status, Status::stalled) << name(report.status);
  EXPECT_TRUE(lambda.allFinite());
  EXPECT_GT(report.own.ratio, 1.0);
}

// Three forms of one linear system: the same iterations, and all are accepted. μ = 0 in a contact fixes rows.
TEST(InteriorPoint, SparseAndBodySpaceTakeTheSamePath) {
  for (const FrictionLaw::Kind law : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (const bool smooth : {false, true}) {
      ContactProblem body = test::box_pile(test::cube_stack(12, 1e-2), 0.7, 1e-2);
      body.law = {law};
      if (smooth) body.blocks[5].mu = 0.0;
      ASSERT_GT(body.rows(), body.G.body.velocities);
      ASSERT_GT(body.rows(), 120);
      const auto a = run("interior_point", body), b = run("interior_point", test::as_block_sparse(body)),
                 c = run("interior_point", test::as_dense(body));
      for (const auto* o : {&a, &b, &c}) EXPECT_EQ(o->report.status, Status::converged) << name(law);
      EXPECT_NEAR(a.report.iterations, c.report.iterations, 1) << name(law);
      EXPECT_NEAR(b.report.iterations, c.report.iterations, 1) << name(law);
    }
}

// A tower of planks in body space, from nothing.
TEST(InteriorPoint, TowerInBodySpace) {
  const ContactProblem p = test::box_pile(test::plank_tower(17, 1e-2), 0.5, 1e-2);
  const auto [lambda, report] = run("interior_point", p);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE(report.iterations, 30);
}

// Mixed blocks without polish or second starts: interior points alone.
TEST(InteriorPoint, MixedBlocksAlone) {
  int solved = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    ContactProblem p =
        test::random_mix(seed, 1 + static_cast<int>(seed % 3), 1 + static_cast<int>(seed % 5), true, 1e-3);
    solved += run("interior_point", p, {{"polish", 0}, {"attempts", 1}}).report.status == Status::converged;
  }
  EXPECT_GE(solved, 54);
}

}  // namespace
}  // namespace stiction
