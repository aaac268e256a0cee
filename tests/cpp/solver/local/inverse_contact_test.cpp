// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the judge on the one-block problem with G = 0 (u = Rλ + c), and the published fixed-point iteration.
#include <gtest/gtest.h>
#include <stiction/cone/metric_cone.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/local/inverse_contact.h>

#include <random>

namespace stiction {
namespace {

// λ ← P^{R+ρ}((ρλ − c − Γ(c + Rλ))/(R + ρ)); returns the iterations until it stands still.
int iterate(double mu, bool shifted, const Vec3& c, const Vec3& R, double rho, Vec3& lambda) {
  const MetricCone cone{mu, R[0] + rho, R[2] + rho};
  for (int k = 1; k <= 1000; ++k) {
    Vec3 x = rho * lambda - c;
    if (shifted) x.z() -= mu * (c + R.cwiseProduct(lambda)).head<2>().norm();
    const Vec3 next = cone.project((x.array() / (R.array() + rho)).matrix());
    const double moved = (next - lambda).norm();
    lambda = next;
    if (moved <= 1e-15 * (1.0 + lambda.norm())) return k;
  }
  return 1001;
}

ContactProblem one_block(const Block& b, FrictionLaw law, const Vec& c, const Vec& R) {
  ContactProblem p;
  p.blocks = {b};
  p.law = law, p.dt = 1e-3;
  p.g = GrowingVec(c), p.compliance = GrowingVec(R);
  p.G = Delassus::from_dense(Mat::Zero(c.size(), c.size()), {0, static_cast<int>(c.size())});
  return p;
}

TEST(InverseContact, ClosedFormIsAcceptedByTheJudge) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (int k = 0; k < 2000; ++k) {
    const auto law = FrictionLaw{k % 2 ? FrictionLaw::coulomb : FrictionLaw::convex};
    const Vec3 c(u(rng), u(rng), u(rng)), R(0.05, 0.05, 0.05 * (1.5 + u(rng)));
    const Block b = Block::coulomb(0, k % 7 == 0 ? 0.0 : 1.0 + u(rng));
    Vec lambda(3);
    inverse_contact(b, law, c.data(), R[0], R[2], lambda.data());
    Tolerance t;
    t.relative = 1e-13, t.force = 1e-10, t.velocity = t.power = 1e-12;
    const Residual r = evaluate(one_block(b, law, c, R), lambda, t);
    EXPECT_LE(r.ratio, 1.0) << name(law.kind) << " mu " << b.mu << " c " << c.transpose();
  }
}

TEST(InverseContact, PublishedIterationHasTheSameFixedPoint) {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  int most[2] = {0, 0};
  for (int k = 0; k < 400; ++k) {
    const bool shifted = k % 2 == 1;
    const FrictionLaw law{shifted ? FrictionLaw::coulomb : FrictionLaw::convex};
    const Vec3 c(u(rng), u(rng), u(rng)), R = Vec3::Constant(0.05);
    const double mu = 0.4 + 0.3 * u(rng);
    Vec3 closed, iterated = Vec3::Zero();
    inverse_contact(Block::coulomb(0, mu), law, c.data(), 0.05, 0.05, closed.data());
    most[shifted] = std::max(most[shifted], iterate(mu, shifted, c, R, 1e-4, iterated));
    EXPECT_LE((closed - iterated).norm(), 1e-12 * (1.0 + closed.norm()));
  }
  EXPECT_LE(most[0], 10);   // ρ/R = 2e-3 per iteration
  EXPECT_LE(most[1], 100);  // the shift lags by one iteration
  RecordProperty("most_convex", most[0]);
  RecordProperty("most_coulomb", most[1]);
}

TEST(InverseContact, OtherBlocks) {
  double lambda[2];
  const double c[2] = {-0.3, 0.1};
  inverse_contact(Block::unilateral(0), {}, c, 1.0, 0.5, lambda);
  EXPECT_DOUBLE_EQ(lambda[0], 0.6);
  inverse_contact(Block::unilateral(0), {}, c + 1, 1.0, 0.5, lambda);
  EXPECT_EQ(lambda[0], 0.0);
  inverse_contact(Block::box(0, -0.1, 0.4), {}, c, 1.0, 0.5, lambda);
  EXPECT_EQ(lambda[0], 0.4);
  inverse_contact(Block::bilateral(0, 2), {}, c, 1.0, 0.5, lambda);
  EXPECT_DOUBLE_EQ(lambda[0], 0.6);
  EXPECT_DOUBLE_EQ(lambda[1], -0.2);
}

}  // namespace
}  // namespace stiction
