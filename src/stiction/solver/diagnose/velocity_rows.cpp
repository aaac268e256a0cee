// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/solver/core/finite.h>
#include <stiction/solver/diagnose/velocity_rows.h>
#include <stiction/solver/linalg/pivoted_cholesky.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace stiction {
namespace {

constexpr double kCompliant = 1e-11;   // R_i above this part of G_ii is compliance
constexpr double kImmovable = 1e-14;   // G_NN below this part of its block's trace is round-off
constexpr double kRankCut = 1e-13;     // of the scaled matrix
constexpr double kMostEntries = 12e6;  // of H
constexpr int kMostRows = 3000;        // of a matrix that is factored

// The circle that holds the pyramid.
double widest_mu(const FrictionLaw& law, double mu) {
  return law.kind == FrictionLaw::pyramid ? mu / std::cos(std::numbers::pi / law.facets) : mu;
}

}  // namespace

bool VelocityRows::load(const ContactProblem& p, bool cones) {
  if (!data_finite(p)) return false;
  list_demands(p, cones);
  if (p.G.storage == Delassus::Storage::body_space) {
    velocities_ = p.G.body.velocities;
    if (static_cast<double>(p.rows()) * velocities_ > kMostEntries) return false;
    scatter_body_space(p);
  } else {
    if (p.rows() > kMostRows) return false;
    factor(p);
  }
  measure(p);
  return true;
}

void VelocityRows::list_demands(const ContactProblem& p, bool cones) {
  demands_.clear();
  used_.assign(p.rows(), 0);
  scale_.assign(p.rows(), 0.0), unit_of_.resize(p.rows());
  double largest = 0.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int k = 0; k < p.blocks[i].size; ++k)
      largest = std::max(largest, p.G.diagonal_block(static_cast<int>(i))[k * (p.blocks[i].size + 1)]);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* d = p.G.diagonal_block(static_cast<int>(i));
    double trace = 0.0;
    for (int k = 0; k < b.size; ++k) trace += d[k * (b.size + 1)];
    for (int k = 0; k < b.size; ++k)
      unit_of_[b.row + k] = std::sqrt(std::max({d[k * (b.size + 1)], kImmovable * trace, 1e-2 * kImmovable * largest}));
    const auto yields = [&](int k) { return p.R(b.row + k) > kCompliant * trace && p.R(b.row + k) > 0.0; };
    const auto take = [&](int k, VelocityDemand::Kind kind, double sign) {
      const double own = d[k * (b.size + 1)],
                   least = b.kind == BlockKind::coulomb ? kImmovable * trace : 1e-2 * kImmovable * largest;
      used_[b.row + k] = own > least;
      scale_[b.row + k] = own > least ? std::sqrt(own) : 0.0;
      if (kind != VelocityDemand::cone || k == 2)
        demands_.push_back({kind, static_cast<int>(i), b.row + k, sign, 0.0, scale_[b.row + k], scale_[b.row + k]});
    };
    const bool above = b.kind == BlockKind::box && !std::isfinite(b.hi),
               below = b.kind == BlockKind::box && !std::isfinite(b.lo);
    if (b.kind == BlockKind::coulomb && !yields(2)) {
      const bool slides = cones && b.mu > 0.0 && !yields(0) && !yields(1);
      for (int k = slides ? 0 : 2; k < 3; ++k) take(k, VelocityDemand::cone, 1.0);
      VelocityDemand& contact = demands_.back();
      contact.mu = slides ? widest_mu(p.law, b.mu) : 0.0;
      contact.cone_scale = std::sqrt(d[8] + contact.mu * contact.mu * std::max(d[0], d[4]));
      if (contact.cone_scale * contact.cone_scale <= 1e-2 * kImmovable * largest) contact.cone_scale = 0.0;
    } else if (b.kind == BlockKind::patch && !yields(b.size - 1)) {  // its friction is left out: a proof stays a proof
      take(b.size - 1, VelocityDemand::at_least, 1.0);
    } else if (b.kind == BlockKind::unilateral && !yields(0)) {
      take(0, VelocityDemand::at_least, 1.0);
    } else if (b.kind == BlockKind::bilateral) {
      for (int k = 0; k < b.size; ++k)
        if (!yields(k)) take(k, VelocityDemand::equal, 1.0);
    } else if ((above || below) && !yields(0)) {
      take(0, above && below ? VelocityDemand::equal : VelocityDemand::at_least, above ? 1.0 : -1.0);
    }
  }
}

// γ, and a unit for rows that nothing moves.
void VelocityRows::measure(const ContactProblem& p) {
  gamma_ = 0.0;
  for (int i = 0; i < p.rows(); ++i)
    if (scale_[i] > 0.0) gamma_ = std::max(gamma_, std::abs(p.g[i]) / scale_[i]);
  if (!(gamma_ > 0.0)) gamma_ = 1.0;
  for (VelocityDemand& v : demands_) {
    const double still = std::abs(p.g[v.row]) > 0.0 ? std::abs(p.g[v.row]) / gamma_ : 1.0;
    if (!(v.scale > 0.0)) v.scale = still;
    if (!(v.cone_scale > 0.0)) v.cone_scale = still;
  }
}

void VelocityRows::scatter_body_space(const ContactProblem& p) {
  const BodySpace& body = p.G.body;
  H_.assign(p.rows() * velocities_, 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int t = body.term_start[i]; t < body.term_start[i + 1]; ++t) {
      const BodySpace::Term& term = body.terms[t];
      const double* h = body.values.data() + term.offset;
      for (int k = p.blocks[i].row; k < p.blocks[i].row + p.blocks[i].size; ++k, h += term.width) {
        if (!used_[k]) continue;
        for (int c = 0; c < term.width; ++c) H_[offset(k) + body.column[term.columns + c]] += h[c];
      }
    }
}

void VelocityRows::factor(const ContactProblem& p) {
  const int n = p.rows();
  p.G.densify(matrix_, unit_, scratch_);
  used_rows_.clear();
  for (int i = 0; i < n; ++i)
    if (used_[i]) used_rows_.push_back(i);
  const int m = static_cast<int>(used_rows_.size());
  const auto entry = [&](int a, int b) {
    const int i = used_rows_[a], j = used_rows_[b];
    return 0.5 * (matrix_[i * n + j] + matrix_[j * n + i]) / (scale_[i] * scale_[j]);
  };
  rows_.resize(m * m), diagonal_.resize(m), order_.resize(m);
  const double cut = std::max(kRankCut, 4.0 * m * std::numeric_limits<double>::epsilon());
  const int rank = factor_cholesky_pivoted(m, cut, entry, rows_.data(), diagonal_.data(), order_.data());
  velocities_ = rank;
  H_.assign(n * rank, 0.0);
  for (int a = 0; a < m; ++a)
    for (int c = 0; c < rank; ++c) H_[offset(used_rows_[a]) + c] = scale_[used_rows_[a]] * rows_[a * m + c];
}

}  // namespace stiction
