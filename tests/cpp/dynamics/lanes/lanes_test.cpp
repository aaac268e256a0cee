// SPDX-License-Identifier: BSD-2-Clause
// Oracle: the passes of dynamics/kernels, one environment after the other, to the last bit.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/dynamics/kernels/tree_factor.h>
#include <stiction/dynamics/lanes/lane_plan.h>

#include <bit>
#include <cstdint>

#include "support/random_tree.h"

namespace stiction {
namespace {

using test::RandomTree;

// Joints of one velocity. Two legs (3, 4, 5 and 6, 7, 8) on body 1 are built alike, the others are not; a free body stands beside.
// Even seeds float.
struct Legged {
  explicit Legged(int seed) : tree(seed, 12) {
    World& w = tree.world;
    const int parents[12] = {kWorldBody, 0, 0, 1, 3, 3, 1, 6, 6, 2, 9, 0};
    const JointKind kinds[3] = {JointKind::revolute, JointKind::continuous, JointKind::prismatic};
    for (int i = 1; i < 12; ++i) {
      Body& b = w.bodies[i];
      const int like = i >= 6 && i < 9 ? i - 3 : i;
      const bool leg = like >= 3 && like < 6;
      b.parent = parents[i];
      b.joint = kinds[(like + seed) % (leg ? 2 : 3)];
      b.axis = (like + seed) % 4 == 3 ? Vec3(0.6, 0.0, 0.8) : Vec3(Vec3::Unit((like + seed) % 3));
      if ((i + seed) % 3 == 0) b.placement.rotation.setIdentity();
      if (like == 4 || i == 10) b.inertia = {0.0, Vec3::Zero(), Mat3::Zero()};
    }
    w.nq = w.nv = 0;
    for (Tree& t : w.trees) {
      t.q = w.nq, t.v = w.nv;
      for (int i = t.first_body; i < t.first_body + t.bodies; ++i) {
        Body& b = w.bodies[i];
        b.q = w.nq, b.v = w.nv;
        w.nq += sizes(b.joint).nq, w.nv += sizes(b.joint).nv;
      }
      t.nq = w.nq - t.q, t.nv = w.nv - t.v;
    }
    w.joint_damping = w.dry_friction = w.stiffness = Vec::Zero(w.nv);
    w.upper = w.effort_limit = w.actuation_upper = Vec::Constant(w.nv, kInfinity);
    w.lower = w.actuation_lower = -w.upper;
    w.spring_q = Vec::Zero(w.nq);
    w.armature = 0.1 * tree.vector(w.nv).cwiseAbs();
  }

  // Angles up to `turns` radians.
  Vec draw_q(double turns) const {
    Vec q = turns * tree.vector(tree.world.nq);
    for (const Body& b : tree.world.bodies) {
      if (b.joint == JointKind::free) q.segment<4>(b.q + 3).normalize();
      if (b.joint == JointKind::continuous) q.segment<2>(b.q).normalize();
    }
    return q;
  }

  RandomTree tree;
};

struct One {
  Vec q, v, z;
  Kinematics k;
};

bool same(const double* a, const double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}
bool same(const std::vector<double>& a, const std::vector<double>& b) { return same(a.data(), b.data(), a.size()); }
template <class T>
const double* numbers(const T& x) {
  return reinterpret_cast<const double*>(&x);
}

void expect_same(const World& w, const One& wanted, const One& found, bool factor) {
  namespace at = lane_place;
  for (std::size_t b = 0; b < w.bodies.size(); ++b)
    EXPECT_TRUE(same(numbers(wanted.k.bodies[b]), numbers(found.k.bodies[b]), at::f)) << "motion of body " << b;
  for (const Tree& t : w.trees) {
    if (t.free_body) continue;
    EXPECT_TRUE(same(numbers(wanted.k.bodies[t.first_body]) + at::f, numbers(found.k.bodies[t.first_body]) + at::f,
                     at::body - at::f));
  }
  for (int j = 0; j < w.nv; ++j) EXPECT_TRUE(same(numbers(wanted.k.columns[j]), numbers(found.k.columns[j]), 6)) << j;
  EXPECT_TRUE(same(wanted.k.bias, found.k.bias));
  EXPECT_TRUE(same(wanted.k.factor, found.k.factor)) << (factor ? "factor" : "M");
  if (!factor) return;
  EXPECT_TRUE(same(wanted.k.inverse_diagonal, found.k.inverse_diagonal));
  EXPECT_TRUE(same(wanted.z.data(), found.z.data(), w.nv));
}

class Lanes : public ::testing::TestWithParam<std::tuple<std::string, int>> {};
INSTANTIATE_TEST_SUITE_P(Sets, Lanes,
                         ::testing::Combine(::testing::Values("sse2", "avx2", "avx512"), ::testing::Range(0, 12)),
                         [](const auto& one) {
                           return std::get<0>(one.param) + "_" + std::to_string(std::get<1>(one.param));
                         });

TEST_P(Lanes, TakeTheBitsOfOneAlone) {
  const auto& [name, seed] = GetParam();
  const std::vector<std::string> here = available_lanes();
  if (std::find(here.begin(), here.end(), name) == here.end()) GTEST_SKIP() << "this machine has no " << name;
  const Legged robot(seed);
  const World& w = robot.tree.world;
  const Layout layout(w);
  ASSERT_FALSE(layout.twins.empty());
  const LanePlan plan(w, layout);
  ASSERT_TRUE(plan.knows(0) && !plan.knows(1));
  LaneWork lanes(plan, *find_lanes(name));
  for (int count = 2; count <= lanes.width(); ++count) {
    const double turns = count == 2 ? 3e5 : 4.0;
    std::vector<One> alone(static_cast<std::size_t>(count)), together;
    for (One& one : alone) {
      one.q = robot.draw_q(turns), one.v = 3.0 * robot.tree.vector(w.nv), one.z = robot.tree.vector(w.nv);
      one.k.resize(w, layout);
    }
    together = alone;
    const Vec more = robot.tree.vector(w.nv).cwiseAbs();
    for (One& one : alone) fused_pass(w, layout, one.q.data(), one.v.data(), Purpose::step, one.k);
    std::vector<LaneEnvironment> group;
    for (One& one : together) {
      place_root(w, layout, w.trees[0], one.q.data(), one.v.data(), one.k);
      fused_pass(w, layout, w.trees[1], one.q.data(), one.v.data(), Purpose::step, one.k);
      group.push_back({one.q.data(), one.v.data(), &one.k, one.z.data()});
    }
    lanes.pass(group);
    for (int l = 0; l < count; ++l) expect_same(w, alone[l], together[l], false);
    for (std::vector<One>* set : {&alone, &together})
      for (One& one : *set)
        for (int j = 0; j < w.trees[0].nv; ++j) one.k.factor[layout.row[j] + layout.depth[j]] += more[j];
    for (One& one : alone) {
      factorise(layout, w.trees[0], one.k);
      solve_transposed(layout, w.trees[0], one.k, one.z.data());
    }
    lanes.whiten(group);
    for (int l = 0; l < count; ++l) expect_same(w, alone[l], together[l], true);
  }
}

TEST(LaneChoice, NamesOtherWords) {
  EXPECT_EQ(find_lanes("off"), nullptr);
  EXPECT_THROW(find_lanes("neon"), InvalidInput);
  EXPECT_EQ(available_lanes().front(), "off");
}

}  // namespace
}  // namespace stiction
