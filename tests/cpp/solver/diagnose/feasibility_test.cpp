// SPDX-License-Identifier: BSD-2-Clause
// Oracles: small problems whose answer is known by hand, and the definition itself: a certificate and a witness are checked
// against G, g and μ here, without the code that made them. (tests/python/solvers/test_feasibility.py compares with SciPy's linear
// programs on random problems.)
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/problem/lcp_problem.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/diagnose/diagnosis.h>

#include <cmath>
#include <random>

#include "support/heap_count.h"

namespace stiction {
namespace {

// Contacts and rows on one rigid body that can only translate: row i of J is the direction in which it moves u_i.
struct Rig {
  std::vector<Vec3> rows;
  std::vector<Block> blocks;
  std::vector<double> g;
  double mass = 2.0;

  // Normal n (unit), tangents made up; g_N is the closing speed's negative.
  void contact(const Vec3& n, double mu, double g_N, double g_T = 0.0) {
    const Vec3 t = n.unitOrthogonal(), b = n.cross(t);
    blocks.push_back(Block::coulomb(static_cast<int>(rows.size()), mu));
    for (const Vec3& r : {t, b, n}) rows.push_back(r);
    for (const double x : {g_T, 0.0, g_N}) g.push_back(x);
  }
  void row(const Vec3& direction, Block block, double free) {
    block.row = static_cast<int>(rows.size());
    blocks.push_back(block), rows.push_back(direction), g.push_back(free);
  }
  Mat jacobian() const {
    Mat J(rows.size(), 3);
    for (std::size_t i = 0; i < rows.size(); ++i) J.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
    return J;
  }
  ContactProblem problem(bool body_space = false) const {
    ContactProblem p;
    p.blocks = blocks;
    p.g = GrowingVec(Eigen::Map<const Vec>(g.data(), static_cast<Eigen::Index>(g.size())));
    std::vector<int> start{0};
    for (const Block& b : blocks) start.push_back(b.row + b.size);
    if (!body_space) {
      p.G = Delassus::from_dense(jacobian() * jacobian().transpose() / mass, start);
      return p;
    }
    p.G.storage = Delassus::Storage::body_space;
    p.G.start = start;
    BodySpace& body = p.G.body;
    body.velocities = 3, body.group_start = {0, 3}, body.column = {0, 1, 2};
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      body.term_start.push_back(static_cast<int>(i));
      body.terms.push_back({0, 3, 3 * blocks[i].row, 0});
    }
    body.term_start.push_back(static_cast<int>(blocks.size()));
    for (const Vec3& r : rows)
      for (int k = 0; k < 3; ++k) body.values.push_back(r[k] / std::sqrt(mass));
    p.G.refresh_diagonal();
    return p;
  }
};

// The definition, from the dense G: y ≥ 0 on normals and limits, 0 on tangents and boxes, Gy = 0, g·y < 0.
void expect_certificate(const ContactProblem& p, const Feasibility& f) {
  ASSERT_EQ(f.verdict, Feasibility::infeasible);
  const Vec& y = f.certificate;
  ASSERT_EQ(y.size(), p.rows());
  const Mat G = p.G.densify();
  for (const Block& b : p.blocks) {
    if (b.kind == BlockKind::coulomb) {
      EXPECT_EQ(y.segment(b.row, 2).norm(), 0.0);
    }
    if (b.kind == BlockKind::box) {
      EXPECT_EQ(y[b.row], 0.0);
    }
    if (b.kind == BlockKind::coulomb || b.kind == BlockKind::unilateral) {
      EXPECT_GE(y[b.row + b.size - 1], 0.0);
    }
  }
  EXPECT_LE((G * y).norm(), 1e-11 * G.norm() * y.norm());
  EXPECT_LE(p.g.vec().dot(y), -1e-9 * p.g.vec().norm() * y.norm());
  EXPECT_NEAR(f.closing_speed, -p.g.vec().dot(y), 1e-12 * p.g.vec().norm());
}

// … u = Gλ + g strictly inside of every dual cone.
void expect_witness(const ContactProblem& p, const Feasibility& f) {
  ASSERT_EQ(f.verdict, Feasibility::feasible);
  const Vec u = p.G.densify() * f.impulse + p.g.vec();
  EXPECT_LE((u - f.velocity).norm(), 1e-9 * (1.0 + u.norm()));
  for (const Block& b : p.blocks) {
    if (b.kind == BlockKind::coulomb) {
      EXPECT_GT(u[b.row + 2], b.mu * u.segment(b.row, 2).norm());
    }
    if (b.kind == BlockKind::unilateral) {
      EXPECT_GT(u[b.row], 0.0);
    }
    if (b.kind == BlockKind::bilateral) {
      EXPECT_LE(u.segment(b.row, b.size).norm(), 1e-9 * p.g.vec().norm());
    }
  }
}

Rig squeezed(double left, double right, double mu) {
  Rig rig;
  rig.contact(Vec3::UnitX(), mu, -left);
  rig.contact(-Vec3::UnitX(), mu, -right);
  return rig;
}

TEST(Feasibility, BoxSqueezedByMovingWalls) {
  for (const bool body_space : {false, true})
    for (const double mu : {0.0, 0.5, 1.5}) {
      const ContactProblem p = squeezed(0.12, 0.05, mu).problem(body_space);
      const Feasibility f = check_feasibility(p);
      expect_certificate(p, f);
      EXPECT_NEAR(f.closing_speed, (0.12 + 0.05) / 2, 1e-15);  // both rows weigh one half
      EXPECT_NEAR(f.certificate[2], 0.5, 1e-15);
      EXPECT_NEAR(f.certificate[5], 0.5, 1e-15);
    }
}

TEST(Feasibility, WallsThatMoveTogetherOrApart) {
  const ContactProblem apart = squeezed(-0.12, 0.05, 0.5).problem();  // the gap opens
  expect_witness(apart, check_feasibility(apart));
  const Feasibility held =
      check_feasibility(squeezed(0.05, -0.05, 0.5).problem());  // a gripper that carries: no margin
  EXPECT_EQ(held.verdict, Feasibility::undecided);
  ASSERT_EQ(held.jammed.size(), 6);
  EXPECT_GT(held.jammed[2], 0.0);
}

// Two walls of a wedge, ±20° from antiparallel: normals alone let the body escape, friction 0.5 > tan 20° holds it.
TEST(Feasibility, Wedge) {
  const double angle = 20.0 * std::acos(-1.0) / 180.0;
  const auto wedge = [&](double mu, double a, double b) {
    Rig rig;
    rig.contact({std::cos(angle), 0.0, std::sin(angle)}, mu, a);
    rig.contact({-std::cos(angle), 0.0, std::sin(angle)}, mu, b);
    return rig;
  };
  for (const double mu : {0.0, 0.2}) {
    const ContactProblem p = wedge(mu, -0.1, -0.3).problem();
    expect_witness(p, check_feasibility(p));
  }
  for (const double mu : {0.5, 1.5}) {
    ContactProblem p = wedge(mu, -0.1, -0.3).problem();
    const Feasibility f = check_feasibility(p);  // inconsistent g: no u in K*, but u_N ≥ 0 can be had
    EXPECT_EQ(f.verdict, Feasibility::undecided);
    ASSERT_EQ(f.jammed.size(), 6);
    EXPECT_LE((p.G.densify() * f.jammed).norm(), 1e-12);
    EXPECT_LE(p.g.vec().dot(f.jammed), 0.0);
    p.law.kind = FrictionLaw::convex;  // whose dual cone is K*: proven
    EXPECT_EQ(check_feasibility(p).verdict, Feasibility::infeasible);
    ContactProblem free = wedge(mu, 0.1, 0.3).problem();
    expect_witness(free, check_feasibility(free));
  }
}

TEST(Feasibility, JointThatCannotMoveAgainstAContact) {
  Rig rig;
  rig.contact(Vec3::UnitZ(), 0.5, -0.4);
  rig.row(Vec3::UnitZ(), Block::bilateral(0, 1), 0.0);
  const ContactProblem p = rig.problem();
  const Feasibility f = check_feasibility(p);
  expect_certificate(p, f);
  EXPECT_NEAR(f.closing_speed, 0.4, 1e-14);
  EXPECT_NEAR(f.certificate[3], -1.0, 1e-14);
  Rig sideways;
  sideways.contact(Vec3::UnitZ(), 0.5, -0.4);
  sideways.row(Vec3::UnitX(), Block::bilateral(0, 1), 0.3);
  sideways.row(Vec3::UnitX(), Block::bilateral(0, 1), 0.3);  // a redundant loop
  expect_witness(sideways.problem(), check_feasibility(sideways.problem()));
  sideways.g.back() = -0.3;  // a contradiction between joints
  const Feasibility joints = check_feasibility(sideways.problem());
  expect_certificate(sideways.problem(), joints);
  EXPECT_NEAR(joints.closing_speed, 0.3, 1e-14);
}

TEST(Feasibility, BoxRowsNeverStandInTheWayUnlessABoundIsInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto against = [&](double lo, double hi, double sign) {
    Rig rig;
    rig.contact(Vec3::UnitZ(), 0.5, -0.4);
    rig.row(sign * Vec3::UnitZ(), Block::box(0, lo, hi), -0.1);
    return check_feasibility(rig.problem()).verdict;
  };
  EXPECT_EQ(against(-1.0, 1.0, -1.0), Feasibility::feasible);
  EXPECT_EQ(against(0.0, infinity, -1.0), Feasibility::infeasible);  // u ≥ 0, a limit
  EXPECT_EQ(against(-infinity, 0.0, 1.0), Feasibility::infeasible);  // u ≤ 0
  EXPECT_EQ(against(-infinity, infinity, 1.0), Feasibility::infeasible);
  EXPECT_EQ(against(0.0, infinity, 1.0), Feasibility::feasible);
  EXPECT_EQ(against(-infinity, 1.0, -1.0), Feasibility::feasible);
}

TEST(Feasibility, ComplianceGivesWay) {
  ContactProblem p = squeezed(0.1, 0.1, 0.5).problem();
  p.compliance = GrowingVec(Vec::Zero(6));
  EXPECT_EQ(check_feasibility(p).verdict, Feasibility::infeasible);
  p.compliance[5] = 1e-4;
  EXPECT_EQ(check_feasibility(p).verdict, Feasibility::feasible);
}

TEST(Feasibility, ContactBetweenThingsThatCannotMove) {
  Rig rig;
  rig.contact(Vec3::UnitZ(), 0.5, -0.4);
  ContactProblem p = rig.problem();
  Mat G = Mat::Zero(6, 6);
  G.topLeftCorner(3, 3) = p.G.densify();
  Vec g(6);
  g << 0, 0, -0.4, 0, 0, -0.2;
  p = ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5));
  const Feasibility f = check_feasibility(p);
  expect_certificate(p, f);
  EXPECT_EQ(diagnose(p, Vec::Zero(6)).blocks, std::vector<int>{1});
  g[5] = 0.2;
  EXPECT_EQ(check_feasibility(ContactProblem::from_dense(G, g, Vec::Constant(2, 0.5))).verdict, Feasibility::feasible);
}

// Painlevé: a rod whose normal and tangential rows are so coupled that sliding friction presses it into the ground. Impulses
// always have an answer there (Stewart, Trinkle), and it is found.
TEST(Feasibility, PainleveIsFeasible) {
  for (const double mu : {0.3, 1.5, 4.0}) {
    Mat3 W;
    W << 4.0, 0.0, 1.9, 0.0, 1.0, 0.0, 1.9, 0.0, 1.0;  // W_NN − μ W_NT < 0 for μ > 0.53
    const ContactProblem p = ContactProblem::from_dense(W, Vec3(-1.0, 0.0, -0.1), Vec::Constant(1, mu));
    expect_witness(p, check_feasibility(p));
    Vec lambda = Vec::Zero(3);
    EXPECT_EQ(make_solver("auto")->solve(p, lambda).status, Status::converged) << mu;
  }
}

TEST(Feasibility, NoUnitsMatter) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int seen[3] = {0, 0, 0};
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + trial % 7, rank = 1 + trial % (3 * n - 1);
    const Mat H = Mat::NullaryExpr(3 * n, rank, [&] { return normal(random); });
    const Vec g = Vec::NullaryExpr(3 * n, [&] { return normal(random); });
    const auto verdict = [&](double c, double d) {
      return check_feasibility(ContactProblem::from_dense(c * (H * H.transpose()), d * g, Vec::Constant(n, 0.7)))
          .verdict;
    };
    const auto base = verdict(1.0, 1.0);
    ++seen[base];
    for (const double c : {1e-6, 1e6})
      for (const double d : {1e-6, 1e6}) EXPECT_EQ(verdict(c, d), base) << trial;
  }
  for (const int count : seen) EXPECT_GT(count, 3);  // all three verdicts occur
}

TEST(Feasibility, LeavesGeneralAndUnusableProblemsUndecided) {
  const ContactProblem lcp = lcp_problem(Mat::Zero(1, 1), Vec::Constant(1, -1.0));
  EXPECT_EQ(check_feasibility(lcp).verdict, Feasibility::undecided);
  ContactProblem broken = squeezed(0.1, 0.1, 0.5).problem();
  broken.g[2] = std::nan("");
  EXPECT_EQ(check_feasibility(broken).verdict, Feasibility::undecided);
  ContactProblem empty;
  empty.G.start = {0};
  EXPECT_EQ(check_feasibility(empty).verdict, Feasibility::feasible);
}

TEST(Feasibility, AllocatesOnlyWhenItGrows) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "allocations are not counted under sanitizers";
  FeasibilityCheck check;
  const ContactProblem bad = squeezed(0.1, 0.1, 0.5).problem(), good = squeezed(-0.1, 0.05, 0.5).problem(true);
  for (int k = 0; k < 2; ++k) check.run(bad), check.run(good);
  const test::HeapCount heap;
  EXPECT_EQ(check.run(bad), Feasibility::infeasible);
  EXPECT_EQ(check.run(good), Feasibility::feasible);
  EXPECT_TRUE(check.proves_infeasible(bad));
  EXPECT_EQ(heap.count(), 0);
}

TEST(Diagnosis, NamesTheContactsAndTheBody) {
  Rig rig = squeezed(0.12, 0.05, 0.5);
  rig.contact(Vec3::UnitZ(), 0.8, -0.2);  // the ground has nothing to do with it
  const ContactProblem p = rig.problem(true);
  Vec lambda = Vec::Zero(9);
  const Report report = make_solver("auto")->solve(p, lambda);
  EXPECT_NE(report.status, Status::converged);
  EXPECT_TRUE(lambda.allFinite());
  const Diagnosis d = diagnose(p, lambda);
  EXPECT_EQ(d.verdict, Diagnosis::infeasible);
  EXPECT_EQ(d.blocks, (std::vector<int>{0, 1}));
  EXPECT_EQ(d.groups, std::vector<int>{0});
  EXPECT_NEAR(d.closing_speed, 0.085, 1e-14);
  EXPECT_NE(d.sentence.find("contacts 0 and 1 push against each other through body 0: closing speed 0.085 m/s"),
            std::string::npos)
      << d.sentence;
  ASSERT_EQ(d.wedges.size(), 1u);
  EXPECT_EQ(d.wedges[0].first, 0);
  EXPECT_EQ(d.wedges[0].second, 1);
  EXPECT_TRUE(d.wedges[0].inside);
  EXPECT_NEAR(d.wedges[0].closing, 0.17, 1e-12);
}

TEST(Diagnosis, OfASolutionAndOfAStart) {
  Rig rig;
  rig.contact(Vec3::UnitZ(), 0.5, -1.0, 3.0);
  const ContactProblem p = rig.problem();
  Vec lambda = Vec::Zero(3);
  ASSERT_EQ(make_solver("auto")->solve(p, lambda).status, Status::converged);
  EXPECT_EQ(diagnose(p, lambda).verdict, Diagnosis::solved);
  const auto worst = [&](const Vec3& impulse) {
    const Diagnosis d = diagnose(p, impulse);
    EXPECT_EQ(d.verdict, Diagnosis::unsolved);
    EXPECT_EQ(d.blocks, std::vector<int>{0});
    return std::string(name(d.violations.at(0).component));
  };
  EXPECT_EQ(worst({0, 0, 0}), "penetration");
  EXPECT_EQ(worst({lambda[0], lambda[1], 10.0}), "separation");
  EXPECT_EQ(worst({0, 0, lambda[2]}), "slip");
  EXPECT_EQ(worst({-4.0, 0, lambda[2]}), "cone");
  EXPECT_THROW(diagnose(p, Vec::Zero(2)), InvalidInput);
  EXPECT_THROW(diagnose(p, Vec::Constant(3, std::nan(""))), InvalidInput);
}

TEST(Diagnosis, OneContactThatWedges) {
  Mat3 W = Mat3::Zero();
  const Vec3 y(0.2, 0.0, 1.0);  // null vector, inside of the cone for μ = 0.5
  W = Mat3::Identity() - y * y.transpose() / y.squaredNorm();
  const auto wedges = [&](double mu) {
    return find_wedges(ContactProblem::from_dense(W, Vec3(0, 0, -1.0), Vec::Constant(1, mu)));
  };
  EXPECT_TRUE(wedges(0.1).empty());
  ASSERT_EQ(wedges(0.5).size(), 1u);
  EXPECT_EQ(wedges(0.5)[0].second, -1);
  EXPECT_NEAR(wedges(0.5)[0].closing, 1.0, 1e-12);
  const Diagnosis d = diagnose(ContactProblem::from_dense(W, Vec3(0, 0, -1.0), Vec::Constant(1, 0.5)), Vec::Zero(3));
  EXPECT_EQ(d.verdict, Diagnosis::jammed);
}

TEST(Diagnosis, StatusHasItsPlaceInTheOrder) {
  EXPECT_EQ(worse(Status::max_iterations, Status::infeasible), Status::infeasible);
  EXPECT_EQ(worse(Status::numerical_failure, Status::infeasible), Status::numerical_failure);
  EXPECT_STREQ(name(Status::infeasible), "infeasible");
}

}  // namespace
}  // namespace stiction
