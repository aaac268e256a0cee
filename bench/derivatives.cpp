// SPDX-License-Identifier: BSD-2-Clause
// Time of one factorisation + one JVP (g, G, μ, R) + one VJP (g, μ, R) of contact derivatives, without Python:
//   stiction_bench_derivatives        median and smallest of many calls, in nanoseconds
// Full rank: contacts on bodies with velocities to spare. Hyperstatic: the cube on four points.
#include <stiction/problem/judge.h>
#include <stiction/problem/reference_problems.h>
#include <stiction/solver/catalog.h>
#include <stiction/solver/core/solver.h>
#include <stiction/solver/derivative/derivatives.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using namespace stiction;

// n contacts, G = J Jᵀ + s I; without `push` they are loosely coupled and all stick.
ContactProblem full_rank(int contacts, FrictionLaw law, double mu, double push) {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const int n = 3 * contacts;
  Mat J(n, n + 4);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n + 4; ++j) J(i, j) = (push > 0.0 ? 0.3 : 0.1) * u(rng);
  Vec g(n);
  for (int i = 0; i < contacts; ++i) g.segment<3>(3 * i) << push * u(rng), push * u(rng), -1.0 + 0.2 * u(rng);
  return ContactProblem::from_dense(J * J.transpose() + (push > 0.0 ? 0.05 : 1.0) * Mat::Identity(n, n), g,
                                    Vec::Constant(contacts, mu), law, 1e-3);
}

void measure(const char* label, const ContactProblem& p) {
  Vec lambda = Vec::Zero(p.rows());
  make_solver("admm", {{"max_iterations", 20000}})->solve(p, lambda);
  const int n = p.rows(), calls = 2001;
  const Vec one = Vec::Ones(n);
  const Mat dG = Mat::Ones(n, n);
  Vec dlambda(n), du(n), g(n), R(n), mu(n);
  ContactDerivatives d;
  std::vector<double> times;
  for (int k = 0; k < calls; ++k) {
    const auto start = std::chrono::steady_clock::now();
    d.factor(p, lambda);
    d.jvp({one.data(), dG.data(), one.data(), one.data()}, dlambda.data(), du.data());
    d.vjp(one.data(), nullptr, {g.data(), mu.data(), R.data()});
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  int modes[4] = {};
  for (const BlockTangent& t : d.blocks()) ++modes[static_cast<int>(t.mode)];
  std::printf(
      "%-26s %3d contacts (%2d stick %2d slide %2d break)  unknowns %2d  rank %2d  median %7.0f ns  smallest %7.0f ns"
      "  judge %.1e\n",
      label, n / 3, modes[1], modes[2], modes[0], d.unknowns(), d.rank(), times[times.size() / 2], times[0],
      evaluate(p, lambda).ratio);
}

}  // namespace

int main() {
  for (const auto kind : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (const int contacts : {4, 12}) {
      measure(kind == FrictionLaw::coulomb ? "coulomb, sticking" : "convex, sticking",
              full_rank(contacts, {kind}, 1.0, 0.0));
      measure(kind == FrictionLaw::coulomb ? "coulomb, mixed" : "convex, mixed", full_rank(contacts, {kind}, 0.5, 0.7));
    }
  measure("coulomb, hyperstatic", reference::rp3());
  measure("coulomb, hyperstatic slide", reference::rp1());
  measure("coulomb, hyperstatic stack", reference::rp2());
}
