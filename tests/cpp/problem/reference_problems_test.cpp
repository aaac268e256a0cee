// SPDX-License-Identifier: BSD-2-Clause
// Oracles: published ranks and eigenvalues, the pseudo-inverse, and answers in closed form handed to the judge.
#include <gtest/gtest.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

struct Spectrum {
  int rank;
  double largest, smallest;  // smallest non-zero
};

Spectrum spectrum(const ContactProblem& p) {
  const Vec values = test::eigenvalues(p.G.densify());
  Spectrum s{0, values.maxCoeff(), values.maxCoeff()};
  for (const double x : values)
    if (x > 1e-12 * s.largest) ++s.rank, s.smallest = std::min(s.smallest, x);
  return s;
}

TEST(ReferenceProblems, HaveThePublishedSpectra) {
  const Spectrum cube = spectrum(reference::rp1());
  EXPECT_EQ(cube.rank, 6);
  EXPECT_NEAR(cube.largest, 14.876, 5e-4);
  const Spectrum stack = spectrum(reference::rp2());
  EXPECT_EQ(stack.rank, 12);
  EXPECT_NEAR(stack.largest, 2.498e4, 5.0);
  EXPECT_NEAR(stack.smallest, 2.9e-4, 5e-6);
}

// Oracle: λ = (0, 0, 0.00981) for every law.
TEST(ReferenceProblems, Rp0) {
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim}) {
    const Residual r = evaluate(reference::rp0({kind}), Vec3(0.0, 0.0, 0.00981));
    EXPECT_TRUE(r.accepted()) << name(kind) << " " << r.ratio;
  }
}

// Oracle: the printed normals of the minimum-norm answer; friction μN opposite to the velocity, all points alike. The
// cube does not turn, so u_T is the translation's: the printed digits bound the residual.
TEST(ReferenceProblems, Rp1CoulombAsPublished) {
  const ContactProblem p = reference::rp1();
  const double normal[] = {0.15696, 4.74804, 0.15696, 4.74804};
  const Vec3 direction = Vec3(p.g[0], p.g[1], 0.0).normalized();  // of slip, in the contact frame
  Vec lambda(12);
  for (int k = 0; k < 4; ++k) lambda.segment<3>(3 * k) = 1e-3 * normal[k] * (Vec3::UnitZ() - 0.9 * direction);
  const Residual r = evaluate(p, lambda);
  EXPECT_LE(r.natural, 1e-4);
  EXPECT_LE(r.signorini_velocity, 1e-7);
  EXPECT_LE(r.mdp_angle, 1e-6);
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += lambda.segment<3>(3 * k) / 1e-3;
  EXPECT_NEAR(sum.x(), 0.975000, 1e-5);
  EXPECT_NEAR(sum.y(), -8.774999, 1e-5);
  EXPECT_NEAR(sum.z(), 9.81, 1e-6);
  EXPECT_NEAR(lambda.norm() / 1e-3, 9.038697, 1e-5);
}

// Oracle: weight shared by symmetry, at every step.
TEST(ReferenceProblems, Rp2StaticForces) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    Vec lambda(24);
    for (int k = 0; k < 8; ++k) lambda.segment<3>(3 * k) = dt * Vec3(0.0, 0.0, (k < 4 ? 9810.00981 : 9810.0) / 4.0);
    const Residual r = evaluate(reference::rp2({}, dt), lambda);
    EXPECT_TRUE(r.accepted()) << "dt " << dt << " ratio " << r.ratio << " floor " << r.floor;
  }
}

TEST(ReferenceProblems, Rp3MinimumNorm) {
  const ContactProblem p = reference::rp3();
  const Vec pseudo = -test::minimum_norm_solution(p.G.densify(), p.g.vec(), 1e-10);
  EXPECT_LE((pseudo - reference::rp3_minimum_norm()).norm(), 1e-11 * pseudo.norm());
  EXPECT_TRUE(evaluate(p, reference::rp3_minimum_norm()).accepted());
}

TEST(ReferenceProblems, Rp4AreLegal) {
  const auto cases = reference::rp4();
  EXPECT_EQ(cases.size(), 5u);
  for (const auto& c : cases) EXPECT_NO_THROW(c.problem.validate()) << c.name;
  EXPECT_TRUE(evaluate(cases[2].problem, Vec(0)).accepted()) << "nothing to solve";
  EXPECT_TRUE(evaluate(cases[3].problem, Vec::Zero(12)).accepted()) << "already solved";
  EXPECT_EQ(spectrum(cases[4].problem).rank, 3);
}

TEST(ReferenceProblems, RandomSixRepeatsAndHasItsConditioning) {
  const ContactProblem a = reference::random_six(5, 1e4, 0.6), b = reference::random_six(5, 1e4, 0.6);
  EXPECT_EQ(a.G.dense, b.G.dense);
  EXPECT_NE(a.G.dense, reference::random_six(6, 1e4, 0.6).G.dense);
  EXPECT_NEAR(spectrum(a).smallest, 1e-6, 1e-10);  // rank 12 of 18 plus 1e-6 I
}

}  // namespace
}  // namespace stiction
