// SPDX-License-Identifier: BSD-2-Clause
// Blocks of kind patch: contacts with spin and roll. Oracles: a judge written here from docs/notation.md alone, closed forms, the same
// contact in three rows, central differences.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/derivative/derivatives.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace stiction::patches {  // names of its own: tests of a folder are compiled together
namespace {

constexpr double kDt = 1e-3;

ContactProblem problem_of(std::vector<Block> blocks, const Mat& G, const Vec& g, FrictionLaw::Kind law) {
  ContactProblem p;
  std::vector<int> start{0};
  for (Block& b : blocks) b.row = start.back(), start.push_back(b.row + b.size);
  p.blocks = std::move(blocks);
  p.G = Delassus::from_dense(G, start);
  p.g = GrowingVec(g);
  p.law.kind = law, p.dt = kDt;
  p.validate();
  return p;
}

Block random_patch(Random& random) {
  const int size = 4 + static_cast<int>(random.uniform(0.0, 3.0));
  return Block::patch(0, size, random.uniform(0.1, 1.2), std::pow(10.0, random.uniform(-3.0, 0.0)),
                      std::pow(10.0, random.uniform(-3.0, 0.0)));
}

// J with rows scaled as those of the blocks; g = J v / 10, so that some velocity stops everything.
ContactProblem random_problem(Random& random, FrictionLaw::Kind law, std::vector<Block> blocks, double share) {
  int rows = 0;
  for (const Block& b : blocks) rows += b.size;
  const int velocities = std::max(3, static_cast<int>(share * rows));
  Mat J(rows, velocities);
  for (int i = 0; i < rows; ++i) J.row(i) = random.uniform_vector(velocities, -1.0, 1.0);
  int row = 0;
  for (const Block& b : blocks) {
    for (int k = 2; b.kind == BlockKind::patch && k + 1 < b.size; ++k) J.row(row + k) *= b.arm(k);
    row += b.size;
  }
  return problem_of(std::move(blocks), J * J.transpose(), 0.1 * J * random.uniform_vector(velocities, -1.0, 1.0), law);
}

std::vector<Block> random_blocks(Random& random) {
  std::vector<Block> out;
  const int count = 1 + static_cast<int>(random.uniform(0.0, 5.0));
  for (int i = 0; i < count; ++i) {
    const double kind = random.uniform(0.0, 1.0);
    out.push_back(kind < 0.15  ? Block::coulomb(0, random.uniform(0.2, 1.0))
                  : kind < 0.8 ? random_patch(random)
                  : kind < 0.9 ? Block::unilateral(0)
                               : Block::box(0, -0.1, 0.1, true));
  }
  return out;
}

Vec on_cone(const Vec& x, double mu) {
  const Eigen::Index t = x.size() - 1;
  const double n = x.head(t).norm(), z = x[t];
  if (mu * n <= -z) return Vec::Zero(t + 1);
  if (n <= mu * z) return x;
  Vec out(t + 1);
  out.head(t) = mu * (mu * n + z) / (1.0 + mu * mu) / n * x.head(t);
  out[t] = (mu * n + z) / (1.0 + mu * mu);
  return out;
}

// The largest error of cones and intervals over what is allowed: natural map in newtons, spin and roll in rad/s.
double judged(const ContactProblem& p, const Vec& lambda) {
  const Mat G = p.G.densify();
  const Vec u = G * lambda + p.g.vec();
  const bool shifted = p.law.kind == FrictionLaw::coulomb;
  double force = 0.0, spin = 0.0, natural = 0.0, worst = 0.0;
  for (const Block& b : p.blocks) {
    if (!b.angular) force = std::max(force, lambda.segment(b.row, b.size).norm() / kDt);
    for (int k = 2; b.kind == BlockKind::patch && k + 1 < b.size; ++k)
      spin = std::max({spin, std::abs(u[b.row + k]) / b.arm(k), std::abs(p.g[b.row + k]) / b.arm(k)});
  }
  for (const Block& b : p.blocks) {
    const Vec x = lambda.segment(b.row, b.size);
    Vec v = u.segment(b.row, b.size);
    const double rho = b.size / G.diagonal().segment(b.row, b.size).sum();
    if (b.kind == BlockKind::unilateral) natural = std::abs(x[0] - std::max(0.0, x[0] - rho * v[0]));
    if (b.kind == BlockKind::box) continue;
    if (b.size > 1) {
      const double slip = v.head(b.size - 1).norm(), beta = slip / (b.mu * x[b.size - 1]);
      for (int k = 2; b.kind == BlockKind::patch && k + 1 < b.size && x[b.size - 1] > 0.0; ++k) {
        const double error = std::min(std::abs(v[k]), std::abs(v[k] + beta * x[k])) / b.arm(k);
        const double blur = (1e-6 + 1e-8 * force) * kDt * 2.0 * beta / b.arm(k);
        worst = std::max(worst, error / (1e-9 + 1e-8 * spin + blur));
      }
      if (shifted) v[b.size - 1] += b.mu * slip;
      natural = (x - on_cone(x - rho * v, b.mu)).norm();
    }
    worst = std::max(worst, natural / kDt / (1e-6 + 1e-8 * force));
  }
  return worst;
}

Report solved(const ContactProblem& p, const std::string& solver, Vec& lambda, const OptionMap& options = {}) {
  lambda = Vec::Zero(p.rows());
  return make_solver(solver, options)->solve(p, lambda);
}

const FrictionLaw::Kind kLaws[] = {FrictionLaw::coulomb, FrictionLaw::convex};

bool knows(const SolverInfo& s, FrictionLaw::Kind law) {
  return s.patches && std::find(s.laws.begin(), s.laws.end(), law) != s.laws.end();
}

}  // namespace

// One patch is solved to round-off, whatever its arms and however few bodies move.
TEST(Patch, OneIsSolvedExactly) {
  const Tolerance tight{1e-10, 1e-9, 1e-12, 1e-12};
  Random random(1);
  for (const double share : {2.0, 1.0, 0.5})
    for (int k = 0; k < 500; ++k) {
      const ContactProblem p = random_problem(random, FrictionLaw::coulomb, {random_patch(random)}, share);
      Vec lambda;
      const Report report = solved(p, "auto", lambda);
      EXPECT_EQ(report.status, Status::converged);
      if (share > 1.0) {
        EXPECT_STREQ(report.path, p.g[p.rows() - 1] < 0.0 ? "closed_form" : report.path);
        EXPECT_LE(evaluate(p, lambda, tight).ratio, 1.0) << k;
      }
    }
}

// What a solver calls converged is a solution.
TEST(Patch, ConvergedHolds) {
  for (const FrictionLaw::Kind law : kLaws)
    for (const SolverInfo& solver : solver_catalog()) {
      if (!knows(solver, law)) continue;
      Random random(2);
      int converged = 0;
      for (int k = 0; k < 60; ++k) {
        const ContactProblem p = random_problem(random, law, random_blocks(random), k % 2 == 0 ? 0.9 : 0.6);
        Vec lambda;
        const Report report = solved(p, solver.name, lambda);
        EXPECT_TRUE(lambda.allFinite());
        if (report.status != Status::converged) continue;
        ++converged;
        EXPECT_LE(judged(p, lambda), 1.0 + 1e-6) << solver.name << " " << k;
      }
      EXPECT_GE(converged, solver.name == "auto" ? 60 : 54) << solver.name;
    }
}

TEST(Patch, OthersRefuseByName) {
  const ContactProblem p =
      problem_of({Block::patch(0, 4, 0.5)}, Mat::Identity(4, 4), Vec::Unit(4, 3) * -1.0, FrictionLaw::coulomb);
  for (const SolverInfo& solver : solver_catalog()) {
    if (solver.patches) {
      EXPECT_NO_THROW(require_problem(solver, p)) << solver.name;
      continue;
    }
    EXPECT_THROW(require_problem(solver, p), InvalidInput) << solver.name;
    Vec lambda = Vec::Constant(4, 0.25);
    EXPECT_EQ(solver.make({})->solve(p, lambda).status, Status::invalid_problem) << solver.name;
    EXPECT_EQ(lambda, Vec::Constant(4, 0.25)) << solver.name;
  }
}

// Rows of spin and roll without coupling and velocity: T and N are those of a contact of three rows.
TEST(Patch, RowsThatNothingTurnsChangeNothing) {
  Random random(5);
  const int at[] = {0, 1, 5};
  for (const FrictionLaw::Kind law : kLaws)
    for (int k = 0; k < 20; ++k) {
      Mat A(3, 3);
      for (int i = 0; i < 3; ++i) A.row(i) = random.uniform_vector(3, -1.0, 1.0);
      const Mat W = A * A.transpose() + 0.1 * Mat::Identity(3, 3);
      Vec g = random.uniform_vector(3, -1.0, 1.0);
      g[2] = -random.uniform(0.1, 1.0);
      const double mu = random.uniform(0.1, 0.5);
      Mat G = 0.3 * Mat::Identity(6, 6);
      Vec h = Vec::Zero(6);
      for (int i = 0; i < 3; ++i) {
        h[at[i]] = g[i];
        for (int j = 0; j < 3; ++j) G(at[i], at[j]) = W(i, j);
      }
      Vec few, many;
      solved(problem_of({Block::coulomb(0, mu)}, W, g, law), "auto", few, {{"tolerance", 1e-12}});
      solved(problem_of({Block::patch(0, 6, mu)}, G, h, law), "auto", many, {{"tolerance", 1e-12}});
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(many[at[i]], few[i], 1e-7 * few.norm());
      EXPECT_LE(many.segment(2, 3).norm(), 1e-7 * few.norm());
    }
}

// A row of spin slides at μλ_N against its velocity, or sticks; with slip beside it the two share the cone.
TEST(Patch, SpinAloneAndBesideSlip) {
  const Mat G = Vec(Eigen::Vector4d(1.0, 1.0, 2.0, 1.0)).asDiagonal();
  const auto solve = [&](const Eigen::Vector4d& g) {
    Vec lambda;
    solved(problem_of({Block::patch(0, 4, 0.5, 0.1)}, G, g, FrictionLaw::coulomb), "auto", lambda);
    return lambda;
  };
  EXPECT_LE((solve({0.0, 0.0, 3.0, -1.0}) - Eigen::Vector4d(0.0, 0.0, -0.5, 1.0)).norm(), 1e-12);
  EXPECT_LE((solve({0.0, 0.0, 0.6, -1.0}) - Eigen::Vector4d(0.0, 0.0, -0.3, 1.0)).norm(), 1e-12);
  const Vec both = solve({3.0, 0.0, 3.0, -1.0}), u = G * both + Vec(Eigen::Vector4d(3.0, 0.0, 3.0, -1.0));
  EXPECT_NEAR(both.head(3).norm(), 0.5, 1e-12);
  EXPECT_NEAR(u[0] * both[2], u[2] * both[0], 1e-11);
}

// 1e-8 m/s at an arm of 0.1 mm are 1e-4 rad/s, and no solution.
TEST(Patch, SmallArmsDoNotHideSpin) {
  const Mat G = Vec(Eigen::Vector4d(1.0, 1.0, 1e-4, 1.0)).asDiagonal();
  const ContactProblem p =
      problem_of({Block::patch(0, 4, 0.5, 1e-4)}, G, Eigen::Vector4d(0.0, 0.0, 1e-8, -1.0), FrictionLaw::coulomb);
  const Residual wrong = evaluate(p, Vec(Eigen::Vector4d(0.0, 0.0, 0.0, 1.0)));
  EXPECT_NEAR(wrong.dual, 1e-4, 1e-12);
  EXPECT_GT(wrong.ratio, 1.0);
  EXPECT_LE(evaluate(p, Vec(Eigen::Vector4d(0.0, 0.0, -1e-4, 1.0))).ratio, 1.0);
}

TEST(Patch, BadBlocksAreRefused) {
  const auto make = [](const Block& b, FrictionLaw::Kind law) {
    return problem_of({b}, Mat::Identity(b.size, b.size), Vec::Zero(b.size), law);
  };
  for (const Block& b : {Block::patch(0, 3, 0.5), Block::patch(0, 7, 0.5), Block::patch(0, 4, 0.0),
                         Block::patch(0, 4, 0.5, 0.0), Block::patch(0, 6, 0.5, 1.0, -1.0)})
    EXPECT_THROW(make(b, FrictionLaw::coulomb), InvalidInput);
  for (const FrictionLaw::Kind law : {FrictionLaw::pyramid, FrictionLaw::raisim})
    EXPECT_THROW(make(Block::patch(0, 4, 0.5), law), InvalidInput);
  EXPECT_NO_THROW(make(Block::patch(0, 5, 0.5), FrictionLaw::convex));
}

// Central differences along g, G and μ, and the adjoint.
TEST(Patch, Derivatives) {
  std::set<BlockMode> seen;
  double worst = 0.0;
  for (const FrictionLaw::Kind law : kLaws)
    for (unsigned seed = 0; seed < 12; ++seed) {
      Random random(seed);
      std::vector<Block> blocks(3, Block::patch(0, 4, 0.5));
      for (Block& b : blocks)
        b = Block::patch(0, 4 + static_cast<int>(random.uniform(0.0, 3.0)), random.uniform(0.1, 0.6));
      blocks.push_back(Block::coulomb(0, 0.4));
      const int n = blocks[0].size + blocks[1].size + blocks[2].size + 3;
      Mat J(n, n + 4), dG(n, n);
      for (int i = 0; i < n; ++i)
        J.row(i) = random.uniform_vector(n + 4, -0.3, 0.3), dG.row(i) = random.uniform_vector(n, -0.1, 0.1);
      dG = Mat(dG + dG.transpose());
      const Mat G = J * J.transpose() + 0.05 * Mat::Identity(n, n);
      Vec g = random.uniform_vector(n, -0.4, 0.4);
      for (int i = 0, row = 0; i < 4; ++i) row += blocks[i].size, g[row - 1] = random.uniform(-1.2, 0.3);
      const Vec dg = random.uniform_vector(n, -1.0, 1.0), dmu = random.uniform_vector(4, -1.0, 1.0);
      const auto moved = [&](double t) {
        std::vector<Block> changed = blocks;
        for (int i = 0; i < 4; ++i) changed[i].mu += t * dmu[i];
        return problem_of(changed, G + t * dG, g + t * dg, law);
      };
      const auto solution = [&](double t) {
        const ContactProblem p = moved(t);
        Vec lambda;
        solved(p, "interior_point", lambda, {{"tolerance", 1e-13}});
        make_solver("admm", {{"tolerance", 1e-14}})->solve(p, lambda);
        return lambda;
      };
      const ContactProblem p = moved(0.0);
      const Vec lambda = solution(0.0);
      ContactDerivatives d;
      ASSERT_TRUE(d.factor(p, lambda, 1e-3));
      if (d.boundary()) continue;
      for (const BlockTangent& t : d.blocks()) seen.insert(t.mode);
      using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      const RowMajor dG_rows = dG;
      Vec forward(n), bar = random.uniform_vector(n, -1.0, 1.0), back(n), back_mu(4);
      ContactTangent in;
      in.g = dg.data(), in.G = dG_rows.data(), in.mu = dmu.data();
      d.jvp(in, forward.data(), nullptr);
      ContactCotangent out;
      out.g = back.data(), out.mu = back_mu.data();
      d.vjp(bar.data(), nullptr, out);
      EXPECT_NEAR(bar.dot(forward), back.dot(dg + dG * lambda) + back_mu.dot(dmu), 1e-9 * (1.0 + forward.norm()));
      constexpr double h = 1e-6;
      const Vec difference = (solution(h) - solution(-h)) / (2.0 * h);
      worst = std::max(worst, (forward - difference).norm() / (1.0 + difference.norm()));
    }
  EXPECT_LE(worst, 1e-5);
  EXPECT_TRUE(seen.contains(BlockMode::open) && seen.contains(BlockMode::stick) && seen.contains(BlockMode::slide));
}

}  // namespace stiction::patches
