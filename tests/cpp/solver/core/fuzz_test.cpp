// SPDX-License-Identifier: BSD-2-Clause
// Every solver on random problems: 1 to 20 contacts on 1 to 6 bodies (rank deficient when contacts outnumber
// velocities), mass ratios to 1e6, μ from 0 to 2 with zeros among them, sometimes compliant, repeated or opening contacts.
// Whatever comes out is finite, and `converged` is said exactly when the judge agrees. 10 000 problems with
// STICTION_FULL=1, a sample of them otherwise; the shares solved are in docs/solvers.md.
#include <gtest/gtest.h>
#include <stiction/base/random.h>
#include <stiction/problem/judge.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "solver/solver_support.h"
#include "support/heap_count.h"

namespace stiction {
namespace {

ContactProblem random_problem(std::uint64_t seed, FrictionLaw law) {
  Random random(seed);
  const auto pick = [&](int n) { return random.index(n); };
  const int contacts = 1 + pick(20), bodies = 1 + pick(6), n = 3 * contacts;
  Mat H = Mat::Zero(n, 6 * bodies);
  for (int i = 0; i < contacts; ++i) {
    if (i > 0 && pick(8) == 0) {
      H.middleRows(3 * i, 3) = H.middleRows(3 * pick(i), 3);  // the same contact once more
      continue;
    }
    const int a = pick(bodies), b = pick(bodies + 1);  // b = bodies: the ground
    H.block(3 * i, 6 * a, 3, 6) = random.uniform_matrix(3, 6, -1.0, 1.0);
    if (b < bodies && b != a) H.block(3 * i, 6 * b, 3, 6) = random.uniform_matrix(3, 6, -1.0, 1.0);
  }
  Vec v = random.uniform_vector(6 * bodies, -1.0, 1.0);
  for (int b = 0; b < bodies; ++b) {
    const double mass = std::pow(10.0, random.uniform(-3.0, 3.0));
    H.middleCols(6 * b, 6) /= std::sqrt(mass);
    v.segment(6 * b, 6) *= std::sqrt(mass);
  }
  Vec g = H * v;  // reachable: without it jammed problems would have no solution at all
  if (pick(10) == 0) g += random.uniform_vector(n, -0.1, 0.1);
  Vec mu = random.uniform_vector(contacts, 0.0, 2.0);
  for (int i = 0; i < contacts; ++i)
    if (pick(6) == 0) mu[i] = 0.0;
  ContactProblem p = ContactProblem::from_dense(H * H.transpose(), g, mu, law, 1e-3);
  if (pick(5) == 0) p.compliance.assign(n, std::pow(10.0, random.uniform(-6.0, 0.0)));
  return p;
}

void fuzz(const SolverInfo& s, FrictionLaw law, int problems) {
  const auto solver = s.make({{"max_iterations", 300}});
  int solved = 0;
  for (int k = 0; k < problems; ++k) {
    const ContactProblem p = random_problem(static_cast<std::uint64_t>(k), law);
    Vec lambda = Vec::Zero(p.rows());
    const Report r = solver->solve(p, lambda);
    const Residual own = evaluate(p, lambda);
    ASSERT_TRUE(lambda.allFinite()) << k;
    ASSERT_EQ(r.status == Status::converged, own.accepted()) << k << " " << name(r.status) << " " << own.ratio;
    ASSERT_NE(r.status, Status::invalid_problem) << k;
    ASSERT_FALSE(std::isnan(r.own.ratio)) << k;
    solved += own.accepted();
  }
  std::printf("  %-12s %-8s solves %5.1f %%\n", s.name.c_str(), name(law.kind), 100.0 * solved / problems);
}

class Fuzz : public testing::TestWithParam<std::string> {};

TEST_P(Fuzz, IsFiniteAndHonest) {
  const char* full = std::getenv("STICTION_FULL");
  const int problems = full && *full == '1' ? 10000 : test::kCountsAllocations ? 80 : 8;  // sanitizers are slow
  const SolverInfo& s = find_solver(GetParam());
  for (const FrictionLaw::Kind law : s.laws) {
    SCOPED_TRACE(name(law));
    fuzz(s, {law}, problems);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const SolverInfo& s : solver_catalog()) out.push_back(s.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(EverySolver, Fuzz, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& i) { return i.param; });

}  // namespace
}  // namespace stiction
