// SPDX-License-Identifier: BSD-2-Clause
#include <stiction/base/growing.h>
#include <stiction/solver/core/block_sets.h>
#include <stiction/solver/linalg/block_kernels.h>
#include <stiction/solver/splitting/admm_newton.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stiction {
namespace {

constexpr double kProximal = 1e-7;  // ε over the mean diagonal entry

}  // namespace

bool AdmmNewton::begin(const ContactProblem& p, const double* G) {
  const int n = rows_ = p.rows();
  G_ = G;
  symmetric_ = p.G.symmetric;
  for (GrowingVec* v : {&t_, &y_, &u_, &shift_, &step_}) v->resize(n);
  grow(pieces_, p.blocks.size());
  grow(columns_, n * n);
  grow(matrix_, n * n);
  grow(pivot_, n);
  int patches = 0;
  for (const Block& b : p.blocks) patches += b.kind == BlockKind::patch ? (b.size - 1) * (b.size - 1) : 0;
  grow(basis_, patches);
  double trace = 0.0;
  for (int r = 0; r < n; ++r) trace += G[r * n + r] + p.R(r);
  if (!(trace > 0.0) || !std::isfinite(trace)) return false;
  epsilon_ = kProximal * trace / n;
  for (int r = 0; r < n; ++r) shift_[r] = p.R(r) + epsilon_;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    double own = 0.0;
    for (int r = b.row; r < b.row + b.size; ++r) own += G[r * n + r] + p.R(r);
    pieces_[i].sigma = own > 0.0 ? own / b.size : trace / n;
  }
  return true;
}

void AdmmNewton::start_from_impulse(const ContactProblem& p, const double* lambda) {
  std::copy_n(lambda, rows_, y_.data());
  project_blocks(p, y_.data());
  velocity(p);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const double inverse = 1.0 / pieces_[i].sigma;
    for (int r = b.row; r < b.row + b.size; ++r) t_[r] = y_[r] - u_[r] * inverse;
    if (b.kind == BlockKind::coulomb && p.law.kind == FrictionLaw::coulomb)
      t_[b.row + 2] -= b.mu * length(u_[b.row], u_[b.row + 1]) * inverse;
    if (b.kind == BlockKind::patch && p.law.kind == FrictionLaw::coulomb)
      t_[b.row + b.size - 1] -= RoundCone{b.mu, b.size}.shift(u_.data() + b.row) * inverse;
  }
  classify(p);
}

void AdmmNewton::start_from_pair(const ContactProblem& p, const double* y, const double* z) {
  for (std::size_t i = 0; i < p.blocks.size(); ++i)
    for (int r = p.blocks[i].row; r < p.blocks[i].row + p.blocks[i].size; ++r) t_[r] = y[r] - z[r] / pieces_[i].sigma;
  classify(p);
}

void AdmmNewton::velocity(const ContactProblem& p) {
  const int n = rows_;
  for (int r = 0; r < n; ++r) u_[r] = p.g[r] + (shift_[r] - epsilon_) * y_[r];
  if (!symmetric_) {
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < n; ++k) u_[r] += G_[r * n + k] * y_[k];
    return;
  }
  double* __restrict__ u = u_.data();
  for (int k = 0; k < n; ++k) {  // symmetric: a row is a column, and open contacts cost nothing
    const double f = y_[k];
    if (f == 0.0) continue;
    const double* row = G_ + k * n;
    for (int r = 0; r < n; ++r) u[r] += f * row[r];
  }
}

// t̂ and an orthonormal basis of what is across it: the columns of the reflection that takes the first axis to ∓t̂.
void AdmmNewton::list_directions(const Block& block, const double* t, Piece& piece) {
  const int k = block.size - 1;
  const double n = RoundCone::norm(t, k);
  double* out = basis_.data() + piece.basis;
  for (int r = 0; r < k; ++r) out[r] = t[r] / n;
  const double sign = out[0] < 0.0 ? -1.0 : 1.0, inverse = 1.0 / (1.0 + std::abs(out[0]));
  for (int j = 1; j < k; ++j)
    for (int r = 0; r < k; ++r)
      out[j * k + r] = r == 0 ? -sign * out[j] : (r == j ? 1.0 : 0.0) - out[r] * out[j] * inverse;
}

// y = P(t), the region of each block, and the place of its unknowns.
void AdmmNewton::classify(const ContactProblem& p) {
  std::copy_n(t_.data(), rows_, y_.data());
  unknowns_ = 0;
  slides_ = false;
  int first_basis = 0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    Piece& piece = pieces_[i];
    const double* t = t_.data() + b.row;
    double* y = y_.data() + b.row;
    project_block(b, p.law, y);
    piece.column = unknowns_;
    piece.region = Region::free;
    if (b.kind == BlockKind::patch) {
      const double n = RoundCone::norm(t, b.size - 1), z = t[b.size - 1];
      piece.region = b.mu * n <= -z ? Region::fixed : n <= b.mu * z ? Region::free : Region::sliding;
      if (piece.region == Region::sliding) {
        piece.basis = first_basis;
        first_basis += (b.size - 1) * (b.size - 1);
        list_directions(b, t, piece);
        piece.kappa = b.mu * y[b.size - 1] / n;
        slides_ = true;
      }
      unknowns_ += piece.region == Region::free ? b.size : piece.region == Region::sliding ? directions(b, piece) : 0;
      continue;
    }
    if (b.kind != BlockKind::coulomb) {
      if (b.kind != BlockKind::bilateral && y[0] != t[0]) piece.region = Region::fixed;
      unknowns_ += piece.region == Region::free ? b.size : 0;
      continue;
    }
    const double n = length(t[0], t[1]);
    if (b.mu * n <= -t[2]) {
      piece.region = Region::fixed;
      continue;
    }
    if (n <= b.mu * t[2]) {
      unknowns_ += 3;
      continue;
    }
    piece.region = Region::sliding;
    piece.a = t[0] / n, piece.b = t[1] / n;
    piece.kappa = b.mu * y[2] / n;
    unknowns_ += piece.kappa > kTip ? 2 : 1;
    slides_ = true;
  }
}

// column += weight · column `row` of W.
inline void AdmmNewton::add_row(int row, double weight, double* __restrict__ column) const {
  const int n = rows_;
  const double* g = G_ + row * n;
  if (symmetric_)
    for (int r = 0; r < n; ++r) column[r] += weight * g[r];
  else
    for (int r = 0; r < n; ++r) column[r] += weight * G_[r * n + row];
  column[row] += weight * shift_[row];
}

// columns = W V; matrix = (left basis)ᵀ W V plus what the turning of the sliding contacts adds; step = −(left basis)ᵀ u.
void AdmmNewton::project_system(const ContactProblem& p) {
  const int n = rows_, m = unknowns_;
  const bool convex = p.law.kind == FrictionLaw::convex;
  std::fill_n(columns_.data(), n * m, 0.0);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const Piece& piece = pieces_[i];
    double* column = columns_.data() + piece.column * n;
    if (piece.region == Region::free)
      for (int k = 0; k < b.size; ++k) add_row(b.row + k, 1.0, column + k * n);
    if (piece.region != Region::sliding) continue;
    if (b.kind == BlockKind::patch) {
      for (int j = 0; j < directions(b, piece); ++j)
        for (int k = 0; k + 1 < b.size; ++k)
          add_row(b.row + k, (j == 0 ? b.mu : 1.0) * direction(b, piece, j)[k], column + j * n);
      add_row(b.row + b.size - 1, 1.0, column);
      continue;
    }
    add_row(b.row, b.mu * piece.a, column), add_row(b.row + 1, b.mu * piece.b, column), add_row(b.row + 2, 1.0, column);
    if (piece.kappa > kTip) add_row(b.row, -piece.b, column + n), add_row(b.row + 1, piece.a, column + n);
  }
  const auto project = [&](const double* x, double* out) {
    for (std::size_t i = 0; i < p.blocks.size(); ++i) {
      const Block& b = p.blocks[i];
      const Piece& piece = pieces_[i];
      const double* v = x + b.row;
      double* w = out + piece.column;
      if (piece.region == Region::free)
        for (int k = 0; k < b.size; ++k) w[k] = v[k];
      if (piece.region != Region::sliding) continue;
      if (b.kind == BlockKind::patch) {
        project_patch(b, piece, convex, v, w);
        continue;
      }
      w[0] = convex ? b.mu * (piece.a * v[0] + piece.b * v[1]) + v[2] : v[2];
      if (piece.kappa > kTip) w[1] = piece.a * v[1] - piece.b * v[0];
    }
  };
  for (int j = 0; j < m; ++j) project(columns_.data() + j * n, matrix_.data() + j * m);
  project(u_.data(), step_.data());
  for (int j = 0; j < m; ++j) step_[j] = -step_[j];
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.region != Region::sliding || !(piece.kappa > kTip)) continue;
    const int across = p.blocks[i].kind == BlockKind::patch ? directions(p.blocks[i], piece) - 1 : 1;
    for (int j = 1; j <= across; ++j)
      matrix_[(piece.column + j) * (m + 1)] += piece.sigma * (1.0 - piece.kappa) / piece.kappa;
  }
}

void AdmmNewton::project_patch(const Block& b, const Piece& piece, bool convex, const double* v, double* w) const {
  const double normal = v[b.size - 1];
  w[0] = convex ? b.mu * along(b, piece, 0, v) + normal : normal;
  for (int j = 1; j < directions(b, piece); ++j) w[j] = along(b, piece, j, v);
}

bool AdmmNewton::solve_system() {
  const int m = unknowns_;
  double *A = matrix_.data(), *x = step_.data();
  if (symmetric_ && !slides_) {
    if (!kernels::cholesky(A, m)) return false;
    kernels::solve_lower(x, A, m, false);
    kernels::solve_lower_transposed(x, A, m);
    return true;
  }
  if (!kernels::lu(A, m, pivot_.data())) return false;
  for (int j = 0; j < m; ++j) std::swap(x[j], x[pivot_[j]]);
  kernels::solve_lower(x, A, m, true);
  kernels::solve_upper(x, A, m);
  return true;
}

// As below for a sliding patch.
void AdmmNewton::move_patch(const Block& b, const Piece& piece, bool coulomb) {
  const double *v = u_.data() + b.row, *s = step_.data() + piece.column, inverse = 1.0 / piece.sigma;
  const int n = b.size - 1;
  double* t = t_.data() + b.row;
  const double slip = along(b, piece, 0, v);
  const double omega = -inverse * (coulomb ? slip : (slip - b.mu * v[n]) / (1.0 + b.mu * b.mu));
  const double height = y_[b.row + n] + s[0];
  for (int k = 0; k < n; ++k) {
    t[k] = (b.mu * height + omega) * direction(b, piece, 0)[k];
    for (int j = 1; j < directions(b, piece); ++j) t[k] += s[j] / piece.kappa * direction(b, piece, j)[k];
  }
  t[n] = height - b.mu * omega;
}

// t from the step and from u + Wδy, which takes the place of u.
void AdmmNewton::move(const ContactProblem& p) {
  const int n = rows_;
  double* __restrict__ u = u_.data();
  for (int j = 0; j < unknowns_; ++j) {
    const double* column = columns_.data() + j * n;
    const double f = step_[j];
    for (int r = 0; r < n; ++r) u[r] += f * column[r];
  }
  const bool coulomb = p.law.kind == FrictionLaw::coulomb;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    const Piece& piece = pieces_[i];
    const double *v = u_.data() + b.row, *s = step_.data() + piece.column, inverse = 1.0 / piece.sigma;
    double *t = t_.data() + b.row, *y = y_.data() + b.row;
    if (piece.region == Region::free)
      for (int k = 0; k < b.size; ++k) t[k] += s[k];
    if (piece.region == Region::fixed) {
      for (int k = 0; k < b.size; ++k) t[k] = y[k] - v[k] * inverse;
      if (b.kind == BlockKind::coulomb && coulomb) t[2] -= b.mu * length(v[0], v[1]) * inverse;
      if (b.kind == BlockKind::patch && coulomb) t[b.size - 1] -= RoundCone{b.mu, b.size}.shift(v) * inverse;
    }
    if (piece.region != Region::sliding) continue;
    if (b.kind == BlockKind::patch) {
      move_patch(b, piece, coulomb);
      continue;
    }
    // Along the dual t is y + ω(t̂, −μ), and z = −σω(t̂, −μ) must be the velocity along it.
    const double slip = piece.a * v[0] + piece.b * v[1];
    const double omega = -inverse * (coulomb ? slip : (slip - b.mu * v[2]) / (1.0 + b.mu * b.mu));
    const double height = y[2] + s[0];
    const double turn = piece.kappa > kTip ? s[1] / piece.kappa : 0.0;
    t[0] = (b.mu * height + omega) * piece.a - turn * piece.b;
    t[1] = (b.mu * height + omega) * piece.b + turn * piece.a;
    t[2] = height - b.mu * omega;
  }
  classify(p);
}

bool AdmmNewton::step(const ContactProblem& p) {
  velocity(p);
  project_system(p);
  if (!solve_system()) return false;
  move(p);
  return true;
}

}  // namespace stiction
