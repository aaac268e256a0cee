// SPDX-License-Identifier: BSD-2-Clause
// Oracles: the natural-map form of the derivative (derivatives_oracle.h), central differences of roots of the natural map,
// the identity ⟨VJP, ·⟩ = ⟨·, JVP⟩, and for hyperstatic problems the pseudo-inverse.
#include <gtest/gtest.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/derivative/derivatives.h>

#include <Eigen/QR>
#include <limits>
#include <set>

#include "solver/derivatives_oracle.h"
#include "support/dense_oracles.h"
#include "support/heap_count.h"

namespace stiction::test {
namespace {

using namespace reference;

using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Change {
  Vec lambda, u;
};

Change jvp(ContactDerivatives& d, const ContactProblem& p, const Direction& in) {
  Change out{Vec(p.rows()), Vec(p.rows())};
  const RowMat G = in.G;
  d.jvp({in.g.data(), G.data(), in.mu.data(), in.R.data()}, out.lambda.data(), out.u.data());
  return out;
}

// A solution to round-off: a solver's, polished by the oracle. Empty if there is none near.
Vec exact_solution(const ContactProblem& p) {
  Vec lambda = run("admm", p, {{"max_iterations", 20000}}).lambda;
  return root(PlainProblem(p), lambda) <= 1e-13 ? lambda : Vec();
}

ContactProblem with_compliance(ContactProblem p, double R) {
  p.compliance.resize(0);
  for (int i = 0; i < p.rows(); ++i) p.compliance.push_back(R * (1.0 + 0.1 * i));
  return p;
}

// Two contacts, a limit, a box, a loop of two rows, another contact, all coupled.
ContactProblem mixed_blocks(unsigned seed, FrictionLaw law) {
  ContactProblem p = random_contacts(seed, 5, 0.4, law);
  p.blocks = {Block::coulomb(0, 0.3), Block::unilateral(3),    Block::box(4, -0.05, 0.1), Block::coulomb(5, 0.8),
              Block::bilateral(8, 2), Block::coulomb(10, 0.0), Block::unilateral(13),     Block::box(14, -2.0, 2.0)};
  std::vector<int> start{0};
  for (const Block& b : p.blocks) start.push_back(b.row + b.size);
  p.G = Delassus::from_dense(p.G.densify(), start);
  return p;
}

std::vector<ContactProblem> problems() {
  std::vector<ContactProblem> out;
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (unsigned seed = 1; seed <= 12; ++seed) {
      const double mu = 0.1 + 0.05 * seed;
      out.push_back(random_contacts(seed, 1 + static_cast<int>(seed) % 6, mu, {kind}));
      out.push_back(with_compliance(random_contacts(100 + seed, 4, mu, {kind}), 0.02));
      out.push_back(mixed_blocks(200 + seed, {kind}));
    }
  return out;
}

TEST(ContactDerivatives, AgreeWithTheNaturalMapAndWithCentralDifferences) {
  std::set<std::pair<int, BlockMode>> seen;
  double worst_map = 0.0, worst_difference = 0.0;
  int tested = 0;
  for (const ContactProblem& p : problems()) {
    const Vec lambda = exact_solution(p);
    if (lambda.size() == 0) continue;
    ContactDerivatives d;
    ASSERT_TRUE(d.factor(p, lambda));
    if (d.boundary() || d.hyperstatic()) continue;
    ++tested;
    for (const BlockTangent& t : d.blocks()) seen.insert({p.law.kind, t.mode});
    const PlainProblem plain(p);
    for (unsigned k = 0; k < 4; ++k) {
      Direction in = Direction::random(p, 7 * k + 1);
      for (std::size_t i = 0; i < p.blocks.size(); ++i)  // μ = 0 has neighbours on one side only
        if (p.blocks[i].mu == 0.0) in.mu[static_cast<Eigen::Index>(i)] = 0.0;
      if (!p.compliant()) in.R.setZero();
      const Change c = jvp(d, p, in);
      const double scale = 1.0 + c.lambda.norm();
      worst_map = std::max(worst_map, (c.lambda - natural_map_jvp(plain, lambda, in)).norm() / scale);
      const double h = 1e-6;
      const PlainProblem ahead = moved(plain, in, h), behind = moved(plain, in, -h);
      Vec a = lambda, b = lambda;
      ASSERT_LE(root(ahead, a), 1e-12);
      ASSERT_LE(root(behind, b), 1e-12);
      const Vec du = (ahead.A() * a + ahead.g - behind.A() * b - behind.g) / (2.0 * h);
      worst_difference = std::max(
          {worst_difference, (c.lambda - (a - b) / (2.0 * h)).norm() / scale, (c.u - du).norm() / (1.0 + c.u.norm())});
    }
  }
  EXPECT_LE(worst_map, 1e-10);
  EXPECT_LE(worst_difference, 1e-6);
  EXPECT_GE(tested, 60);
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (const auto mode : {BlockMode::open, BlockMode::stick, BlockMode::slide, BlockMode::bound})
      EXPECT_TRUE(seen.count({kind, mode})) << name(kind) << " " << name(mode);
  RecordProperty("worst_map", std::to_string(worst_map * 1e12) + "e-12");
  RecordProperty("worst_difference", std::to_string(worst_difference * 1e9) + "e-9");
}

// ⟨λ̄, dλ⟩ + ⟨ū, du⟩ = ⟨ḡ, dg⟩ + ⟨Ḡ, dG⟩ + ⟨μ̄, dμ⟩ + ⟨R̄, dR⟩; also for dG without symmetry and for hyperstatic problems.
void check_adjoint(const ContactProblem& p, const Vec& lambda) {
  ContactDerivatives d;
  ASSERT_TRUE(d.factor(p, lambda));
  for (unsigned k = 0; k < 3; ++k) {
    Direction in = Direction::random(p, k), bar = Direction::random(p, 50 + k);
    in.G(0, p.rows() - 1) += 1.0;
    const Change c = jvp(d, p, in);
    Vec g(p.rows()), R(p.rows()), mu(static_cast<Eigen::Index>(p.blocks.size()));
    d.vjp(bar.g.data(), bar.R.data(), {g.data(), mu.data(), R.data()});
    const double forward = bar.g.dot(c.lambda) + bar.R.dot(c.u);
    const double backward = g.dot(in.g) + g.dot(in.G * lambda) + mu.dot(in.mu) + R.dot(in.R);
    const double size = bar.g.norm() * c.lambda.norm() + bar.R.norm() * c.u.norm();
    EXPECT_LE(std::abs(forward - backward), 1e-10 * (1.0 + size));
  }
}

TEST(ContactDerivatives, ProductsAreAdjoint) {
  for (const ContactProblem& p : problems()) {
    const Vec lambda = exact_solution(p);
    if (lambda.size() > 0) check_adjoint(p, lambda);
  }
  for (const ContactProblem& p : {rp1(), rp1({FrictionLaw::convex}), rp3(), heavy_on_light(1e3)})
    check_adjoint(p, run("admm", p, {{"max_iterations", 20000}}).lambda);
}

TEST(ContactDerivatives, EveryStorageGivesTheSameNumbers) {
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    const ContactProblem p = with_compliance(random_contacts(3, 5, 0.4, {kind}), 0.01), sparse = as_block_sparse(p);
    const Vec lambda = exact_solution(p);
    ASSERT_GT(lambda.size(), 0);
    ContactDerivatives d, e;
    ASSERT_TRUE(d.factor(p, lambda) && e.factor(sparse, lambda));
    const Direction in = Direction::random(p, 5);
    const Change a = jvp(d, p, in), b = jvp(e, sparse, in);
    EXPECT_LE((a.lambda - b.lambda).norm(), 1e-11 * (1.0 + a.lambda.norm()));
    check_adjoint(sparse, lambda);
  }
}

// A cube that sticks on four points: G has rank 6 of 12. Oracle: −G⁺dg for changes dg = G x that rigid bodies can make.
TEST(ContactDerivatives, HyperstaticIsMinimumNormAndTheVelocityStaysRight) {
  const ContactProblem p = rp3();
  const Vec lambda = rp3_minimum_norm();
  ContactDerivatives d;
  ASSERT_TRUE(d.factor(p, lambda));
  EXPECT_TRUE(d.hyperstatic());
  EXPECT_EQ(d.rank(), 6);
  EXPECT_FALSE(d.boundary());
  const Mat G = p.G.densify();
  const Vec x = Direction::random(p, 1).g, dg = G * x;
  Vec dlambda(12), du(12);
  d.jvp({dg.data(), nullptr, nullptr, nullptr}, dlambda.data(), du.data());
  const Vec expected = -G.completeOrthogonalDecomposition().solve(dg);
  EXPECT_LE((dlambda - expected).norm(), 1e-10 * expected.norm());
  EXPECT_LE(du.norm(), 1e-10 * dg.norm());
}

// A sliding cube, four contacts, rank 6: pushing it sideways by dv turns the friction. Oracle: all corners move alike, so
// the cube is one contact of mass 1 with N = 9.81 dt: du_T = dv_T + m⁻¹dλ_T with dλ_T of the one-contact problem.
TEST(ContactDerivatives, HyperstaticSlidingVelocity) {
  const double dt = 1e-3, mu = 0.9, weight = 9.81 * dt;
  ContactProblem p = rp1();
  const Vec lambda = run("admm", p, {{"max_iterations", 100000}, {"tolerance", 1e-12}}).lambda;
  const Vec u = velocity(p, lambda);
  ContactDerivatives d;
  ASSERT_TRUE(d.factor(p, lambda));
  EXPECT_TRUE(d.hyperstatic());
  for (const BlockTangent& t : d.blocks()) EXPECT_EQ(t.mode, BlockMode::slide);
  const Vec2 slip = u.head<2>(), direction = slip.normalized(), across(-direction.y(), direction.x());
  Vec dg(12), dlambda(12), du(12);
  for (int i = 0; i < 4; ++i) dg.segment<3>(3 * i) << across, 0.0;
  d.jvp({dg.data(), nullptr, nullptr, nullptr}, dlambda.data(), du.data());
  const double kept = slip.norm() / (slip.norm() + mu * weight);  // dw = 1 − (μλ_N/‖u_T‖) dw
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(du.segment<2>(3 * i).dot(across), kept, 1e-6);
    EXPECT_NEAR(du[3 * i + 2], 0.0, 1e-6);
  }
}

// A cube that turns while it slides on four corners. Oracle: moving λ by t along the null space of S keeps the problem solved
// to second order in t while u moves in first order, so u is not unique; the convex law cannot do that.
TEST(ContactDerivatives, SaysWhenTheVelocityIsNotUnique) {
  const Mat G = rp3().G.densify();
  Vec g = rp3().g.vec();
  for (int i = 0; i < 4; ++i) g[3 * i] += (i < 2 ? 0.05 : 0.02), g[3 * i + 1] += (i % 2 ? 0.015 : -0.015) + 0.01;
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex}) {
    const ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(4, 0.4), {kind});
    const Vec lambda = run("admm", p, {{"max_iterations", 200000}, {"tolerance", 1e-12}}).lambda;
    ContactDerivatives d;
    ASSERT_TRUE(d.factor(p, lambda));
    EXPECT_EQ(d.velocity_unique(), kind == FrictionLaw::convex);
    if (kind == FrictionLaw::convex) continue;
    ASSERT_TRUE(d.hyperstatic());
    const PlainProblem plain(p);
    const NaturalMap m = natural_map(plain, lambda);
    const Vec null = test::null_vector(m.left, 1e-9);
    const double t = 1e-3 * lambda.norm();
    const double off = natural_map(plain, lambda + t * null).F.norm(),
                 half = natural_map(plain, lambda + 0.5 * t * null).F.norm();
    EXPECT_NEAR(off / half, 4.0, 0.2);
    EXPECT_GT((G * null).norm(), 1e-3);
  }
  for (const ContactProblem& p : {rp1(), rp3(), heavy_on_light(1e3)}) {
    ContactDerivatives d;
    ASSERT_TRUE(d.factor(p, run("admm", p, {{"max_iterations", 100000}, {"tolerance", 1e-12}}).lambda));
    EXPECT_TRUE(d.hyperstatic() && d.velocity_unique());
  }
}

// Borders: sliding that is about to stop, contact that is about to open, friction at its limit without slip.
TEST(ContactDerivatives, BordersAreFlaggedAndOneSided) {
  const Mat G = Vec3(3.5, 3.5, 1.0).asDiagonal();
  const auto one = [&](const Vec3& g, const Vec3& lambda) {
    ContactProblem p = ContactProblem::from_dense(G, g, Vec::Constant(1, 0.5), {}, 1e-3);
    ContactDerivatives d;
    EXPECT_TRUE(d.factor(p, lambda));
    return std::pair{d.blocks()[0].mode, d.boundary()};
  };
  EXPECT_EQ(one({0, 0, -1}, {0, 0, 1}), std::pair(BlockMode::stick, false));
  EXPECT_EQ(one({-3.5 * 0.5, 0, -1}, {0.5, 0, 1}).second, true);  // ‖λ_T‖ = μλ_N, u_T = 0
  EXPECT_EQ(one({-4, 0, -1}, {0.5, 0, 1}), std::pair(BlockMode::slide, false));
  EXPECT_EQ(one({1, 0, 1}, {0, 0, 0}), std::pair(BlockMode::open, false));
  EXPECT_EQ(one({1, 0, 0}, {0, 0, 0}).second, true);  // touches without pressing
  EXPECT_EQ(one({0, 0, 0}, {0, 0, 0}).second, true);  // nothing at all
  EXPECT_EQ(one({0, 0, 1e-3}, {0, 0, 0}), std::pair(BlockMode::open, false));
}

TEST(ContactDerivatives, RefusesWhatItCannotDo) {
  ContactProblem p = random_contacts(1, 2, 0.5, {FrictionLaw::pyramid});
  ContactDerivatives d;
  EXPECT_FALSE(d.factor(p, Vec::Zero(6)));
  p.law = {};
  EXPECT_FALSE(d.factor(p, Vec::Zero(5)));
  EXPECT_FALSE(d.factor(p, Vec::Constant(6, std::numeric_limits<double>::quiet_NaN())));
  ContactProblem empty;
  empty.G.start = {0};
  EXPECT_TRUE(d.factor(empty, Vec()));
  EXPECT_FALSE(d.hyperstatic());
}

TEST(ContactDerivatives, SecondUseDoesNotAllocate) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers have their own malloc";
  for (const ContactProblem& p : {random_contacts(3, 5, 0.4), rp3(), as_block_sparse(random_contacts(4, 5, 0.4))}) {
    const Vec lambda = run("admm", p).lambda;
    const Direction in = Direction::random(p, 1);
    Vec a(p.rows()), b(p.rows()), mu(static_cast<Eigen::Index>(p.blocks.size()));
    ContactDerivatives d;
    const auto use = [&] {
      d.factor(p, lambda);
      d.jvp({in.g.data(), in.G.data(), in.mu.data(), in.R.data()}, a.data(), b.data());
      d.vjp(in.g.data(), in.R.data(), {a.data(), mu.data(), b.data()});
    };
    use();
    const HeapCount heap;
    use();
    EXPECT_EQ(heap.count(), 0);
  }
}

}  // namespace
}  // namespace stiction::test
