// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/linalg/whitened_rows.h>
#include <stiction/solver/newton/body_newton.h>

#include <algorithm>
#include <limits>

namespace stiction {

namespace {

constexpr int kBodySteps = 20, kHalvings = 7;
constexpr double kInnerRatio = 0.1;
constexpr double kDeep = 1e-3;  // of the tolerance

double norm(const GrowingVec& x) {
  double sum = 0.0;
  for (int i = 0; i < x.size(); ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

void BodyNewton::prepare(const ContactProblem& problem) {
  const int rows = problem.rows();
  steps_ = factorisations_ = 0;
  matrix_.prepare(problem, problem.G.body);
  slope_.resize(problem.blocks.size());
  for (GrowingVec* v : {&base_, &rho_, &shift_, &lambda_, &p_, &u_, &du_, &trial_u_}) v->resize(rows);
  for (GrowingVec* v : {&w_, &force_, &step_, &trial_w_}) v->resize(problem.G.body.velocities);
  const double floor = 1e-12 * mean_diagonal(problem);
  for (int i = 0; i < problem.G.blocks(); ++i) {
    const Block& b = problem.blocks[i];
    const double* d = problem.G.diagonal_block(i);
    double trace = 0.0;
    for (int k = 0; k < b.size; ++k) trace += d[k * b.size + k];
    for (int k = 0; k < b.size; ++k) {
      const double w = b.kind == BlockKind::bilateral ? d[k * b.size + k] : trace / b.size;
      base_[b.row + k] = 1.0 / std::max(w, floor);
    }
  }
}

void BodyNewton::set_penalty(const ContactProblem& problem, double kappa) {
  for (const Block& b : problem.blocks) {
    double compliance = 0.0;  // T1 and T2 share one ρ
    if (problem.compliant() && b.kind == BlockKind::coulomb)
      compliance = std::max(problem.R(b.row), problem.R(b.row + 1));
    for (int k = 0; k < b.size; ++k) {
      const int row = b.row + k;
      const double rho = kappa * base_[row];
      const double r = b.kind == BlockKind::coulomb && k < 2 ? compliance : problem.R(row);
      rho_[row] = rho / (1.0 + rho * r);
      shift_[row] = problem.g[row] + problem.R(row) * lambda_[row];
    }
  }
}

// p = P(λ − ρ(u + shift)) and the slopes; u excludes the shift.
void BodyNewton::evaluate_map(const ContactProblem& problem, const double* u, double* p) {
  symmetric_ = true;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    for (int k = b.row; k < b.row + b.size; ++k) p[k] = lambda_[k] - rho_[k] * (u[k] + shift_[k]);
    slope_[i] = alart_curnier_block(b, p + b.row, p + b.row);
    symmetric_ = symmetric_ && slope_[i].symmetric();
  }
}

// I + Hᵀ D ρ H and its factor.
bool BodyNewton::factor(const ContactProblem& problem) {
  const auto scale = [&](int i, const double* h, int width, double* y) {
    const ContactSlope& slope = slope_[i];
    const Block& b = problem.blocks[i];
    if (slope.mode == Branch::open) return false;
    for (int k = 0; k < b.size; ++k)
      for (int c = 0; c < width; ++c) y[k * width + c] = rho_[b.row + k] * h[k * width + c];
    if (slope.mode != Branch::slip) return true;
    for (int c = 0; c < width; ++c) {
      const double x[3] = {y[c], y[width + c], y[2 * width + c]};
      double z[3];
      slope.apply_slip(x, z);
      for (int k = 0; k < 3; ++k) y[k * width + c] = z[k];
    }
    return true;
  };
  ++factorisations_;
  matrix_.assemble(problem.G.body, problem.G.start, symmetric_, scale);
  return matrix_.factor();
}

const double* BodyNewton::zero(const ContactProblem& problem) {
  zero_.assign(problem.rows(), 0.0);
  return zero_.data();
}

// Contacts at the kink count as closed in the first matrix of a run. From λ = 0 a pile in free fall has u = 0 between its
// bodies: left open, they would close one layer per Newton step.
void BodyNewton::close_kinks(const ContactProblem& problem) {
  constexpr double kKink = 1e-6;  // of the largest free velocity
  double top = 0.0;
  for (int i = 0; i < problem.rows(); ++i) top = std::max(top, std::abs(problem.g[i]));
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    const int normal = b.row + b.size - 1;
    if (slope_[i].mode != Branch::open || b.kind == BlockKind::box) continue;
    if (lambda_[normal] - rho_[normal] * (u_[normal] + shift_[normal]) >= -kKink * rho_[normal] * top)
      slope_[i].mode = Branch::stick;
  }
}

// Moves ŵ along the step; returns the new ‖F‖. On return u_, p_, force_ (= Hᵀp) belong to the new ŵ.
double BodyNewton::line_search(const ContactProblem& problem, double merit) {
  const int n = w_.size(), rows = problem.rows();
  multiply_rows(problem.G.body, problem.G.start, step_.data(), du_.data());
  double best_merit = std::numeric_limits<double>::infinity(), best_a = 0.0, a = 1.0;
  const auto try_step = [&](double length) {
    for (int i = 0; i < n; ++i) trial_w_[i] = w_[i] + length * step_[i];
    for (int i = 0; i < rows; ++i) trial_u_[i] = u_[i] + length * du_[i];
    evaluate_map(problem, trial_u_.data(), p_.data());
    multiply_rows_transposed(problem.G.body, problem.G.start, p_.data(), force_.data());
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += (trial_w_[i] - force_[i]) * (trial_w_[i] - force_[i]);
    return std::sqrt(sum);
  };
  for (int h = 0; h <= kHalvings; ++h, a *= 0.5) {
    const double m = try_step(a);
    if (m < best_merit) best_merit = m, best_a = a;
    if (m < (1.0 - 0.1 * a) * merit) break;
  }
  if (best_a > 0.0 && best_a != a) best_merit = try_step(best_a);
  std::copy(trial_w_.data(), trial_w_.data() + n, w_.data());
  std::copy(trial_u_.data(), trial_u_.data() + rows, u_.data());
  return best_merit;
}

// ‖HF‖∞ ≤ 0.1 max |p − λ|/ρ, or F at round-off.
bool BodyNewton::inner_solved(const ContactProblem& problem, double merit) {
  const int n = w_.size();
  if (merit <= 1e-14 * norm(w_)) return true;
  for (int i = 0; i < n; ++i) step_[i] = w_[i] - force_[i];
  multiply_rows(problem.G.body, problem.G.start, step_.data(), du_.data());
  double error = 0.0, progress = 0.0;
  for (int i = 0; i < problem.rows(); ++i) {
    error = std::max(error, std::abs(du_[i]));
    progress = std::max(progress, std::abs(p_[i] - lambda_[i]) / rho_[i]);
  }
  return error <= kInnerRatio * progress;
}

bool BodyNewton::run(const ContactProblem& problem, const double* start, const BodySchedule& schedule, Progress& best) {
  const int n = problem.G.body.velocities, rows = problem.rows();
  double kappa = schedule.kappa, merit = 0.0;
  int inner = 0;
  const auto refresh = [&] {  // p, Hᵀp and ‖F‖ for the present ŵ, λ and κ
    set_penalty(problem, kappa);
    evaluate_map(problem, u_.data(), p_.data());
    multiply_rows_transposed(problem.G.body, problem.G.start, p_.data(), force_.data());
    for (int i = 0; i < n; ++i) step_[i] = w_[i] - force_[i];
    merit = norm(step_);
    inner = 0;
  };
  const auto restart = [&](const double* from) {
    std::copy(from, from + rows, lambda_.data());
    multiply_rows_transposed(problem.G.body, problem.G.start, lambda_.data(), w_.data());
    multiply_rows(problem.G.body, problem.G.start, w_.data(), u_.data());
    refresh();
  };
  restart(start);
  bool accepted = false;
  int more = schedule.deepen;
  for (int step = 0; step < schedule.max_steps; ++step) {
    if (step > 0) best.ask_again();
    if (best.out_of_time()) break;
    if (step == 0) close_kinks(problem);
    ++steps_;
    if (!factor(problem)) return accepted;
    for (int i = 0; i < n; ++i) step_[i] = force_[i] - w_[i];
    matrix_.solve(step_.data());
    merit = line_search(problem, merit);
    if (!std::isfinite(merit)) return accepted;
    best.observe(problem, p_.data(), steps_);
    if (best.offer(problem, p_.data()) || accepted) {
      accepted = true;
      if (best.ratio() <= kDeep || more-- == 0) return true;
    }
    if (inner_solved(problem, merit)) {
      std::copy(p_.data(), p_.data() + rows, lambda_.data());
      kappa = std::min(kappa * schedule.growth, schedule.cap);
      refresh();
    } else if (++inner >= kBodySteps) {
      kappa = std::max(kappa / (schedule.growth * schedule.growth), 1e-3);
      restart(best.lambda());
    }
  }
  return accepted;
}

// A step of a simulation must come to an end: more stages take seconds and rarely help where these do not, and a tower
// whose blocks do not fit stands on the impulses of interior points until it has settled.
BodyNewton::WarmStage BodyNewton::run_warm(const ContactProblem& problem, const double* guess,
                                           const BodySchedule& schedule, Progress& best) {
  constexpr double kNear = 1e4;  // in tolerances: from here the active set is known
  constexpr int kNearSteps = 6, kClimbSteps = 60, kInterior = 40, kPolishSteps = 25, kDeepSteps = 1;
  const int limit = steps_ + schedule.max_steps;
  const auto budget = [&](int steps) { return std::max(0, std::min(steps, limit - steps_)); };
  const auto newton = [&](const double* start, double kappa, int steps) {
    return run(problem, start, {kappa, schedule.growth, schedule.cap, budget(steps), kDeepSteps}, best);
  };
  if (best.judge(problem, guess).ratio < kNear && newton(guess, 1e4, kNearSteps)) return WarmStage::near;
  if (newton(guess, schedule.kappa, kClimbSteps)) return WarmStage::climb;
  if (run_interior(problem, budget(kInterior), best)) return WarmStage::interior;
  if (std::isfinite(best.ratio())) newton(best.lambda(), 1e3, kPolishSteps);
  return WarmStage::stiff;
}

bool BodyNewton::run_interior(const ContactProblem& problem, int iterations, Progress& best) {
  constexpr int kStall = 15;  // iterations within which the residual must halve
  const bool done = interior_.run(problem, {}, iterations, kStall, steps_, best) == NipmCore::End::accepted;
  steps_ += interior_.iterations(), factorisations_ += interior_.iterations();
  return done;
}

}  // namespace stiction
