// SPDX-License-Identifier: BSD-2-Clause
// Oracles: closed forms on G = I, one block of each kind; hand-computed errors; invariances that the definitions imply.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <support/heap_count.h>

#include <limits>
#include <numbers>
#include <string>

namespace stiction {
namespace {

constexpr double kDt = 1e-3;
const double kNotANumber = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

ContactProblem one_block(const Block& block, const VecRef& g, FrictionLaw law = {}) {
  ContactProblem p;
  p.blocks = {block};
  p.G = Delassus::from_dense(Mat::Identity(block.size, block.size), {0, block.size});
  p.g = GrowingVec(g);
  p.law = law;
  p.dt = kDt;
  p.validate();
  return p;
}

Vec scalar(double x) { return Vec::Constant(1, x); }

// Oracle: G = I, g = (slip, 0, −push): u_N = 0 ⇒ λ_N = push; λ_T1 = −min(μ λ_N, slip).
TEST(Judge, CoulombStickSlideBreak) {
  const double mu = 0.5;
  const auto coulomb = [&](const Vec3& g) { return one_block(Block::coulomb(0, mu), g); };
  EXPECT_TRUE(evaluate(coulomb({0.3, 0.0, -1.0}), Vec3(-0.3, 0.0, 1.0)).accepted());  // stick
  EXPECT_TRUE(evaluate(coulomb({2.0, 0.0, -1.0}), Vec3(-0.5, 0.0, 1.0)).accepted());  // slide
  EXPECT_TRUE(evaluate(coulomb({2.0, -3.0, 1.0}), Vec3(0.0, 0.0, 0.0)).accepted());   // break
  EXPECT_FALSE(evaluate(coulomb({2.0, 0.0, -1.0}), Vec3(0.5, 0.0, 1.0)).accepted());  // friction pushes along
  EXPECT_FALSE(evaluate(coulomb({2.0, 0.0, -1.0}), Vec3(0.0, 0.5, 1.0)).accepted());  // and sideways
  EXPECT_FALSE(evaluate(coulomb({2.0, 0.0, 1.0}), Vec3(0.0, 0.0, -1.0)).accepted());  // adhesion
  EXPECT_FALSE(evaluate(coulomb({0.0, 0.0, -1.0}), Vec3(0.0, 0.0, 0.0)).accepted());  // penetration
}

// Oracle: the numbers worked out by hand for λ = (0.3, 0.4, 2), u = λ + g = (3, 4, −0.6), μ = 0.2.
TEST(Judge, CoulombErrorsByHand) {
  const double mu = 0.2, shifted = -0.6 + mu * 5.0;
  const Vec3 lambda(0.3, 0.4, 2.0), u(3.0, 4.0, -0.6);
  const Residual r = evaluate(one_block(Block::coulomb(0, mu), u - lambda), lambda);
  EXPECT_NEAR(r.primal, (0.5 - 0.4) / std::sqrt(1.04) / kDt, 1e-9);
  EXPECT_NEAR(r.dual, 0.6 / std::sqrt(1.04), 1e-12);
  EXPECT_NEAR(r.complementarity, (0.9 + 1.6 + 2.0 * shifted) / kDt, 1e-9);
  EXPECT_NEAR(r.signorini_power, 1.2 / kDt, 1e-9);
  EXPECT_NEAR(r.signorini_velocity, 0.6, 1e-12);
  EXPECT_NEAR(r.mdp_angle, std::numbers::pi, 1e-12);  // friction pushes the way it slides
  EXPECT_NEAR(r.mdp_defect, (0.2 * 2.0 * 5.0 + 2.5) / kDt, 1e-9);
  const CoulombCone cone{mu};
  const Vec3 shifted_u(3.0, 4.0, shifted);
  EXPECT_NEAR(r.natural, (lambda - cone.project(lambda - shifted_u)).norm() / kDt, 1e-9);  // ρ = 3/tr I = 1
  EXPECT_NEAR(r.b3, (lambda - cone.project(lambda - shifted_u / std::sqrt(3.0))).norm() / lambda.norm(), 1e-12);
  const double g = (u - lambda).norm();
  EXPECT_NEAR(r.b4, (2.5 + 2.0 * shifted) / (lambda.norm() * g), 1e-12);  // the largest of the triple here
  EXPECT_NEAR(r.force_scale, lambda.norm() / kDt, 1e-9);
  EXPECT_NEAR(r.velocity_scale, std::max(u.norm(), g), 1e-12);
  EXPECT_NEAR(r.floor, std::numeric_limits<double>::epsilon() * (std::sqrt(3.0) * lambda.norm() + g), 1e-28);
}

// Oracle: G = I; the convex law's optimum is λ = P_K(−g), and it lifts a sliding contact off at μ‖u_T‖.
TEST(Judge, ConvexOptimumIsAProjection) {
  const Vec3 g(2.0, 1.0, -1.0), lambda = CoulombCone{0.5}.project(-g);
  const ContactProblem p = one_block(Block::coulomb(0, 0.5), g, {FrictionLaw::convex});
  const Residual own = evaluate(p, lambda);
  EXPECT_TRUE(own.accepted()) << own.ratio;
  const Vec3 u = lambda + g;
  EXPECT_NEAR(u.z(), 0.5 * u.head<2>().norm(), 1e-15);
  JudgeWork work;
  EXPECT_FALSE(evaluate(p, lambda, {FrictionLaw::coulomb}, false, {}, work).accepted());
}

// Oracle: G = I, axes decouple: λ_a = −clamp(g_a, ±μ λ_N) in the pyramid's basis.
TEST(Judge, PyramidClampsItsAxes) {
  const FrictionLaw law{FrictionLaw::pyramid};
  const ContactProblem p = one_block(Block::coulomb(0, 0.5), Vec3(2.0, -0.1, -1.0), law);
  EXPECT_TRUE(evaluate(p, Vec3(-0.5, 0.1, 1.0)).accepted());
  EXPECT_FALSE(evaluate(p, Vec3(-0.5, 0.0, 1.0)).accepted());
  EXPECT_FALSE(evaluate(p, Vec3(-0.6, 0.1, 1.0)).accepted());
  FrictionLaw turned = law;
  turned.angle = std::numbers::pi / 4.0;  // g has components (1.9, −2.1)/√2 there: the corner opposite, on −T1
  JudgeWork work;
  EXPECT_TRUE(evaluate(p, Vec3(-std::sqrt(0.5), 0.0, 1.0), turned, true, {}, work).accepted());
  EXPECT_FALSE(evaluate(p, Vec3(-0.5, 0.1, 1.0), turned, true, {}, work).accepted());
}

TEST(Judge, PyramidTurnedByNinetyDegreesJudgesAlike) {
  Random random(21);
  const ContactProblem p = reference::random_six(3, 1.0, 0.6, {FrictionLaw::pyramid});
  FrictionLaw turned = p.law;
  turned.angle = std::numbers::pi / 2.0;
  JudgeWork work;
  for (int k = 0; k < 100; ++k) {
    const Vec lambda = random.uniform_vector(18, -1, 1);
    const Residual a = evaluate(p, lambda, p.law, true, {}, work), b = evaluate(p, lambda, turned, true, {}, work);
    ASSERT_NEAR(a.natural, b.natural, 1e-9 * a.natural);
    ASSERT_NEAR(a.primal, b.primal, 1e-9 * a.force_scale);
    ASSERT_NEAR(a.b4, b.b4, 1e-9 * a.b4);
  }
}

// Oracle: with G_NT = 0 RaiSim's law is Coulomb's; with G_NT ≠ 0 sliding obeys u_T = −α(λ_T + μ²λ_N G_NT/G_NN).
TEST(Judge, RaisimSlidesAlongItsOwnDirection) {
  const double mu = 0.5, alpha = 0.7;
  const FrictionLaw raisim{FrictionLaw::raisim};
  EXPECT_TRUE(evaluate(one_block(Block::coulomb(0, mu), Vec3(2, 0, -1), raisim), Vec3(-0.5, 0, 1)).accepted());
  const Mat3 G = (Mat3() << 2.0, 0.1, 0.4, 0.1, 3.0, -0.2, 0.4, -0.2, 1.5).finished();
  const Vec3 lambda(0.3 * mu / 0.5, 0.4 * mu / 0.5, 1.0);  // on the cone
  const Vec2 d = -lambda.head<2>() - mu * mu * lambda.z() / G(2, 2) * G.block<1, 2>(2, 0).transpose();
  const Vec3 along(alpha * d.x(), alpha * d.y(), 0.0), against(-alpha * d.x(), -alpha * d.y(), 0.0);
  const Vec3 coulomb(-alpha * lambda.x(), -alpha * lambda.y(), 0.0);
  const auto judged = [&](const Vec3& u) {
    return evaluate(ContactProblem::from_dense(G, u - G * lambda, Vec::Constant(1, mu), raisim, kDt), lambda);
  };
  EXPECT_TRUE(judged(along).accepted());
  EXPECT_LE(judged(along).mdp_angle, 1e-12);
  EXPECT_FALSE(judged(against).accepted());
  EXPECT_FALSE(judged(coulomb).accepted());
  EXPECT_FALSE(judged(along + Vec3(0, 0, 0.1)).accepted());  // lifts off under load
}

TEST(Judge, UnilateralBilateralAndBox) {
  const auto uni = [](double g, double l) { return evaluate(one_block(Block::unilateral(0), scalar(g)), scalar(l)); };
  EXPECT_TRUE(uni(-2.0, 2.0).accepted());
  EXPECT_TRUE(uni(2.0, 0.0).accepted());
  EXPECT_FALSE(uni(-2.0, 0.0).accepted());
  EXPECT_FALSE(uni(2.0, -2.0).accepted());
  EXPECT_NEAR(uni(2.0, 1.0).complementarity, 3.0 / kDt, 1e-9);

  const Vec g = (Vec(4) << 1, -2, 3, -4).finished();
  const ContactProblem bilateral = one_block(Block::bilateral(0, 4), g);
  EXPECT_TRUE(evaluate(bilateral, -g).accepted());
  EXPECT_FALSE(evaluate(bilateral, 0.9 * -g).accepted());
  EXPECT_NEAR(evaluate(bilateral, 0.9 * -g).dual, 0.1 * g.norm(), 1e-14);

  const auto box = [](double lo, double hi, double g1, double l) {
    return evaluate(one_block(Block::box(0, lo, hi), scalar(g1)), scalar(l)).accepted();
  };
  EXPECT_TRUE(box(-1, 2, 0.5, -0.5));    // inside: u = 0
  EXPECT_TRUE(box(-1, 2, 3.0, -1.0));    // λ = lo, u = 2 ≥ 0
  EXPECT_TRUE(box(-1, 2, -5.0, 2.0));    // λ = hi, u = −3 ≤ 0
  EXPECT_FALSE(box(-1, 2, -5.0, -1.0));  // λ = lo, u < 0
  EXPECT_FALSE(box(-1, 2, 3.0, 2.0));    // λ = hi, u > 0
  EXPECT_FALSE(box(-1, 2, 0.5, 0.0));    // inside, u ≠ 0
  EXPECT_FALSE(box(-1, 2, 3.0, -3.0));   // outside
  EXPECT_TRUE(box(-kInfinity, kInfinity, 3.0, -3.0));
  EXPECT_FALSE(box(-kInfinity, kInfinity, 3.0, -2.0));
  EXPECT_TRUE(box(0, kInfinity, 3.0, 0.0));
  EXPECT_TRUE(box(1, 1, 7.0, 1.0));  // a point: any velocity
}

// Oracle: u = (G + R)λ + g; a spring that carries λ at u = 0 is solved with R and not without.
TEST(Judge, ComplianceIsCountedOnlyWhenAsked) {
  ContactProblem p = one_block(Block::coulomb(0, 0.5), Vec3(0.0, 0.0, -1.5));
  p.compliance.assign(3, 0.5);
  const Vec3 lambda(0.0, 0.0, 1.0);
  JudgeWork work;
  EXPECT_TRUE(evaluate(p, lambda, p.law, true, {}, work).accepted());
  const Residual rigid = evaluate(p, lambda, p.law, false, {}, work);
  EXPECT_FALSE(rigid.accepted());
  EXPECT_NEAR(rigid.signorini_velocity, 0.5, 1e-15);
}

// Oracle: an angular row's error is compared with the angular scale only. Linear λ = 1e6, angular error 1e-3 N m.
TEST(Judge, ScalesArePerKindOfRow) {
  const auto judged = [](bool angular) {
    ContactProblem p;
    p.blocks = {Block::bilateral(0, 1), Block::unilateral(1, angular)};
    p.G = Delassus::from_dense(Mat::Identity(2, 2), {0, 1, 2});
    p.g = GrowingVec(Vec(Vec2(-1e3, 0.0)));
    p.dt = kDt;
    return evaluate(p, Vec2(1e3, -1e-6));
  };
  EXPECT_TRUE(judged(false).accepted());
  EXPECT_FALSE(judged(true).accepted());
}

void expect_nothing(const Residual& r, const std::string& where) {
  EXPECT_FALSE(r.accepted()) << where;
  for (const double x : {r.primal, r.dual, r.complementarity, r.natural, r.b3, r.b4, r.ratio})
    EXPECT_TRUE(std::isnan(x)) << where;
}

// Every block kind and law; each number of the problem spoiled in turn.
TEST(Judge, NotANumberAndInfinityNeverPass) {
  ContactProblem good;
  good.blocks = {Block::coulomb(0, 0.5), Block::unilateral(3), Block::bilateral(4, 2), Block::box(6, -1.0, 2.0)};
  good.G = Delassus::from_dense(Mat::Identity(7, 7), {0, 3, 4, 6, 7});
  good.g.assign(7, 0.0);
  const Vec zero = Vec::Zero(7);
  for (const bool timed : {true, false})
    for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim})
      for (const double bad : {kNotANumber, kInfinity, -kInfinity, 1e200}) {
        const std::string where = std::string(name(kind)) + " " + std::to_string(bad);
        good.law.kind = kind;
        if (timed)
          good.dt = kDt;
        else
          good.dt.reset();
        ASSERT_TRUE(evaluate(good, zero).accepted());
        for (int i = 0; i < 7; ++i) {
          Vec lambda = zero;
          lambda[i] = bad;
          expect_nothing(evaluate(good, lambda), where + " in lambda " + std::to_string(i));
          ContactProblem p = good;
          p.g[i] = bad;
          expect_nothing(evaluate(p, zero), where + " in g " + std::to_string(i));
          if (std::abs(bad) == 1e200) continue;  // finite: a huge G or R at λ = 0 is nothing wrong
          for (int j = 0; j < 7; ++j) {
            p = good;
            p.G.dense[static_cast<std::size_t>(7 * i + j)] = bad;
            expect_nothing(evaluate(p, zero), where + " in G");
          }
          p = good;
          p.compliance.assign(7, 0.0);
          p.compliance[i] = bad;
          expect_nothing(evaluate(p, zero), where + " in R " + std::to_string(i));
        }
      }
  good.law.kind = FrictionLaw::coulomb;
  good.blocks[0].mu = kNotANumber;
  expect_nothing(evaluate(good, zero), "mu");
  good.blocks[0].mu = 0.5, good.blocks[3].lo = kNotANumber;
  expect_nothing(evaluate(good, zero), "lo");
  good.blocks[3].lo = -1.0, good.dt = kNotANumber;
  expect_nothing(evaluate(good, zero), "dt");
}

// Oracle: by definition B3 and B4 do not change under G → cG, g → dg, λ → (d/c)λ.
TEST(Judge, B3AndB4AreScaleInvariant) {
  Random random(22);
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::pyramid, FrictionLaw::raisim})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      ContactProblem p = reference::random_six(seed, 100.0, 0.6, {kind});
      p.dt.reset();
      const Vec lambda = random.uniform_vector(18, -1, 1);
      const Residual a = evaluate(p, lambda);
      const double c = 1e-3, d = 50.0;
      for (double& x : p.G.dense) x *= c;
      p.G.refresh_diagonal();
      p.g.vec() *= d;
      const Residual b = evaluate(p, d / c * lambda);
      ASSERT_GT(a.b3, 1e-3);
      ASSERT_NEAR(b.b3 / a.b3, 1.0, 1e-12) << name(kind);
      ASSERT_NEAR(b.b4 / a.b4, 1.0, 1e-12) << name(kind);
      ASSERT_NEAR(b.ratio / a.ratio, 1.0, 1e-12) << name(kind);
    }
}

TEST(Judge, NoImpulseHasItsOwnRule) {
  ContactProblem p = one_block(Block::coulomb(0, 0.5), Vec3(0.1, 0.0, 1.0));
  EXPECT_EQ(evaluate(p, Vec3(0, 0, 0)).b3, 0.0);  // breaks: nothing wrong
  p.g[2] = -1.0;
  EXPECT_EQ(evaluate(p, Vec3(0, 0, 0)).b3, 1.0);  // penetrates: all wrong
}

// Oracle: a permutation of (T1, T2, N) gives other numbers; with distinct values per axis only one order fits.
TEST(Judge, ComponentsAreTangentTangentNormal) {
  const Mat3 G = Vec3(2.0, 4.0, 5.0).asDiagonal();
  const Vec3 lambda(-0.1, 0.2, 1.0), g(0.2, -0.8, -5.0);  // stick: u = 0, ‖λ_T‖ < μ λ_N
  const auto judged = [&](const Eigen::PermutationMatrix<3>& P) {
    const Vec3 permuted = P * lambda;
    return evaluate(ContactProblem::from_dense(P * G * P.transpose(), P * g, Vec::Constant(1, 0.3), {}, kDt), permuted);
  };
  EXPECT_TRUE(judged(Eigen::PermutationMatrix<3>(Eigen::Vector3i(0, 1, 2))).accepted());
  EXPECT_TRUE(judged(Eigen::PermutationMatrix<3>(Eigen::Vector3i(1, 0, 2))).accepted());  // T1 and T2 are alike
  EXPECT_FALSE(judged(Eigen::PermutationMatrix<3>(Eigen::Vector3i(1, 2, 0))).accepted());
  EXPECT_FALSE(judged(Eigen::PermutationMatrix<3>(Eigen::Vector3i(2, 1, 0))).accepted());
}

// Oracle: forces do not know the step. A λ off by x N reports e_p = x at every dt.
TEST(Judge, PrimalErrorIsAForceAtEveryStep) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    const ContactProblem p = reference::rp3({}, dt);
    Vec lambda = dt / 1e-3 * reference::rp3_minimum_norm();
    EXPECT_TRUE(evaluate(p, lambda).accepted()) << evaluate(p, lambda).ratio;
    lambda.segment<3>(0) = dt * Vec3(0.0, 0.0, -0.37);  // 0.37 N of pull
    EXPECT_NEAR(evaluate(p, lambda).primal, 0.37, 1e-12);
  }
}

TEST(Judge, AllocatesNothingTheSecondTime) {
  const ContactProblem p = reference::rp2();
  const Vec lambda = Vec::Constant(p.rows(), 0.1);
  JudgeWork work;
  const double first = evaluate(p, lambda, p.law, true, {}, work).ratio;
  const test::HeapCount heap;
  const double second = evaluate(p, lambda, p.law, true, {}, work).ratio;
  EXPECT_EQ(heap.count(), 0);
  EXPECT_EQ(first, second);
  if (test::kCountsAllocations) {
    const Vec witness = Vec::Zero(100);  // the counter is alive
    EXPECT_GT(heap.count() + static_cast<long>(witness[0]), 0);
  }
}

TEST(Judge, RefusesAVectorOfTheWrongSize) { EXPECT_THROW(evaluate(reference::rp0(), Vec::Zero(4)), InvalidInput); }

}  // namespace
}  // namespace stiction
