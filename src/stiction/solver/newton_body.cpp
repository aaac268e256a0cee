// SPDX-License-Identifier: BSD-2-Clause
// NewtonSystem in body space, see newton_system.h.
#include <stiction/solver/newton_system.h>

#include <algorithm>

namespace stiction {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// E⁻¹ and P = E⁻¹Dρ of a slipping contact (row-major), E = I − D + Dρ(R + α).
bool invert_slip(const ContactSlope& s, const double* rho, const double* damping, double* inverse, double* P) {
  Mat3 A, E;
  for (int c = 0; c < 3; ++c) {
    double unit[3] = {0.0, 0.0, 0.0}, y[3];
    unit[c] = 1.0;
    s.apply_slip(unit, y);
    for (int r = 0; r < 3; ++r) {
      A(r, c) = y[r] * rho[c];
      E(r, c) = unit[r] - y[r] + A(r, c) * damping[c];
    }
  }
  if (!(std::abs(E.determinant()) > 0.0)) return false;
  using Block3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Eigen::Map<Block3> out(inverse), product(P);
  out = E.inverse();
  product = out * A;
  return true;
}

// y += B x with one small row-major matrix per block.
void add_blocks(const ContactProblem& p, const double* blocks, const double* x, double* y) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double* B = blocks + p.G.diagonal_start[i];
    for (int r = 0; r < b.size; ++r)
      for (int c = 0; c < b.size; ++c) y[b.row + r] += B[r * b.size + c] * x[b.row + c];
  }
}

}  // namespace

bool NewtonSystem::invert_blocks(const ContactProblem& p, const std::vector<ContactSlope>& slopes, const double* rho,
                                 double alpha) {
  E_.assign(p.G.diagonal_start.back(), 0.0), P_.assign(p.G.diagonal_start.back(), 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    double *inverse = E_.data() + p.G.diagonal_start[i], *P = P_.data() + p.G.diagonal_start[i];
    const ContactSlope& s = slopes[i];
    if (s.mode == Branch::slip && s.mu > 0.0) {
      const double damping[3] = {alpha + p.R(b.row), alpha + p.R(b.row + 1), alpha + p.R(b.row + 2)};
      if (!invert_slip(s, rho + b.row, damping, inverse, P)) return false;
      continue;
    }
    for (int k = 0; k < b.size; ++k) {
      const int r = b.row + k;
      const bool fixed = s.mode == Branch::open || (s.mode == Branch::slip && k < 2);
      const double damping = alpha + p.R(r);
      if (!fixed && !(damping > 0.0)) return false;  // a damping of zero asks for the dense form
      inverse[k * b.size + k] = fixed ? 1.0 : 1.0 / (rho[r] * damping);
      P[k * b.size + k] = fixed ? 0.0 : 1.0 / damping;
    }
  }
  return true;
}

// d = E⁻¹ rhs − P H w
void NewtonSystem::solve_body_once(const ContactProblem& p, const double* rhs, double* d) {
  const int blocks = p.G.blocks();
  std::fill(d, d + rows_, 0.0);
  add_blocks(p, E_.data(), rhs, d);
  std::fill(wide_.data(), wide_.data() + wide_.size(), 0.0);
  for (int i = 0; i < blocks; ++i) p.G.add_transposed(i, d + p.G.start[at(i)], wide_.data());
  body_.solve(wide_.data());
  for (int i = 0; i < blocks; ++i) p.G.multiply_velocity(i, wide_.data(), image_.data() + p.G.start[at(i)]);
  for (int r = 0; r < rows_; ++r) image_[r] = -image_[r];
  add_blocks(p, P_.data(), image_.data(), d);
}

bool NewtonSystem::solve_body(const ContactProblem& p, const std::vector<ContactSlope>& slopes, const double* rho,
                              double alpha, const double* F, double* d) {
  constexpr int kRefinements = 2;
  if (!invert_blocks(p, slopes, rho, alpha) || !body_.factor(p, P_.data())) return false;
  for (int r = 0; r < rows_; ++r) rhs_[r] = -F[r];
  solve_body_once(p, rhs_.data(), d);
  for (int pass = 0; pass < kRefinements; ++pass) {
    // residual −F − [Dρ(W + α) + I − D] d
    multiply(d, pull_.data());
    for (int r = 0; r < rows_; ++r) pull_[r] = rho[r] * (pull_[r] + alpha * d[r]) - d[r];
    for (std::size_t i = 0; i < p.blocks.size(); ++i) {
      const Block& b = p.blocks[i];
      const ContactSlope& s = slopes[i];
      double* x = pull_.data() + b.row;
      if (s.mode == Branch::slip && s.mu > 0.0) {
        double y[3];
        s.apply_slip(x, y);
        std::copy(y, y + 3, x);
      } else {
        for (int k = 0; k < b.size; ++k)
          if (s.mode == Branch::open || (s.mode == Branch::slip && k < 2)) x[k] = 0.0;
      }
    }
    for (int r = 0; r < rows_; ++r) rhs_[r] = -F[r] - d[r] - pull_[r];
    solve_body_once(p, rhs_.data(), pull_.data());
    for (int r = 0; r < rows_; ++r) d[r] += pull_[r];
  }
  return true;
}

}  // namespace stiction
