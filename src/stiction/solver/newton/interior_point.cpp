// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/newton/interior_point.h>
#include <stiction/solver/newton/ppa_newton.h>

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kStiff = 1e3;  // penalty of the polish in body space

// ρ of the natural map: 1 over the Frobenius norm of the diagonal block.
double step_size(const ContactProblem& p, int i) {
  const Block& b = p.blocks[i];
  double square = 0.0;
  for (int r = 0; r < b.size; ++r)
    for (int c = 0; c < b.size; ++c) {
      const double w = p.G.diagonal_block(i)[r * b.size + c] + (r == c ? p.R(b.row + r) : 0.0);
      square += w * w;
    }
  return square > 0.0 ? 1.0 / std::sqrt(square) : 1.0;
}

}  // namespace

// One step of the natural map from the guess. From λ = 0 it counts only if nothing moves: then zero is the solution, which
// interior points approach but never give.
bool InteriorPoint::try_guess(const ContactProblem& p, VecOut guess) {
  const int n = p.rows();
  double* x = lambda_.data();
  std::copy_n(guess.data(), n, x);
  project_blocks(p, x);
  const bool zero = std::all_of(x, x + n, [](double value) { return value == 0.0; });
  natural_step(p, 1.0, x);
  if (zero && std::any_of(x, x + n, [](double value) { return value != 0.0; })) return false;
  ++iterations_;
  best_.observe(p, x, iterations_);
  return best_.offer(p, x);
}

void InteriorPoint::natural_step(const ContactProblem& p, double share, double* x) {
  u_.resize(p.rows());
  p.G.multiply(x, u_.data(), scratch_);
  for (int i = 0; i < p.G.blocks(); ++i) {
    const Block& b = p.blocks[i];
    double* u = u_.data() + b.row;
    for (int k = 0; k < b.size; ++k) u[k] += p.g[b.row + k] + p.R(b.row + k) * x[b.row + k];
    if (b.kind == BlockKind::coulomb && p.law.kind == FrictionLaw::coulomb) u[2] += b.mu * std::hypot(u[0], u[1]);
    if (b.kind == BlockKind::patch && p.law.kind == FrictionLaw::coulomb)
      u[b.size - 1] += RoundCone{b.mu, b.size}.shift(u);
    const double rho = share * step_size(p, i);
    for (int k = 0; k < b.size; ++k) x[b.row + k] -= rho * u[k];
    project_block(b, p.law, x + b.row);
  }
}

// Interior iterations from one of the starts. True if the judge accepted one.
bool InteriorPoint::run(const ContactProblem& p, NipmCore::Start start) {
  begin_stage();
  const NipmCore::End end = core_.run(p, start, options_.max_iterations - iterations_, options_.stall_window, 0, best_);
  iterations_ += core_.iterations(), factorisations_ += core_.iterations() + start.far;
  failed_ = failed_ || end == NipmCore::End::failed;
  return end == NipmCore::End::accepted;
}

bool InteriorPoint::polish(const ContactProblem& p) {
  begin_stage();
  const int budget = std::min(options_.polish, options_.max_iterations - iterations_);
  if (prefers_body_space(p)) {
    body_.prepare(p);
    const bool done = body_.run(p, best_.lambda(), {kStiff, 5.0, 1e6, budget}, best_);
    iterations_ += body_.steps();
    factorisations_ += body_.factorisations();
    return done;
  }
  newton_.load(p);
  const bool done = newton_.run(p, best_.lambda(), {10.0, 1e-4, false, budget}, best_);
  iterations_ += newton_.steps() + newton_.sweeps();
  factorisations_ += newton_.factorisations();
  return done;
}

const char* InteriorPoint::run_stages(const ContactProblem& p, VecOut lambda) {
  constexpr const char* kPath[3][2] = {{kName, "interior_point>polish"},
                                       {"interior_point>far", "interior_point>far>polish"},
                                       {"interior_point>far>damped", "interior_point>far>damped>polish"}};
  if (try_guess(p, lambda) || exhausted()) return "natural_map";
  const bool alike = NipmCore::spread(p) > options_.equilibrate, convex = p.law.kind == FrictionLaw::convex;
  const bool patches = has_patches(p);  // the polish knows contacts of three rows
  for (int k = 0;; ++k) {
    const bool last = k + 1 == options_.attempts;
    if (run(p, {k == 2 ? !alike : alike, k == 1 || (k == 2 && convex), k == 2}) || exhausted()) return kPath[k][0];
    const bool polished = options_.polish > 0 && !convex && !patches;
    if (polished && (polish(p) || exhausted() || last)) return kPath[k][1];
    if (last) return kPath[k][0];
  }
}

Report InteriorPoint::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<InteriorPoint>(p)) return refuse(kName);
  start(p, lambda);
  iterations_ = factorisations_ = 0;
  failed_ = false;
  if (!data_finite(p)) return best_.finish(p, kName, lambda);
  lambda_.resize(p.rows()), u_.resize(p.rows());
  const char* path = run_stages(p, lambda);
  const Status otherwise =
      exhausted() ? Status::max_iterations : (failed_ ? Status::numerical_failure : Status::stalled);
  Report report = best_.finish(p, otherwise, path, lambda);
  report.iterations = iterations_;
  report.factorisations = factorisations_;
  return report;
}

}  // namespace stiction
