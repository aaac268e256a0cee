// SPDX-License-Identifier: BSD-2-Clause
// The ways to hold G of a robot. Oracle: J M⁻¹ Jᵀ with the whole mass matrix and Jacobians of the queries (which are
// compared with Pinocchio in tests/python/engine/test_kernels.py) and Eigen's dense LDLT: no tree factor, no whitened rows.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/dynamics/contact/rows.h>
#include <stiction/dynamics/kernels/queries.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/law/tree_delassus.h>
#include <stiction/model/world/world_builder.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/linalg/kkt_delassus.h>

#include <chrono>
#include <filesystem>

#include "support/dense_oracles.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Posed {
  std::shared_ptr<const World> world;
  std::unique_ptr<Layout> layout;
  Kinematics kinematics;
  Vec q;
  std::vector<DelassusPoint> points;
  Mat G;  // the oracle
};

// A robot away from its start, with two points on each of `count` of its last bodies and one between two links.
Posed pose_robot(const std::string& file, int count) {
  Posed p;
  WorldBuilder builder;
  builder.add_urdf((fs::path(STICTION_ROBOTS_DIR) / "robots" / file).string());
  builder.add_body(make_sphere(0.1), 2.0);
  p.world = builder.compile();
  p.layout = std::make_unique<Layout>(*p.world);
  p.kinematics.resize(*p.world, *p.layout);
  p.q = p.world->q0;
  Random random(11);
  for (const Body& b : p.world->bodies)
    if (sizes(b.joint).nq == 1) p.q[b.q] += random.uniform(-0.3, 0.3);
  const Vec v = Vec::Zero(p.world->nv);
  fused_pass(*p.world, *p.layout, p.q.data(), v.data(), Purpose::step, p.kinematics);
  for (const Tree& tree : p.world->trees)
    if (!tree.free_body) factorise(*p.layout, tree, p.kinematics);
  const int robot = p.world->trees[0].bodies, ball = robot;
  const auto add = [&](BodyId a, BodyId b) {
    DelassusPoint c{a, b, p.kinematics.pose(*p.layout, b).translation, Mat3::Identity()};
    for (int i = 0; i < 3; ++i) c.point[i] += random.uniform(-0.1, 0.1);
    c.axes = Quat(Eigen::AngleAxisd(random.uniform(-1.0, 1.0), Vec3(1, 2, 3).normalized())).toRotationMatrix();
    p.points.push_back(c);
  };
  for (int k = 0; k < count; ++k) add(kWorldBody, robot - 1 - 3 * k), add(kWorldBody, robot - 1 - 3 * k);
  add(1, robot - 1);  // self-contact: both sides in one tree
  add(robot - 1, ball);
  Mat J(3 * static_cast<int>(p.points.size()), p.world->nv);
  for (int i = 0; i < static_cast<int>(p.points.size()); ++i) {
    const DelassusPoint& c = p.points[at(i)];
    const auto rows = [&](BodyId b) -> Mat {
      return point_jacobian(*p.world, *p.layout, p.kinematics, b, c.point).topRows(3).eval();
    };
    J.middleRows(3 * i, 3) = c.axes * (rows(c.b) - rows(c.a));
  }
  p.G = J * test::solve_symmetric(mass_matrix(*p.world, *p.layout, p.q), J.transpose());
  return p;
}

// The same rows in body space, from the engine's own whitened rows.
ContactProblem body_space_problem(const Posed& p) {
  const Vec zero = Vec::Zero(p.world->nv);
  const RowContext context{*p.layout, p.kinematics, zero.data(), zero.data()};
  RowSet rows;
  for (const DelassusPoint& c : p.points) add_point_rows(context, c.a, c.b, c.point, c.axes, rows);
  ContactProblem out;
  BodySpace& body = out.G.body;
  out.G.storage = Delassus::Storage::body_space;
  out.G.start = {0}, body.term_start = {0}, body.group_start = {0};
  for (const Tree& tree : p.world->trees) body.group_start.push_back(tree.v + tree.nv);
  body.velocities = p.world->nv;
  for (const RowBlock& b : rows.blocks) {
    out.blocks.push_back(Block::coulomb(out.G.start.back(), 0.7));
    out.G.start.push_back(out.G.start.back() + 3);
    for (int s = 0; s < b.sides; ++s) {
      const BodyPlan& plan = p.layout->bodies[at(b.side[s].body)];
      body.terms.push_back(
          {plan.tree, b.side[s].length, static_cast<int>(body.values.size()), static_cast<int>(body.column.size())});
      for (int d = 0; d < b.side[s].length; ++d) body.column.push_back(p.layout->chain[at(plan.chain + d)]);
      for (int r = 0; r < 3; ++r)
        for (int d = 0; d < b.side[s].length; ++d) body.values.push_back(rows.values[at(b.side[s].offset + 4 * d + r)]);
    }
    body.term_start.push_back(static_cast<int>(body.terms.size()));
  }
  out.G.refresh_diagonal();
  out.g.assign(out.G.rows(), 0.0);
  for (int i = 0; i < out.g.size(); ++i) out.g[i] = i % 3 == 2 ? -0.1 : 0.02 * (i % 5);
  out.dt = 1e-3;
  return out;
}

class Backends : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(STICTION_ROBOTS_DIR) / "robots" / GetParam())) GTEST_SKIP() << "needs example-robot-data";
  }
};

TEST_P(Backends, KktFactorIsJacobianTimesInverseMass) {
  const Posed robot = pose_robot(GetParam(), 4);
  const ContactProblem p = body_space_problem(robot);
  EXPECT_NO_THROW(p.validate());
  KktDelassus kkt;
  kkt.load(p);
  Mat G(p.rows(), p.rows());
  for (int i = 0; i < p.rows(); ++i)
    for (int j = 0; j < p.rows(); ++j) G(i, j) = kkt.entry(i, j);
  EXPECT_LE((G - robot.G).cwiseAbs().maxCoeff(), 1e-10 * robot.G.cwiseAbs().maxCoeff());
}

// Oracle: a factor that was made anew for the new damping, and the product that undoes the solve.
TEST_P(Backends, DampingUpdateIsAFullRefactorisation) {
  const Posed robot = pose_robot(GetParam(), 4);
  ContactProblem p = body_space_problem(robot);
  p.compliance.assign(p.rows(), 1e-3);
  KktDelassus updated;
  updated.load(p);
  for (const double damping : {1e-2, 1e-4, 3.0}) {
    Vec each = Vec::LinSpaced(p.rows(), damping, 2.0 * damping), x = Vec::LinSpaced(p.rows(), -1.0, 2.0), y = x;
    ASSERT_TRUE(updated.set_damping(each.data()));
    updated.solve_in_place(x.data());
    KktDelassus fresh;
    fresh.load(p);
    ASSERT_TRUE(fresh.set_damping(each.data()));
    Vec z = y;
    fresh.solve_in_place(z.data());
    EXPECT_LE((x - z).norm(), 1e-12 * z.norm());
    Vec back(p.rows());
    updated.multiply(x.data(), back.data());
    EXPECT_LE((back - y).norm(), 1e-10 * y.norm());
    const Mat damped = robot.G + Mat(Vec(each.array() + 1e-3).asDiagonal());
    EXPECT_LE((damped * x - y).norm(), 1e-9 * y.norm());
  }
  EXPECT_TRUE(updated.set_damping(1.0));
}

TEST_P(Backends, TreePassesAreTheSameProduct) {
  const Posed robot = pose_robot(GetParam(), 4);
  const int n = static_cast<int>(robot.G.rows());
  ContactProblem p = body_space_problem(robot);
  p.G.storage = Delassus::Storage::matrix_free;
  p.G.product = std::make_shared<TreeDelassus>(*robot.world, *robot.layout, robot.kinematics, robot.points);
  p.G.body = {};
  p.G.refresh_diagonal();
  EXPECT_NO_THROW(p.validate());
  const double largest = robot.G.cwiseAbs().maxCoeff();
  EXPECT_LE((p.G.densify() - robot.G).cwiseAbs().maxCoeff(), 1e-10 * largest);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(p.G.diagonal_block(i / 3)[(i % 3) * 4], robot.G(i, i), 1e-10 * largest);
  // The judge needs nothing but products: it says the same of the dense matrix.
  ContactProblem dense = body_space_problem(robot);
  dense.G = Delassus::from_dense(robot.G, dense.G.start);
  const Vec lambda = Vec::LinSpaced(n, 0.0, 1.0);
  const Residual ours = evaluate(p, lambda), wanted = evaluate(dense, lambda);
  EXPECT_NEAR(ours.natural, wanted.natural, 1e-9 * wanted.natural);
  EXPECT_NEAR(ours.dual, wanted.dual, 1e-9 * wanted.dual);
}

// Not an assertion: the numbers of docs/delassus.md come from here.
TEST_P(Backends, Times) {
  const Posed robot = pose_robot(GetParam(), 3);
  const ContactProblem p = body_space_problem(robot);
  const TreeDelassus tree(*robot.world, *robot.layout, robot.kinematics, robot.points);
  const Delassus dense = Delassus::from_dense(robot.G, p.G.start);
  KktDelassus kkt;
  GrowingVec scratch;
  Vec x = Vec::Ones(p.rows()), y(p.rows());
  const auto best = [](auto work) {
    double least = 1e9;
    for (int k = 0; k < 2000; ++k) {
      const auto start = std::chrono::steady_clock::now();
      work();
      least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return 1e6 * least;
  };
  const double load = best([&] { kkt.load(p); }), update = best([&] { kkt.set_damping(1e-3); });
  const double solve = best([&] {
    kkt.solve_in_place(x.data());
    x.setOnes();
  });
  std::printf(
      "%s: %d rows, %d velocities; us: load %.2f, damping update %.2f, solve %.2f; product dense %.2f, body space "
      "%.2f, tree passes %.2f\n",
      GetParam(), p.rows(), robot.world->nv, load, update, solve,
      best([&] { dense.multiply(x.data(), y.data(), scratch); }),
      best([&] { p.G.multiply(x.data(), y.data(), scratch); }), best([&] { tree.multiply(x.data(), y.data()); }));
}

INSTANTIATE_TEST_SUITE_P(Robots, Backends,
                         ::testing::Values("solo_description/robots/solo12.urdf",
                                           "talos_data/robots/talos_reduced.urdf",
                                           "talos_data/robots/talos_full_v2.urdf"));

}  // namespace
}  // namespace stiction
