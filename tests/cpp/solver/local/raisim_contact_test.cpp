// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the law itself, written out again here for one contact (relation (24) of Le Lidec et al. 2024); a brute-force
// search over the curve; Coulomb's exact one-contact solve where both laws agree (G_NT = 0).
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/solver/local/raisim_contact.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

struct Case {
  Mat3 W;
  Vec3 c;
  double mu;
};

Case random_case(Random& random) {
  Mat3 J;
  for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = random.uniform(-1.0, 1.0);
  Case k;
  k.W = J * J.transpose() + 1e-3 * Mat3::Identity();
  k.c = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 0.2)};
  k.mu = random.uniform(0.0, 2.0);
  return k;
}

struct Solved {
  Vec3 r, u;
  ContactMode mode;
};

Solved solve(const Case& k, RaisimVariant variant, const Vec3& start = Vec3::Zero(), double shift = 0.0,
             const RaisimWalk& walk = {}) {
  double w[9];
  for (int i = 0; i < 9; ++i) w[i] = k.W(i / 3, i % 3);
  RaisimContact contact;
  contact.prepare(w, k.mu, w);
  Solved out{start, Vec3::Zero(), ContactMode::failed};
  out.mode = contact.solve(variant, walk, k.c.data(), shift, out.r.data());
  out.u = k.W * out.r + k.c;
  return out;
}

// How far r is from the law, relative to the sizes of r and c.
double defect(const Case& k, const Solved& s) {
  const double force = s.r.norm() + 1e-300, speed = k.c.norm();
  if (s.mode == ContactMode::open) return s.r.norm() + std::max(0.0, -s.u.z());
  double worst = std::abs(s.u.z()) / speed;
  const double tangent = s.r.head<2>().norm();
  if (s.mode == ContactMode::stick) return std::max({worst, s.u.norm() / speed, (tangent - k.mu * s.r.z()) / force});
  worst = std::max(worst, std::abs(tangent - k.mu * s.r.z()) / force);
  const Vec2 d = -s.r.head<2>() - k.mu * k.mu * s.r.z() / k.W(2, 2) * k.W.block<1, 2>(2, 0).transpose();
  const Vec2 u = s.u.head<2>();
  if (d.norm() == 0.0 || u.norm() == 0.0) return worst;
  const double across = std::abs(d.x() * u.y() - d.y() * u.x()) / d.norm() / speed;
  return std::max({worst, across, d.dot(u) < 0.0 ? 1.0 : 0.0});
}

TEST(RaisimContact, ExactSolvesTheLaw) {
  Random random(1);
  int slides = 0, unbounded = 0;
  double worst = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const Case k = random_case(random);
    const Solved s = solve(k, RaisimVariant::exact);
    ASSERT_NE(s.mode, ContactMode::failed) << i;
    ASSERT_GE(s.r.z(), 0.0) << i;
    const double e = defect(k, s);
    ASSERT_LE(e, 1e-9) << i;
    worst = std::max(worst, e);
    slides += s.mode == ContactMode::slip;
    unbounded += s.mode == ContactMode::slip && k.mu * k.W.block<1, 2>(2, 0).norm() >= k.W(2, 2);
  }
  EXPECT_LE(worst, 1e-9);
  EXPECT_GT(slides, 20000);
  EXPECT_GT(unbounded, 2000) << "open branches must be among the cases";
}

// No point of the curve is better than the one found, whatever angle the search starts from.
TEST(RaisimContact, ExactIsTheBestPointOfTheCurve) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const Case k = random_case(random);
    const double angle = random.uniform(0.0, 6.28);
    const Solved s = solve(k, RaisimVariant::exact, {std::cos(angle), std::sin(angle), 1.0});
    if (s.mode != ContactMode::slip) continue;
    const auto cost = [&](const Vec3& r) { return r.dot(0.5 * (k.W * r) + k.c); };
    const double best = cost(s.r);
    for (int j = 0; j < 2000; ++j) {
      const double t = 2.0 * std::numbers::pi * j / 2000;
      const Vec2 e(std::cos(t), std::sin(t));
      const double radius = -k.c.z() / (k.W(2, 2) / k.mu + k.W(2, 0) * e.x() + k.W(2, 1) * e.y());
      if (!(radius > 0.0)) continue;
      const Vec3 r(radius * e.x(), radius * e.y(), radius / k.mu);
      ASSERT_GE(cost(r), best - 1e-12 * (1.0 + std::abs(best))) << i << " at " << t;
    }
  }
}

TEST(RaisimContact, EqualsCoulombWithoutCoupling) {
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    Case k = random_case(random);
    k.W(0, 2) = k.W(2, 0) = k.W(1, 2) = k.W(2, 1) = 0.0;
    double w[9];
    for (int j = 0; j < 9; ++j) w[j] = k.W(j / 3, j % 3);
    LocalContact coulomb;
    coulomb.prepare(w, k.mu);
    Vec3 r = Vec3::Zero();
    coulomb.solve(k.c.data(), r.data());
    const Solved s = solve(k, RaisimVariant::exact);
    ASSERT_LE((s.r - r).norm(), 1e-9 * (1.0 + r.norm())) << i;
  }
}

// The published walk finds the same point, to the precision it is given.
TEST(RaisimContact, FaithfulFindsTheSamePoint) {
  Random random(4);
  RaisimWalk walk;
  walk.tolerance = 1e-12;
  int slides = 0, same = 0;
  for (int i = 0; i < 20000; ++i) {
    const Case k = random_case(random);
    const Solved exact = solve(k, RaisimVariant::exact),
                 walked = solve(k, RaisimVariant::faithful, Vec3::Zero(), 0.0, walk);
    ASSERT_TRUE(walked.r.allFinite());
    if (exact.mode != ContactMode::slip) continue;
    ++slides;
    same += (exact.r - walked.r).norm() <= 1e-6 * exact.r.norm();
  }
  EXPECT_GE(same, slides * 999 / 1000) << same << " of " << slides;
}

// Corrected with γ = μ‖u_T‖ of the solution: the point is Coulomb's.
TEST(RaisimContact, CorrectedHasCoulombAsFixedPoint) {
  Random random(5);
  for (int i = 0; i < 5000; ++i) {
    const Case k = random_case(random);
    if (k.mu * k.W.block<1, 2>(2, 0).norm() >= 0.99 * k.W(2, 2)) continue;
    double w[9];
    for (int j = 0; j < 9; ++j) w[j] = k.W(j / 3, j % 3);
    LocalContact coulomb;
    coulomb.prepare(w, k.mu);
    Vec3 r = Vec3::Zero();
    coulomb.solve(k.c.data(), r.data());
    const double slip = (k.W * r + k.c).head<2>().norm();
    const Solved s = solve(k, RaisimVariant::corrected, r, k.mu * slip);
    ASSERT_LE((s.r - r).norm(), 1e-7 * (1.0 + r.norm())) << i;
  }
}

TEST(RaisimContact, DegenerateBlocks) {
  const Case frictionless{Mat3::Identity() * 2.0, {0.3, -0.2, -1.0}, 0.0};
  EXPECT_LE((solve(frictionless, RaisimVariant::exact).r - Vec3(0, 0, 0.5)).norm(), 1e-15);
  const Case massless{Mat3::Zero(), {0.3, -0.2, -1.0}, 0.5};
  EXPECT_EQ(solve(massless, RaisimVariant::exact).r.norm(), 0.0);
  Case tiny{Mat3::Identity() * 2.0, {0.3, -0.2, -1.0}, 1e-9};
  EXPECT_NEAR(solve(tiny, RaisimVariant::exact).r.z(), 0.5, 1e-15);
  // S = 0: a body that can only move along one line out of the normal.
  const Vec3 h(0.4, 0.1, 0.8);
  const Case line{h * h.transpose(), {0.3, -0.2, -1.0}, 0.3};
  for (const auto v : {RaisimVariant::exact, RaisimVariant::faithful, RaisimVariant::corrected})
    EXPECT_TRUE(solve(line, v).r.allFinite());
}

}  // namespace
}  // namespace stiction
