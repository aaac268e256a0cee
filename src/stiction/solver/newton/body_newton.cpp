// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/solver/newton/body_newton.h>

#include <algorithm>
#include <limits>

namespace stiction {

namespace {

constexpr int kInnerSteps = 20, kHalvings = 7;
constexpr double kInnerRatio = 0.1;

double norm(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

// C (6×6, column-major) += X Yᵀ summed over three rows of X and Y, both 3×6 row-major.
inline void accumulate_3x6(double* __restrict__ C, const double* __restrict__ X, const double* __restrict__ Y) {
  for (int j = 0; j < 6; ++j) {
    const double y0 = Y[j], y1 = Y[6 + j], y2 = Y[12 + j];
    for (int i = 0; i < 6; ++i) C[j * 6 + i] += X[i] * y0 + X[6 + i] * y1 + X[12 + i] * y2;
  }
}

}  // namespace

void BodyNewton::prepare(const ContactProblem& problem) {
  const int rows = problem.rows();
  steps_ = factorisations_ = 0;
  map_terms(problem);
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

// Which block of the factor each pair of terms adds to.
void BodyNewton::map_terms(const ContactProblem& problem) {
  const BodySpace& body = problem.G.body;
  groups_of_terms_.clear();
  for (const BodySpace::Term& t : body.terms) groups_of_terms_.push_back(t.group);
  full_.resize(body.terms.size());
  for (std::size_t t = 0; t < body.terms.size(); ++t) {
    const int group = body.terms[t].group;
    full_[t] = body.terms[t].width == 6 && body.group_start[group + 1] - body.group_start[group] == 6;
  }
  factor_.begin_pattern(body.group_start);
  for (std::size_t i = 0; i + 1 < body.term_start.size(); ++i)
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t) factor_.connect(body.terms[s].group, body.terms[t].group);
  factor_.finish_pattern();
  pair_start_.clear(), pair_block_.clear();
  for (std::size_t i = 0; i + 1 < body.term_start.size(); ++i) {
    pair_start_.push_back(static_cast<int>(pair_block_.size()));
    for (int s = body.term_start[i]; s < body.term_start[i + 1]; ++s)
      for (int t = s + 1; t < body.term_start[i + 1]; ++t) {
        const int a = body.terms[s].group, b = body.terms[t].group;
        const bool a_later = factor_.position(a) > factor_.position(b);
        pair_block_.push_back(a == b ? -1 : factor_.find_block(a_later ? a : b, a_later ? b : a));
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

void BodyNewton::multiply(const ContactProblem& problem, const double* velocity, double* u) const {
  const BodySpace& body = problem.G.body;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    double* ui = u + b.row;
    std::fill(ui, ui + b.size, 0.0);
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      const int* column = body.column.data() + term.columns;
      if (full_[t] && b.size == 3) {
        const double* w = velocity + column[0];
        for (int k = 0; k < 3; ++k) {
          const double* row = h + 6 * k;
          ui[k] += (row[0] * w[0] + row[1] * w[1]) + (row[2] * w[2] + row[3] * w[3]) + (row[4] * w[4] + row[5] * w[5]);
        }
        continue;
      }
      for (int k = 0; k < b.size; ++k)
        for (int c = 0; c < term.width; ++c) ui[k] += h[k * term.width + c] * velocity[column[c]];
    }
  }
}

void BodyNewton::multiply_transposed(const ContactProblem& problem, const double* lambda, double* velocity) const {
  const BodySpace& body = problem.G.body;
  std::fill(velocity, velocity + body.velocities, 0.0);
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const Block& b = problem.blocks[i];
    const double* x = lambda + b.row;
    if (b.size == 3 && x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0) continue;
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      const int* column = body.column.data() + term.columns;
      if (full_[t] && b.size == 3) {
        double* w = velocity + column[0];
        for (int c = 0; c < 6; ++c) w[c] += h[c] * x[0] + h[6 + c] * x[1] + h[12 + c] * x[2];
        continue;
      }
      for (int k = 0; k < b.size; ++k)
        for (int c = 0; c < term.width; ++c) velocity[column[c]] += h[k * term.width + c] * x[k];
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

// A(group s, group t) += H_sᵀ (D ρ H_t); `scaled` is D ρ H_t.
void BodyNewton::add_term_pair(const ContactProblem& problem, int block, int s, int t, const double* scaled, int pair) {
  const BodySpace& body = problem.G.body;
  const BodySpace::Term &ts = body.terms[s], &tt = body.terms[t];
  const double* h = body.values.data() + ts.offset;
  const bool lower = factor_.position(ts.group) > factor_.position(tt.group);
  const bool same = ts.group == tt.group;
  if (!same && !lower && symmetric_) return;
  double* target = same ? factor_.diagonal(ts.group) : (lower ? factor_.lower(pair) : factor_.upper(pair));
  const int size = problem.blocks[block].size;
  const bool plain = same || lower;  // else the transposed block is stored
  if (full_[s] && full_[t] && size == 3) {
    plain ? accumulate_3x6(target, h, scaled) : accumulate_3x6(target, scaled, h);
    return;
  }
  const int* cs = body.column.data() + ts.columns;
  const int* ct = body.column.data() + tt.columns;
  const int s0 = body.group_start[ts.group], t0 = body.group_start[tt.group];
  const int ld = plain ? factor_.group_size(ts.group) : factor_.group_size(tt.group);
  for (int k = 0; k < size; ++k)
    for (int c = 0; c < tt.width; ++c) {
      const double y = scaled[k * tt.width + c];
      if (y == 0.0) continue;
      for (int r = 0; r < ts.width; ++r) {
        const int i = cs[r] - s0, j = ct[c] - t0;
        target[plain ? j * ld + i : i * ld + j] += h[k * ts.width + r] * y;
      }
    }
}

void BodyNewton::assemble(const ContactProblem& problem) {
  const BodySpace& body = problem.G.body;
  factor_.set_identity(!symmetric_);
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const ContactSlope& slope = slope_[i];
    if (slope.mode == Branch::open) continue;
    const Block& b = problem.blocks[i];
    const int begin = body.term_start[i], end = body.term_start[i + 1], terms = end - begin;
    for (int t = begin; t < end; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      grow(scaled_, b.size * term.width);
      double* y = scaled_.data();
      for (int k = 0; k < b.size; ++k)
        for (int c = 0; c < term.width; ++c) y[k * term.width + c] = rho_[b.row + k] * h[k * term.width + c];
      if (slope.mode == Branch::slip) {
        for (int c = 0; c < term.width; ++c) {
          const double x[3] = {y[c], y[term.width + c], y[2 * term.width + c]};
          double z[3];
          slope.apply_slip(x, z);
          y[c] = z[0], y[term.width + c] = z[1], y[2 * term.width + c] = z[2];
        }
      }
      for (int s = begin; s < end; ++s) {
        const int lo = std::min(s, t) - begin, hi = std::max(s, t) - begin;
        const int pair = s == t ? -1 : pair_block_[pair_start_[i] + lo * terms - lo * (lo + 1) / 2 + hi - lo - 1];
        add_term_pair(problem, static_cast<int>(i), s, t, y, pair);
      }
    }
  }
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

bool BodyNewton::factor() {
  ++factorisations_;
  return symmetric_ ? factor_.factor_cholesky() : factor_.factor_lu();
}

// Moves ŵ along the step; returns the new ‖F‖. On return u_, p_, force_ (= Hᵀp) belong to the new ŵ.
double BodyNewton::line_search(const ContactProblem& problem, double merit) {
  const int n = w_.size(), rows = problem.rows();
  multiply(problem, step_.data(), du_.data());
  double best_merit = std::numeric_limits<double>::infinity(), best_a = 0.0, a = 1.0;
  const auto try_step = [&](double length) {
    for (int i = 0; i < n; ++i) trial_w_[i] = w_[i] + length * step_[i];
    for (int i = 0; i < rows; ++i) trial_u_[i] = u_[i] + length * du_[i];
    evaluate_map(problem, trial_u_.data(), p_.data());
    multiply_transposed(problem, p_.data(), force_.data());
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
  if (merit <= 1e-14 * norm(w_.data(), n)) return true;
  for (int i = 0; i < n; ++i) step_[i] = w_[i] - force_[i];
  multiply(problem, step_.data(), du_.data());
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
    multiply_transposed(problem, p_.data(), force_.data());
    for (int i = 0; i < n; ++i) step_[i] = w_[i] - force_[i];
    merit = norm(step_.data(), n);
    inner = 0;
  };
  const auto restart = [&](const double* from) {
    std::copy(from, from + rows, lambda_.data());
    multiply_transposed(problem, lambda_.data(), w_.data());
    multiply(problem, w_.data(), u_.data());
    refresh();
  };
  restart(start);
  for (int step = 0; step < schedule.max_steps; ++step) {
    if (step > 0) best.ask_again();
    if (best.out_of_time()) break;
    if (step == 0) close_kinks(problem);
    assemble(problem);
    ++steps_;
    if (!factor()) return false;
    for (int i = 0; i < n; ++i) step_[i] = force_[i] - w_[i];
    factor_.solve(step_.data());
    merit = line_search(problem, merit);
    if (!std::isfinite(merit)) return false;
    best.observe(problem, p_.data(), steps_);
    if (best.offer(problem, p_.data())) return true;
    if (inner_solved(problem, merit)) {
      std::copy(p_.data(), p_.data() + rows, lambda_.data());
      kappa = std::min(kappa * schedule.growth, schedule.cap);
      refresh();
    } else if (++inner >= kInnerSteps) {
      kappa = std::max(kappa / (schedule.growth * schedule.growth), 1e-3);
      restart(best.lambda());
    }
  }
  return false;
}

// A step of a simulation must come to an end: more stages take seconds and rarely help where these do not, and a tower
// whose blocks do not fit stands on the impulses of interior points until it has settled.
BodyNewton::WarmStage BodyNewton::run_warm(const ContactProblem& problem, const double* guess,
                                           const BodySchedule& schedule, Progress& best) {
  constexpr double kNear = 1e4;  // in tolerances: from here the active set is known
  constexpr int kNearSteps = 6, kClimbSteps = 60, kInterior = 40, kPolishSteps = 25;
  const int limit = steps_ + schedule.max_steps;
  const auto budget = [&](int steps) { return std::max(0, std::min(steps, limit - steps_)); };
  const auto newton = [&](const double* start, double kappa, int steps) {
    return run(problem, start, {kappa, schedule.growth, schedule.cap, budget(steps)}, best);
  };
  if (best.judge(problem, guess).ratio < kNear && newton(guess, 1e4, kNearSteps)) return WarmStage::near;
  if (newton(guess, schedule.kappa, kClimbSteps)) return WarmStage::climb;
  if (run_interior(problem, budget(kInterior), best)) return WarmStage::interior;
  if (std::isfinite(best.ratio())) newton(best.lambda(), 1e3, kPolishSteps);
  return WarmStage::stiff;
}

bool BodyNewton::run_interior(const ContactProblem& problem, int iterations, Progress& best) {
  constexpr int kStall = 15;  // iterations within which the residual must halve
  interior_.load(problem, false, false);
  double halved = std::numeric_limits<double>::infinity();
  for (int k = 0, since = 0; k < iterations && since < kStall && !best.out_of_time(); ++k, ++since) {
    ++steps_, ++factorisations_;
    if (!interior_.step(problem, false)) return false;
    interior_.write(problem, trial_u_.data());
    best.observe(problem, trial_u_.data(), steps_);
    if (best.offer(problem, trial_u_.data())) return true;
    if (const double ratio = best.judge(problem, trial_u_.data()).ratio; ratio <= 0.5 * halved)
      halved = ratio, since = 0;
  }
  return false;
}

}  // namespace stiction
