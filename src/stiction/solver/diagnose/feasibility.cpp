// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/dot.h>
#include <stiction/solver/diagnose/feasibility.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr double kShifts[] = {1e-3, 1e-6};  // margins that a witness is looked for with
constexpr double kLeastMargin = 4e-7, kSafety = 1e3;
constexpr double kMostLeak = 1e-11, kLeastPush = 1e-9;

}  // namespace

bool FeasibilityCheck::load(const ContactProblem& p) {
  margin_ = closing_speed_ = leak_ = push_ = 0.0;
  jammed_ = false, rounds_ = 0;
  y_.assign(p.rows(), 0.0), lambda_.assign(p.rows(), 0.0), u_.assign(p.rows(), 0.0);
  return !p.general && rows_.load(p, false);
}

bool FeasibilityCheck::proves_infeasible(const ContactProblem& p) { return load(p) && finds_certificate(p, false); }

void FeasibilityCheck::minimise(const ContactProblem& p, bool cones, double margin, double enough) {
  distance_.minimise(p, rows_, cones, margin, enough);
  rounds_ += distance_.rounds();
}

bool FeasibilityCheck::finds_certificate(const ContactProblem& p, bool cones) {
  minimise(p, cones, 0.0, 1e-9);
  return is_certificate(p);
}

Feasibility::Verdict FeasibilityCheck::run(const ContactProblem& p) {
  if (!load(p)) return Feasibility::undecided;
  if (finds_certificate(p, false)) return Feasibility::infeasible;
  if (!rows_.load(p, true)) return Feasibility::undecided;
  for (const double shift : kShifts) {
    minimise(p, true, shift, 0.5 * shift);
    if (is_witness(p)) return Feasibility::feasible;
  }
  jammed_ = is_jam(p);
  if (!jammed_ || p.law.kind != FrictionLaw::convex) return Feasibility::undecided;
  if (finds_certificate(p, true)) return Feasibility::infeasible;
  jammed_ = is_jam(p);
  return Feasibility::undecided;
}

// |Gᵀy|/|y| in the units of the rows, measured with the problem's own matrix; in body space |Hᵀy|/|y|, which is sharper.
double FeasibilityCheck::measure_leak(const ContactProblem& p) {
  double size = 0.0, leak = 0.0;
  for (const VelocityDemand& v : rows_.demands()) {
    const int first = v.kind == VelocityDemand::cone ? v.row - 2 : v.row;
    for (int row = first; row <= v.row; ++row) size += std::abs(y_[row]) * (row == v.row ? v.scale : rows_.scale(row));
  }
  if (!(size > 0.0)) return std::numeric_limits<double>::infinity();
  if (p.G.storage == Delassus::Storage::body_space) {
    velocity_.assign(rows_.velocities(), 0.0);
    for (std::size_t i = 0; i < p.blocks.size(); ++i)
      p.G.add_transposed(static_cast<int>(i), y_.data() + p.blocks[i].row, velocity_.data());
    leak = velocity_.vec().norm() / size;
  }
  p.G.multiply_transposed(y_.data(), u_.data(), scratch_);
  for (int i = 0; i < p.rows(); ++i) {
    u_[i] += p.R(i) * y_[i];
    if (u_[i] != 0.0) leak = std::max(leak, std::abs(u_[i]) / (rows_.unit(i) * size));
  }
  push_ = -dot(p.g.data(), y_.data(), p.rows()) / (rows_.gamma() * size);
  return leak;
}

// Σ|y| = 1 over the one-sided rows.
void FeasibilityCheck::normalise() {
  double one_sided = 0.0, all = 0.0;
  for (const VelocityDemand& v : rows_.demands()) {
    all += std::abs(y_[v.row]);
    if (v.kind != VelocityDemand::equal) one_sided += std::abs(y_[v.row]);
  }
  y_.vec() /= one_sided > 1e-9 * all ? one_sided : all;
}

bool FeasibilityCheck::is_certificate(const ContactProblem& p) {
  distance_.read(1.0, y_);
  leak_ = measure_leak(p);
  if (!(leak_ <= kMostLeak && push_ >= kLeastPush && push_ >= kSafety * leak_)) return false;
  normalise();
  closing_speed_ = -dot(p.g.data(), y_.data(), p.rows());
  return true;
}

// The null vector that keeps every velocity from the inside of the cones: it has made the last margin impossible.
bool FeasibilityCheck::is_jam(const ContactProblem& p) {
  distance_.read(1.0, y_);
  leak_ = measure_leak(p);
  if (!(leak_ <= kMostLeak)) return false;
  normalise();
  return true;
}

bool FeasibilityCheck::is_witness(const ContactProblem& p) {
  const double rest = distance_.rest();  // 1 + g·y/γ
  if (!(rest > 0.0)) return false;
  distance_.read(rows_.gamma() / rest, lambda_);
  p.G.multiply(lambda_.data(), u_.data(), scratch_);
  u_.vec() += p.g.vec();
  double load = 1.0;
  for (int i = 0; i < p.rows(); ++i) load += rows_.scale(i) * std::abs(lambda_[i]) / rows_.gamma();
  const double noise = 1e-15 * load;
  margin_ = std::numeric_limits<double>::infinity();
  for (const VelocityDemand& v : rows_.demands()) {
    double u = v.sign * u_[v.row];
    if (v.kind == VelocityDemand::equal) {
      if (!(std::abs(u) <= kSafety * noise * rows_.gamma() * v.scale)) return false;
      continue;
    }
    if (v.mu > 0.0) u -= v.mu * std::hypot(u_[v.row - 2], u_[v.row - 1]);
    const double relative = u / (rows_.gamma() * v.cone_scale);
    if (!(relative >= kLeastMargin && relative >= kSafety * noise)) return false;
    margin_ = std::min(margin_, u);
  }
  return true;
}

Feasibility check_feasibility(const ContactProblem& problem) {
  FeasibilityCheck check;
  Feasibility out;
  out.verdict = check.run(problem);
  if (out.verdict == Feasibility::feasible) {
    out.velocity = check.velocity().vec(), out.impulse = check.impulse().vec();
    out.margin = check.margin();
  } else if (out.verdict == Feasibility::infeasible) {
    out.certificate = check.y().vec();
    out.closing_speed = check.closing_speed(), out.leak = check.leak(), out.push = check.push();
  } else if (check.jammed()) {
    out.jammed = check.y().vec();
  }
  return out;
}

}  // namespace stiction
