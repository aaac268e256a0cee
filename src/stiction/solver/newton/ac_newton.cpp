// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/linalg/dense_factor.h>
#include <stiction/solver/newton/ac_newton.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kLineTrials = 8, kSparseFrom = 300;
constexpr int kActiveSetPatience = 100;  // full steps may take long to find the active set, or cycle
constexpr double kSingular = 1e-12;

AcSlope slope_of(const ContactSlope& s, bool contact) {
  AcSlope out;
  out.normal = s.mode != Branch::open;
  if (contact) out.tangent = s.mode, out.d1 = s.d1, out.d2 = s.d2, out.ratio = s.ratio;
  out.velocity = out.impulse = s.mu;
  return out;
}

// p = P(a) with the radius of λ_N itself; p may be a.
AcSlope jean_moreau_block(double mu, double normal, const double* a, double* p) {
  AcSlope s;
  const double t = std::sqrt(a[0] * a[0] + a[1] * a[1]), radius = mu * std::max(normal, 0.0);
  s.normal = a[2] > 0.0;
  p[2] = s.normal ? a[2] : 0.0;
  if (t <= radius && radius > 0.0) {
    s.tangent = Branch::stick;
    p[0] = a[0], p[1] = a[1];
  } else if (radius > 0.0) {
    s.tangent = Branch::slip;
    s.d1 = a[0] / t, s.d2 = a[1] / t, s.ratio = radius / t, s.impulse = mu;
    p[0] = radius * s.d1, p[1] = radius * s.d2;
  } else {
    p[0] = p[1] = 0.0;
  }
  return s;
}

bool well_pivoted(const double* LU, int n) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (int i = 0; i < n; ++i) {
    const double pivot = std::abs(LU[i * n + i]);
    low = std::min(low, pivot), high = std::max(high, pivot);
  }
  return n == 0 || low > kSingular * high;
}

}  // namespace

AcNewton::AcNewton(const Options& options)
    : Method(options),
      jean_moreau_(options.variant == "jean_moreau"),
      nsgs_(stage_options<NsgsOptions>(options, options.warm_sweeps)) {}

void AcNewton::load(const ContactProblem& p) {
  rows_ = p.rows();
  steps_ = factorisations_ = 0;
  const Delassus& G = p.G;
  use_sparse_ = !jean_moreau_ && rows_ > kSparseFrom && G.storage == Delassus::Storage::block_sparse;
  slope_.resize(p.blocks.size());
  contact_slope_.resize(p.blocks.size());
  for (GrowingVec* v : {&rho_, &lambda_, &u_, &F_, &d_, &image_, &pull_, &rhs_, &trial_lambda_, &trial_u_, &trial_F_})
    v->resize(rows_);
  alart_curnier_steps(p, options_.rho_factor, 0.0, 1e-14 * mean_diagonal(p), rho_.data());
  if (use_sparse_) return sparse_.load(p);
  G.densify(W_, trial_lambda_, scratch_);
  for (int i = 0; i < rows_; ++i) W_[i * rows_ + i] += p.R(i);
}

void AcNewton::multiply(const double* x, double* y) const {
  if (use_sparse_) return sparse_.multiply(x, y);
  for (int i = 0; i < rows_; ++i) {
    const double* w = W_.data() + i * rows_;
    double sum = 0.0;
    for (int j = 0; j < rows_; ++j) sum += w[j] * x[j];
    y[i] = sum;
  }
}

void AcNewton::velocity(const ContactProblem& p) {
  multiply(lambda_.data(), u_.data());
  for (int i = 0; i < rows_; ++i) u_[i] += p.g[i];
}

// F and the slopes at λ; returns ‖F‖.
double AcNewton::map_norm(const ContactProblem& p, const double* lambda, const double* u, double* F) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    double* a = F + b.row;
    for (int k = 0; k < b.size; ++k) a[k] = lambda[b.row + k] - rho_[b.row + k] * u[b.row + k];
    const bool contact = b.kind == BlockKind::coulomb;
    if (contact && jean_moreau_) {
      slope_[i] = jean_moreau_block(b.mu, lambda[b.row + 2], a, a);
    } else {
      contact_slope_[i] = alart_curnier_block(b, a, a);
      slope_[i] = slope_of(contact_slope_[i], contact);
    }
    for (int k = b.row; k < b.row + b.size; ++k) {
      F[k] = lambda[k] - F[k];
      sum += F[k] * F[k];
    }
  }
  return std::sqrt(sum);
}

// Rows with A = 0 and B = 1 are decided by themselves, d = −F; the others are `active_`.
void AcNewton::choose_rows(const ContactProblem& p) {
  active_.clear();
  place_.resize(rows_);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    for (int k = 0; k < b.size; ++k) {
      const int r = b.row + k;
      const bool tangent = b.kind == BlockKind::coulomb && k < 2;
      const bool active = tangent ? slope_[i].tangent != Branch::open : slope_[i].normal;
      pull_[r] = active ? 0.0 : -F_[r];
      place_[r] = active ? static_cast<int>(active_.size()) : -1;
      if (active) active_.push_back(r);
    }
  }
}

// The active rows of one block of J over the active columns, and of −F − J pull.
void AcNewton::write_block(const Block& b, const AcSlope& s) {
  const std::size_t n = rows_, m = active_.size();
  const bool contact = b.kind == BlockKind::coulomb, slip = contact && s.tangent == Branch::slip;
  for (int k = 0; k < b.size; ++k) {
    const int r = b.row + k, place = place_[r];
    if (place < 0) continue;
    double* out = J_.data() + place * m;
    if (!slip || k == 2) {
      const double* w = W_.data() + r * n;
      for (std::size_t c = 0; c < m; ++c) out[c] = rho_[r] * w[active_[c]];
      rhs_[place] = -F_[r] - rho_[r] * image_[r];
      continue;
    }
    const double dk = k == 0 ? s.d1 : s.d2;
    const double c0 = s.ratio * ((k == 0 ? 1.0 : 0.0) - dk * s.d1), c1 = s.ratio * ((k == 1 ? 1.0 : 0.0) - dk * s.d2);
    const double a0 = c0 * rho_[b.row], a1 = c1 * rho_[b.row + 1], a2 = s.velocity * dk * rho_[b.row + 2];
    const double *w0 = W_.data() + b.row * n, *w1 = w0 + n, *w2 = w1 + n;
    for (std::size_t c = 0; c < m; ++c) {
      const int j = active_[c];
      out[c] = a0 * w0[j] + a1 * w1[j] + a2 * w2[j];
    }
    rhs_[place] = -F_[r] - a0 * image_[b.row] - a1 * image_[b.row + 1] - a2 * image_[b.row + 2];
    const double B[3] = {(k == 0 ? 1.0 : 0.0) - c0, (k == 1 ? 1.0 : 0.0) - c1, -s.impulse * dk};
    for (int c = 0; c < 3; ++c) {
      if (place_[b.row + c] >= 0)
        out[place_[b.row + c]] += B[c];
      else
        rhs_[place] -= B[c] * pull_[b.row + c];
    }
  }
}

void AcNewton::assemble(const ContactProblem& p) {
  J_.resize(active_.size() * active_.size());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) write_block(p.blocks[i], slope_[i]);
}

// d_ = −J⁻¹F, or the minimum-norm solution; false if there is none that is finite.
bool AcNewton::direction(const ContactProblem& p) {
  if (use_sparse_) {
    const int before = sparse_.factorisations();
    const bool ok = sparse_.solve(p, contact_slope_, rho_.data(), 0.0, F_.data(), d_.data());
    factorisations_ += sparse_.factorisations() - before;
    return ok;
  }
  choose_rows(p);
  multiply(pull_.data(), image_.data());  // what the decided rows do to the others
  const int m = static_cast<int>(active_.size());
  pivot_.resize(active_.size());
  assemble(p);
  ++factorisations_;
  bool ok = factor_lu(J_.data(), m, pivot_.data()) && well_pivoted(J_.data(), m);
  if (ok) {
    solve_lu(J_.data(), m, pivot_.data(), rhs_.data());
    ok = all_finite(rhs_.data(), m);
  }
  if (!ok) {
    assemble(p);
    ++factorisations_;
    ok = minimum_norm_.solve(J_.data(), m, kSingular, rhs_.data());
  }
  std::copy_n(pull_.data(), rows_, d_.data());
  for (int c = 0; c < m; ++c) d_[active_[c]] = rhs_[c];
  return ok;
}

// λ ← λ + a d; false if ‖F‖ could not be lowered (the best trial is taken all the same).
bool AcNewton::search(const ContactProblem& p) {
  multiply(d_.data(), image_.data());
  double a = 1.0, best_a = 1.0, best_norm = std::numeric_limits<double>::infinity();
  bool accepted = !options_.line_search;
  for (int trial = 0; trial < kLineTrials && !accepted; ++trial, a *= 0.5) {
    for (int i = 0; i < rows_; ++i) {
      trial_lambda_[i] = lambda_[i] + a * d_[i];
      trial_u_[i] = u_[i] + a * image_[i];
    }
    const double norm = map_norm(p, trial_lambda_.data(), trial_u_.data(), trial_F_.data());
    if (norm < best_norm) best_norm = norm, best_a = a;
    accepted = norm < (1.0 - 1e-4 * a) * norm_;
    if (accepted) best_a = a;
  }
  const bool progress = accepted || best_norm < (1.0 - 1e-12) * norm_;
  for (int i = 0; i < rows_; ++i) lambda_[i] += best_a * d_[i];
  velocity(p);  // from scratch: sums of steps would lose digits on singular W
  norm_ = map_norm(p, lambda_.data(), u_.data(), F_.data());
  return progress;
}

Status AcNewton::iterate(const ContactProblem& p, int sweeps) {
  velocity(p);
  norm_ = map_norm(p, lambda_.data(), u_.data(), F_.data());
  int improved = 0;  // step of the best iterate
  while (sweeps + steps_ < options_.max_iterations && !best_.out_of_time()) {
    ++steps_;
    if (!direction(p)) return Status::numerical_failure;
    const bool progress = search(p);
    if (!std::isfinite(norm_)) return Status::numerical_failure;
    std::copy_n(lambda_.data(), rows_, trial_lambda_.data());
    project_blocks(p, trial_lambda_.data());
    best_.observe(p, trial_lambda_.data(), sweeps + steps_);
    const double before = best_.ratio();
    if (best_.offer(p, trial_lambda_.data())) return Status::converged;
    if (best_.ratio() < before) improved = steps_;
    if (!progress || steps_ - improved >= kActiveSetPatience) return Status::stalled;
  }
  return Status::max_iterations;
}

Report AcNewton::solve(const ContactProblem& p, VecOut lambda) {
  if (!solves<AcNewton>(p)) return refuse(kName);
  start(p, lambda);
  if (!data_finite(p)) return best_.finish(p, kName, lambda);
  project_blocks(p, lambda.data());
  Report warm;
  if (options_.warm_sweeps > 0) {
    warm = nsgs_.solve(p, lambda);
    warm.path = "nsgs";
    if (warm.status == Status::converged || warm.iterations >= options_.max_iterations) return warm;
  }
  best_.offer(p, lambda.data());
  load(p);
  std::copy_n(lambda.data(), rows_, lambda_.data());
  const Status status = iterate(p, warm.iterations);
  Report report = best_.finish(p, status, options_.warm_sweeps > 0 ? "nsgs>ac_newton" : kName, lambda, factorisations_);
  report.iterations = warm.iterations + steps_;
  return report;
}

}  // namespace stiction
