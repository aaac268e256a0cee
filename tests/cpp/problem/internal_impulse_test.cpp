// SPDX-License-Identifier: BSD-2-Clause
// contact-models 14, test 14: the pulled cube, where the minimum-norm impulse is known in closed form.
#include <gtest/gtest.h>
#include <stiction/base/invalid_input.h>
#include <stiction/base/random.h>
#include <stiction/cone/coulomb_cone.h>
#include <stiction/problem/internal_impulse.h>
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include "solver/solver_support.h"

namespace stiction {
namespace {

TEST(InternalImpulse, IsWhatMovesNothing) {
  const ContactProblem p = reference::rp3();
  const Vec shortest = reference::rp3_minimum_norm();
  EXPECT_LE(internal_impulse(p, shortest).norm(), 1e-12 * shortest.norm());
  const Vec squeeze = (Vec(12) << 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0).finished();  // two corners pull at each other
  EXPECT_LE((internal_impulse(p, shortest + squeeze) - squeeze).norm(), 1e-12);
  EXPECT_LE((p.G.densify() * internal_impulse(p, Vec::Ones(12))).norm(), 1e-12);
  EXPECT_THROW(internal_impulse(p, Vec::Ones(11)), InvalidInput);
}

// A compliant contact has no null space.
TEST(InternalImpulse, ComplianceRemovesIt) {
  ContactProblem p = reference::rp3();
  p.compliance.assign(12, 0.1);
  EXPECT_LE(internal_impulse(p, Vec::Ones(12)).norm(), 1e-12);
}

// A random feasible warm start: the same motion, other internal forces, and they are seen.
TEST(InternalImpulse, WarmStartsBringTheirOwn) {
  const ContactProblem p = reference::rp3();
  const Vec cold = test::run("admm", p, {{"tolerance", 1e-11}}).lambda;
  EXPECT_LE((cold - reference::rp3_minimum_norm()).norm(), 1e-8 * cold.norm());
  EXPECT_LE(internal_impulse(p, cold).norm(), 1e-8 * cold.norm());
  Random random(7);
  Vec warm(12);
  for (int i = 0; i < 4; ++i)
    warm.segment<3>(3 * i) = CoulombCone{0.4}.project(1e-2 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1.0));
  const Report report = make_solver("admm", {{"tolerance", 1e-11}})->solve(p, warm);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE((test::velocity(p, warm) - test::velocity(p, cold)).norm(), 1e-8);
  EXPECT_GE(internal_impulse(p, warm).norm(), 1e-3 * cold.norm());
}

}  // namespace
}  // namespace stiction
