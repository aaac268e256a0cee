// SPDX-License-Identifier: BSD-2-Clause
// Maximum dissipation and round-off, per contact and as maxima:
//   angle   between −λ_T and u_T where ‖u_T‖ > 1e-9 + 1e-8 S_d and ‖λ_T‖/dt > 1e-6 + 1e-8 S_p; for the raisim law
//           between u_T and the direction −λ_T − (μ²λ_N/G_NN) G_NT in which that law slides
//   defect  (μ λ_N ‖u_T‖ + λ_Tᵀu_T)/dt ≥ 0, zero iff friction dissipates all it can
//   floor   2⁻⁵² max_i (Σ_j ‖G_ij‖‖λ_j‖ + ‖g_i‖): no velocity error below it means anything. In body space, where G_ij
//           is not stored, |H||H|ᵀ|λ| takes the place of the sum; it is not smaller.
#include <stiction/problem/judge_blocks.h>
#include <stiction/problem/judge_detail.h>

namespace stiction::judging {
namespace {

double norm(const double* x, int size) {
  double s = 0.0;
  for (int i = 0; i < size; ++i) s += x[i] * x[i];
  return std::sqrt(s);
}

// Frobenius norm of the block (i, j) of a dense G.
double dense_block_norm(const Delassus& G, int i, int j) {
  double s = 0.0;
  for (int r = G.start[i]; r < G.start[i + 1]; ++r)
    for (int c = G.start[j]; c < G.start[j + 1]; ++c) s += square(G.dense[r * G.rows() + c]);
  return std::sqrt(s);
}

double diagonal_trace(const Delassus& G, int i) {
  const int size = G.start[i + 1] - G.start[i];
  double sum = 0.0;
  for (int r = 0; r < size; ++r) sum += G.diagonal_block(i)[r * (size + 1)];
  return sum;
}

double stored_row_bound(const Delassus& G, int i, const double* lambda) {
  double sum = 0.0;
  if (G.storage == Delassus::Storage::dense) {
    for (int j = 0; j < G.blocks(); ++j)
      sum += dense_block_norm(G, i, j) * norm(lambda + G.start[j], G.start[j + 1] - G.start[j]);
    return sum;
  }
  if (G.storage == Delassus::Storage::matrix_free) {  // ‖G_ij‖ ≤ √(tr G_ii · tr G_jj) for G ⪰ 0
    for (int j = 0; j < G.blocks(); ++j)
      sum += std::sqrt(diagonal_trace(G, i) * diagonal_trace(G, j)) *
             norm(lambda + G.start[j], G.start[j + 1] - G.start[j]);
    return sum;
  }
  const int rows = G.start[i + 1] - G.start[i];
  for (int k = G.row_start[i]; k < G.row_start[i + 1]; ++k) {
    const int j = G.column[k], cols = G.start[j + 1] - G.start[j];
    sum += norm(G.values.data() + G.value_start[k], rows * cols) * norm(lambda + G.start[j], cols);
  }
  return sum;
}

// velocity += |H_i|ᵀ |λ_i|, and the norm of |H_i| velocity.
template <class F>
void for_each_entry(const Delassus& G, int i, F f) {
  for (int k = G.body.term_start[i]; k < G.body.term_start[i + 1]; ++k) {
    const BodySpace::Term& t = G.body.terms[k];
    for (int r = 0; r < G.start[i + 1] - G.start[i]; ++r)
      for (int j = 0; j < t.width; ++j)
        f(r, G.body.column[t.columns + j], std::abs(G.body.values[t.offset + r * t.width + j]));
  }
}

double body_row_bound(const Delassus& G, int i, const double* velocity) {
  double sum2 = 0.0;
  const int size = G.start[i + 1] - G.start[i];
  for (int row = 0; row < size; ++row) {
    double s = 0.0;
    for_each_entry(G, i, [&](int r, int c, double h) { s += r == row ? h * velocity[c] : 0.0; });
    sum2 += s * s;
  }
  return std::sqrt(sum2);
}

double round_off_floor(const ContactProblem& p, const double* lambda, GrowingVec& scratch) {
  const Delassus& G = p.G;
  const bool body = G.storage == Delassus::Storage::body_space;
  if (body) {
    scratch.assign(G.body.velocities, 0.0);
    for (int i = 0; i < G.blocks(); ++i) {
      const double* l = lambda + G.start[i];
      for_each_entry(G, i, [&](int r, int c, double h) { scratch[c] += h * std::abs(l[r]); });
    }
  }
  double largest = 0.0;
  for (int i = 0; i < G.blocks(); ++i) {
    const double bound = body ? body_row_bound(G, i, scratch.data()) : stored_row_bound(G, i, lambda);
    largest = std::max(largest, bound + norm(p.g.data() + G.start[i], G.start[i + 1] - G.start[i]));
  }
  return std::numeric_limits<double>::epsilon() * largest;
}

double angle_between(const Vec2& a, const Vec2& b) {
  return std::atan2(std::abs(a.x() * b.y() - a.y() * b.x()), a.dot(b));
}

// As for a contact, with all rows but the last; the angle is that of two vectors of up to five entries.
void add_patch_detail(const Block& b, const double* l, const double* u, double inverse_dt, Residual& r) {
  const int t = b.size - 1;
  const double lt = norm(l, t), ut = norm(u, t);
  double along = 0.0, across2 = 0.0;
  for (int k = 0; k < t; ++k) along -= l[k] * u[k];
  r.mdp_defect = std::max(r.mdp_defect, (b.mu * l[t] * ut - along) * inverse_dt);
  if (!(ut > 1e-9 + 1e-8 * r.velocity_scale && lt * inverse_dt > 1e-6 + 1e-8 * r.force_scale)) return;
  for (int k = 0; k < t; ++k) across2 += square(u[k] / ut * lt + along / (lt * ut) * l[k]);
  r.mdp_angle = std::max(r.mdp_angle, std::atan2(std::sqrt(across2) * ut, along));
}

}  // namespace

double turning_ratio(const ContactProblem& p, const double* lambda, const double* u, const Tolerance& t, Residual& r) {
  double scale = 0.0, worst = 0.0;
  const auto each_row = [&](const auto& look) {
    for (const Block& b : p.blocks)
      for (int k = 2; b.kind == BlockKind::patch && k + 1 < b.size; ++k)
        look(judge_turning(b, k, lambda + b.row, u + b.row, p.g.data() + b.row));
  };
  each_row([&](const Turning& turning) { scale = std::max(scale, turning.scale); });
  const double impulse = (t.force + t.relative * r.force_scale) * *p.dt;
  each_row([&](const Turning& turning) {
    if (turning.error == 0.0) return;
    const double ratio = turning.error / (t.velocity + t.relative * scale + impulse * turning.blur);
    r.dual = std::max(r.dual, turning.error);
    worst = std::max(worst, ratio);
  });
  return worst;
}

double reaction_bound(const ContactProblem& p, const double* lambda, bool angular) {
  double sum = 0.0, trace = 0.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const double own = diagonal_trace(p.G, static_cast<int>(i));
    sum += std::sqrt(own) * norm(lambda + p.blocks[i].row, p.blocks[i].size);
    if (p.blocks[i].angular == angular) trace = std::max(trace, own);
  }
  return std::sqrt(trace) * sum;
}

void add_detail(const ContactProblem& p, const double* lambda, const FrictionLaw& law, const double* R, JudgeWork& work,
                Residual& r) {
  const double inverse_dt = p.dt ? 1.0 / *p.dt : 1.0;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const Block& b = p.blocks[i];
    if (b.kind != BlockKind::coulomb && b.kind != BlockKind::patch) continue;
    const double *l = lambda + b.row, *u = work.u.data() + b.row;
    if (b.kind == BlockKind::patch) {
      add_patch_detail(b, l, u, inverse_dt, r);
      continue;
    }
    const double lt = norm(l, 2), ut = norm(u, 2);
    r.mdp_defect = std::max(r.mdp_defect, (b.mu * l[2] * ut + l[0] * u[0] + l[1] * u[1]) * inverse_dt);
    if (!(ut > 1e-9 + 1e-8 * r.velocity_scale && lt * inverse_dt > 1e-6 + 1e-8 * r.force_scale)) continue;
    const double* diagonal = p.G.diagonal_block(static_cast<int>(i));
    const Vec2 wanted = law.kind == FrictionLaw::raisim
                            ? raisim_direction(b.mu, l, diagonal, diagonal[8] + (R ? R[b.row + 2] : 0.0))
                            : Vec2(-l[0], -l[1]);
    r.mdp_angle = std::max(r.mdp_angle, angle_between(wanted, {u[0], u[1]}));
  }
  r.floor = round_off_floor(p, lambda, work.scratch);
}

}  // namespace stiction::judging
